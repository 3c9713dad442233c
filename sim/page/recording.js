// recording - what a page was given, unpacked: the network, the packets, and which packet is on which link when.
//
// A page carries one block of bytes per recording, compressed and in base64: the length of a JSON text, that text, then
// columns of whole numbers, each as planes of bytes, the lowest byte of all items first. sim/page/recording_block.cpp
// writes it. Everything here is in typed arrays, so that a million transfers are some 30 MB and are looked up in no time.

function unpacked(bytes) {
  const headBytes = new DataView(bytes.buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + headBytes)));
  const columns = {};
  let at = 4 + headBytes;
  for (const [name, items, planes] of head.columns) {
    const column = new Uint32Array(items);
    for (let plane = 0; plane < planes; ++plane, at += items) {
      const shift = 8 * plane;
      for (let i = 0; i < items; ++i) column[i] |= bytes[at + i] << shift;
    }
    columns[name] = column;
  }
  return { head, columns };
}

// The sums of what comes before each item, and of all at the end.
function firstOfEach(counts) {
  const first = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; ++i) first[i + 1] = first[i] + counts[i];
  return first;
}

// Numbers 0 ... of items, grouped by a key below `keys`; within a group in their order.
class Groups {
  constructor(keyOf, items, keys) {
    const counts = new Uint32Array(keys);
    for (let i = 0; i < items; ++i) ++counts[keyOf[i]];
    this.first = firstOfEach(counts);
    this.items = new Uint32Array(items);
    const next = this.first.slice(0, keys);
    for (let i = 0; i < items; ++i) this.items[next[keyOf[i]]++] = i;
  }
  of(key) {
    return this.items.subarray(this.first[key], this.first[key + 1]);
  }
  size(key) {
    return this.first[key + 1] - this.first[key];
  }
}

const ALL_OTHERS = 0xffffffff; // in place of the number of destinations: every processor but the origin

class Recording {
  constructor({ head, columns }) {
    this.head = head;
    this.nodes = head.nodes;
    this.x = columns.x;
    this.y = columns.y;
    this.links = columns.linkTarget.length;
    this.linkSource = columns.linkSource;
    this.linkTarget = columns.linkTarget;
    this.linkKind = columns.linkKind;
    this.linkDx = Float32Array.from(columns.linkDx, (value) => (value | 0) / 256);
    this.linkDy = Float32Array.from(columns.linkDy, (value) => (value | 0) / 256);
    this.linkFlits = columns.linkFlits;
    this.number = columns.number;
    this.origin = columns.origin;
    this.tag = columns.tag;
    this.flits = columns.flits;
    this.packets = this.origin.length;
    this.generated = columns.generated.length > 0 ? columns.generated : null;
    this.kind = columns.kind; // by packet: a place among the head's kinds; empty if there are none
    this.destinationCount = columns.destinationCount;
    this.firstDestination = firstOfEach(columns.destinationCount.map((n) => (n === ALL_OTHERS ? 0 : n)));
    this.destinationList = columns.destinations;
    this.firstPart = firstOfEach(columns.partCount);
    this.partList = columns.parts;
    this.sends = columns.sendLink.length;
    this.link = columns.sendLink;
    this.packet = columns.sendPacket;
    this.slotCycles = head.slotCycles;
    this.firstCycle = head.firstCycle; // shown, both included
    this.lastCycle = head.lastCycle;
    this.readStarts(columns.startGap, columns.startCount);
    this.followPackets();
    this.countQueues();
  }

  // The cycle in which each send starts, and by cycle the first send that starts in it or later.
  readStarts(gaps, counts) {
    const { latency } = this.head;
    this.start = new Uint32Array(this.sends);
    this.arrival = new Uint32Array(this.sends);
    this.longest = 1;
    let slot = 0;
    let i = 0;
    for (let run = 0; run < gaps.length; ++run) {
      slot += gaps[run];
      const cycle = (slot - 1) * this.slotCycles + 1;
      for (let end = i + counts[run]; i < end; ++i) {
        const cycles = this.flits[this.packet[i]] + latency;
        this.start[i] = cycle;
        this.arrival[i] = cycle + cycles - 1;
        if (cycles > this.longest) this.longest = cycles;
      }
    }
  }

  // Number of the first send that starts in `cycle` or later.
  firstSendFrom(cycle) {
    let low = 0;
    let high = this.sends;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.start[middle] < cycle) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // Calls visit(send) for those on their link in `cycle`: from the cycle in which the first flit leaves to the one in which
  // the last arrives.
  forEachOnLinks(cycle, visit) {
    for (let i = this.firstSendFrom(cycle - this.longest + 1); i < this.sends && this.start[i] <= cycle; ++i)
      if (this.arrival[i] >= cycle) visit(i);
  }
  onLinks(cycle) {
    let count = 0;
    this.forEachOnLinks(cycle, () => ++count);
    return count;
  }

  // Since when each send's packet waits at the node that sends it, how many sends of the packet follow, and who got what
  // when. Packets are followed one by one; those that others are made of have smaller numbers.
  followPackets() {
    this.byPacket = new Groups(this.packet, this.sends, this.packets);
    this.byLink = new Groups(this.link, this.sends, this.links);
    this.available = new Uint32Array(this.sends);
    this.hopsLeft = new Uint16Array(this.sends);
    this.complete = new Uint32Array(this.packets); // cycle from which on the origin has it
    const arrivalAt = new Float64Array(this.nodes);
    const cycleOfDelivery = [];
    const packetOfDelivery = [];
    const delayOfDelivery = [];
    const deliveredOf = new Uint32Array(this.packets);
    const atOrigin = new Uint8Array(this.packets); // whether a packet is ever complete there
    const stampOf = new Uint32Array(this.nodes);
    const leftAt = [];
    const leftFrom = [];
    for (let p = 0; p < this.packets; ++p) {
      const origin = this.origin[p];
      const born = this.generated ? this.generated[p] : 1;
      let complete = born;
      for (let k = this.firstPart[p]; k < this.firstPart[p + 1]; ++k)
        complete = Math.max(complete, this.whenAt(this.partList[k], origin));
      this.complete[p] = complete;
      const deliver = (cycle) => {
        cycleOfDelivery.push(cycle);
        packetOfDelivery.push(p);
        delayOfDelivery.push(cycle - born + 1);
        ++deliveredOf[p];
      };
      // What becomes complete at a node is there in the cycle before the one in which it may leave.
      atOrigin[p] = this.partsHaveCome(p, atOrigin) ? 1 : 0;
      if (this.hasParts(p) && atOrigin[p] === 1 && this.isDestination(p, origin)) deliver(complete - 1);
      const sends = this.byPacket.of(p);
      for (const i of sends) {
        const from = this.linkSource[this.link[i]];
        const to = this.linkTarget[this.link[i]];
        this.available[i] =
          from === origin ? complete : stampOf[from] === p + 1 ? arrivalAt[from] + 1 : this.firstCycle;
        if (this.available[i] > this.start[i]) this.available[i] = this.start[i];
        if (to !== origin && stampOf[to] !== p + 1) {
          stampOf[to] = p + 1;
          arrivalAt[to] = this.arrival[i];
          if (this.isDestination(p, to)) deliver(this.arrival[i]);
        }
      }
      if (this.head.scope === "" && this.expectedOf(p) === 1 && deliveredOf[p] === 0 && !this.hasParts(p)) {
        const last = sends.length === 0 ? -1 : sends[sends.length - 1];
        leftAt.push(last < 0 ? origin : this.linkTarget[this.link[last]]);
        leftFrom.push(last < 0 ? complete : this.arrival[last] + 1);
      }
      for (let k = 0; k < sends.length; ++k) this.hopsLeft[sends[k]] = Math.min(65535, sends.length - 1 - k);
    }
    this.deliveryCycles = Uint32Array.from(cycleOfDelivery); // at the end of which something was delivered
    this.deliveryPackets = Uint32Array.from(packetOfDelivery);
    this.delays = Uint32Array.from(delayOfDelivery); // cycles from a packet's generation to its delivery
    this.deliveredOf = deliveredOf;
    this.leftAt = Uint32Array.from(leftAt); // nodes where packets stayed for ever, of runs that got stuck
    this.leftFrom = Uint32Array.from(leftFrom); // the cycle from which each of them was there
    this.leftInOrder = Uint32Array.from(leftAt.keys()).sort((a, b) => leftFrom[a] - leftFrom[b]);
  }

  // The first cycle in which `node` may send packet p on, or count it in.
  whenAt(p, node) {
    if (this.origin[p] === node) return this.complete[p];
    const arrival = this.arrivalAt(p, node);
    return arrival === 0 ? this.firstCycle : arrival + 1;
  }

  isDestination(p, node) {
    const count = this.destinationCount[p];
    if (count === ALL_OTHERS) return node !== this.origin[p] && node < this.head.processors;
    let low = this.firstDestination[p];
    let high = low + count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.destinationList[middle] < node) low = middle + 1;
      else high = middle;
    }
    return low < this.firstDestination[p] + count && this.destinationList[low] === node;
  }
  destinationsOf(p) {
    const count = this.destinationCount[p];
    return count === ALL_OTHERS
      ? null
      : this.destinationList.subarray(this.firstDestination[p], this.firstDestination[p] + count);
  }
  expectedOf(p) {
    const count = this.destinationCount[p];
    return count === ALL_OTHERS ? this.head.processors - (this.origin[p] < this.head.processors ? 1 : 0) : count;
  }
  hasParts(p) {
    return this.firstPart[p + 1] > this.firstPart[p];
  }
  isCombined(p) {
    return this.firstPart[p + 1] > this.firstPart[p] + 1;
  }
  // Whether all parts of packet p are at its origin at some time. `atOrigin`: by packet before p, whether it is at its own.
  partsHaveCome(p, atOrigin) {
    const origin = this.origin[p];
    for (let k = this.firstPart[p]; k < this.firstPart[p + 1]; ++k) {
      const q = this.partList[k];
      if (this.origin[q] === origin ? atOrigin[q] === 0 : this.arrivalAt(q, origin) === 0) return false;
    }
    return true;
  }
  // The cycle at whose end packet p has come to `node`; 0: it never has.
  arrivalAt(p, node) {
    for (const i of this.byPacket.of(p)) if (this.linkTarget[this.link[i]] === node) return this.arrival[i];
    return 0;
  }
  kindWords(p) {
    return this.kind.length === 0 ? "" : this.head.kinds[this.kind[p]];
  }
  // What the network does in `cycle`; empty if it does one thing all the time.
  phaseIn(cycle) {
    let words = "";
    for (const [first, phase] of this.head.phases) {
      if (first > cycle) break;
      words = phase;
    }
    return words;
  }
  isMulticast(p) {
    return this.expectedOf(p) > 1;
  }

  // Packets that wait at nodes, by cycle. In cycle c a packet waits for a link if it may leave in c or before and starts
  // later. Counts are kept for every so many cycles; between these, packets that come and go are counted one by one.
  countQueues() {
    const waitingSends = [];
    for (let i = 0; i < this.sends; ++i) if (this.available[i] < this.start[i]) waitingSends.push(i);
    this.joins = Uint32Array.from(waitingSends).sort((a, b) => this.available[a] - this.available[b]);
    this.leaves = Uint32Array.from(waitingSends); // in order of start already
    this.queue = { cycle: 0, joined: 0, left: 0, stayed: 0, own: new Uint32Array(this.nodes), transit: new Uint32Array(this.nodes) };
    const events = this.joins.length * 2;
    const most = Math.max(2, Math.min(256, Math.floor((32 << 20) / (8 * this.nodes))));
    const every = Math.max(1, Math.ceil(events / most));
    this.checkpoints = [this.copyOfQueue()];
    let counted = 0;
    for (let cycle = 1; this.queue.left < this.leaves.length; ) {
      const before = this.queue.joined + this.queue.left;
      this.advanceQueue(cycle);
      counted += this.queue.joined + this.queue.left - before;
      if (counted >= every) {
        this.checkpoints.push(this.copyOfQueue());
        counted = 0;
      }
      const nextJoin = this.queue.joined < this.joins.length ? this.available[this.joins[this.queue.joined]] : Infinity;
      const nextLeave = this.queue.left < this.leaves.length ? this.start[this.leaves[this.queue.left]] : Infinity;
      cycle = Math.max(cycle + 1, Math.min(nextJoin, nextLeave));
    }
  }
  copyOfQueue() {
    const { cycle, joined, left, stayed, own, transit } = this.queue;
    return { cycle, joined, left, stayed, own: own.slice(), transit: transit.slice() };
  }
  advanceQueue(cycle) {
    const queue = this.queue;
    for (; queue.joined < this.joins.length; ++queue.joined) {
      const i = this.joins[queue.joined];
      if (this.available[i] > cycle) break;
      const node = this.linkSource[this.link[i]];
      ++(this.origin[this.packet[i]] === node ? queue.own : queue.transit)[node];
    }
    for (; queue.left < this.leaves.length; ++queue.left) {
      const i = this.leaves[queue.left];
      if (this.start[i] > cycle) break;
      const node = this.linkSource[this.link[i]];
      --(this.origin[this.packet[i]] === node ? queue.own : queue.transit)[node];
    }
    for (; queue.stayed < this.leftAt.length; ++queue.stayed) {
      const k = this.leftInOrder[queue.stayed];
      if (this.leftFrom[k] > cycle) break;
      ++queue.transit[this.leftAt[k]];
    }
    queue.cycle = cycle;
  }
  // {own, transit}: packets of the node's own and others that wait at each node in `cycle`.
  waitingIn(cycle) {
    if (cycle === this.queue.cycle) return this.queue;
    let best = null;
    for (const point of this.checkpoints) if (point.cycle <= cycle) best = point;
    if (cycle < this.queue.cycle || best.cycle > this.queue.cycle) {
      this.queue = { ...best, own: best.own.slice(), transit: best.transit.slice() };
    }
    this.advanceQueue(cycle);
    return this.queue;
  }

  stepOf(cycle) {
    return Math.floor((cycle - 1) / this.slotCycles) + 1;
  }
  firstCycleOf(step) {
    return (step - 1) * this.slotCycles + 1;
  }
  get steps() {
    return this.stepOf(this.lastCycle);
  }
  nodeName(v) {
    return this.head.names ? this.head.names[v] : String(v);
  }
  nodeCalled(word) {
    const text = word.trim();
    if (text === "") return null;
    if (this.head.names) {
      const named = this.head.names.indexOf(text.replaceAll(",", "_"));
      if (named >= 0) return named;
    }
    return /^\d+$/.test(text) && Number(text) < this.nodes ? Number(text) : undefined;
  }
  portOf(link) {
    let port = 0;
    for (const source = this.linkSource[link]; link > 0 && this.linkSource[link - 1] === source; --link) ++port;
    return port;
  }
  packetName(p) {
    const to = this.destinationsOf(p);
    const where = to && to.length === 1 ? this.nodeName(to[0]) : to && to.length === 0 ? "—" : "*";
    const kind = this.kindWords(p);
    return `${kind === "" ? "" : `${kind} `}${this.nodeName(this.origin[p])}>${where} #${this.tag[p]}`;
  }
  linkName(link) {
    return `${this.nodeName(this.linkSource[link])} → ${this.nodeName(this.linkTarget[link])}`;
  }
}

async function recordingIn(elementId) {
  return new Recording(unpacked(await blockIn(elementId)));
}
