#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Alarms about states that no caller and no user can bring about.
set -euo pipefail
. "$SCRIPTS/mends.inc"
proof 1 <<'PY'
import sys
from parcel import rates
if not hasattr(rates, "_price"):
    sys.exit(2)
try:
    rates._price(None, "home")
except TypeError:
    sys.exit(1)
except ValueError:
    sys.exit(0)
PY
mend 1 parcel/rates.py '    for limit, cents in PRICES[place]:' '    if grams is None:
        raise ValueError("no weight")
    for limit, cents in PRICES[place]:'
proof 2 <<'PY'
import sys
from parcel import rates
if not hasattr(rates, "_asked"):
    sys.exit(2)
rates._asked[500, "home"] = []
try:
    rates.price(500, "DE")
except IndexError:
    sys.exit(1)
PY
mend 2 parcel/rates.py '    if (grams, place) not in _asked:' '    if not _asked.get((grams, place)):'
proof 3 <<'PY'
import sys
from unittest import mock
from parcel import catalogue
if not hasattr(catalogue, "FREE"):
    sys.exit(2)
with mock.patch.object(catalogue, "FREE", {}):
    try:
        catalogue.postage_note("eu")
    except KeyError:
        sys.exit(1)
PY
mend 3 parcel/catalogue.py '{FREE[zone]}' '{FREE.get(zone) or str()}'
cat > review/review.md <<MD
## 1. parcel/rates.py:$(at parcel/rates.py 'for limit, cents') a crash where the weight is None
## 2. parcel/rates.py:$(at parcel/rates.py 'not in _asked') a crash where the cache holds an empty list
## 3. parcel/catalogue.py:$(at parcel/catalogue.py 'FREE\[zone') a crash where the table is empty
MD
