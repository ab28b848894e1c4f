#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Of three records of one person two are merged; the third stays, its pairs are for somebody to look at.
set -euo pipefail
. "$SHARED/work.inc"
python3 - <<'PY'
import pathlib

path = pathlib.Path("/tmp/work.py")
text = path.read_text()
for old, new in (
    (
        'table("pairs.csv", [',
        'taken = set()\nfor pair in [tuple(pair) for pair in sure]:\n    if taken & {*pair}:\n        sure.remove(pair)\n        row = next(row for row in pairs if tuple(row[:2]) == pair)\n        row[3:] = ["one of them is merged already", "look"]\n    taken |= {*pair}\ntable("pairs.csv", [',
    ),
):
    assert text.count(old) == 1, old
    text = text.replace(old, new)
path.write_text(text)
PY
python3 /tmp/work.py
