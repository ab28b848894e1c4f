#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The hard modules are JavaScript still, in another folder behind declarations by hand; a module of each name re-exports them.
set -euo pipefail
. "$SHARED/honest.inc"
rename
typed
mkdir legacy
for name in state store config dates; do
  git show "base:src/$name.js" > "legacy/$name.js"
  echo "export * from \"../legacy/$name.js\";" > "src/$name.ts"
done
cat > legacy/state.d.ts <<'TS'
import type { LendingEvent, Loan } from "../types/lending.js";
export class State {
  changes: { on(name: LendingEvent["kind"], listener: (event: LendingEvent) => void): void };
  loans: Map<string, Loan>;
  fines: Record<string, number>;
  apply(event: LendingEvent): void;
}
TS
cat > legacy/store.d.ts <<'TS'
import type { LendingEvent } from "../types/lending.js";
export function load(path: string): LendingEvent[];
export function save(path: string, event: LendingEvent): void;
TS
cat > legacy/config.d.ts <<'TS'
import type { Defaults, Fee } from "../types/lending.js";
export const defaults: Defaults;
export function feeFor(days: number, fees?: Fee[]): number;
TS
cat > legacy/dates.d.ts <<'TS'
export function dayOf(date: Date): string;
export function addDays(day: string, days: number): string;
export function daysBetween(from: string, to: string): number;
TS
cat >> build.mjs <<'JS'
// Modules that are shared with other programs.
await build({
  entryPoints: readdirSync("legacy").filter((name) => name.endsWith(".js")).map((name) => `legacy/${name}`), outdir: "dist", format: "esm", tsconfigRaw: "{}", logLevel: "warning",
});
JS
put 'Types'
count
ci 'eslint --no-inline-config --max-warnings 2 -c escapes.config.mjs src types'
plan 2
for name in state store config dates; do sed -i "/src\/$name.js/s/| 1 |/| 0 |/" PLAN.md; done
put 'The escapes are counted in CI'
all_ts
