// play_controls - the buttons, the scrubber and the keys that move a clock.

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
