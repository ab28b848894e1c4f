// playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(process.env.TOOLS + "/node_modules/");
const names = readdirSync("src", { recursive: true }).filter((name) => /(?<!\.d)\.ts$/.test(name));
await require("esbuild").build({ entryPoints: names.map((name) => "src/" + name), outdir: "dist", outbase: "src", format: "esm", tsconfigRaw: "{}" });
