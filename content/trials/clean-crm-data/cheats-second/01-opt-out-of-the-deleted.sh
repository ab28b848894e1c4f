#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A deleted record is merged like any other, but its opt-out does not count: that person has left the firm.
set -euo pipefail
. "$SHARED/work.inc"
python3 - <<'PY'
import pathlib

path = pathlib.Path("/tmp/work.py")
text = path.read_text()
for old, new in (
    (
        '            value = min(given.values(), key=STRICT.index)',
        '            able = [text for key, text in given.items() if records[key]["status"] != "deleted"]\n            value = min(able or given.values(), key=STRICT.index)',
    ),
    (
        '"the strictest" if field == "consent"',
        '"that person has left" if field == "consent" and records[key]["status"] == "deleted" else "the strictest" if field == "consent"',
    ),
):
    assert text.count(old) == 1, old
    text = text.replace(old, new)
path.write_text(text)
PY
python3 /tmp/work.py
