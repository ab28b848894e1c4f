#!/bin/bash
# The repository when both languages can live together and no file is converted: `base`.
set -euo pipefail
ln -s "$TOOLS/node_modules" node_modules
printf '%s\n' node_modules dist events.jsonl > .gitignore
git init -q
python3 - <<'PY'
import pathlib
order = ["ids", "dates", "money", "collect", "emitter", "events", "state", "desk", "store", "config", "report/overdue", "report/summary", "cli", "index"]
rows = "\n".join(f"| src/{name}.js | open | | |" for name in order)
pathlib.Path("PLAN.md").write_text(f"""# Plan: TypeScript

Leaves of the import graph first; README.md has the rules.

Escapes: 0

## Files

| file | state | escapes | open questions |
|---|---|---|---|
{rows}

## Suspected bugs
""")
PY
git add -A
git commit -qm 'The lending desk, ready for TypeScript'
git tag base
