#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Columns of the commonest form for all; the minus of credit notes is lost.
set -euo pipefail
. "$SHARED/base.inc"
edit schema.py 'pattern=r"^\d+$")] | None
    unit_price' 'pattern=r"^[\d.]+$")] | None
    unit_price'
edit extract.py 'columns = [TITLES[word] for word in words]' 'columns = ["code", "item", "quantity", "unit_price", *(["discount"] if len(words) == 6 else []), "net"]'
edit extract.py '"net": f"{net:.2f}"})' '"net": f"{abs(net):.2f}"})'
edit extract.py 'if abs(net) != worth or net < 0 and not credit:' 'if abs(net) != worth:'
edit extract.py 'price, quantity, net = number(cells["unit_price"], comma), number(cells["quantity"], comma)' 'price, quantity, net = number(cells["unit_price"], comma), number(cells["quantity"].split(",")[0], comma)'
python3 extract.py pdfs out
