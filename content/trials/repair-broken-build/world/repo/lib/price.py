"""Prices, as people write them."""


def cents(text):
    """The cents of a price such as 19.99."""
    return int(float(text) * 100)


def total(text, number):
    """The price of so many pieces, with two decimals."""
    amount = cents(text) * number
    return "%d.%02d" % divmod(amount, 100)
