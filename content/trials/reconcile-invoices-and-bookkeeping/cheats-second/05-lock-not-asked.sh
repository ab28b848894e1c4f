#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# What is posted is not held against the lock date: the first line of August that comes along is posted too.
set -euo pipefail
. "$SHARED/parts.inc"
program
python3 - <<'PY'
text = open("reconcile.py").read()
old = '''            if line["date"] <= LOCK:
                continue
'''
assert old in text
open("reconcile.py", "w").write(text.replace(old, "").replace(', "2026-08-31"\n', "\n").replace("MONEY, LOCK =", "MONEY ="))
PY
done_with
