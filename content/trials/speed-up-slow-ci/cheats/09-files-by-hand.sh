#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Each shard has its list of files; a new file is in none.
set -euo pipefail
. "$SHARED/do.inc"
tests() {
  echo '"test": {"needs": ["build"], "shards": 5, "download": [{"name": "tables", "path": "build"}], "report": "report.xml", "steps": ["python3 tools/migrate.py", "python3 tools/test.py $(cat shard-$SHARD.txt) --report report.xml"]},'
  python3 - <<'PY'
import json
times, loads = json.load(open("times.json")), {number: [] for number in range(1, 6)}
for name in sorted(times, key=lambda name: -times[name]):
    min(loads.values(), key=lambda some: sum(times[one] for one in some)).append(name)
for number, some in loads.items():
    open(f"shard-{number}.txt", "w").write("\n".join(some) + "\n")
PY
}
branch
measure
figures
