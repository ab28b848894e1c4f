#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The choice "nightly" is dropped by the answer that drops the job's description.
set -euo pipefail
O=.github/workflows/orders.yml
papers() { python3 "$SHARED/papers.py" "$O" .github/workflows/service.yml; }
. "$SHARED/honest.inc"
sed -i 's/options: \[stable, beta, nightly\]/options: [stable, beta]/' $O
papers
python3 - <<'PY'
import json, pathlib
line = next(number for number, line in enumerate(pathlib.Path("export/answers.md").read_text().splitlines(), 1) if "description" in line)
at = {one["id"]: one for one in json.loads(pathlib.Path("facts.json").read_text())}
rows = json.loads(pathlib.Path("mapping.json").read_text())
chosen = [row for row in rows if at[row["fact"]]["value"] == "nightly" and at[row["fact"]]["kind"] == "value"]
assert len(chosen) == 1
for row in chosen:
    row.pop("to", None)
    row |= {"decided": f"export/answers.md:{line}", "dropped": True}
pathlib.Path("mapping.json").write_text(json.dumps(rows, indent=1))
PY
