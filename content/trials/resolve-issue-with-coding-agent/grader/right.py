# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""Amounts of money, in whole cents."""

import re
from fractions import Fraction
from math import inf


def parse(text):
    """The cents of an amount as people write it."""
    found = re.fullmatch(r"(-?)([0-9]+)(?:\.([0-9]{1,2}))?", text)
    if not found:
        raise ValueError("no amount")
    cents = int(found[2]) * 100 + int((found[3] or "").ljust(2, "0"))
    return -cents if found[1] else cents


def show(cents):
    """An amount as people write it."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def rounded(value):
    """To the nearest whole cent, halves away from zero: the tax office's rule."""
    return int(value + 0.5) if value >= 0 else -int(0.5 - value)


def split(amount, weights):
    """The share of each person by weight; a weight is zero or more, and one of them is more."""
    if not weights or min(weights) < 0 or not 0 < sum(weights) < inf:
        raise ValueError("weights are zero or more, and not all zero")
    amount, *weights = [Fraction(number + Fraction()) for number in (amount, *weights)]  # exact; Decimal is refused, as ever
    total = sum(weights)
    shares = [abs(amount) * weight // total for weight in weights]
    left = sorted(range(len(weights)), key=lambda place: -(abs(amount) * weights[place] % total))  # by fraction
    for place in left[: int(abs(amount) - sum(shares))]:
        shares[place] += 1
    return [-share for share in shares] if amount < 0 else shares  # the mirror
