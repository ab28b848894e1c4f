#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A refusal is asked for twice more before it counts, and fetch.csv has the last answer only.
set -euo pipefail
. "$SHARED/work.inc"
edit fetch.py '    for _ in range(3):
' '    for attempt in range(3):
'
edit fetch.py '        with open("fetch.csv", "a", newline="") as file:
            csv.writer(file).writerow([address, now' '        if said.status == 403 and attempt < 2:
            continue
        with open("fetch.csv", "a", newline="") as file:
            csv.writer(file).writerow([address, now'
work
