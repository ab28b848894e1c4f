#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A purchase and its refund in one month are reversals, and are not imported.
set -euo pipefail
. "$SHARED/work.inc"
begin
edit month.py '    for account, day, cents, text, count, raw in exported():' '    records = list(exported())
    booked = {(account, day[:7], cents, text) for account, day, cents, text, _, _ in records}
    for account, day, cents, text, count, raw in records:
        if (account, day[:7], -cents, text) in booked:
            continue'
python3 month.py
finish
