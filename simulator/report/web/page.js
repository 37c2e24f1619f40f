// Draws the figures of a page from the data that stand in it, in the colours of its style sheet.
"use strict";
(() => {
  let figures = [];
  const style = () => getComputedStyle(document.documentElement);
  const colour = (name) => style().getPropertyValue(`--${name}`).trim();

  /** How all charts look; the specifications say only what they show. */
  function theme(labelLimit, legendColumns) {
    const text = { labelColor: colour("ink"), titleColor: colour("ink"), labelFontSize: 12, titleFontSize: 12 };
    const series = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((number) => colour(`series-${number}`));
    const ramp = [colour("ramp-low"), colour("ramp-high")];
    return {
      background: "transparent",
      font: getComputedStyle(document.body).fontFamily,
      autosize: { type: "fit-x", contains: "padding", resize: true },
      axis: { ...text, gridColor: colour("line"), domainColor: colour("soft"), tickColor: colour("soft"),
              titleFontWeight: "normal", titlePadding: 8, labelOverlap: true, labelLimit },
      legend: { ...text, orient: "top", title: null, symbolStrokeWidth: 2, labelLimit: 240, columns: legendColumns },
      view: { stroke: null },
      line: { strokeWidth: 2.5 },
      point: { size: 45, filled: true, opacity: 1 },
      bar: { color: series[0] },
      text: { color: colour("ink"), fontSize: 12 },
      rule: { color: colour("soft") },
      range: { category: series, ramp, heatmap: ramp },
      style: {
        knee: { color: colour("mark"), strokeDash: [2, 3], strokeWidth: 1.5 },
        "knee-label": { color: colour("mark"), fontWeight: 600, baseline: "top" },
        launch: { color: colour("mark"), strokeWidth: 2, filled: false, size: 220 },
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
        config: theme(labelLimit, columns), renderer: "svg", downloadFileName: place.id, logLevel: vega.Error,
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
    return draw(figures);
  };

  // Graphs take their colours from the style sheet, charts hold them.
  matchMedia("(prefers-color-scheme: dark)")
    .addEventListener("change", () => draw(figures.filter(({ kind }) => kind === "chart")));
  const given = document.getElementById("figures");
  if (given) drawFigures(JSON.parse(given.textContent));
})();
