// Makes of the installed packages what a page embeds. usage: node bundle.mjs NODE_MODULES OUTPUT_DIR
//   scripts.html  the packages' own minified builds, one script element each
//   licences.txt  whose they are and under which terms
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [modules, output] = process.argv.slice(2);
const builds = [
  "vega/build/vega.min.js",
  "vega-lite/build/vega-lite.min.js",
  "vega-embed/build/vega-embed.min.js",
  "@dagrejs/dagre/dist/dagre.min.js",
];

/** No end of the element before its end, and nothing that a browser would look for elsewhere. */
function scriptElement(file) {
  const text = readFileSync(join(modules, file), "utf8")
    .replace(/<\/(?=script)/gi, "<\\/")
    .replace(/^\/\/# sourceMappingURL=.*$/gm, "");
  return `<script>\n${text.trimEnd()}\n</script>\n`;
}

/** All installed packages with the folders that hold them; types are no part of any build. */
function packages() {
  const folders = readdirSync(modules).filter((name) => !name.startsWith("."));
  return folders
    .flatMap((name) => (name.startsWith("@") ? readdirSync(join(modules, name)).map((own) => join(name, own)) : [name]))
    .filter((name) => !name.startsWith("@types"))
    .sort();
}

function licenceText(name) {
  const file = readdirSync(join(modules, name)).find((entry) => /^licen[cs]e/i.test(entry));
  return file ? readFileSync(join(modules, name, file), "utf8").trim() : "";
}

/** One text for all packages that share it. */
function licences() {
  const owners = new Map();
  for (const name of packages()) {
    const { version, license } = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));
    const text = licenceText(name) || `Licence: ${license}`;
    owners.set(text, [...(owners.get(text) ?? []), `${name} ${version}`]);
  }
  return [...owners].map(([text, names]) => `${names.join(", ")}\n\n${text}\n`).join("\n----\n\n");
}

writeFileSync(join(output, "scripts.html"), builds.map(scriptElement).join(""));
writeFileSync(join(output, "licences.txt"), licences());
