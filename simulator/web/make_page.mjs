// Makes the page of the engine, its devices, its examples and what draws: one file.
// usage: node make_page.mjs WARPIPE.wasm PACKAGES_DIR SOURCE_DIR OUTPUT.html
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";

const [wasm, packages, source, output] = process.argv.slice(2);
const read = (...path) => readFileSync(join(...path), "utf8");
const page = join(source, "simulator/web/page");

/** JSON without what indents it; numbers are text to JavaScript, not to be rounded. */
const compact = (json) => json.replace(/^\s+/gm, "");

const folder = join(source, "latency_tables/data");
const devices = readdirSync(folder).filter((file) => file.endsWith(".json")).map((file) => ({
  name: basename(file, ".json"),
  title: JSON.parse(read(folder, file)).title ?? "",
  text: compact(read(folder, file)),
}));
const examples = JSON.parse(read(page, "examples.json"))
  .map(({ file, ...example }) => ({ ...example, kernel: read(source, file) }));

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const parts = {
  "page.css": read(source, "simulator/report/web/page.css"),
  "web.css": read(page, "web.css"),
  "licences": escaped(read(packages, "licences.txt")),
  "scripts": read(packages, "scripts.html"),
  "worker.js": read(page, "worker.js"),
  "data": JSON.stringify({ devices, examples }).replaceAll("<", "\\u003c"),
  "engine": gzipSync(readFileSync(wasm), { level: 9 }).toString("base64"),
  "page.js": read(source, "simulator/report/web/page.js"),
  "web.js": read(page, "web.js"),
};
writeFileSync(output, read(page, "page.html").replace(/@([a-z.]+)@/g, (mark, name) => parts[name] ?? mark));
