"use strict";
(function () {
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const series = JSON.parse(document.getElementById("series-data").textContent);

  document.getElementById("language").addEventListener("click", function () {
    const next = root.dataset.lang === "zh" ? "en" : "zh";
    root.dataset.lang = next;
    root.lang = next;
  });

  // One document after another, those near the reader's place first: a page of many figures can be read meanwhile.
  function near(content) {
    return content.items.some(function (item) {
      return Object.values(item.roots).some(function (id) {
        const box = document.getElementById(id).getBoundingClientRect();
        return box.bottom > -window.innerHeight && box.top < 2 * window.innerHeight;
      });
    });
  }

  async function embedFigures() {
    const waiting = Array.from(document.querySelectorAll("script.bokeh-document"), function (holder) {
      return JSON.parse(holder.textContent);
    });
    while (waiting.length) {
      const [content] = waiting.splice(Math.max(0, waiting.findIndex(near)), 1);
      await Bokeh.embed.embed_items(content.docs, content.items);
      await new Promise(function (go) { setTimeout(go, 0); });
    }
  }

  function paint(isDark) {
    const ink = isDark ? "#e6e8ea" : "#1b1f24";
    const paper = isDark ? "#14171a" : "#ffffff";
    const rule = isDark ? "#363c43" : "#e2e6ea";
    const lighter = {
      "#1f6feb": "#6cb0ff", "#c2410c": "#ff9d66", "#15803d": "#63d68c", "#7c3aed": "#b795ff", "#a16207": "#e5b84b",
      "#be185d": "#ff86b6", "#0e7490": "#5cc8e0", "#57534e": "#b8b2ac", "#4d7c0f": "#a6d65b", "#b91c1c": "#ff8b8b",
    };
    const darker = Object.fromEntries(Object.entries(lighter).map(function (pair) { return [pair[1], pair[0]]; }));
    const colors = isDark ? lighter : darker;
    for (const drawn of Bokeh.documents) {
      for (const model of drawn.all_models || drawn._all_models.values()) {
        const values = {};
        if (model.type === "Figure") Object.assign(values, { background_fill_color: paper, border_fill_color: paper, outline_line_color: rule });
        if (model.type === "LinearAxis") {
          Object.assign(values, {
            axis_label_text_color: ink, major_label_text_color: ink, axis_line_color: ink, major_tick_line_color: ink, minor_tick_line_color: rule,
          });
        }
        if (model.type === "Whisker" || model.type === "TeeHead") values.line_color = { value: ink };
        if (model.type === "Grid") values.grid_line_color = rule;
        if (model.type === "Legend") Object.assign(values, { label_text_color: ink, background_fill_color: paper });
        if (["Line", "Scatter", "VBar"].includes(model.type)) {
          for (const key of ["line_color", "fill_color", "hatch_color"]) {
            const now = model[key] && model[key].value;
            if (colors[now]) values[key] = { value: colors[now] };
          }
        }
        if (Object.keys(values).length) model.setv(values);
      }
    }
  }

  function fillPoints(details) {
    const place = details.querySelector(".scroll");
    if (details.dataset.filled) return;
    details.dataset.filled = "yes";
    const table = document.createElement("table");
    const names = details.dataset.lines.split(" ");
    const labels = details.dataset.names ? details.dataset.names.split("|") : names;
    const rows = new Map();
    names.forEach(function (name, column) {
      series[name].x.forEach(function (x, index) {
        if (!rows.has(x)) rows.set(x, new Array(names.length).fill(""));
        const y = series[name].y[index];
        rows.get(x)[column] = y === null ? "–" : String(y);
      });
    });
    const head = table.createTHead().insertRow();
    for (const text of [series[names[0]].x_unit].concat(names.map(function (name, column) { return labels[column] + " (" + series[name].unit + ")"; }))) {
      const cell = document.createElement("th");
      cell.textContent = text;
      head.append(cell);
    }
    const body = table.createTBody();
    for (const x of Array.from(rows.keys()).sort(function (a, b) { return a - b; })) {
      const row = body.insertRow();
      for (const text of [String(x)].concat(rows.get(x))) row.insertCell().textContent = text;
    }
    place.replaceChildren(table);
  }
  for (const details of document.querySelectorAll("details.points")) {
    details.addEventListener("toggle", function () { if (details.open) fillPoints(details); });
  }

  function sortKey(cell) {
    const number = cell.querySelector("data");
    return number && number.value !== "null" ? Number(number.value) : cell.textContent.trim();
  }
  for (const table of document.querySelectorAll("table.sortable")) {
    Array.from(table.tHead.rows[0].cells).forEach(function (head, column) {
      let ascending = false;
      function sort() {
        ascending = !ascending;
        const rows = Array.from(table.tBodies[0].rows);
        rows.sort(function (one, two) {
          const a = sortKey(one.cells[column]), b = sortKey(two.cells[column]);
          const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
          return ascending ? order : -order;
        });
        table.tBodies[0].append(...rows);
        head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      }
      head.tabIndex = 0;
      head.addEventListener("click", sort);
      head.addEventListener("keydown", function (event) { if (event.key === "Enter") sort(); });
    });
  }

  Bokeh.set_log_level("warn");
  embedFigures().then(function () {
    if (dark.matches) paint(true);
    root.dataset.figures = "drawn";
  });
  dark.addEventListener("change", function (event) { paint(event.matches); });
  window.addEventListener("beforeprint", function () { paint(false); });
  window.addEventListener("afterprint", function () { paint(dark.matches); });
})();
