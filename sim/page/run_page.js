// run_page - puts the page of a run together: controls, views, charts, and the address of a moment (#step=17&packet=42).

// What the page's controls say of how to look at it; views read it when they draw.
class Look {
  constructor(recording) {
    this.recording = recording;
    this.colourings = colourings(recording);
    this.colouring = this.colourings.hops;
    this.loads = false;
    this.bound = false;
    this.selection = { packet: null, node: null, link: null };
    this.filter = { source: null, destination: null, message: null };
    this.passing = null; // by packet, 1 if it passes the filter; null: all do
  }
  passes(p) {
    return this.passing === null || this.passing[p] === 1;
  }
  // Numbers of nodes and of a message, or null for any.
  setFilter(filter) {
    this.filter = filter;
    const { source, destination, message } = filter;
    if (source === null && destination === null && message === null) {
      this.passing = null;
      return;
    }
    const { recording } = this;
    this.passing = new Uint8Array(recording.packets);
    for (let p = 0; p < recording.packets; ++p) {
      this.passing[p] =
        (source === null || recording.origin[p] === source) &&
        (destination === null || recording.isDestination(p, destination)) &&
        (message === null || recording.tag[p] === message)
          ? 1
          : 0;
    }
  }
}

class PlayControls {
  constructor(clock, status) {
    this.clock = clock;
    this.status = status;
    byId("play").addEventListener("click", () => clock.toggle());
    byId("back").addEventListener("click", () => clock.moveSteps(-1));
    byId("forward").addEventListener("click", () => clock.moveSteps(1));
    byId("slower").addEventListener("click", () => clock.faster(0.5));
    byId("faster").addEventListener("click", () => clock.faster(2));
    const scrubber = byId("scrubber");
    [scrubber.min, scrubber.max] = [clock.firstStep, clock.lastStep];
    scrubber.addEventListener("input", () => clock.goToStep(Number(scrubber.value)));
    clock.watch(() => this.changed());
    this.changed();
  }
  changed() {
    const { clock } = this;
    byId("scrubber").value = clock.step;
    byId("play").textContent = clock.playing ? "❚❚ pause" : "▶ play";
    byId("play").setAttribute("aria-pressed", clock.playing);
    byId("speed").textContent = `${clock.speed >= 10 ? Math.round(clock.speed) : Number(clock.speed.toFixed(1))} steps/s`;
    byId("moment").textContent =
      `step ${inWords(clock.step)} of ${inWords(clock.lastStep)}` + (clock.slot > 1 ? ` · cycle ${inWords(clock.cycle)}` : "");
    byId("scrubber").setAttribute("aria-valuetext", `step ${clock.step}`);
    byId("status").textContent = this.status();
  }
}

function listenToKeys(clock, actions) {
  const keys = {
    " ": () => clock.toggle(),
    ArrowRight: (event) => clock.moveSteps(event.shiftKey ? 10 : 1),
    ArrowLeft: (event) => clock.moveSteps(event.shiftKey ? -10 : -1),
    Home: () => clock.goToStep(clock.firstStep),
    End: () => clock.goToStep(clock.lastStep),
    ".": () => clock.goToCycle(clock.cycle + 1),
    ",": () => clock.goToCycle(clock.cycle - 1),
    ">": () => clock.faster(2),
    "<": () => clock.faster(0.5),
    ...actions,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches("input:not([type=range]):not([type=checkbox]), select, textarea");
    const pressing = event.target.matches("button, a, summary, input[type=checkbox]") && event.key === " ";
    if ((typing && event.key !== "Escape") || pressing || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key](event);
  });
}

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
      this.look.bound = byId("bound").checked;
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
    return `${inWords(recording.onLinks(clock.cycle))} on links, ${inWords(waiting)} waiting`;
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
      else holder.append(element("i", "", { class: "bar", style: `background:linear-gradient(90deg, ${SCALE.join(",")})` }));
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
    this.redrawAll();
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
