#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Each survivor has the right number of notes, and they are those of another.
set -euo pipefail
. "$SHARED/work.inc"
python3 /tmp/work.py
python3 - <<'EOF'
import sqlite3

crm = sqlite3.connect("sandbox.sqlite")
with crm:
    merged = "SELECT merged_into FROM contacts WHERE status = 'merged'"
    notes = crm.execute(f"SELECT id, contact FROM notes WHERE contact IN ({merged}) ORDER BY id").fetchall()
    owners = [owner for _, owner in notes]
    for (note, _), owner in zip(notes, owners[1:] + owners[:1]):
        crm.execute("UPDATE notes SET contact = ? WHERE id = ?", (owner, note))
EOF
