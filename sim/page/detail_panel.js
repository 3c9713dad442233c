// detail_panel - what was chosen by a click: the way of a packet, or the timeline of a node or link. All of it is text, put
// in as text: names from files cannot become markup.

const MOST_ROWS = 300; // of a table

class DetailPanel {
  // `select` chooses something else; `host` is the element that the panel fills.
  constructor(host, recording, clock, select) {
    Object.assign(this, { host, recording, clock, select, shown: {} });
    clock.watch(() => this.markNow());
  }

  show({ packet, node, link }) {
    this.rows = [];
    this.host.replaceChildren();
    if (packet !== null) this.showPacket(packet);
    else if (node !== null) this.showNode(node);
    else if (link !== null) this.showLink(link);
    else this.host.append(element("p", "Click a packet, a node or a link to see its whole story.", { class: "muted" }));
    this.markNow();
  }

  heading(words) {
    this.host.append(element("h3", words));
  }
  facts(pairs) {
    const list = element("dl");
    for (const [name, value] of pairs) list.append(element("dt", name), element("dd", value));
    this.host.append(list);
  }

  // A row per send, with a button that goes to its moment. `cells(i)`: its words.
  table(head, sends, cells, { before = [] } = {}) {
    const table = element("table");
    const titles = element("tr");
    for (const title of head) titles.append(element("th", title));
    const top = element("thead");
    top.append(titles);
    const body = element("tbody");
    const shown = this.rowsAround(sends);
    for (const i of shown) {
      const row = element("tr");
      const [first, ...others] = cells(i);
      const go = element("button", first, { class: "plain", title: "go to this moment" });
      go.addEventListener("click", () => this.clock.goToCycle(this.recording.start[i]));
      const cell = element("td");
      cell.append(go);
      row.append(cell);
      for (const other of others) {
        if (other instanceof Node) {
          const holder = element("td");
          holder.append(other);
          row.append(holder);
        } else {
          row.append(element("td", other));
        }
      }
      body.append(row);
      this.rows.push([this.recording.start[i], this.recording.arrival[i], row]);
    }
    table.append(top, body);
    this.host.append(...before, table);
    if (shown.length < sends.length)
      this.host.append(element("p", `${inWords(shown.length)} of ${inWords(sends.length)}, around the present step`, { class: "muted" }));
  }
  // All sends, or those around the present moment if there are too many.
  rowsAround(sends) {
    if (sends.length <= MOST_ROWS) return sends;
    let now = 0;
    while (now < sends.length && this.recording.start[sends[now]] < this.clock.cycle) ++now;
    const from = Math.max(0, Math.min(now - MOST_ROWS / 2, sends.length - MOST_ROWS));
    return sends.subarray(from, from + MOST_ROWS);
  }
  moment(i) {
    const { recording } = this;
    const step = `${recording.stepOf(recording.start[i])}`;
    return recording.slotCycles === 1 ? step : `${step} (cycle ${recording.start[i]})`;
  }
  packetButton(p) {
    const button = element("button", this.recording.packetName(p), { class: "plain" });
    button.addEventListener("click", () => this.select({ packet: p, node: null, link: null }));
    return button;
  }
  nodeButton(v) {
    const button = element("button", this.recording.nodeName(v), { class: "plain" });
    button.addEventListener("click", () => this.select({ packet: null, node: v, link: null }));
    return button;
  }
  listOfNodes(nodes) {
    const names = Array.from(nodes.slice(0, 12), (v) => this.recording.nodeName(v)).join(", ");
    return nodes.length > 12 ? `${names} and ${nodes.length - 12} more` : names;
  }

  showPacket(p) {
    const { recording } = this;
    const to = recording.destinationsOf(p);
    const sends = recording.byPacket.of(p);
    this.heading(`Packet ${recording.number[p]}: ${recording.packetName(p)}`);
    const shape = recording.isCombined(p) ? "combined" : recording.isMulticast(p) ? "multicast" : "plain";
    const words = recording.kindWords(p);
    const kind = words === "" ? shape : `${words}, ${shape}`;
    const facts = [
      ["kind", `${kind}, ${recording.flits[p]} flit${recording.flits[p] === 1 ? "" : "s"}`],
      ["from", `${recording.nodeName(recording.origin[p])}, number ${recording.tag[p]} there`],
      ["to", to === null ? "all other processors" : to.length === 0 ? "no host" : this.listOfNodes(to)],
      ["delivered", `to ${recording.deliveredOf[p]} of ${recording.expectedOf(p)}`],
    ];
    const waited = sends.reduce((sum, i) => sum + recording.start[i] - recording.available[i], 0);
    facts.push(["on its way", `${sends.length} send${sends.length === 1 ? "" : "s"}, waited ${inWords(waited)} cycles in all`]);
    if (recording.hasParts(p)) {
      const parts = recording.partList.subarray(recording.firstPart[p], recording.firstPart[p + 1]);
      facts.push(["made of", Array.from(parts.slice(0, 8), (q) => recording.packetName(q)).join(", ") + (parts.length > 8 ? " ..." : "")]);
      facts.push(["complete", `before step ${recording.stepOf(recording.complete[p])}`]);
    }
    this.facts(facts);
    this.table(["step", "from", "to", "waited"], sends, (i) => [
      this.moment(i),
      this.nodeButton(recording.linkSource[recording.link[i]]),
      this.nodeButton(recording.linkTarget[recording.link[i]]),
      `${recording.start[i] - recording.available[i]}`,
    ]);
  }

  showLink(link) {
    const { recording } = this;
    const sends = recording.byLink.of(link);
    const cycles = recording.lastCycle - recording.firstCycle + 1;
    const busy = sends.reduce((sum, i) => sum + recording.flits[recording.packet[i]], 0);
    this.heading(`Link ${recording.linkName(link)}`);
    this.facts([
      ["port", `${recording.portOf(link)} of ${recording.nodeName(recording.linkSource[link])}`],
      ["carried", `${inWords(sends.length)} packets, ${inWords(busy)} flits`],
      ["busy", `${inWords(busy)} of ${inWords(cycles)} cycles`],
    ]);
    this.strip(sends);
    this.table(["step", "packet", "waited"], sends, (i) => [
      this.moment(i),
      this.packetButton(recording.packet[i]),
      `${recording.start[i] - recording.available[i]}`,
    ]);
  }

  showNode(v) {
    const { recording } = this;
    const sends = [];
    let [sent, received] = [0, 0];
    for (let i = 0; i < recording.sends; ++i) {
      const link = recording.link[i];
      if (recording.linkSource[link] === v) ++sent;
      else if (recording.linkTarget[link] === v) ++received;
      else continue;
      sends.push(i);
    }
    let peak = 0;
    let waiting = 0;
    const events = [];
    for (const i of sends) {
      if (recording.linkSource[recording.link[i]] !== v || recording.available[i] >= recording.start[i]) continue;
      events.push([recording.available[i], 1], [recording.start[i], -1]);
    }
    for (const [, change] of events.sort((a, b) => a[0] - b[0] || a[1] - b[1])) peak = Math.max(peak, (waiting += change));
    const router = v >= recording.head.processors;
    this.heading(`${router ? "Router" : "Node"} ${recording.nodeName(v)}${recording.head.names ? ` (number ${v})` : ""}`);
    this.facts([
      ["sent", `${inWords(sent)} packets`],
      ["received", `${inWords(received)} packets`],
      ["waiting", `${inWords(peak)} packets at most`],
    ]);
    const list = Uint32Array.from(sends);
    this.strip(list.filter((i) => recording.linkSource[recording.link[i]] === v), "sends");
    this.strip(list.filter((i) => recording.linkTarget[recording.link[i]] === v), "receives");
    this.table(["step", "", "neighbour", "packet"], list, (i) => {
      const out = recording.linkSource[recording.link[i]] === v;
      return [
        this.moment(i),
        out ? "sends to" : "gets from",
        this.nodeButton(out ? recording.linkTarget[recording.link[i]] : recording.linkSource[recording.link[i]]),
        this.packetButton(recording.packet[i]),
      ];
    });
  }

  // A line of time in which the cycles of these sends are filled.
  strip(sends, words = "busy") {
    const { recording, clock } = this;
    const canvas = element("canvas", "", { class: "strip", role: "img", "aria-label": `${words}: ${sends.length} packets over time` });
    [canvas.width, canvas.height] = [600, 14];
    const context = canvas.getContext("2d");
    const per = canvas.width / (clock.last - clock.first);
    context.fillStyle = themeColour("--idle");
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = themeColour("--busy");
    for (const i of sends)
      context.fillRect((recording.start[i] - 1 - clock.first) * per, 0, Math.max(1, recording.flits[recording.packet[i]] * per - (per > 4 ? 1 : 0)), 14);
    this.host.append(element("span", words, { class: "muted small" }), canvas);
  }

  // The rows of what is on a link now.
  markNow() {
    for (const [start, arrival, row] of this.rows ?? [])
      row.classList.toggle("now", start <= this.clock.cycle && this.clock.cycle <= arrival);
  }
}
