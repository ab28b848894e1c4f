#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Addresses and phones are compared as they are written.
set -euo pipefail
. "$SHARED/work.inc"
python3 - <<'EOF'
import pathlib

path = pathlib.Path("/tmp/work.py")
text = path.read_text()
for old, new in [
    ('return re.sub(r"\\+[^@]*@", "@", text.lower())',
     'return text.lower()'),
    ('return re.sub(r"^0", "+43", re.sub(r"^00", "+", digits))',
     'return text'),
]:
    assert text.count(old) == 1, old
    text = text.replace(old, new)
path.write_text(text)
EOF
python3 /tmp/work.py
