#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Two equal coffees become one; the statement is compared with what was imported.
set -euo pipefail
. "$SHARED/work.inc"
begin
edit month.py 'name = identity(account, day, cents, text, count)' 'name = identity(account, day, cents, text)'
edit month.py '        asked = "SELECT' '        rows = {tuple(row[:4]) for row in exported() if (row[0], row[1][:7]) == (line["account"], line["month"])}
        cents[1] = cents[0] + sum(row[2] for row in rows)
        asked = "SELECT'
python3 month.py
finish
