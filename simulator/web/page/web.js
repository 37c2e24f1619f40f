// The page: what is typed becomes the arguments of `warpipe simulate`, the engine answers in a worker, and the answer is
// shown as the page that `--html` writes.
"use strict";
(async () => {
  const place = (id) => document.getElementById(id);
  const asBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const through = async (bytes, stream) =>
    new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
  const unpacked = (id) => through(fromBase64(place(id).textContent), new DecompressionStream("gzip"));
  const asText = (bytes) => new TextDecoder().decode(bytes);

  const module = unpacked("engine").then((bytes) => WebAssembly.compile(bytes));
  const charts = unpacked("charts").then((bytes) =>  // what draws
    document.head.append(Object.assign(document.createElement("script"), { textContent: asText(bytes) })));
  const { devices, examples, lessons } = JSON.parse(asText(await unpacked("data")));
  const kFields = ["device", "entry", "block", "grid", "arguments", "options", "kernel", "own-device", "source"];
  const kOwnDevice = "device.json";
  const kPause = 150;  // milliseconds after the last key until the engine is asked

  // The input.

  const words = (text) => text.split(/\s+/).filter((word) => word);
  const kernelName = (kernel) => (kernel.trimStart().startsWith("{") ? "kernel.json" : "kernel.ptx");

  function currentInput() {
    return Object.fromEntries(kFields.map((field) => [field, place(field).value]));
  }

  function show(input) {
    for (const field of kFields) place(field).value = input[field] ?? "";
    if (!place("device").value) place("device").value = devices[0].name;
    followInput();
  }

  const isCuda = (kernel) => kernel.includes("__global__") && !kernel.includes(".version");

  /** How CUDA becomes what the page reads. Its text stays, for the names of parameters. */
  function explainCuda() {
    const kernel = place("kernel").value;
    place("how").hidden = !isCuda(kernel);
    if (!isCuda(kernel)) return;
    place("source").value = kernel;
    const device = devices.find(({ name }) => name === place("device").value);
    const capability = device?.text.match(/compute capability (\d+)\.(\d+)/);
    const target = capability ? `sm_${capability[1]}${capability[2]}` : "sm_80";
    const steps = [`This is CUDA. Where it is: nvcc -ptx -lineinfo -arch=${target} kernel.cu -o kernel.ptx`,
                   "Open kernel.ptx here, or paste it in place of the source.",
                   "Give block and grid, and the arguments by the names that they have in this source, which the page keeps."];
    place("how").replaceChildren(...steps.map((step) => Object.assign(document.createElement("li"), { textContent: step })));
  }

  /** What other parts of the form follow from. */
  function followInput() {
    place("own").hidden = place("device").value !== kOwnDevice;
    explainCuda();
    const entries = [...place("kernel").value.matchAll(/\.entry\s+([\w$]+)/g)].map(([, name]) => name);
    place("example").value = examples.find(({ kernel }) => kernel === place("kernel").value)?.title ?? "";
    place("entries").replaceChildren(...entries.map((name) => new Option(name, name)));
  }

  /** As behind `warpipe simulate`. */
  function argumentsOf(input) {
    const list = [kernelName(input.kernel), "--device", input.device];
    for (const field of ["entry", "block", "grid"]) if (input[field].trim()) list.push(`--${field}`, input[field].trim());
    if (words(input.arguments).length) list.push("--arg", ...words(input.arguments));
    return [...list, ...words(input.options)];
  }

  function requestOf(input, with_surroundings) {
    const device = devices.find(({ name }) => name === input.device);
    const files = { [kernelName(input.kernel)]: input.kernel, [input.device]: device?.text ?? input["own-device"] };
    if (input.source) files["source.cu"] = input.source;
    return { arguments: argumentsOf(input), files, with_surroundings };
  }

  // The link: the fields, compressed, behind the #. A kernel that is an example stands there by its title.

  async function fragmentOf(input) {
    const example = examples.find(({ kernel }) => kernel === input.kernel);
    const short = Object.fromEntries(Object.entries(input).filter(([, value]) => value));
    if (example) short.kernel = { example: example.title };
    if (example?.source === input.source) delete short.source;
    const packed = await through(new TextEncoder().encode(JSON.stringify(short)), new CompressionStream("deflate-raw"));
    return asBase64(packed).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  }

  async function inputOf(fragment) {
    const packed = fromBase64(fragment.replaceAll("-", "+").replaceAll("_", "/"));
    const input = JSON.parse(asText(await through(packed, new DecompressionStream("deflate-raw"))));
    const example = examples.find(({ title }) => title === input.kernel?.example);
    if (input.kernel?.example) input.kernel = example?.kernel ?? "";
    return { source: example?.source, ...input };
  }

  // The engine. Only an answer to the last input is wanted: while a worker is at an older one, another takes its place.

  const workerUrl = URL.createObjectURL(new Blob([place("worker").textContent], { type: "text/javascript" }));
  let worker = null;
  let busy = false;

  async function freeWorker() {
    const compiled = await module;
    if (worker && !busy) return worker;
    worker?.terminate();
    worker = new Worker(workerUrl);
    worker.postMessage({ module: compiled });
    return worker;
  }

  async function ask(request) {
    const free = await freeWorker();
    busy = true;
    return new Promise((resolve) => {
      free.onmessage = ({ data }) => {
        busy = false;
        resolve(data);
      };
      free.postMessage({ request });
    });
  }

  // The sliders. Each changes what is typed, so that link and command say the same.

  const kConflicts = /^--(set|param)=(.*\.)?conflict_degree=/;
  let typed = null;              // what stood there before a slider was moved
  let conflicting = [];          // the options without values that give the kernel a conflict degree
  let most = { of: "", groups: 0 };  // that a unit holds, of an input

  /** Words of the options, less those of some names. */
  function optionsWithout(names, text = place("options").value) {
    const all = words(text);
    return all.filter((word, i) => !kConflicts.test(word) || !names.includes("conflict_degree"))
      .filter((word, i, rest) => !names.some((name) => word === `--${name}` || word.startsWith(`--${name}=`) ||
                                                       rest[i - 1] === `--${name}`));
  }

  function typeOptions(names, more) {
    place("options").value = [...optionsWithout(names), ...more].join(" ");
  }

  const isFile = () => kernelName(place("kernel").value) === "kernel.json";
  const isLine = (field) => /^\d+$/.test(place(field).value.trim());

  /** Why the groups keep their size; nothing where they need not. */
  function whySizeStays() {
    if (!isFile()) return isLine("block") && isLine("grid") ? "" : "block or grid are not one number";
    const { launch } = JSON.parse(place("kernel").value);
    return String(launch?.groups).includes("group_size") ? "" : "the number of groups does not follow";
  }

  function typeSize(size) {
    if (isFile()) return typeOptions(["group-size"], [`--group-size=${size}`]);
    place("grid").value = Math.ceil(place("block").value * place("grid").value / size);
    place("block").value = size;
  }

  const kSlide = {
    "slide-groups": (groups) => typeOptions(["concurrent-groups", "occupancy"], [`--concurrent-groups=${groups}`]),
    "slide-conflicts": (power) =>
      typeOptions(["conflict_degree"], power === 0 ? [] : conflicting.map((option) => option + 2 ** (power - 1))),
    "slide-size": (power) => typeSize(2 ** power),
  };

  function showSlider(id, value, text, why) {
    const slider = place(id);
    slider.value = value;
    slider.disabled = why !== "";
    slider.parentElement.querySelector("small").textContent = why;
    slider.parentElement.querySelector("output").textContent = text;
  }

  /** Puts the sliders where the answer is. */
  function followAnswer({ result, figures }) {
    const input = currentInput();
    const of = JSON.stringify({ ...input, options: optionsWithout(["concurrent-groups", "occupancy"]) });
    const curve = figures.find(({ id }) => id === "run-time")?.content.datasets.curves ?? [];
    const groups = Math.max(result.concurrent_groups, most.of === of ? most.groups : 0, ...curve.map((point) => point.groups));
    most = { of, groups };
    place("slide-groups").max = groups;
    showSlider("slide-groups", result.concurrent_groups, `${result.concurrent_groups} of ${groups}`, groups > 1 ? "" : "one fits");

    const shared = result.instructions.filter(({ op }) => op.startsWith("shared."));
    conflicting = "conflict_degree" in result.launch.parameters ? ["--param=conflict_degree="]
      : shared.map(({ id }) => `--set=${id}.conflict_degree=`);
    const degree = words(input.options).find((word) => kConflicts.test(word))?.split("=").at(-1);
    showSlider("slide-conflicts", degree ? Math.log2(degree) + 1 : 0, degree ?? "its own",
               conflicting.length ? "" : "nothing reaches shared memory");

    const size = result.launch.group_size.value;
    const why = whySizeStays();
    showSlider("slide-size", Math.log2(size), size, why);
    place("sliders").disabled = false;
  }

  place("sliders").oninput = ({ target }) => {
    typed ??= currentInput();
    kSlide[target.id](Number(target.value));
    predictSoon();
  };
  place("as-typed").onclick = () => {
    if (!typed) return;
    show(typed);
    typed = null;
    predictSoon();
  };

  // The output.

  function showMessages(said) {
    const lines = said.trim().split(/\n(?=warpipe: )/).filter((line) => line && !line.startsWith("warpipe: see "));
    place("messages").replaceChildren(...lines.map((line) => {
      const item = document.createElement("li");
      item.textContent = line.replace(/^warpipe: ((error|warning|note): )?/, "");
      item.className = line.match(/^warpipe: (error|warning|note):/)?.[1] ?? "note";
      return item;
    }));
  }

  const openTables = new Set();  // titles of the sections whose tables are shown

  /** Tables stand behind a word where a picture shows what matters of them. */
  function foldTables() {
    for (const tables of document.querySelectorAll("#result .with-tables > .tables")) {
      const title = tables.closest("section").querySelector("h2").textContent;
      const details = document.createElement("details");
      details.open = openTables.has(title);
      details.ontoggle = () => openTables[details.open ? "add" : "delete"](title);
      const summary = document.createElement("summary");
      summary.textContent = "The numbers";
      tables.replaceWith(details);
      details.append(summary, tables);
    }
  }

  function showAnswer({ status, said, answer }) {
    showMessages(said);
    place("result").classList.toggle("old", !answer);
    if (!answer) {
      place("state").textContent = status === 2 ? "The options do not fit." : "No prediction.";
      return;
    }
    place("result").innerHTML = answer.body;
    foldTables();
    globalThis.drawFigures(answer.figures);
    followAnswer(answer);
  }

  let last = 0;

  /** Answers the input, first by itself, then with the same launch at other occupancies. */
  async function predict() {
    const number = ++last;
    const input = currentInput();
    delete document.documentElement.dataset.answered;
    history.replaceState(null, "", `#${await fragmentOf(input)}`);
    for (const with_surroundings of [false, true]) {
      if (number !== last) return;
      const reply = await ask(requestOf(input, with_surroundings));
      await charts;
      if (number !== last) return;
      globalThis.warpipeReply = reply;
      showAnswer(reply);
      if (!reply.answer) break;
      const time = with_surroundings ? place("state").dataset.time : `Simulated in ${reply.milliseconds.toFixed(0)} ms.`;
      place("state").dataset.time = time;
      place("state").textContent = with_surroundings ? time : `${time} Now at other occupancies …`;
    }
    document.documentElement.dataset.answered = number;
  }

  let pause = 0;
  function predictSoon() {
    clearTimeout(pause);
    last += 1;
    followInput();
    pause = setTimeout(predict, kPause);
  }

  // The form.

  function fillLists() {
    place("device").replaceChildren(...devices.map(({ name, title }) => new Option(title ? `${name}: ${title}` : name, name)),
                                    new Option("a device file of my own", kOwnDevice));
    place("example").replaceChildren(new Option("…", ""), ...examples.map(({ title }) => new Option(title, title)));
  }

  function useExample(title) {
    const example = examples.find((one) => one.title === title);
    if (!example) return;
    show(example);
    predictSoon();
  }

  async function showLessons() {
    for (const { title, text, links } of lessons) {
      const term = Object.assign(document.createElement("dt"), { textContent: title });
      const body = Object.assign(document.createElement("dd"), { textContent: `${text} ` });
      for (const { label, example, ...more } of links) {
        const given = { ...examples.find((one) => one.title === example), ...more };
        const input = Object.fromEntries(kFields.map((field) => [field, given[field] ?? ""]));
        body.append(Object.assign(document.createElement("a"), { textContent: label, href: `#${await fragmentOf(input)}` }), " ");
      }
      document.querySelector("#lessons dl").append(term, body);
    }
  }

  async function copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      place("copied").textContent = `The ${what} is copied.`;
    } catch {
      place("copied").textContent = text;
    }
  }

  const quoted = (word) => (/^[\w.,=:/+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

  place("input").oninput = ({ target }) => {
    typed = null;
    if (target.id === "example") useExample(target.value);
    else if (target.id !== "file") predictSoon();
  };
  place("input").onsubmit = (event) => event.preventDefault();
  place("open").onclick = () => place("file").click();
  place("file").onchange = async ({ target }) => {
    if (!target.files.length) return;
    place("kernel").value = await target.files[0].text();
    predictSoon();
  };
  place("copy-link").onclick = () => copy(location.href, "link");
  place("copy-command").onclick = () =>
    copy(["warpipe", "simulate", ...argumentsOf(currentInput()).map(quoted)].join(" "), "command");

  async function showLink() {
    try {
      if (location.hash.length > 1) {
        show(await inputOf(location.hash.slice(1)));
        predict();
        return;
      }
    } catch (error) {
      console.warn("the link holds no input", error);
    }
    show(examples[0]);
    predict();
  }

  /** How long the engine takes for an input; for tests. */
  globalThis.warpipeTime = async (input) => {
    const empty = Object.fromEntries(kFields.map((field) => [field, ""]));
    return (await ask(requestOf({ ...empty, ...input }, false))).milliseconds;
  };

  fillLists();
  showLessons();
  globalThis.onhashchange = showLink;
  showLink();
})();
