// network_view - the network with packets moving along its links, and queues as stacks beside the nodes.

class NetworkView extends CanvasView {
  prepare() {
    this.mostFlits = this.recording.linkFlits.reduce((a, b) => Math.max(a, b), 0);
    this.placeNodes();
  }

  // Node places in the units of the picture, and the smallest distance that a link spans.
  placeNodes() {
    const { recording } = this;
    const { width, height } = recording.head;
    this.nodeX = Float32Array.from(recording.x, (value) => (value / 65535) * width);
    this.nodeY = Float32Array.from(recording.y, (value) => (value / 65535) * height);
    let shortest = Infinity;
    for (let link = 0; link < recording.links; ++link) {
      const [a, b] = [recording.linkSource[link], recording.linkTarget[link]];
      const distance = Math.hypot(this.nodeX[a] - this.nodeX[b], this.nodeY[a] - this.nodeY[b]);
      if (distance > 0 && distance < shortest) shortest = distance;
    }
    this.shortest = Number.isFinite(shortest) ? shortest : 1;
    // What the picture spans, with the lines that bow and the stubs that lead out of it.
    const span = { left: 0, top: 0, right: width, bottom: height };
    for (let link = 0; link < recording.links; ++link) {
      const [a, b] = [recording.linkSource[link], recording.linkTarget[link]];
      const [dx, dy] = [recording.linkDx[link], recording.linkDy[link]];
      if (recording.linkKind[link] === 0) continue;
      const bow = recording.linkKind[link] === 1;
      const x = bow ? (this.nodeX[a] + this.nodeX[b]) / 2 + dx : this.nodeX[a] + 0.42 * dx;
      const y = bow ? (this.nodeY[a] + this.nodeY[b]) / 2 + dy : this.nodeY[a] + 0.42 * dy;
      span.left = Math.min(span.left, x);
      span.right = Math.max(span.right, x);
      span.top = Math.min(span.top, y);
      span.bottom = Math.max(span.bottom, y);
    }
    this.span = span;
  }

  fit() {
    const { left, top, right, bottom } = this.span;
    const [wide, high] = [Math.max(right - left, 0.4), Math.max(bottom - top, 0.4)];
    const margin = 44; // room for names and stacks
    this.scale = Math.max(1e-3, Math.min((this.width - 2 * margin) / wide, (this.height - 2 * margin) / high, 170));
    this.left = (this.width - (left + right) * this.scale) / 2;
    this.top = (this.height - (top + bottom) * this.scale) / 2 + 8;
    this.redrawAll();
  }
  dragged(dx, dy) {
    this.left += dx;
    this.top += dy;
    this.redrawAll();
  }
  zoomed(factor, x, y) {
    const limited = Math.min(4000, Math.max(1e-3, this.scale * factor)) / this.scale;
    this.left = x - (x - this.left) * limited;
    this.top = y - (y - this.top) * limited;
    this.scale *= limited;
    this.redrawAll();
  }
  screenX(v) {
    return this.left + this.nodeX[v] * this.scale;
  }
  screenY(v) {
    return this.top + this.nodeY[v] * this.scale;
  }
  get radius() {
    return Math.max(1.2, Math.min(13, 0.13 * this.shortest * this.scale));
  }

  // The place of part f (0 to 1) of the way over a link. The two directions of an edge keep to the right.
  placeOnLink(link, f, place) {
    const { recording } = this;
    const [a, b] = [recording.linkSource[link], recording.linkTarget[link]];
    const [ax, ay, bx, by] = [this.screenX(a), this.screenY(a), this.screenX(b), this.screenY(b)];
    const dx = recording.linkDx[link] * this.scale;
    const dy = recording.linkDy[link] * this.scale;
    const kind = recording.linkKind[link];
    let alongX = bx - ax;
    let alongY = by - ay;
    if (kind === 2) {
      // Two stubs: the packet leaves the picture on one side and comes back on the other.
      [alongX, alongY] = [dx, dy];
      if (f < 0.5) {
        place.x = ax + 0.84 * f * dx;
        place.y = ay + 0.84 * f * dy;
      } else {
        place.x = bx - 0.84 * (1 - f) * dx;
        place.y = by - 0.84 * (1 - f) * dy;
      }
    } else {
      const bow = kind === 1 ? 4 * f * (1 - f) : 0;
      place.x = ax + f * alongX + bow * dx;
      place.y = ay + f * alongY + bow * dy;
    }
    const length = Math.hypot(alongX, alongY) || 1;
    const aside = Math.min(5, 0.3 * this.radius + 0.8);
    place.x -= (alongY / length) * aside;
    place.y += (alongX / length) * aside;
  }
  linePath(context, link) {
    const place = { x: 0, y: 0 };
    const kind = this.recording.linkKind[link];
    const pieces = kind === 1 ? 12 : kind === 2 ? 2 : 1;
    for (let k = 0; k <= pieces; ++k) {
      const f = kind === 2 && k === 1 ? 0.4999 : k / pieces;
      this.placeOnLink(link, f, place);
      if (k === 0) context.moveTo(place.x, place.y);
      else context.lineTo(place.x, place.y);
      if (kind === 2 && k === 1) {
        this.placeOnLink(link, 0.5, place);
        context.moveTo(place.x, place.y);
      }
    }
  }
  strokeLinks(context, links, colour, width) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    for (const link of links) this.linePath(context, link);
    context.stroke();
  }

  still(context) {
    const { recording, look } = this;
    const thin = Math.max(0.5, Math.min(1.6, this.radius / 6));
    const all = { *[Symbol.iterator]() { for (let link = 0; link < recording.links; ++link) yield link; } };
    if (look.loads) {
      const buckets = Array.from({ length: 16 }, () => []);
      for (const link of all) {
        const part = this.mostFlits === 0 ? 0 : recording.linkFlits[link] / this.mostFlits;
        buckets[Math.min(15, Math.floor(part * 15.999))].push(link);
      }
      buckets.forEach((links, k) => this.strokeLinks(context, links, SCALE.colours[17 * k], thin * (1 + k / 6)));
    } else {
      this.strokeLinks(context, all, themeColour("--link"), thin);
    }
    if (look.marks) this.markPlaces(context, look.marks);
    this.drawNodes(context);
  }

  // Where the lower bound binds (the links of a cut or a way, the nodes of a side), or where two runs part.
  markPlaces(context, marks) {
    if (marks.links.length > 0 && marks.links.length < this.recording.links)
      this.strokeLinks(context, marks.links, themeColour("--bound"), Math.max(2, Math.min(5, this.radius / 2.5)));
    if (marks.nodes.length === 0 || marks.nodes.length === this.recording.nodes) return;
    context.strokeStyle = themeColour("--bound");
    context.lineWidth = 2;
    for (const v of marks.nodes) {
      context.beginPath();
      context.arc(this.screenX(v), this.screenY(v), this.radius + 3.5, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  drawNodes(context) {
    const { recording } = this;
    const { processors } = recording.head;
    const radius = this.radius;
    const sides = [
      [0, processors, themeColour("--node")],
      [processors, recording.nodes, themeColour("--router")],
    ];
    for (const [from, to, colour] of sides) {
      context.fillStyle = colour;
      context.beginPath();
      for (let v = from; v < to; ++v) {
        const [x, y] = [this.screenX(v), this.screenY(v)];
        if (x < -20 || y < -20 || x > this.width + 20 || y > this.height + 20) continue;
        if (radius < 2.5 || (from === 0 && processors < recording.nodes)) {
          context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
        } else {
          context.moveTo(x + radius, y);
          context.arc(x, y, radius, 0, 2 * Math.PI);
        }
      }
      context.fill();
    }
    this.nameNodes(context);
  }
  nameNodes(context) {
    const { recording } = this;
    const room = this.shortest * this.scale;
    let longest = 1;
    for (let v = 0; v < Math.min(recording.nodes, 200); ++v) longest = Math.max(longest, recording.nodeName(v).length);
    if (room < 7 * longest + 14 || room < 26) return;
    context.fillStyle = themeColour("--text");
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "left";
    for (let v = 0; v < recording.nodes; ++v) {
      const [x, y] = [this.screenX(v), this.screenY(v)];
      if (x < -50 || y < -20 || x > this.width || y > this.height + 20) continue;
      context.fillText(recording.nodeName(v), x + this.radius + 3, y + this.radius + 10);
    }
  }

  moving(context) {
    this.drawSelection(context);
    this.drawQueues(context);
    this.drawPackets(context);
  }

  drawSelection(context) {
    const { recording, look, clock } = this;
    const { selection } = look;
    if (selection.packet !== null) {
      const colour = themeColour("--selected");
      const [done, to_come] = [[], []];
      for (const i of recording.byPacket.of(selection.packet))
        (recording.start[i] <= clock.cycle ? done : to_come).push(recording.link[i]);
      this.strokeLinks(context, done, colour, 3);
      context.setLineDash([3, 5]);
      this.strokeLinks(context, to_come, colour, 2);
      context.setLineDash([]);
    }
    if (selection.link !== null) this.strokeLinks(context, [selection.link], themeColour("--selected"), 4);
    const ends = selection.node !== null ? [selection.node] : [];
    if (selection.packet !== null) ends.push(recording.origin[selection.packet], ...(recording.destinationsOf(selection.packet) ?? []));
    context.strokeStyle = themeColour("--selected");
    context.lineWidth = 2.5;
    for (const v of ends) {
      context.beginPath();
      context.arc(this.screenX(v), this.screenY(v), this.radius + 4, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  // A stack of bars at every node with waiting packets: filled for those in transit, hollow for its own.
  drawQueues(context) {
    const { recording, clock } = this;
    const { own, transit } = recording.waitingIn(clock.cycle);
    const detailed = this.radius >= 5;
    const [bar, gap] = detailed ? [3, 1] : [1.5, 0];
    const room = this.shortest * this.scale - 2 * this.radius - 16; // up to the node above
    const most = Math.max(1, Math.min(detailed ? 9 : 12, Math.floor(room / (bar + gap))));
    const wide = detailed ? 9 : Math.max(2, this.radius * 1.6);
    context.strokeStyle = themeColour("--queue");
    context.fillStyle = themeColour("--queue");
    context.lineWidth = 1;
    context.font = "10px system-ui, sans-serif";
    for (let v = 0; v < recording.nodes; ++v) {
      const waiting = own[v] + transit[v];
      if (waiting === 0) continue;
      const x = this.screenX(v) - wide / 2;
      let y = this.screenY(v) - this.radius - 3;
      if (x < -20 || y < -20 || x > this.width + 20 || y > this.height + 60) continue;
      const bars = Math.min(waiting, most);
      const filled = waiting <= most ? transit[v] : Math.round((bars * transit[v]) / waiting);
      for (let k = 0; k < bars; ++k, y -= bar + gap) {
        if (k < filled) context.fillRect(x, y - bar, wide, bar);
        else if (detailed) context.strokeRect(x + 0.5, y - bar + 0.5, wide - 1, bar - 1);
        else context.fillRect(x + wide / 4, y - bar, wide / 2, bar);
      }
      if (waiting > most && detailed) {
        context.textAlign = "center";
        context.fillText(inWords(waiting), x + wide / 2, y - 1);
      }
    }
  }

  // Every packet on its link. A circle is a plain packet, a diamond one for several nodes, a square one that combines.
  drawPackets(context) {
    const { recording, clock, look } = this;
    const place = { x: 0, y: 0 };
    const size = Math.max(1.6, Math.min(7, 0.55 * this.radius + 0.8));
    const faint = themeColour("--faint");
    const outline = themeColour("--outline");
    context.strokeStyle = outline;
    context.lineWidth = 1;
    let shown = 0;
    recording.forEachOnLinks(clock.cycle, (i) => {
      const begin = recording.start[i] - 1;
      const f = Math.min(1, Math.max(0, (clock.time - begin) / (recording.arrival[i] - begin)));
      this.placeOnLink(recording.link[i], f, place);
      if (place.x < -10 || place.y < -10 || place.x > this.width + 10 || place.y > this.height + 10) return;
      const p = recording.packet[i];
      const passes = look.passes(p);
      const chosen = look.selection.packet === p;
      context.fillStyle = chosen ? themeColour("--selected") : passes ? look.colouring.colour(i) : faint;
      this.drawPacket(context, p, place, chosen ? size + 2 : size);
      ++shown;
    });
    this.shownPackets = shown;
  }
  drawPacket(context, p, { x, y }, size) {
    const { recording } = this;
    if (size < 2.4) {
      context.fillRect(x - size, y - size, 2 * size, 2 * size);
      return;
    }
    context.beginPath();
    if (recording.isCombined(p)) {
      context.rect(x - size, y - size, 2 * size, 2 * size);
    } else if (recording.isMulticast(p)) {
      const long = 1.35 * size;
      context.moveTo(x, y - long);
      context.lineTo(x + long, y);
      context.lineTo(x, y + long);
      context.lineTo(x - long, y);
      context.closePath();
    } else {
      context.arc(x, y, size, 0, 2 * Math.PI);
    }
    context.fill();
    context.stroke();
  }

  // What is at a place: the nearest packet, else node, else link, within a few pixels.
  thingAt(x, y) {
    const { recording, clock } = this;
    const place = { x: 0, y: 0 };
    let best = null;
    let nearest = 11;
    recording.forEachOnLinks(clock.cycle, (i) => {
      const begin = recording.start[i] - 1;
      this.placeOnLink(recording.link[i], (clock.time - begin) / (recording.arrival[i] - begin), place);
      const distance = Math.hypot(place.x - x, place.y - y);
      if (distance < nearest && this.look.passes(recording.packet[i])) {
        nearest = distance;
        best = { packet: recording.packet[i], link: null, node: null };
      }
    });
    if (best) return best;
    nearest = this.radius + 5;
    for (let v = 0; v < recording.nodes; ++v) {
      const distance = Math.hypot(this.screenX(v) - x, this.screenY(v) - y);
      if (distance < nearest) {
        nearest = distance;
        best = { packet: null, link: null, node: v };
      }
    }
    if (best) return best;
    nearest = 7;
    for (let link = 0; link < recording.links; ++link) {
      for (let f = 0.1; f < 0.95; f += 0.1) {
        this.placeOnLink(link, f, place);
        const distance = Math.hypot(place.x - x, place.y - y);
        if (distance < nearest) {
          nearest = distance;
          best = { packet: null, link, node: null };
        }
      }
    }
    return best;
  }
  clicked(x, y) {
    this.select(this.thingAt(x, y) ?? { packet: null, link: null, node: null });
  }
}
