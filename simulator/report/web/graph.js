// Draws an instruction dependence graph, an object of format "warpipe-graph": instructions in the order of their
// dependences, loops as frames, loop-carried dependences dashed with their distance.
"use strict";
const drawGraph = (() => {
  const svgElement = (name, attributes = {}, text = "") => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    return element;
  };

  /** The pairs that follow one another in a chain; in a circle the last one precedes the first. */
  const links = (chain, circle) =>
    chain.map((from, i) => [from, chain[(i + 1) % chain.length]]).slice(0, circle ? undefined : -1);

  /** The dependences on the critical path and on recurrences: of parallel ones the first. */
  function markedDependences(graph) {
    const marks = new Map();
    const mark = (chain, circle, name, fits) => {
      for (const [producer, consumer] of links(chain, circle)) {
        const found = graph.dependences.find((d) => d.producer === producer && d.consumer === consumer && fits(d));
        if (found) marks.set(found, [...(marks.get(found) ?? []), name]);
      }
    };
    for (const { instructions } of graph.recurrences ?? []) mark(instructions, true, "recurrent", () => true);
    mark(graph.critical_path?.instructions ?? [], false, "critical", (d) => d.distance === 0);
    return marks;
  }

  const linesOf = (node) => [
    ["id", node.id],
    ["op", node.op],
    ...(node.when ? [["cost", `when ${node.when.join(" && ")}`]] : []),
    ...(node.issue_cycles === undefined ? [] : [["cost", `${node.issue_cycles} / ${node.completion_cycles} cycles`]]),
  ].map(([kind, text]) => [kind, text.length > 36 ? `${text.slice(0, 35)}…` : text]);

  function layOut(graph, widthOf) {
    const order = new Map(graph.instructions.map((node, i) => [node.id, i]));
    const layout = new dagre.graphlib.Graph({ compound: true, multigraph: true });
    layout.setGraph({ rankdir: "TB", nodesep: 18, ranksep: 30, edgesep: 6, marginx: 16, marginy: 20 });
    const loopName = (loop) => `loop ${loop}`;
    for (const { loop } of graph.loops) layout.setNode(loopName(loop), {});
    for (const { loop, inside } of graph.loops) if (inside !== null) layout.setParent(loopName(loop), loopName(inside));
    for (const node of graph.instructions) {
      const lines = linesOf(node);
      const width = Math.max(...lines.map(([, text]) => widthOf(text))) + 20;
      layout.setNode(`node ${node.id}`, { width, height: 14 + 16 * lines.length, node, lines });
      if (node.loop !== null) layout.setParent(`node ${node.id}`, loopName(node.loop));
    }
    graph.dependences.forEach((dependence, i) => {
      // What a later iteration waits for comes from below; laid out upside down it leaves the order of the program.
      const backwards = order.get(dependence.producer) > order.get(dependence.consumer);
      const ends = [dependence.producer, dependence.consumer].map((id) => `node ${id}`);
      const label = dependence.distance > 0 ? { width: 18, height: 12, labelpos: "c" } : {};
      const weight = backwards ? 0 : 1;
      layout.setEdge(...(backwards ? ends.reverse() : ends), { ...label, weight, dependence, backwards }, String(i));
    });
    dagre.layout(layout);
    return layout;
  }

  /** A smooth line through the points. */
  function path(points) {
    const [first, ...rest] = points;
    let text = `M${first.x},${first.y}`;
    for (let i = 0; i + 1 < rest.length; ++i) {
      const middle = { x: (rest[i].x + rest[i + 1].x) / 2, y: (rest[i].y + rest[i + 1].y) / 2 };
      text += `Q${rest[i].x},${rest[i].y} ${i + 2 < rest.length ? `${middle.x},${middle.y}` : `${rest[i + 1].x},${rest[i + 1].y}`}`;
    }
    return rest.length === 1 ? `${text}L${rest[0].x},${rest[0].y}` : text;
  }

  function arrowHeads() {
    const definitions = svgElement("defs");
    for (const kind of ["plain", "recurrent", "critical"]) {
      const marker = svgElement("marker", { id: `arrow-${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8,
                                            markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto" });
      marker.append(svgElement("path", { d: "M0,0L8,4L0,8z", class: `idg-arrow ${kind}` }));
      definitions.append(marker);
    }
    return definitions;
  }

  function drawLoops(svg, graph, layout) {
    for (const loop of graph.loops) {
      const box = layout.node(`loop ${loop.loop}`);
      if (!(box.width > 0)) continue;
      const corner = { x: box.x - box.width / 2, y: box.y - box.height / 2 };
      svg.append(svgElement("rect", { ...corner, width: box.width, height: box.height, rx: 8, class: "idg-frame" }));
      const cost = (graph.recurrences ?? []).filter((r) => r.loop === loop.loop).map((r) => r.cycles_per_iteration);
      const words = `loop ${loop.loop} × ${loop.trip_count}` +
        (cost.length > 0 ? `, recurrence ${Math.max(...cost)} cycles an iteration` : "");
      svg.append(svgElement("text", { x: corner.x + 12, y: corner.y + 4, class: "idg-frame-label" }, words));
    }
  }

  function drawDependences(svg, graph, layout) {
    const marks = markedDependences(graph);
    const labels = [];
    for (const name of layout.edges()) {
      const edge = layout.edge(name);
      const own = marks.get(edge.dependence) ?? [];
      const points = edge.backwards ? [...edge.points].reverse() : edge.points;
      const kind = own.includes("critical") ? "critical" : own.includes("recurrent") ? "recurrent" : "plain";
      const carried = edge.dependence.distance > 0 ? " carried" : "";
      svg.append(svgElement("path", { d: path(points), class: `idg-edge ${kind}${carried}`, "marker-end": `url(#arrow-${kind})` }));
      if (edge.x !== undefined && carried) {
        labels.push(svgElement("text", { x: edge.x, y: edge.y + 4, class: "idg-edge-label" }, `+${edge.dependence.distance}`));
      }
    }
    svg.append(...labels);
  }

  function drawInstructions(svg, graph, layout) {
    const critical = new Set(graph.critical_path?.instructions ?? []);
    const recurrent = new Set((graph.recurrences ?? []).flatMap((recurrence) => recurrence.instructions));
    for (const instruction of graph.instructions) {
      const { x, y, width, height, lines } = layout.node(`node ${instruction.id}`);
      const marks = (critical.has(instruction.id) ? " critical" : "") + (recurrent.has(instruction.id) ? " recurrent" : "");
      const group = svgElement("g", { class: `idg-node${marks}`, transform: `translate(${x},${y})` });
      group.append(svgElement("rect", { x: -width / 2, y: -height / 2, width, height, rx: 5 }));
      lines.forEach(([kind, text], i) =>
        group.append(svgElement("text", { y: -height / 2 + 19 + 16 * i, class: kind }, text)));
      if (instruction.text) group.append(svgElement("title", {}, instruction.text));
      svg.append(group);
    }
  }

  return (place, graph) => {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = `600 13px ${getComputedStyle(place).fontFamily}`;
    const layout = layOut(graph, (text) => pen.measureText(text).width);
    const { width, height } = layout.graph();
    const svg = svgElement("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
    // As small as the place where that can still be read, else to be scrolled.
    svg.style.setProperty("--least-width", `${Math.round(width * 0.62)}px`);
    svg.append(arrowHeads());
    drawLoops(svg, graph, layout);
    drawDependences(svg, graph, layout);
    drawInstructions(svg, graph, layout);
    place.replaceChildren(svg);
  };
})();
