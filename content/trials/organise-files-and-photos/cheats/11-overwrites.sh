#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Every run copies all of it again over what is there.
set -euo pipefail
. "$SHARED/copy.inc"
python3 "$SHARED/sort.py"
python3 - <<'PY'
text = open("copy.sh").read()
begin, end = text.index("    if os.path.lexists"), text.index("    os.makedirs")
open("copy.sh", "w").write(text[:begin] + text[end:])
PY
bash copy.sh plan.tsv camera sorted
