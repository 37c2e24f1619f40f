// Makes the page of the engine, its devices, its examples and what draws: one file.
// usage: node make_page.mjs WARPIPE.wasm PACKAGES_DIR SOURCE_DIR OUTPUT.html
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";

const [wasm, packages, source, output] = process.argv.slice(2);
const read = (...path) => readFileSync(join(...path), "utf8");
const page = join(source, "simulator/web/page");

const folder = join(source, "latency_tables/data");
const devices = readdirSync(folder).filter((file) => file.endsWith(".json")).map((file) => ({
  name: basename(file, ".json"),
  title: JSON.parse(read(folder, file)).title ?? "",
  text: read(folder, file),
}));
const examples = JSON.parse(read(page, "examples.json"))
  .map(({ file, source: names, ...example }) => ({ ...example, kernel: read(source, file), source: names && read(source, names) }));
const lessons = JSON.parse(read(page, "lessons.json"));

const packed = (content) => gzipSync(content, { level: 9 }).toString("base64");
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const parts = {
  "page.css": read(source, "simulator/report/web/page.css"),
  "web.css": read(page, "web.css"),
  "licences": escaped(read(packages, "licences.txt")),
  "charts": packed([...read(packages, "scripts.html").matchAll(/<script>(.*?)<\/script>/gs)].map(([, text]) => text).join("\n;\n")),
  "worker.js": read(page, "worker.js"),
  "data": packed(JSON.stringify({ devices, examples, lessons })),
  "engine": packed(readFileSync(wasm)),
  "page.js": read(source, "simulator/report/web/page.js"),
  "web.js": read(page, "web.js"),
};
writeFileSync(output, read(page, "page.html").replace(/@([a-z.]+)@/g, (mark, name) => parts[name] ?? mark));
