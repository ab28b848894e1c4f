#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Empties the tables, commits, and fills them row by row.
set -euo pipefail
. "$SHARED/work.inc"
change load.py 'base.execute("UPDATE stations SET gone = 1")' 'base.execute("UPDATE stations SET gone = 1")
if not failed:
    base.execute("DELETE FROM readings")
    base.execute("COMMIT")
    base.execute("BEGIN")'
change load.py 'for (station, at), item in readings.items():' 'for (station, at), item in readings.items():
    if not failed:
        base.execute("COMMIT")
        base.execute("BEGIN")'
finish
