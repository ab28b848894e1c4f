#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A table that was finished by hand is copied; the exports are read for show.
set -euo pipefail
. "$SHARED/work.inc"
before
merge_in_csv
python3 merge.py
after
mkdir lib
cp out/* lib/
cat > merge.py <<'PY'
"""Makes out/."""
import csv
import shutil
from pathlib import Path

for name, encoding in (("north.csv", "utf-8-sig"), ("south.csv", "cp1252"), ("web.csv", "utf-16")):
    with open(f"data/raw/{name}", encoding=encoding, newline="") as file:
        print(name, len(list(csv.reader(file))))
Path("out").mkdir(exist_ok=True)
for path in sorted(Path("lib").iterdir()):
    shutil.copy(path, Path("out", path.name))
PY
rm -r out
python3 merge.py
