// charts - curves and bars of a whole run, drawn by Chart.js: the load of links, packets waiting and on links, deliveries
// and delays.

const MOST_POINTS = 600; // of a curve; with more steps, a point is the largest value of several

function chartColours() {
  return { text: themeColour("--muted"), grid: themeColour("--grid"), first: themeColour("--busy"), second: themeColour("--second") };
}

// Values per step, from the first shown step on: packets on links, waiting, and delivered so far.
function seriesOf(recording, clock) {
  const { steps, slot } = clock;
  const stepOf = (cycle) => Math.min(steps - 1, Math.max(0, Math.floor((cycle - 1 - clock.first) / slot)));
  const onLinks = new Int32Array(steps + 1);
  const waiting = new Int32Array(steps + 1);
  const delivered = new Uint32Array(steps);
  const used = new Uint8Array(recording.links);
  for (let i = 0; i < recording.sends; ++i) {
    ++onLinks[stepOf(recording.start[i])];
    --onLinks[stepOf(recording.arrival[i]) + 1];
    used[recording.link[i]] = 1;
    // Waiting at the end of a step: it could have left in the step or before, and leaves later.
    const [from, to] = [stepOf(recording.available[i]), stepOf(recording.start[i])];
    if (from < to) {
      ++waiting[from];
      --waiting[to];
    }
  }
  for (const cycle of recording.deliveryCycles) ++delivered[stepOf(cycle)];
  for (let s = 1; s < steps; ++s) {
    onLinks[s] += onLinks[s - 1];
    waiting[s] += waiting[s - 1];
    delivered[s] += delivered[s - 1];
  }
  return { onLinks: onLinks.subarray(0, steps), waiting: waiting.subarray(0, steps), delivered };
}

function thinned(values, firstStep) {
  const bin = Math.ceil(values.length / MOST_POINTS);
  const points = [];
  for (let s = 0; s < values.length; s += bin) {
    let most = 0;
    for (let k = s; k < Math.min(values.length, s + bin); ++k) most = Math.max(most, values[k]);
    points.push({ x: firstStep + s, y: most });
  }
  return { points, bin };
}

// Bars of equal width over the delays.
function histogramOf(delays) {
  let longest = 0;
  for (const delay of delays) longest = Math.max(longest, delay);
  const wide = Math.max(1, Math.ceil(longest / 40));
  const counts = new Array(Math.floor(longest / wide) + 1).fill(0);
  for (const delay of delays) ++counts[Math.floor(delay / wide)];
  while (counts.length > 1 && counts[0] === 0 && wide === 1) {
    return { labels: counts.map((_, k) => `${k}`).slice(1), counts: counts.slice(1) };
  }
  return { labels: counts.map((_, k) => (wide === 1 ? `${k}` : `${k * wide}–${(k + 1) * wide - 1}`)), counts };
}

function chartOptions(x, y, colours, extra = {}) {
  const axis = (title) => ({
    title: { display: true, text: title, color: colours.text },
    ticks: { color: colours.text, maxRotation: 0, autoSkip: true, precision: 0 },
    grid: { color: colours.grid },
    beginAtZero: true,
  });
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    interaction: { mode: "index", intersect: false },
    plugins: { legend: { display: false }, ...(extra.plugins ?? {}) },
    scales: { x: { ...axis(x), beginAtZero: false, ...(extra.x ?? {}) }, y: axis(y) },
    indexAxis: extra.indexAxis ?? "x",
    onClick: extra.onClick,
  };
}

class Charts {
  constructor(canvases, recording, clock) {
    Object.assign(this, { canvases, recording, clock, charts: [] });
    this.series = seriesOf(recording, clock);
    this.histogram = histogramOf(recording.delays);
    this.draw();
  }

  // Once more, in the present colours.
  draw() {
    for (const chart of this.charts) chart.destroy();
    const colours = chartColours();
    this.charts = [this.curve("queues", ["waiting"], colours), this.curve("progress", ["delivered", "onLinks"], colours), this.delays(colours), this.loads(colours)];
  }

  curve(id, names, colours) {
    const words = { waiting: "packets waiting at nodes", delivered: "delivered so far", onLinks: "on links" };
    const lines = names.map((name) => thinned(this.series[name], this.clock.firstStep));
    const coarse = lines[0].bin > 1 ? `, the most in ${lines[0].bin} steps` : "";
    return new Chart(this.canvases[id], {
      type: "line",
      data: {
        datasets: lines.map(({ points }, k) => ({
          label: words[names[k]],
          data: points,
          borderColor: k === 0 ? colours.first : colours.second,
          borderDash: k === 0 ? [] : [5, 4],
          borderWidth: 1.6,
          pointRadius: points.length === 1 ? 3 : 0,
          stepped: points.length < 80 ? "middle" : false,
          parsing: false,
        })),
      },
      options: chartOptions("step", `packets${coarse}`, colours, {
        x: { type: "linear", min: this.clock.firstStep, max: Math.max(this.clock.firstStep + 1, this.clock.lastStep) },
        plugins: { legend: { display: names.length > 1, labels: { color: colours.text, boxHeight: 1 } } },
        onClick: (event, _, chart) => this.clock.goToStep(chart.scales.x.getValueForPixel(event.x)),
      }),
    });
  }

  delays(colours) {
    const { labels, counts } = this.histogram;
    return new Chart(this.canvases.delays, {
      type: "bar",
      data: { labels, datasets: [{ label: "deliveries", data: counts, backgroundColor: colours.first }] },
      options: chartOptions("cycles from a packet's generation to its delivery", "deliveries", colours),
    });
  }

  // The busiest links first; with many links a bar is the busiest of several.
  loads(colours) {
    const { recording } = this;
    this.busiest = Uint32Array.from(recording.linkFlits.keys()).sort((a, b) => recording.linkFlits[b] - recording.linkFlits[a] || a - b);
    const bin = Math.ceil(this.busiest.length / 200);
    const shown = this.busiest.filter((_, k) => k % bin === 0);
    return new Chart(this.canvases.loads, {
      type: "bar",
      data: {
        labels: Array.from(shown, (link) => recording.linkName(link)),
        datasets: [{ label: "flits", data: Array.from(shown, (link) => recording.linkFlits[link]), backgroundColor: colours.first, barPercentage: 1, categoryPercentage: shown.length > 60 ? 1 : 0.9 }],
      },
      options: chartOptions(bin === 1 ? "links, busiest first" : `links, busiest first, one in ${bin}`, "flits", colours, {
        x: { ticks: { display: shown.length <= 16, color: colours.text, maxRotation: 60 } },
        onClick: (_, bars) => bars.length > 0 && this.select({ packet: null, link: shown[bars[0].index], node: null }),
      }),
    });
  }
}
