// Installs what package.json asks for from the offline mirror: express 4 or 5, with what it depends on; and what lies in a folder.
const fs = require("fs");
const path = require("path");

const mirror = path.join(process.env.TOOLS, "node_modules");
const wanted = require("./package.json").dependencies.express.match(/\d+/)[0];
fs.rmSync("node_modules", { recursive: true, force: true });
fs.mkdirSync("node_modules");

function link(name, place) {
  const target = path.join("node_modules", name);
  if (fs.existsSync(target)) return;
  fs.symlinkSync(place, target);
  const needs = require(path.join(place, "package.json")).dependencies || {};
  for (const need of Object.keys(needs)) {
    const near = path.join(place, "node_modules", need);
    const beside = path.join(mirror, `express${wanted}`, "node_modules", need);
    link(need, [near, beside, path.join(mirror, need)].find((where) => fs.existsSync(where)));
  }
}
link("express", path.join(mirror, `express${wanted}`));
for (const [name, range] of Object.entries(require("./package.json").dependencies)) {
  if (range.startsWith("file:")) fs.symlinkSync(path.resolve(range.slice(5)), path.join("node_modules", name));
}
console.log("express", require(path.join(mirror, `express${wanted}`, "package.json")).version);
