// Draws the figures of a page from the data that stand in it, in the colours of its style sheet.
"use strict";
(() => {
  const figures = JSON.parse(document.getElementById("figures").textContent);
  const style = () => getComputedStyle(document.documentElement);
  const colour = (name) => style().getPropertyValue(`--${name}`).trim();

  /** How all charts look; the specifications say only what they show. */
  function theme() {
    const text = { labelColor: colour("ink"), titleColor: colour("ink"), labelFontSize: 12, titleFontSize: 12 };
    const series = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((number) => colour(`series-${number}`));
    const ramp = [colour("ramp-low"), colour("ramp-high")];
    return {
      background: "transparent",
      font: getComputedStyle(document.body).fontFamily,
      autosize: { type: "fit-x", contains: "padding", resize: true },
      axis: { ...text, gridColor: colour("line"), domainColor: colour("soft"), tickColor: colour("soft"),
              titleFontWeight: "normal", titlePadding: 8, labelOverlap: true, labelLimit: innerWidth < 600 ? 110 : 260 },
      legend: { ...text, orient: "top", title: null, symbolStrokeWidth: 2, labelLimit: innerWidth < 600 ? 130 : 240,
                columns: innerWidth < 600 ? 2 : 5 },
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

  async function drawChart(place, specification) {
    const options = {
      config: theme(), renderer: "svg", downloadFileName: place.id, logLevel: vega.Error,
      actions: { export: true, source: false, compiled: false, editor: false },
    };
    await vegaEmbed(place, structuredClone(specification), options);
  }

  async function draw(chosen) {
    for (const { id, kind, content } of chosen) {
      const place = document.getElementById(id);
      try {
        await (kind === "graph" ? drawGraph(place, content) : drawChart(place, content));
      } catch (error) {
        place.textContent = "This figure could not be drawn; the tables hold its numbers.";
        console.error(id, error);
      }
    }
    document.documentElement.dataset.drawn = figures.length;
  }

  // Graphs take their colours from the style sheet, charts hold them.
  const charts = figures.filter(({ kind }) => kind === "chart");
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw(charts));
  draw(figures);
})();
