// curve_page - curves over the load, drawn by Chart.js, above the table of the runs that they are made of.

// How a curve looks: told apart by colour, with any colour vision, and by the shape of its points.
const SHAPES = ["circle", "rect", "triangle", "rectRot"];
const COLOURS = ["--curve-1", "--curve-2", "--curve-3", "--curve-4"];
const DASHES = [[7, 4], [2, 3], [9, 3, 2, 3]];

const shownNumber = (value) => new Intl.NumberFormat("en", { maximumSignificantDigits: 6 }).format(value);

// What is pointed at: the points of the run whose load is nearest.
Chart.Interaction.modes.run = (chart, event) => {
  const items = [];
  let nearest = Infinity;
  chart.getSortedVisibleDatasetMetas().forEach((meta) => {
    meta.data.forEach((element, index) => {
      const away = Math.abs(element.x - event.x);
      if (!element.options.hitRadius || away > nearest) return;
      if (away < nearest) items.length = 0;
      nearest = away;
      items.push({ element, datasetIndex: meta.index, index });
    });
  });
  return items.sort((a, b) => a.datasetIndex - b.datasetIndex);
};

// Of a logarithmic axis only these numbers are written: 1, 2 and 5 times a power of ten.
function tickWords(value, logarithmic) {
  const digit = value / 10 ** Math.round(Math.log10(value));
  return !logarithmic || [0.5, 1, 2].some((round) => Math.abs(digit / round - 1) < 1e-6) ? shownNumber(value) : "";
}

const CORNERS = { rect: "M10.5 2.5h7v7h-7z", triangle: "M14 1.5l4.5 8h-9z", rectRot: "M14 1l5 5-5 5-5-5z" };

// A piece of a line as it is drawn, with a point on it unless it has no shape.
function swatch({ colour, dashes = "", shape = "", fill = "none" }) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("class", "swatch");
  picture.setAttribute("viewBox", "0 0 28 12");
  const add = (tag, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries({ stroke: colour, ...attributes })) made.setAttribute(name, value);
    picture.append(made);
  };
  add("path", { d: "M0 6h28", "stroke-width": 2, "stroke-dasharray": dashes, fill: "none" });
  if (shape === "circle") add("circle", { cx: 14, cy: 6, r: 4, fill });
  else if (shape !== "") add("path", { d: CORNERS[shape], fill });
  return picture;
}

class CurvePage {
  // `data`: what curve_page.cpp writes
  constructor(data) {
    this.data = data;
    this.plot = data.plot;
    this.chosen = null; // the number of a row
    this.hidden = new Set(); // numbers of datasets
    this.logarithmic = data.plot.logarithmic;
    this.writeWords();
    this.makeTable();
    this.makeChoices();
    listenToTheme(() => this.draw());
    window.addEventListener("beforeprint", () => this.chart.resize());
    window.addEventListener("afterprint", () => this.chart.resize());
    this.draw();
  }

  writeWords() {
    const { data } = this;
    document.title = data.title;
    for (const id of ["title", "headline", "command"]) byId(id).textContent = data[id];
    byId("sentences").append(...data.sentences.map((words) => element("p", words)));
    byId("index").hidden = !data.index;
    byId("problems").hidden = data.problems.length === 0;
    byId("problems-list").append(...data.problems.map((words) => element("li", words)));
    byId("chart").setAttribute("aria-label", `${this.plot.y_label} against ${this.plot.x_label}; the table below has the values`);
  }

  makeTable() {
    const head = element("tr");
    for (const column of this.data.columns) head.append(element("th", column));
    byId("table").tHead.append(head);
    this.rows = this.data.rows.map(({ cells, bad }, k) => {
      const row = element("tr", "", { tabindex: "0" });
      row.append(...cells.map((words) => element("td", words)));
      if (bad) row.lastChild.className = "bad";
      row.addEventListener("click", () => this.choose(k));
      row.addEventListener("keydown", (event) => {
        if (event.key === "Enter") this.choose(k);
      });
      return row;
    });
    byId("table").tBodies[0].append(...this.rows);
  }

  // A box for each curve and limit, which is its legend as well.
  makeChoices() {
    const { series, limits, hollow_means } = this.plot;
    [...series, ...limits].forEach(({ name }, k) => {
      const label = element("label");
      const box = element("input", "", { type: "checkbox" });
      box.checked = true;
      box.addEventListener("change", () => {
        if (box.checked) this.hidden.delete(k);
        else this.hidden.add(k);
        this.chart.setDatasetVisibility(k, box.checked);
        this.chart.update();
      });
      label.append(box, this.swatchOf(k), element("span", ` ${name}`));
      byId("curves").append(label);
    });
    if (hollow_means) {
      const words = element("span", "", { class: "hollow" });
      words.append(swatch({ colour: "var(--muted)", dashes: "4 3", shape: "circle", fill: "var(--page)" }), element("span", ` ${hollow_means}`));
      byId("curves").append(words);
    }
    byId("logarithmic").checked = this.logarithmic;
    byId("logarithmic").addEventListener("change", () => {
      this.logarithmic = byId("logarithmic").checked;
      this.draw();
    });
  }

  // A piece of the line of a curve or limit.
  swatchOf(k) {
    const { series } = this.plot;
    if (k >= series.length) return swatch({ colour: "var(--muted)", dashes: DASHES[(k - series.length) % DASHES.length].join(" ") });
    const colour = `var(${COLOURS[k % COLOURS.length]})`;
    return swatch({ colour, fill: colour, shape: series[k].marked ? SHAPES[k % SHAPES.length] : "" });
  }

  // Marks a run in the table and in the picture, or no run any more.
  choose(k) {
    if (this.chosen !== null) this.rows[this.chosen].removeAttribute("aria-current");
    this.chosen = this.chosen === k ? null : k;
    if (this.chosen !== null) {
      this.rows[k].setAttribute("aria-current", "true");
      this.rows[k].scrollIntoView({ block: "nearest" });
    }
    this.chart.update();
  }
  isChosen(x) {
    return this.chosen !== null && this.data.rows[this.chosen].x === x;
  }

  curve({ name, marked, points }, k, page) {
    const colour = themeColour(COLOURS[k % COLOURS.length]);
    const hollow = (context) => points[context.dataIndex]?.hollow;
    const radius = (context) => (!marked ? 0 : this.isChosen(points[context.dataIndex]?.x) ? 8 : 4);
    return {
      label: name,
      data: points,
      hidden: this.hidden.has(k),
      borderColor: colour,
      borderWidth: 2,
      segment: { borderDash: (context) => (points[context.p1DataIndex].hollow ? [4, 3] : undefined) },
      pointStyle: SHAPES[k % SHAPES.length],
      pointRadius: radius,
      pointHoverRadius: marked ? 7 : 0,
      pointHitRadius: marked ? 8 : 0,
      pointBorderColor: colour,
      pointBackgroundColor: (context) => (hollow(context) ? page : colour),
      pointHoverBackgroundColor: (context) => (hollow(context) ? page : colour),
    };
  }

  // A vertical line, at which nothing is to be pointed at.
  limit({ x, name }, k, low) {
    return {
      label: name,
      data: [
        { x, y: low },
        { x, y: this.plot.extent.high },
      ],
      hidden: this.hidden.has(this.plot.series.length + k),
      borderColor: themeColour("--muted"),
      borderWidth: 1.5,
      borderDash: DASHES[k % DASHES.length],
      pointRadius: 0,
      pointHoverRadius: 0,
      pointHitRadius: 0,
    };
  }

  // Once more, in the present colours.
  draw() {
    this.chart?.destroy();
    const { plot } = this;
    const { x_most, low, high } = plot.extent;
    const [text, grid, page] = ["--muted", "--grid", "--page"].map(themeColour);
    const lowest = this.logarithmic ? low : 0;
    const axis = (title, logarithmic) => ({
      title: { display: true, text: title, color: text },
      ticks: { color: text, maxRotation: 0, includeBounds: false, autoSkip: !logarithmic, callback: (value) => tickWords(value, logarithmic) },
      grid: { color: grid },
    });
    this.chart = new Chart(byId("chart"), {
      type: "line",
      data: {
        datasets: [
          ...plot.series.map((series, k) => this.curve(series, k, page)),
          ...plot.limits.map((limit, k) => this.limit(limit, k, lowest)),
        ],
      },
      options: {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        parsing: false,
        interaction: { mode: "run", intersect: false },
        onClick: (_, items) => {
          if (items.length === 0) return;
          const { x } = plot.series[items[0].datasetIndex].points[items[0].index];
          this.choose(this.data.rows.findIndex((row) => row.x === x));
        },
        plugins: {
          legend: { display: false },
          tooltip: {
            callbacks: {
              title: (items) => (items.length > 0 ? `${plot.x_label}: ${shownNumber(items[0].parsed.x)}` : ""),
              label: (item) => ` ${item.dataset.label}: ${shownNumber(item.parsed.y)}`,
            },
          },
        },
        scales: {
          x: { ...axis(plot.x_label, false), type: "linear", min: 0, max: x_most },
          y: { ...axis(plot.y_label, this.logarithmic), type: this.logarithmic ? "logarithmic" : "linear", min: lowest, max: high },
        },
      },
    });
  }
}
