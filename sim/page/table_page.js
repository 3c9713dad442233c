// table_page - a table that one can filter: by the values of some columns, and by words. A row may lead to a page, and may
// hold lines that are shown when it is opened.

class TablePage {
  // `data`: {title, headline, command, columns: [{title, facet, number, bar, wide}],
  // rows: [{cells, link, tone, lines}], notes, index}
  constructor(data) {
    this.data = data;
    document.title = data.title;
    byId("title").textContent = data.title;
    byId("headline").textContent = data.headline;
    byId("command").textContent = data.command;
    byId("index").hidden = !data.index;
    byId("notes").append(...data.notes.map((words) => element("p", words)));
    listenToTheme(() => {});
    this.makeFacets();
    const head = element("tr");
    for (const { title, number } of data.columns) head.append(element("th", title, number ? { class: "number" } : {}));
    this.most = data.columns.map((_, k) => Math.max(...data.rows.map((row) => Number(row.cells[k]))));
    byId("table").tHead.append(head);
    this.rows = data.rows.map((row) => this.makeRow(row));
    byId("table").tBodies[0].append(...this.rows.map((row) => row.shown));
    byId("search").addEventListener("input", () => this.filter());
    this.filter();
  }

  makeFacets() {
    this.facets = [];
    this.data.columns.forEach((column, k) => {
      if (!column.facet) return;
      const select = element("select");
      select.append(element("option", "any", { value: "" }));
      for (const value of new Set(this.data.rows.map((row) => row.cells[k]))) select.append(element("option", value, { value }));
      select.addEventListener("change", () => this.filter());
      const label = element("label", `${column.title} `);
      label.append(select);
      byId("facets").append(label);
      this.facets.push([k, select]);
    });
  }

  makeRow({ cells, link, tone, lines }) {
    const shown = element("tr");
    cells.forEach((words, k) => {
      const cell = element("td");
      if (k === 0 && link) cell.append(element("a", words, { href: link }));
      else if (k === 0 && lines) cell.append(this.opener(words, shown, lines));
      else cell.textContent = words;
      const column = this.data.columns[k];
      cell.className = column.number ? "number" : column.wide ? "wide" : words.length <= 12 ? "short" : "";
      if (column.number && /^\d{4,}$/.test(words)) cell.textContent = Number(words).toLocaleString("en");
      if (column.bar && this.most[k] > 0) cell.style.setProperty("--part", `${(100 * Number(words)) / this.most[k]}%`);
      if (tone && k === tone.column) cell.className = tone.kind;
      shown.append(cell);
    });
    return { shown, cells, text: cells.join(" ").toLowerCase() };
  }
  // A button that shows the lines below its row, and hides them again.
  opener(words, row, lines) {
    const button = element("button", words, { class: "plain", "aria-expanded": "false" });
    let below = null;
    button.addEventListener("click", () => {
      if (below) {
        below.remove();
        below = null;
      } else {
        below = element("tr", "", { class: "below" });
        const cell = element("td", "", { colspan: this.data.columns.length });
        cell.append(element("pre", lines.join("\n")));
        below.append(cell);
        row.after(below);
      }
      button.setAttribute("aria-expanded", below !== null);
    });
    return button;
  }

  filter() {
    const words = byId("search").value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    let count = 0;
    for (const { shown, cells, text } of this.rows) {
      const passes =
        words.every((word) => text.includes(word)) &&
        this.facets.every(([k, select]) => select.value === "" || cells[k] === select.value);
      shown.hidden = !passes;
      if (shown.nextSibling?.className === "below") shown.nextSibling.hidden = !passes;
      count += passes ? 1 : 0;
    }
    byId("count").textContent = `${count} of ${this.rows.length}`;
  }
}
