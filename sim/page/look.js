// look - how a recording is looked at: colours, what is chosen, what is filtered out.

// What the page's controls say of how to look at it; views read it when they draw.
class Look {
  constructor(recording) {
    this.recording = recording;
    this.colourings = colourings(recording);
    this.colouring = this.colourings.hops;
    this.loads = false;
    this.marks = null; // {nodes, links} that stand out
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
