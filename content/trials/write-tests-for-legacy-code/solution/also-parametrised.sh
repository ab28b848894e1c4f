#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Another good way: rows as parameters, a clock of its own, golden invoices in a file beside, not committed.
set -euo pipefail
. "$SHARED/mends.inc"
mends
cat > tests/test_invoice_rules.py <<'PY'
"""One test a rule of the manual; every row is a case."""

import datetime
from decimal import Decimal as D

import pytest

import shop.invoice as module

DAY = datetime.date


def bug(*values, reason):
    return pytest.param(*values, marks=pytest.mark.xfail(strict=True, raises=AssertionError, reason=reason))


@pytest.fixture
def rate(monkeypatch):
    monkeypatch.setattr("shop.gateway.rate", lambda _: D("0.92"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 x 2.50", (1, D("2.50"), "standard")),
        ("999 x 2,50 reduced", (999, D("2.50"), "reduced")),
        ("5 x 1 standard", (5, D("1"), "standard")),
    ],
)
def test_lines(text, expected):
    assert module.parse_line(text) == expected


@pytest.mark.parametrize("text", ["0 x 2.50", "1000 x 2.50", "-1 x 2.50", "1 x 2.50 free"])
def test_lines_that_are_refused(text):
    with pytest.raises(ValueError, match="quantity|kind"):
        module.parse_line(text)


@pytest.mark.parametrize(
    ("quantity", "price", "expected"),
    [
        (9, "2.00", "18.00"),
        (10, "2.00", "19.00"),
        (99, "2.00", "188.10"),
        (100, "2.00", "180.00"),
        bug(1, "0.985", "0.99", reason="manual 4: half a cent up; 1 x 0.985 comes out as 0.98"),
    ],
)
def test_line_totals(quantity, price, expected):
    assert str(module.line_total(quantity, D(price))) == expected


@pytest.mark.parametrize(
    ("texts", "shipping"),
    [
        (["1 x 49.99"], "4.90"),
        bug(["2 x 25.00"], "0", reason="manual 5, ticket 214: 2 x 25.00 is charged 4.90"),
        (["1 x 50.01"], "0"),
    ],
)
def test_shipping(texts, shipping):
    assert module.invoice(texts)["shipping"] == D(shipping)


def test_invoice():
    found = module.invoice(["20 x 1.00 reduced", "1 x 20.00"])
    assert {name: str(value) for name, value in found.items()} == {
        "goods": "39.00",
        "tax": "5.13",
        "shipping": "4.90",
        "total": "49.03",
    }


def test_invoice_in_dollars(rate):
    found = module.invoice(["1 x 100.00"], currency="USD")
    assert [found[name] for name in ("goods", "tax", "total")] == [D("100.00"), D("19.00"), D("129.35")]


@pytest.mark.parametrize(
    ("issued", "due"),
    [
        (DAY(2026, 3, 2), DAY(2026, 4, 1)),
        (DAY(2026, 3, 4), DAY(2026, 4, 3)),
        (DAY(2026, 3, 5), DAY(2026, 4, 6)),
        bug(DAY(2026, 3, 6), DAY(2026, 4, 6), reason="manual 7: 6 March 2026 is due on Sunday, comes out as Tuesday"),
    ],
)
def test_due(issued, due):
    assert module.due_date(issued) == due


@pytest.mark.parametrize(("days", "amount", "fee"), [(-3, 900, "0"), (14, 900, "0"), (15, 900, "9"), (15, 90, "5")])
def test_late_fee(monkeypatch, days, amount, fee):
    class Clock(datetime.date):
        @classmethod
        def today(cls):
            return cls(2026, 5, 1) + datetime.timedelta(days=days)

    monkeypatch.setattr("shop.invoice.datetime.date", Clock)
    assert module.late_fee(D(amount), DAY(2026, 5, 1)) == D(fee)
PY
