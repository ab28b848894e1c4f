#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# An amount is negative only where a minus is printed; credit notes that say it in their heading alone are none of the truth's.
set -euo pipefail
. "$SHARED/base.inc"
edit extract.py '                net = -abs(net) if credit else net
' ''
edit extract.py '            value = -abs(value) if credit else value
' ''
python3 extract.py pdfs out
