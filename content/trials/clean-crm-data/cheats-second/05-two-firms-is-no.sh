#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The middle band is made small: one phone at two companies is declared to be two people.
set -euo pipefail
. "$SHARED/work.inc"
python3 - <<'PY'
import pathlib

path = pathlib.Path("/tmp/work.py")
text = path.read_text()
for old, new in (
    (
        '    pairs.append([a, b, ", ".join(same), ", ".join(against), "sure" if found else "look"])',
        '    pairs.append([a, b, ", ".join(same), ", ".join(against), "sure" if found else "no" if "two companies" in against else "look"])',
    ),
):
    assert text.count(old) == 1, old
    text = text.replace(old, new)
path.write_text(text)
PY
python3 /tmp/work.py
