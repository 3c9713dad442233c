// compare_page - two recordings on one network in lockstep, cycle by cycle, and where they part first.

class ComparePage {
  constructor(a, b) {
    this.sides = [a, b];
    const { comparison } = a.head;
    this.comparison = comparison;
    this.clock = new Clock(Math.min(a.firstCycle, b.firstCycle), Math.max(a.lastCycle, b.lastCycle), a.slotCycles);
    document.title = comparison.title;
    for (const id of ["title", "headline", "report", "command"]) byId(id).textContent = comparison[id];
    this.looks = this.sides.map((recording) => new Look(recording));
    this.views = this.sides.map((recording, k) => this.viewsOf(recording, this.looks[k], "ab"[k]));
    this.play = new PlayControls(this.clock, () => this.statusWords());
    this.listen();
    this.select(0, { packet: null, node: null, link: null });
    this.readAddress();
  }

  viewsOf(recording, look, letter) {
    byId(`name-${letter}`).textContent = `${letter.toUpperCase()}: ${recording.head.title}`;
    look.marks = { nodes: [], links: this.comparison.links };
    const side = letter === "a" ? 0 : 1;
    const select = (selection) => this.select(side, selection);
    const network = new NetworkView(byId(`network-${letter}`), recording, this.clock, look);
    const spaceTime = new SpaceTimeView(byId(`space-time-${letter}`), recording, this.clock, look);
    const detail = new DetailPanel(byId(`detail-${letter}`), recording, this.clock, select);
    network.select = select;
    spaceTime.select = select;
    return { network, spaceTime, detail };
  }

  // The same packet, by source and number there, is chosen on the other side.
  select(side, selection) {
    const other = { ...selection };
    if (selection.packet !== null) {
      const [from, to] = [this.sides[side], this.sides[1 - side]];
      const [origin, tag] = [from.origin[selection.packet], from.tag[selection.packet]];
      const found = to.tag.findIndex((value, p) => value === tag && to.origin[p] === origin);
      other.packet = found < 0 ? null : found;
    }
    [this.looks[side].selection, this.looks[1 - side].selection] = [selection, other];
    this.views.forEach((view, k) => {
      view.detail.show(this.looks[k].selection);
      view.network.redraw();
      view.spaceTime.redraw();
    });
  }

  listen() {
    byId("colour").addEventListener("change", () => {
      for (const look of this.looks) look.colouring = look.colourings[byId("colour").value];
      this.redrawAll();
    });
    byId("loads").addEventListener("change", () => {
      for (const look of this.looks) look.loads = byId("loads").checked;
      this.redrawAll();
    });
    byId("parting").hidden = this.comparison.cycle === 0;
    byId("parting").addEventListener("click", () => this.clock.goToCycle(this.comparison.cycle));
    byId("fit").addEventListener("click", () => this.views.forEach(({ network, spaceTime }) => (network.fit(), spaceTime.fit())));
    listenToTheme(() => {
      SCALE.follow();
      this.redrawAll();
    });
    listenToKeys(this.clock, {
      Escape: () => this.select(0, { packet: null, node: null, link: null }),
      l: () => byId("loads").click(),
      p: () => byId("parting").click(),
    });
    let address = 0;
    this.clock.watch(() => {
      clearTimeout(address);
      if (!this.clock.playing) address = setTimeout(() => history.replaceState(null, "", `#step=${this.clock.step}`), 250);
    });
  }
  readAddress() {
    const word = new URLSearchParams(location.hash.slice(1)).get("step");
    if (word !== null && /^\d+$/.test(word)) this.clock.goToStep(Number(word));
  }
  redrawAll() {
    for (const { network, spaceTime } of this.views) {
      network.redrawAll();
      spaceTime.redrawAll();
    }
  }
  statusWords() {
    const [a, b] = this.sides.map((recording) => inWords(recording.onLinks(this.clock.cycle)));
    return `${a} on links in A, ${b} in B`;
  }
}
