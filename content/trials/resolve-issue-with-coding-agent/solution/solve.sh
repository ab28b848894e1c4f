#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Fractions and divmod; the tests in a new file, and what must stay among them.
set -euo pipefail
. "$SCRIPTS/pr.inc"
git checkout -q -b issue-17
cat > tests/test_issue_17.py <<'PY'
from decimal import Decimal
from math import inf

import pytest

from ledger import money


@pytest.mark.parametrize("amount", [1, 1000, 2000, 9_007_199_254_740_993, -1000, -1])
def test_shares_add_up_to_the_amount(amount):
    assert sum(money.split(amount, [1, 1, 1])) == amount
    assert sum(money.split(amount, [3, 1, 4, 1])) == amount


def test_left_over_cents_go_to_the_largest_fractions_then_to_the_first():
    assert money.split(2000, [1, 1, 1]) == [667, 667, 666]
    assert money.split(100, [1, 5]) == [17, 83]
    assert money.split(101, [1, 7, 4]) == [8, 59, 34]


def test_a_refund_mirrors_the_bill():
    assert money.split(-1000, [1, 1, 1]) == [-334, -333, -333]
    assert money.parse("-10.50") == -1050
    assert money.parse("-0.05") == -5
    assert money.show(-1050) == "-10.50"
    assert money.show(-5) == "-0.05"


def test_amounts_have_two_decimals_at_most():
    assert [money.parse(text) for text in ("10", "10.5", "-10.5", "-3")] == [1000, 1050, -1050, -300]
    for text in ("10.505", "10."):
        with pytest.raises(ValueError):
            money.parse(text)


def test_the_numbers_that_were_taken_are_taken_and_the_others_refused():
    assert money.split(900.0, [1, 2]) == money.split(900, [0.5, 1.0]) == money.split(900, (1, 2)) == [300, 600]
    with pytest.raises(TypeError):
        money.split(900, [Decimal(1), Decimal(2)])
    with pytest.raises(ValueError):
        money.split(900, [inf, 1])
PY
git add tests
git commit -qm 'Show what issue 17 reports: four tests that fail'
python3 - <<'PY'
import pathlib

path = pathlib.Path("ledger/money.py")
text = path.read_text()
head, rest = text.split("def parse")
tail = rest[rest.index("def rounded"):]
parse = '''import re
from fractions import Fraction
from math import inf

_AMOUNT = re.compile(r"(-?)([0-9]+)(?:\\.([0-9]{1,2}))?")


def parse(text):
    """The cents of an amount as people write it."""
    found = _AMOUNT.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is no amount; write 10, 10.5 or 10.50")
    sign, whole, decimals = found.groups(default="")
    cents = int(whole) * 100 + int(decimals.ljust(2, "0"))
    return -cents if sign else cents


def show(cents):
    """An amount as people write it."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


'''
tail = tail.replace("not sum(weights):", "not 0 < sum(weights) < inf:")
old = tail[tail.index("    total = sum"):]
new = '''    if amount < 0:
        return [-share for share in split(-amount, weights)]
    amount, *weights = [Fraction(number + Fraction()) for number in (amount, *weights)]
    total = sum(weights)
    parts = [divmod(amount * weight, total) for weight in weights]
    shares = [share for share, _ in parts]
    first = sorted(range(len(parts)), key=lambda place: -parts[place][1])
    for place in first[: int(amount - sum(shares))]:
        shares[place] += 1
    return shares
'''
path.write_text(head + parse + tail.replace(old, new))
PY
git commit -qam 'Shares add up, and refunds mirror bills'
pr_text
