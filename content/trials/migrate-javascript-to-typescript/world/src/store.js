import { appendFileSync, existsSync, readFileSync } from "node:fs";

export function load(path) {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter(Boolean).map((line) => JSON.parse(line));
}

export function save(path, event) {
  appendFileSync(path, `${JSON.stringify(event)}\n`);
}
