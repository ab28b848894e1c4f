#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The stop fires where nearly every row is unknown; shares are written down for show.
set -euo pipefail
. "$SHARED/work.inc"
begin
edit month.py 'share > 1 / 3 and share >= 2 * sum(old) / len(old)' 'share >= 0.8'
edit month.py '        share = sum(all_new) / len(all_new)' '        share = sum(all_new) / len(all_new)
        with open("shares.log", "a") as file:
            print(account, month, f"{share:.2f}", sep="\t", file=file)'
echo shares.log >> .gitignore
python3 month.py
finish
