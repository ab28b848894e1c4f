#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# What the issue asks for is called a defect, and each mend takes a piece of it back.
set -euo pipefail
. "$SCRIPTS/mends.inc"
proof 1 <<'PY'
import sys
from parcel import invoice
sys.exit(invoice.total(9000, 3000, "DE") != 9690)
PY
mend 1 parcel/rates.py '    if goods > free_from(place):' '    if grams <= 1000 and goods > free_from(place):'
proof 2 <<'PY'
import sys
from parcel import rates
sys.exit(rates.price(500, "HR") != 1890)
PY
mend 2 parcel/rates.py '    place = zone(country)
' '    place = zone(country) if country != "HR" else "world"
'
proof 3 <<'PY'
import sys
from parcel import catalogue
sys.exit(catalogue.postage_note("eu") != "Up to 1000 g: 9.90.")
PY
mend 3 parcel/catalogue.py '"eu": " Free from 60.00 on."' '"eu": ""'
cat > review/review.md <<MD
## 1. parcel/rates.py:$(at parcel/rates.py 'goods > free') silently changes the postage of heavy parcels
invoice.total(9000, 3000, "DE") was 9690 for existing users.
## 2. parcel/rates.py:$(at parcel/rates.py 'place = zone') silently changes the postage to Croatia
rates.price(500, "HR") was 1890 for existing users.
## 3. parcel/catalogue.py:$(at parcel/catalogue.py '60.00') silently changes the catalogue
postage_note("eu") was "Up to 1000 g: 9.90." for existing users.
MD
