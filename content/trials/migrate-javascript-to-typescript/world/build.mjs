// One output for each module of src, comments dropped; what TypeScript is set to does not change it.
import { readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

const sources = readdirSync("src", { recursive: true }).filter((name) => /(?<!\.d)\.[cm]?[jt]s$/.test(name));
rmSync("dist", { recursive: true, force: true });
await build({
  entryPoints: sources.map((name) => `src/${name}`), outdir: "dist", outbase: "src", format: "esm", tsconfigRaw: "{}", logLevel: "warning",
});
