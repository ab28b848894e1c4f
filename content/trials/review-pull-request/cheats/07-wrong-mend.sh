#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The right place, and a mend that breaks another caller.
set -euo pipefail
. "$SCRIPTS/mends.inc"
found_returns 1
mend 1 parcel/invoice.py 'rates.price(grams, country, goods)' 'rates.price(grams, country)'
found_threshold 2
found_catalogue 3
found_norway 4
cat > review/review.md <<MD
## 1. parcel/returns.py:$(at parcel/returns.py 'return goods') differs from the invoice
## 2. parcel/rates.py:$(at parcel/rates.py 'goods > free') the threshold itself
## 3. parcel/catalogue.py:$(at parcel/catalogue.py '60.00') another threshold
## 4. parcel/data/zones.json:$(at parcel/data/zones.json NO) Norway
MD
