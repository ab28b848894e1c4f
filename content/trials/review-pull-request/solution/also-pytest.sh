#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Proofs as tests; other mends: the refund asks the invoice, the zones are generated anew, the catalogue reads the thresholds.
set -euo pipefail
. "$SCRIPTS/mends.inc"
proof() { # N: a test, from stdin
  { echo 'cat > proof_test.py <<"PY"'; cat; printf 'PY\npython3 -m pytest -q -p no:cacheprovider proof_test.py\n'; } > "review/$1.sh"
}
proof 1 <<'PY'
from parcel.rates import free_from
from parcel import rates


def test_eighty_euros_are_enough():
    assert rates.price(700, "FR", 8000) == 0
PY
mend 1 parcel/rates.py '    if goods > free_from(place):
        return 0' '    if not goods < free_from(place):
        return 0'
proof 2 <<'PY'
import csv

from parcel import rates


def test_zones_are_those_of_the_post_office():
    for country, zone in csv.reader(open("tools/countries.csv")):
        assert rates.zone(country) == zone, country
PY
python3 tools/zones.py
git diff > review/2.patch
git checkout -q -- .
proof 3 <<'PY'
import pytest

from parcel import invoice, returns


@pytest.mark.parametrize("goods", [100, 5100, 20000])
def test_everything_comes_back(goods):
    assert returns.refund(goods, 2000, "DE") == invoice.total(goods, 2000, "DE")
PY
python3 - <<'PY'
import pathlib

path = pathlib.Path("parcel/returns.py")
path.write_text(path.read_text().replace("import rates", "import invoice").replace("goods + rates.price(grams, country)", "invoice.total(goods, grams, country)"))
PY
git diff > review/3.patch
git checkout -q -- .
proof 4 <<'PY'
from parcel.catalogue import FREE
from parcel.rates import FREE_FROM


def test_the_catalogue_has_the_thresholds():
    assert {zone: f"{cents / 100:.2f}" in FREE[zone] for zone, cents in FREE_FROM.items()} == {"home": True, "eu": True}
PY
mend 4 parcel/catalogue.py 'FREE = {"home": " Free from 50.00 on.", "eu": " Free from 60.00 on.", "world": ""}' 'FREE = {zone: f" Free from {cents / 100:.2f} on." for zone, cents in rates.FREE_FROM.items()} | {"world": ""}'
cat > review/review.md <<MD
# Review of 31

## 1. \`parcel/rates.py:$(at parcel/rates.py 'goods > free')\` exactly the threshold is not free
## 2. \`parcel/data/zones.json:$(at parcel/data/zones.json NO)\` differs from the post office's list
## 3. \`parcel/returns.py:$(at parcel/returns.py 'return goods')\` refunds postage that was not paid
## 4. \`parcel/catalogue.py:$(at parcel/catalogue.py '60.00')\` another threshold than the shop's
MD
