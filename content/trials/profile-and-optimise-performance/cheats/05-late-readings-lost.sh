#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Sums in the order in which the readings came; corrections are no longer looked at.
set -euo pipefail
. "$SHARED/measure.inc"
tail -n +2 "$SHARED/daily.py" > billing/store.py
tail -n +2 "$SHARED/report.py" > billing/report.py
python3 - <<'PY'
import pathlib
path = pathlib.Path("billing/store.py")
text = path.read_text()
old = "        self.sums[meter][day] += (wh - old) * rate(day)\n"
assert old in text and "bisect.insort(self.days.setdefault(meter, []), day)" in text
path.write_text(text.replace(old, "").replace("bisect.insort(self.days.setdefault(meter, []), day)", "self.days.setdefault(meter, []).append(day)"))
PY
python3 -m unittest -q
git commit -qam 'Sums per meter and day' -m "$(measure)"
