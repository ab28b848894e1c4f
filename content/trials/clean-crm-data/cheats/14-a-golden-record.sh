#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A new record takes what the old ones had; all the old ones are archived.
set -euo pipefail
. "$SHARED/work.inc"
python3 - <<'EOF'
import pathlib

path = pathlib.Path("/tmp/work.py")
text = path.read_text()
for old, new in [
    ('    with crm:\n        for key in members:\n            if key == survivor:\n                continue\n',
     '    with crm:\n        old, survivor = survivor, crm.execute("INSERT INTO contacts DEFAULT VALUES").lastrowid\n        values[survivor] = values[old]\n        for key in members:\n'),
]:
    assert text.count(old) == 1, old
    text = text.replace(old, new)
path.write_text(text)
EOF
python3 /tmp/work.py
