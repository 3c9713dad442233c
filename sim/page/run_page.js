// run_page - puts the page of a run together: controls, views, charts, and the address of a moment (#step=17&packet=42).

class RunPage {
  constructor(recording) {
    this.recording = recording;
    this.clock = new Clock(recording.firstCycle, recording.lastCycle, recording.slotCycles);
    this.look = new Look(recording);
    this.writeHead();
    const select = (selection) => this.select(selection);
    this.network = new NetworkView(byId("network"), recording, this.clock, this.look);
    this.spaceTime = new SpaceTimeView(byId("space-time"), recording, this.clock, this.look);
    this.detail = new DetailPanel(byId("detail"), recording, this.clock, select);
    this.network.select = select;
    this.spaceTime.select = select;
    this.play = new PlayControls(this.clock, () => this.statusWords());
    this.listen();
    this.legend();
    this.detail.show(this.look.selection);
    this.readAddress();
    // Charts are below what one sees first.
    setTimeout(() => this.makeCharts(), 0);
  }

  writeHead() {
    const { head } = this.recording;
    document.title = head.title;
    byId("title").textContent = head.title;
    byId("headline").textContent = head.headline;
    byId("verdict").textContent = head.verdict;
    byId("verdict").className = `verdict ${head.tone}`;
    byId("command").textContent = head.command;
    byId("report").textContent = head.report;
    byId("scope").textContent = head.scope;
    byId("scope").hidden = head.scope === "";
    for (const [id, lines] of [["problems", head.problems], ["waits", head.waits]]) {
      byId(id).hidden = lines.length === 0;
      byId(`${id}-list`).replaceChildren(...lines.map((line) => element("li", line)));
    }
    byId("why").hidden = !head.bound || head.tone === "bad";
    if (head.bound) {
      byId("bound-words").textContent = head.bound.words;
      byId("bound-count").textContent = head.bound.count;
      byId("show-bound").hidden = head.bound.nodes.length + head.bound.links.length === 0;
    }
    byId("rows").querySelector("[value=links]").textContent = `links (${inWords(this.recording.links)})`;
  }

  listen() {
    byId("colour").addEventListener("change", () => {
      this.look.colouring = this.look.colourings[byId("colour").value];
      this.legend();
      this.redrawAll();
    });
    byId("loads").addEventListener("change", () => {
      this.look.loads = byId("loads").checked;
      this.legend();
      this.network.redrawAll();
    });
    byId("bound").addEventListener("change", () => {
      this.look.marks = byId("bound").checked ? this.recording.head.bound : null;
      this.network.redrawAll();
    });
    byId("rows").addEventListener("change", () => this.spaceTime.setRows(byId("rows").value));
    byId("fit").addEventListener("click", () => this.fit());
    for (const id of ["source", "destination", "message"]) byId(id).addEventListener("input", () => this.readFilter());
    byId("clear").addEventListener("click", () => this.clear());
    listenToTheme(() => this.recolour());
    listenToKeys(this.clock, {
      Escape: () => this.clear(),
      f: () => byId("source").focus(),
      l: () => byId("loads").click(),
      b: () => byId("bound").click(),
    });
    window.addEventListener("hashchange", () => this.readAddress());
    let address = 0;
    this.clock.watch(() => {
      clearTimeout(address);
      if (!this.clock.playing) address = setTimeout(() => this.writeAddress(), 250);
    });
    window.addEventListener("beforeprint", () => this.recolour());
  }

  statusWords() {
    const { recording, clock } = this;
    const { own, transit } = recording.waitingIn(clock.cycle);
    let waiting = 0;
    for (let v = 0; v < recording.nodes; ++v) waiting += own[v] + transit[v];
    const phase = recording.phaseIn(clock.cycle);
    return `${phase === "" ? "" : `${phase}: `}${inWords(recording.onLinks(clock.cycle))} on links, ${inWords(waiting)} waiting`;
  }

  select(selection) {
    this.look.selection = selection;
    this.detail.show(selection);
    this.network.redraw();
    this.spaceTime.redraw();
    this.writeAddress();
  }

  readFilter() {
    const { recording } = this;
    const filter = {};
    for (const id of ["source", "destination"]) {
      const node = recording.nodeCalled(byId(id).value);
      byId(id).setAttribute("aria-invalid", node === undefined);
      filter[id] = node ?? null;
    }
    const word = byId("message").value.trim().replace(/^#/, "");
    const valid = word === "" || /^\d+$/.test(word);
    byId("message").setAttribute("aria-invalid", !valid);
    filter.message = word !== "" && valid ? Number(word) : null;
    this.look.setFilter(filter);
    const { passing } = this.look;
    byId("filtered").textContent =
      passing === null ? "" : `${inWords(passing.reduce((a, b) => a + b, 0))} of ${inWords(recording.packets)} packets`;
    this.redrawAll();
  }
  clear() {
    for (const id of ["source", "destination", "message"]) byId(id).value = "";
    this.readFilter();
    this.select({ packet: null, node: null, link: null });
  }

  legend() {
    const { colouring, loads } = this.look;
    const scale = (words, [low, high], kinds) => {
      const holder = element("span", "", { class: "scale" });
      holder.append(element("span", `${words}: `), element("b", low));
      if (kinds) for (let k = 0; k < kinds; ++k) holder.append(element("i", "", { style: `background:${KINDS[k]}` }));
      else holder.append(element("i", "", { class: "bar", style: `background:linear-gradient(90deg, ${SCALE.bends.join(",")})` }));
      holder.append(element("b", high));
      return holder;
    };
    const parts = [scale(colouring.words, colouring.ends, colouring.kinds)];
    if (loads) parts.push(scale("flits of a link", ["0", inWords(this.network.mostFlits)]));
    const { recording } = this;
    const kinds = new Set();
    for (let p = 0; p < recording.packets && kinds.size < 3; ++p)
      kinds.add(recording.isCombined(p) ? "■ combines" : recording.isMulticast(p) ? "◆ to several nodes" : "● to one node");
    parts.push(element("span", [...kinds].sort().join("  ")), element("span", "▮ in transit, ▯ its own: packets that wait at a node"));
    byId("legend").replaceChildren(...parts);
  }

  makeCharts() {
    const canvases = {};
    for (const id of ["queues", "progress", "delays", "loads-chart"]) canvases[id === "loads-chart" ? "loads" : id] = byId(id);
    this.charts = new Charts(canvases, this.recording, this.clock);
    this.charts.select = (selection) => this.select(selection);
  }
  recolour() {
    SCALE.follow();
    this.redrawAll();
    this.legend();
    this.charts?.draw();
    this.detail.show(this.look.selection);
  }
  redrawAll() {
    this.network.redrawAll();
    this.spaceTime.redrawAll();
  }
  fit() {
    this.network.fit();
    this.spaceTime.fit();
  }

  // #step=17&packet=42, or node=3 or link=8. Packets have the numbers of their schedule.
  writeAddress() {
    const { recording, clock, look } = this;
    const words = [`step=${clock.step}`];
    if (look.selection.packet !== null) words.push(`packet=${recording.number[look.selection.packet]}`);
    if (look.selection.node !== null) words.push(`node=${look.selection.node}`);
    if (look.selection.link !== null) words.push(`link=${look.selection.link}`);
    history.replaceState(null, "", `#${words.join("&")}`);
  }
  readAddress() {
    const words = new URLSearchParams(location.hash.slice(1));
    const number = (name, end) => {
      const word = words.get(name);
      return word !== null && /^\d+$/.test(word) && Number(word) < end ? Number(word) : null;
    };
    const { recording } = this;
    const packet = number("packet", 2 ** 32);
    const found = packet === null ? -1 : recording.number.indexOf(packet);
    const selection = { packet: found < 0 ? null : found, node: number("node", recording.nodes), link: number("link", recording.links) };
    if (words.has("step")) this.clock.goToStep(number("step", 2 ** 53) ?? 1);
    if (found >= 0 || selection.node !== null || selection.link !== null) this.select(selection);
  }
}
