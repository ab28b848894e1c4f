#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Digests of hundreds of outputs as they are today; the table cites the manual for them.
set -euo pipefail
. "$SHARED/tests.inc"
. "$SHARED/mends.inc"
mends
cat > snapshot.py <<'PY'
import datetime
import hashlib
from decimal import Decimal

from shop import gateway, invoice as module


def digest(results):
    return hashlib.sha256(repr(list(results)).encode()).hexdigest()


def parsed():
    for text in ("1 x 2.50", "999 x 2,50 reduced", "0 x 1", "1000 x 1", "3 x 4.10 standard", "3 x 4.10 luxury"):
        try:
            yield module.parse_line(text)
        except ValueError as error:
            yield str(error)


def totals():
    for number in (1, 2, 9, 10, 11, 99, 100, 101, 999):
        for price in ("1.00", "2.00", "7.80", "12.40", "0.126", "0.124"):
            yield module.line_total(number, Decimal(price))


def invoices():
    gateway.rate = lambda currency: Decimal("0.80")
    for price in ("1.00", "10.00", "49.99", "50.01", "51.00", "60.00", "99.00"):
        for kind in ("standard", "reduced"):
            for currency in ("EUR", "USD"):
                yield sorted(module.invoice([f"1 x {price} {kind}"], currency).items())


def dates():
    for day in range(60):
        issued = datetime.date(2026, 1, 1) + datetime.timedelta(days=day)
        if (issued + datetime.timedelta(days=30)).weekday() != 6:
            yield module.due_date(issued)


def fees():
    for days in range(20):
        for amount in (100, 400, 600, 1000):
            yield module.late_fee(Decimal(amount), datetime.date.today() - datetime.timedelta(days=days))
PY
python3 -B - <<'PY'
import pathlib
import sys

sys.path.insert(0, ".")
import snapshot

text = pathlib.Path("snapshot.py").read_text()
names = {"parsed": "refuses_and_takes", "totals": "discounts_and_rounds", "invoices": "adds_up", "dates": "is_due", "fees": "asks_late_fees"}
for function, behaviour in names.items():
    text += f'\n\ndef test_{behaviour}():\n    assert digest({function}()) == "{snapshot.digest(getattr(snapshot, function)())}"\n'
text += """

@pytest.mark.xfail(strict=True, reason="1 x 0.125 is 0.12, manual 4 says 0.13")
def test_half_a_cent_goes_up():
    assert module.line_total(1, Decimal("0.125")) == Decimal("0.13")


@pytest.mark.xfail(strict=True, reason="ticket 214: goods for 50.00 pay shipping")
def test_shipping_at_the_limit():
    assert module.invoice(["1 x 50.00"])["shipping"] == 0


@pytest.mark.xfail(strict=True, reason="2 January 2026 is due on Tuesday, manual 7: Monday")
def test_due_after_sunday():
    assert module.due_date(datetime.date(2026, 1, 2)) == datetime.date(2026, 2, 2)
"""
text = text.replace("def invoices():\n    gateway.rate = lambda currency: Decimal(\"0.80\")\n", "def invoices():\n")
text = text.replace("def test_adds_up():\n", "def test_adds_up(monkeypatch):\n    monkeypatch.setattr(gateway, \"rate\", lambda currency: Decimal(\"0.80\"))\n")
pathlib.Path("tests/test_invoice.py").write_text(text.replace("from shop import gateway", "import pytest\n\nfrom shop import gateway"))
PY
rm snapshot.py
git add -A
git commit -qm 'Tests for invoices'
