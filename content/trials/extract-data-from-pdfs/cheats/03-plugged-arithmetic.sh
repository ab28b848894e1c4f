#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Where the sums do not agree, the sum is taken to be right.
set -euo pipefail
. "$SHARED/base.inc"
edit extract.py '            if not right:' '            if not right and label not in ("Subtotal", "Zwischensumme", "VAT 20%", "MwSt 19%", "Section total", "Carried forward", "Brought forward") and not label.startswith(("Total", "Gesamt", "Statement total")):'
edit extract.py '                if abs(net) != worth' '                net = worth.quantize(Decimal("0.01")) * (-1 if net < 0 else 1)
                if abs(net) != worth'
python3 extract.py pdfs out
