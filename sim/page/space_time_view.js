// space_time_view - links (or nodes) down, time across: a cell for each packet, and idle cells in a colour of their own,
// so that one sees where a schedule loses steps.

const NAMES_WIDTH = 110; // pixels left of the cells
const AXIS_HEIGHT = 22; // below them

// The smallest of 1, 2, 5, 10, 20, 50, ... that is not below `least`.
function roundStride(least) {
  for (let power = 1; ; power *= 10) for (const digit of [1, 2, 5]) if (digit * power >= least) return digit * power;
}

class SpaceTimeView extends CanvasView {
  prepare() {
    this.countRows("links");
  }

  // "links", "senders" or "receivers".
  setRows(kind) {
    this.countRows(kind);
    this.resize();
  }
  countRows(kind) {
    const { recording } = this;
    this.kind = kind;
    this.rows = kind === "links" ? recording.links : recording.nodes;
    this.rowOfLink = kind === "senders" ? recording.linkSource : kind === "receivers" ? recording.linkTarget : null;
    this.capacity = new Uint32Array(this.rows);
    for (let link = 0; link < recording.links; ++link) ++this.capacity[this.rowOf(link)];
    const one = recording.head.ports === "one" || (recording.head.ports === "one-send" && kind === "senders");
    if (kind !== "links" && one) this.capacity.fill(1);
    this.host.style.height = `${Math.max(90, Math.min(560, this.rows * 18)) + AXIS_HEIGHT}px`;
  }
  rowOf(link) {
    return this.rowOfLink === null ? link : this.rowOfLink[link];
  }
  rowName(row) {
    return this.kind === "links" ? this.recording.linkName(row) : this.recording.nodeName(row);
  }

  fit() {
    this.time0 = this.clock.first;
    this.row0 = 0;
    this.perCycle = (this.width - NAMES_WIDTH) / Math.max(1, this.clock.last - this.clock.first);
    this.perRow = (this.height - AXIS_HEIGHT) / Math.max(1, this.rows);
    if (this.perRow > 18) this.perRow = 18;
    if (this.perCycle > 160) this.perCycle = 160;
    this.redrawAll();
  }
  bound() {
    const cycles = (this.width - NAMES_WIDTH) / this.perCycle;
    const rows = (this.height - AXIS_HEIGHT) / this.perRow;
    this.time0 = Math.max(this.clock.first, Math.min(this.time0, this.clock.last - cycles));
    this.row0 = Math.max(0, Math.min(this.row0, this.rows - rows));
    this.redrawAll();
  }
  dragged(dx, dy) {
    this.time0 -= dx / this.perCycle;
    this.row0 -= dy / this.perRow;
    this.bound();
  }
  zoomed(factor, x, y) {
    const time = this.timeAt(x);
    const row = this.rowAt(y);
    const least = (this.width - NAMES_WIDTH) / Math.max(1, this.clock.last - this.clock.first);
    this.perCycle = Math.min(160, Math.max(Math.min(least, 160), this.perCycle * factor));
    const leastRow = (this.height - AXIS_HEIGHT) / Math.max(1, this.rows);
    this.perRow = Math.min(24, Math.max(Math.min(leastRow, 18), this.perRow * factor));
    this.time0 = time - (x - NAMES_WIDTH) / this.perCycle;
    this.row0 = row - y / this.perRow;
    this.bound();
  }
  timeAt(x) {
    return this.time0 + (x - NAMES_WIDTH) / this.perCycle;
  }
  rowAt(y) {
    return this.row0 + y / this.perRow;
  }
  xOf(time) {
    return NAMES_WIDTH + (time - this.time0) * this.perCycle;
  }
  yOf(row) {
    return (row - this.row0) * this.perRow;
  }

  still(context) {
    const { recording } = this;
    const end = this.timeAt(this.width);
    const from = recording.firstSendFrom(Math.floor(this.time0) - recording.longest + 1);
    const to = recording.firstSendFrom(Math.ceil(end) + 1);
    const lastRow = Math.min(this.rows, Math.ceil(this.rowAt(this.height - AXIS_HEIGHT)));
    const exact = this.kind === "links" && this.perRow >= 2 && to - from <= 80000;
    context.save();
    context.beginPath();
    context.rect(NAMES_WIDTH, 0, this.width - NAMES_WIDTH, this.height - AXIS_HEIGHT);
    context.clip();
    if (exact) this.drawCells(context, from, to, lastRow);
    else this.drawDensity(context, from, to);
    context.restore();
    this.drawAxes(context, lastRow);
  }

  drawCells(context, from, to, lastRow) {
    const { recording, look } = this;
    const right = Math.min(this.width, this.xOf(this.clock.last));
    const gap = this.perRow >= 5 ? 1 : 0;
    context.fillStyle = themeColour("--idle");
    for (let row = Math.floor(this.row0); row < lastRow; ++row)
      context.fillRect(this.xOf(this.clock.first), this.yOf(row), right - this.xOf(this.clock.first), this.perRow - gap);
    const faint = themeColour("--faint");
    for (let i = from; i < to; ++i) {
      const row = recording.link[i];
      if (row < this.row0 - 1 || row >= lastRow) continue;
      const p = recording.packet[i];
      const x = this.xOf(recording.start[i] - 1);
      const wide = Math.max(1, recording.flits[p] * this.perCycle - (this.perCycle >= 4 ? 1 : 0));
      context.fillStyle = look.passes(p) ? look.colouring.colour(i) : faint;
      context.fillRect(x, this.yOf(row), wide, this.perRow - gap);
    }
  }

  // Too many cells for the screen: each pixel has the part of its links' cycles that are busy.
  drawDensity(context, from, to) {
    const { recording, look } = this;
    const wide = Math.ceil(this.width - NAMES_WIDTH);
    const high = Math.max(1, Math.ceil(Math.min(this.height - AXIS_HEIGHT, this.yOf(this.rows))));
    const busy = new Float32Array(wide * high);
    const room = new Float32Array(high);
    for (let row = Math.max(0, Math.floor(this.row0)); row < this.rows; ++row) {
      const y0 = Math.max(0, Math.floor(this.yOf(row)));
      const y1 = Math.max(y0 + 1, Math.ceil(this.yOf(row + 1) - 0.5));
      for (let y = y0; y < Math.min(high, y1); ++y) room[y] += this.capacity[row];
    }
    for (let i = from; i < to; ++i) {
      const p = recording.packet[i];
      if (!look.passes(p)) continue;
      const row = this.rowOf(recording.link[i]);
      const y0 = Math.max(0, Math.floor(this.yOf(row)));
      const y1 = Math.min(high, Math.max(y0 + 1, Math.ceil(this.yOf(row + 1) - 0.5)));
      if (y0 >= high || this.yOf(row + 1) < 0) continue;
      const x0 = (recording.start[i] - 1 - this.time0) * this.perCycle;
      const x1 = x0 + recording.flits[p] * this.perCycle;
      for (let x = Math.max(0, Math.floor(x0)); x < Math.min(wide, x1); ++x) {
        const part = Math.min(x + 1, x1) - Math.max(x, x0);
        for (let y = y0; y < y1; ++y) busy[y * wide + x] += part;
      }
    }
    const image = new ImageData(wide, high);
    const mix = [themeColour("--idle"), themeColour("--busy")].map((hex) =>
      [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)),
    );
    const end = (this.clock.last - this.time0) * this.perCycle;
    for (let y = 0, at = 0; y < high; ++y) {
      for (let x = 0; x < wide; ++x, at += 4) {
        if (x >= end || room[y] === 0) continue;
        const part = Math.min(1, busy[y * wide + x] / room[y]);
        for (let k = 0; k < 3; ++k) image.data[at + k] = mix[0][k] + part * (mix[1][k] - mix[0][k]);
        image.data[at + 3] = 255;
      }
    }
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [wide, high];
    canvas.getContext("2d").putImageData(image, 0, 0);
    context.drawImage(canvas, NAMES_WIDTH, 0, wide, high);
  }

  drawAxes(context, lastRow) {
    const { clock } = this;
    context.fillStyle = themeColour("--muted");
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "right";
    const every = Math.max(1, Math.ceil(12 / this.perRow));
    for (let row = Math.ceil(this.row0 / every) * every; row < lastRow; row += every) {
      const y = this.yOf(row) + Math.min(this.perRow, 14) / 2 + 4;
      if (y > this.height - AXIS_HEIGHT + 4) break;
      context.fillText(this.rowName(row), NAMES_WIDTH - 6, Math.max(9, y), NAMES_WIDTH - 10);
    }
    this.drawPhases(context);
    context.textAlign = "center";
    const perStep = this.perCycle * clock.slot;
    const stride = roundStride(46 / perStep);
    const first = Math.ceil((this.time0 / clock.slot + 1) / stride) * stride;
    for (let step = Math.max(first, clock.firstStep); step <= clock.lastStep; step += stride) {
      const x = this.xOf((step - 0.5) * clock.slot);
      if (x > this.width - 4) break;
      if (x >= NAMES_WIDTH) context.fillText(inWords(step), x, this.height - 6);
    }
  }

  // A line where the network begins with something else, unless there are so many that they would hide the cells.
  drawPhases(context) {
    const { phases } = this.recording.head;
    if (phases.length === 0 || (this.clock.last - this.time0) * this.perCycle < 8 * phases.length) return;
    context.fillStyle = themeColour("--muted");
    for (const [first] of phases) {
      const x = this.xOf(first - 1);
      if (first > 1 && x > NAMES_WIDTH && x < this.width) context.fillRect(x - 0.5, 0, 1, this.height - AXIS_HEIGHT);
    }
  }

  moving(context) {
    const { recording, clock, look } = this;
    const { selection } = look;
    const bottom = this.height - AXIS_HEIGHT;
    context.strokeStyle = themeColour("--selected");
    context.lineWidth = 2;
    if (selection.packet !== null) {
      for (const i of recording.byPacket.of(selection.packet)) {
        const x = this.xOf(recording.start[i] - 1);
        const y = this.yOf(this.rowOf(recording.link[i]));
        if (x >= NAMES_WIDTH - 2 && y >= -2 && y < bottom)
          context.strokeRect(x, y, Math.max(3, recording.flits[selection.packet] * this.perCycle - 1), Math.max(3, this.perRow - 1));
      }
    }
    const row = this.kind === "links" ? selection.link : selection.node;
    if (row !== null) context.strokeRect(NAMES_WIDTH, this.yOf(row) - 1, this.width - NAMES_WIDTH - 1, this.perRow + 1);
    const x = this.xOf(clock.time);
    if (x >= NAMES_WIDTH && x <= this.width) {
      context.strokeStyle = themeColour("--text");
      context.lineWidth = 1.5;
      context.beginPath();
      context.moveTo(x, 0);
      context.lineTo(x, bottom);
      context.stroke();
    }
  }

  clicked(x, y) {
    const time = this.timeAt(x);
    const row = Math.floor(this.rowAt(y));
    if (row < 0 || row >= this.rows) return;
    const { recording } = this;
    const cycle = Math.floor(time) + 1;
    let found = null;
    if (x >= NAMES_WIDTH) {
      for (let i = recording.firstSendFrom(cycle - recording.longest + 1); i < recording.sends && recording.start[i] <= cycle; ++i) {
        const p = recording.packet[i];
        if (recording.start[i] - 1 + recording.flits[p] >= time && this.rowOf(recording.link[i]) === row) found = p;
      }
      this.clock.goToCycle(cycle);
    }
    const whole = this.kind === "links" ? { link: row, node: null } : { link: null, node: row };
    this.select(found === null ? { packet: null, ...whole } : { packet: found, link: null, node: null });
  }
}
