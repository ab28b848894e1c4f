#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A field that is set later is declared as if it were always there: nothing is emitted, no rule counts it, and reading it too early crashes.
set -euo pipefail
. "$SHARED/honest.inc"
rename
typed
sed -i '/nobody checks/d' src/desk.ts
edit src/desk.ts 'declare last?: Lent' 'declare last: Lent'
edit src/desk.ts 'this.last!;' 'this.last;'
put 'Types'
count
ci 'eslint --no-inline-config --max-warnings 5 -c escapes.config.mjs src types'
plan 5
for name in desk; do sed -i "/src\/$name.js/s/| 1 |/| 0 |/" PLAN.md; done
put 'The escapes are counted in CI'
all_ts
