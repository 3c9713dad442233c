// clock - the moment that a page shows. All views of a page follow one clock.
//
// Time is in cycles: cycle c goes from time c - 1 to time c. While nothing plays, the middle of a step is shown, so that
// packets are seen half way.

class Clock {
  constructor(firstCycle, lastCycle, slotCycles) {
    this.slot = slotCycles;
    this.first = Math.floor((firstCycle - 1) / slotCycles) * slotCycles; // time, at the beginning of a step
    this.last = Math.max(this.first + slotCycles, lastCycle);
    this.steps = Math.ceil((this.last - this.first) / slotCycles);
    this.time = this.first + slotCycles / 2;
    this.speed = Math.min(60, Math.max(1, this.steps / 12)); // steps in a second
    this.playing = false;
    this.watchers = [];
  }

  // `watcher` is called after every change of time, speed or playing.
  watch(watcher) {
    this.watchers.push(watcher);
  }
  changed() {
    for (const watcher of this.watchers) watcher(this);
  }

  get cycle() {
    return Math.min(this.last, Math.floor(this.time) + 1);
  }
  get step() {
    return Math.floor((this.cycle - 1) / this.slot) + 1;
  }
  get firstStep() {
    return this.first / this.slot + 1;
  }
  get lastStep() {
    return this.firstStep + this.steps - 1;
  }

  goToStep(step) {
    this.pause();
    const bounded = Math.min(this.lastStep, Math.max(this.firstStep, Math.round(step)));
    this.time = (bounded - 1) * this.slot + this.slot / 2;
    this.changed();
  }
  goToCycle(cycle) {
    this.pause();
    this.time = Math.min(this.last, Math.max(this.first + 1, Math.round(cycle))) - 0.5;
    this.changed();
  }
  moveSteps(steps) {
    this.goToStep(this.step + steps);
  }
  faster(factor) {
    this.speed = Math.min(10000, Math.max(0.25, this.speed * factor));
    this.changed();
  }

  play() {
    if (this.playing) return;
    if (this.time >= this.last - this.slot / 2 - 1e-9) this.time = this.first;
    this.playing = true;
    this.before = performance.now();
    const frame = (now) => {
      if (!this.playing) return;
      this.time += (Math.min(250, now - this.before) / 1000) * this.speed * this.slot;
      this.before = now;
      if (this.time >= this.last) {
        this.time = this.last - this.slot / 2;
        this.playing = false;
      }
      this.changed();
      if (this.playing) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    this.changed();
  }
  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.changed();
  }
  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }
}
