#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The quote is the value, the page is always the first.
set -euo pipefail
. "$SHARED/base.inc"
edit extract.py '"page": place, "quote": line, **top' '"page": 1, "quote": f"{net:.2f}", **top'
edit extract.py 'rows[-1]["page"] == place and comma' 'comma'
edit extract.py '                    rows[-1]["quote"] += "\n" + line
' ''
python3 extract.py pdfs out
