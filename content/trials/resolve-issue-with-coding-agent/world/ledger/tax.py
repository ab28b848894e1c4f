"""The tax within a price."""

from ledger.money import rounded


def tax_within(price, percent):
    """The cents of tax that a price in cents holds."""
    return rounded(price * percent / (100 + percent))
