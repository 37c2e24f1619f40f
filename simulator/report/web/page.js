// Draws the figures of a page from the data that stand in it, in the colours of its style sheet.
"use strict";
(() => {
  let figures = [];
  const style = () => getComputedStyle(document.documentElement);
  const colour = (name) => style().getPropertyValue(`--${name}`).trim();

  /** How all charts look; the specifications say only what they show. */
  function theme(labelLimit, legendColumns, isNarrow) {
    const text = { labelColor: colour("ink"), titleColor: colour("ink"), labelFontSize: 12, titleFontSize: 12 };
    const series = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((number) => colour(`series-${number}`));
    const ramp = [colour("ramp-low"), colour("ramp-high")];
    return {
      background: "transparent",
      font: getComputedStyle(document.body).fontFamily,
      autosize: { type: "fit-x", contains: "padding", resize: true },
      axis: { ...text, gridColor: colour("line"), domainColor: colour("soft"), tickColor: colour("soft"),
              titleFontWeight: "normal", titlePadding: 8, labelOverlap: true, labelLimit },
      legend: { ...text, orient: "top", title: null, symbolStrokeWidth: 2, labelLimit: 240, columns: legendColumns,
                ...(isNarrow ? { layout: { top: { direction: "vertical", anchor: "start" } } } : {}) },
      view: { stroke: null },
      line: { strokeWidth: 2.5 },
      point: { size: 45, filled: true, opacity: 1 },
      bar: { color: series[0] },
      text: { color: colour("ink"), fontSize: 12 },
      rule: { color: colour("soft") },
      range: { category: series, ramp, heatmap: ramp,
               lines: [...series.slice(0, 8), colour("line-9"), colour("line-10")] },
      style: {
        knee: { color: colour("mark"), strokeDash: [2, 3], strokeWidth: 1.5 },
        "knee-label": { color: colour("mark"), fontWeight: 600, baseline: "top" },
        launch: { color: colour("mark"), strokeWidth: 2, filled: false, size: 220 },
        standing: { color: colour("mark"), strokeWidth: 1.5, filled: false },
        measured: { color: colour("mark"), strokeWidth: 2, filled: false, size: 90 },
        best: { color: colour("series-2"), strokeWidth: 3, filled: false },
        "on-low": { color: colour("ink") },
        "on-high": { color: colour("ground") },
        quiet: { color: colour("soft"), strokeWidth: 1.2, strokeDash: [5, 4] },
        band: { color: colour("soft"), opacity: 0.15 },
      },
    };
  }

  const kLetter = 6.6;  // pixels, about, of 12-pixel text

  /** The words of a title in lines of at most so many letters. */
  function lines(title, letters) {
    const result = [""];
    for (const word of title.split(" ")) {
      const last = result[result.length - 1];
      if (last && last.length + 1 + word.length > letters) result.push(word);
      else result[result.length - 1] = last ? `${last} ${word}` : word;
    }
    return result;
  }

  /** Breaks the titles below a chart into lines, and shortens long names in the middle: their ends tell them apart. */
  function fit(part, titleLetters, labelLimit) {
    const { x, y } = part.encoding ?? {};
    if (typeof x?.title === "string") x.title = lines(x.title, titleLetters);
    if (y?.type === "nominal") {
      const half = Math.floor(labelLimit / kLetter / 2) - 1;
      const name = "datum.label";
      y.axis = { ...y.axis, labelExpr: `length(${name}) > ${2 * half + 1} ? ` +
                                       `slice(${name}, 0, ${half}) + "\u2026" + slice(${name}, -${half}) : ${name}` };
    }
    for (const layer of part.layer ?? []) fit(layer, titleLetters, labelLimit);
  }

  /** Whether some text of a chart lies beyond its edges, where nobody sees it. */
  function sticksOut(place, texts) {
    const edge = place.querySelector("svg").getBoundingClientRect();
    return [...place.querySelectorAll(texts)].some((text) => {
      const box = text.getBoundingClientRect();
      return box.width > 0 && (box.left < edge.left - 1 || box.right > edge.right + 1);
    });
  }

  /** Draws a chart, again with fewer columns in its legend and shorter lines below it until all of it is to be seen. */
  async function drawChart(place, specification) {
    const labelLimit = Math.min(260, Math.round(place.clientWidth / 2));
    for (let columns = 5, letters = 80; ; ) {
      const chart = structuredClone(specification);
      fit(chart, letters, labelLimit);
      await vegaEmbed(place, chart, {
        config: theme(labelLimit, columns, columns === 1), renderer: "svg", downloadFileName: place.id, logLevel: vega.Error,
        actions: { export: true, source: false, compiled: false, editor: false },
      });
      const narrower = columns > 1 && sticksOut(place, ".role-legend text");
      const shorter = letters > 12 && sticksOut(place, ".role-axis-title text");
      if (!narrower && !shorter) return;
      columns -= narrower ? 1 : 0;
      letters -= shorter ? 8 : 0;
    }
  }

  /** Tables that are wider than their place say so. */
  const watcher = new ResizeObserver((entries) => {
    for (const { target } of entries) target.classList.toggle("scrolls", target.scrollWidth > target.clientWidth + 1);
  });

  const kUnits = { s: 1, ms: 1e-3, us: 1e-6, B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

  /** The number that a cell begins with, in the base of its unit; nothing for other texts. */
  function numberOf(text) {
    const found = /^([-+]?[\d.]+(?:e[-+]?\d+)?)(?: (\w+))?/.exec(text);
    return found ? Number(found[1]) * (kUnits[found[2]] ?? 1) : undefined;
  }

  /** Sorts the rows of a table by a column: numbers the largest first, texts by the alphabet, once more the other way. */
  function sortBy(table, column) {
    const heads = [...table.tHead.rows[0].cells], head = heads[column];
    const body = table.tBodies[0], rows = [...body.rows];
    const keys = new Map(rows.map((row) => {
      const text = row.cells[column].textContent;
      return [row, text === "" ? null : numberOf(text) ?? text];
    }));
    const numbers = [...keys.values()].some((key) => typeof key === "number");
    const before = head.getAttribute("aria-sort");
    const down = before ? before === "ascending" : numbers;
    rows.sort((a, b) => {
      const [x, y] = [keys.get(a), keys.get(b)];
      if (x === null || y === null) return (x === null) - (y === null);
      const order = typeof x === typeof y ? (x < y ? -1 : x > y ? 1 : 0) : typeof x === "number" ? -1 : 1;
      return down ? -order : order;
    });
    for (const each of heads) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    body.append(...rows);
  }

  /** On narrow screens a row is a card whose cells say what they are. */
  function labelCells(table) {
    if (!table.querySelector(".sentence")) return;
    const titles = [...table.tHead.rows[0].cells].map((head) => head.textContent);
    for (const row of table.tBodies[0].rows)
      [...row.cells].forEach((cell, column) => {
        if (titles[column]) cell.dataset.label = titles[column];
      });
  }

  /** Makes the titles of tables of several rows buttons that sort. */
  function makeSortable(table) {
    if (table.tBodies[0].rows.length < 3) return;
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (head.textContent === "" || head.querySelector("button")) return;
      const button = document.createElement("button");
      button.textContent = head.textContent;
      button.addEventListener("click", () => sortBy(table, column));
      head.replaceChildren(button);
    });
  }

  async function draw(chosen) {
    const drawn = figures;
    for (const { id, kind, content } of chosen) {
      const place = document.getElementById(id);
      try {
        await (kind === "graph" ? drawGraph(place, content) : drawChart(place, content));
      } catch (error) {
        if (figures !== drawn) return;
        place.textContent = "This figure could not be drawn; the tables hold its numbers.";
        console.error(id, error);
      }
      if (figures !== drawn) return;
    }
    document.documentElement.dataset.drawn = figures.length;
  }

  /** Draws figures into their places, and minds the tables. A later call ends an earlier one. */
  globalThis.drawFigures = (given) => {
    figures = given;
    delete document.documentElement.dataset.drawn;
    watcher.disconnect();
    for (const table of document.querySelectorAll(".table")) watcher.observe(table);
    document.querySelectorAll(".table table").forEach((table) => {
      labelCells(table);
      makeSortable(table);
    });
    return draw(figures);
  };

  // Graphs take their colours from the style sheet, charts hold them.
  matchMedia("(prefers-color-scheme: dark)")
    .addEventListener("change", () => draw(figures.filter(({ kind }) => kind === "chart")));
  const given = document.getElementById("figures");
  if (given) drawFigures(JSON.parse(given.textContent));
})();
