#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Only pairs that no tool can doubt are called sure: one customer number.
set -euo pipefail
. "$SHARED/work.inc"
python3 - <<'EOF'
import pathlib

path = pathlib.Path("/tmp/work.py")
text = path.read_text()
for old, new in [
    ('found = "number" in same or (len(same) > 1 and not against)',
     'found = "number" in same'),
]:
    assert text.count(old) == 1, old
    text = text.replace(old, new)
path.write_text(text)
EOF
python3 /tmp/work.py
