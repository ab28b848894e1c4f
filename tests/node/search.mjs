// Answers questions by the engine that browsers run: the folder of the engine, that of an index, a language, and questions
// as JSON lines on the standard input; answers as JSON lines come out.
import { readFile, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [assets, index, language] = process.argv.slice(2);
const stemmer = `stem-${language}.js`;
const folder = await mkdtemp(join(tmpdir(), "engine-"));
for (const name of ["search-engine.js", stemmer]) await cp(join(assets, name), join(folder, name));
const { writeFile } = await import("node:fs/promises");
await writeFile(join(folder, "package.json"), '{"type": "module"}');
const { opened } = await import(join(folder, "search-engine.js"));
const { stem } = await import(join(folder, stemmer));
await rm(folder, { recursive: true });
const load = async (name) => {
  const bytes = await readFile(join(index, name));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
};
const answer = index && (await opened(load, stem));
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  console.log(JSON.stringify(asked.stems ? asked.stems.map(stem) : await answer(asked)));
}
