#!/bin/bash
# The papers as they came in, and hand-keyed answers for a sample of them.
set -euo pipefail
python3 papers.py pdfs 7 answers.json
rm papers.py
mkdir -p truth/build truth/test
python3 - <<'PY'
import json, os
with open("answers.json") as file:
    facts = json.load(file)
seen = {}
for name, fact in facts.items():
    if fact["sound"] and "twin" not in fact:
        place = "test" if fact["kind"] not in seen else "build" if seen[fact["kind"]] == 1 else ""
        seen[fact["kind"]] = seen.get(fact["kind"], 0) + 1
        if place:
            with open(f"truth/{place}/{name}.json", "w") as file:
                json.dump({"kind": fact["kind"], "rows": fact["rows"]}, file, indent=1)
os.remove("answers.json")
PY
git init -q
git add -A
git commit -qm 'Papers of March to June'
