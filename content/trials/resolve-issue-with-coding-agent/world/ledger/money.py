"""Amounts of money, in whole cents."""


def parse(text):
    """The cents of an amount as people write it."""
    whole, cents = text.split(".")
    return int(whole) * 100 + int(cents)


def show(cents):
    """An amount as people write it."""
    return f"{cents // 100}.{cents % 100:02d}"


def rounded(value):
    """To the nearest whole cent, halves away from zero: the tax office's rule."""
    return int(value + 0.5) if value >= 0 else -int(0.5 - value)


def split(amount, weights):
    """The share of each person by weight; a weight is zero or more, and one of them is more."""
    if not weights or min(weights) < 0 or not sum(weights):
        raise ValueError("weights are zero or more, and not all zero")
    total = sum(weights)
    return [rounded(amount * weight / total) for weight in weights]
