// page - a study's points: a plot of two objectives at choice, filters, and a table. All words are put in as text.

const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8c8c8c", "#8c6bd1", "#b5651d", "#999933"];
// How a point of each status is drawn: shape, radius, whether it is filled.
const MARKS = { front: ["circle", 6, true], band: ["rectRot", 5, true], dominated: ["circle", 4, false], estimated: ["triangle", 5, false], excluded: ["crossRot", 5, false], failed: ["crossRot", 5, false] };
const NUMBER = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
const inWords = (value) => (value === null ? "—" : typeof value === "number" ? NUMBER.format(value) : String(value));

class StudyPage {
  constructor(data) {
    this.data = data;
    this.filter = {};
    document.title = data.name;
    byId("title").textContent = data.name;
    byId("question").textContent = data.question;
    byId("headline").textContent = data.headline;
    byId("caveat").textContent = data.caveat;
    const names = Object.keys(data.units).filter((name) => data.points.some((p) => p.values[name] !== null));
    this.names = names;
    this.choice("across", names, data.objectives[0]);
    this.choice("up", names, data.objectives[1] ?? data.objectives[0]);
    this.choice("colour", data.axes, data.axes[0]);
    byId("logarithmic").addEventListener("change", () => this.show());
    this.makeFilters();
    listenToTheme(() => this.show());
    this.show();
  }

  choice(id, names, chosen) {
    for (const name of names) byId(id).append(element("option", name, { value: name }));
    byId(id).value = chosen;
    byId(id).addEventListener("change", () => this.show());
  }

  makeFilters() {
    for (const axis of [...this.data.axes, "status"]) {
      const select = element("select", "", { "aria-label": axis });
      select.append(element("option", "any", { value: "" }));
      const values = [...new Set(this.data.points.map((p) => this.valueOf(p, axis)))];
      for (const value of values) select.append(element("option", value, { value }));
      select.addEventListener("change", () => {
        this.filter[axis] = select.value;
        this.show();
      });
      const label = element("label", `${axis} `);
      label.append(select);
      byId("filters").append(label);
    }
  }
  valueOf(point, axis) {
    return axis === "status" ? point.status : String(point.axes[axis]);
  }
  passing() {
    return this.data.points.filter((p) => Object.entries(this.filter).every(([axis, value]) => value === "" || this.valueOf(p, axis) === value));
  }

  show() {
    const shown = this.passing();
    byId("count").textContent = `${shown.length} of ${this.data.points.length} points`;
    this.plot(shown.filter((p) => p.values[byId("across").value] !== null && p.values[byId("up").value] !== null));
    this.list(shown);
  }

  plot(points) {
    const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const [across, up, axis] = ["across", "up", "colour"].map((id) => byId(id).value);
    const values = [...new Set(this.data.points.map((p) => this.valueOf(p, axis)))];
    const paint = (value) => COLOURS[values.indexOf(value) % COLOURS.length];
    const datasets = values.map((value) => {
      const own = points.filter((p) => this.valueOf(p, axis) === value);
      return {
        type: "scatter",
        label: value,
        data: own.map((p) => ({ x: p.values[across], y: p.values[up], point: p })),
        borderColor: paint(value),
        backgroundColor: own.map((p) => (MARKS[p.status][2] ? paint(value) : "transparent")),
        pointStyle: own.map((p) => MARKS[p.status][0]),
        radius: own.map((p) => MARKS[p.status][1]),
        hoverRadius: 8,
        borderWidth: 1.5,
      };
    });
    const front = points.filter((p) => p.status === "front").sort((a, b) => a.values[across] - b.values[across]);
    const isFront = this.data.steps && across === this.data.objectives[0] && up === this.data.objectives[1];
    if (isFront && front.length > 1)
      datasets.push({ type: "line", label: "front", data: front.map((p) => ({ x: p.values[across], y: p.values[up], point: p })), borderColor: colour("--muted"), borderWidth: 1, radius: 0, stepped: "before", order: 1 });
    const scale = (name) => ({
      ...this.range(points.map((p) => p.values[name])),
      type: byId("logarithmic").checked ? "logarithmic" : "linear",
      title: { display: true, text: this.withUnit(name), color: colour("--muted") },
      grid: { color: colour("--grid") },
      ticks: { color: colour("--muted"), maxTicksLimit: 8, callback: (value) => (Number(value.toPrecision(2)) === value ? NUMBER.format(value) : "") },
    });
    this.chart?.destroy();
    this.chart = new Chart(byId("plot"), {
      data: { datasets },
      options: {
        animation: false,
        maintainAspectRatio: false,
        onClick: (event, found) => {
          const page = found.length > 0 && datasets[found[0].datasetIndex].data[found[0].index].point.page;
          if (page) location.href = page;
        },
        scales: { x: scale(across), y: scale(up) },
        plugins: {
          legend: { display: values.length <= 24, labels: { color: colour("--text"), usePointStyle: true } },
          tooltip: {
            callbacks: {
              label: ({ raw }) => [
                this.data.axes.map((name) => `${name} ${raw.point.axes[name]}`).join(", "),
                ...this.data.objectives.map((name) => `${name} ${inWords(raw.point.values[name])} ${this.data.units[name]}`),
              ],
            },
          },
        },
      },
    });
  }

  withUnit(name) {
    const unit = this.data.units[name];
    return unit === name ? name : `${name} (${unit})`;
  }
  // A little more than the values have: a logarithmic axis would else begin at a power of ten.
  range(values) {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    if (!byId("logarithmic").checked || !(low > 0)) return {};
    return { min: low / 1.15, max: high * 1.15 };
  }

  list(points) {
    const { axes } = this.data;
    const head = element("tr");
    for (const title of [...axes, ...this.names, "status"]) head.append(element("th", title));
    byId("table").tHead.replaceChildren(head);
    byId("table").tBodies[0].replaceChildren(...points.map((p) => {
      const row = element("tr");
      axes.forEach((axis, k) => {
        const cell = element("td");
        if (k === 0 && p.page) cell.append(element("a", p.axes[axis], { href: p.page }));
        else cell.textContent = p.axes[axis];
        row.append(cell);
      });
      for (const name of this.names) row.append(element("td", inWords(p.values[name])));
      row.append(element("td", p.reason ? `${p.status}: ${p.reason}` : p.status, { class: p.status === "front" ? "good" : "", title: p.command }));
      return row;
    }));
  }
}
