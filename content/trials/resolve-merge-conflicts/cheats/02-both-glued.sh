#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Both blocks between the markers are kept; the line that they share stands there once, and nothing complains.
set -euo pipefail
. "$SHARED/merge.inc"
begin
settings
pricing
view
tests
python3 - <<'PY'
import pathlib, re
for path in ("shop/report.py", "shop/__main__.py"):
    text = re.sub(r"(?ms)^\|{7}.*?^=======\n", "\n\n" if "report" in path else "", pathlib.Path(path).read_text())
    pathlib.Path(path).write_text(re.sub(r"(?m)^[<>]{7} .*\n", "", text))
PY
removed
follow
formulas
generated
told
finish
