"""What things cost, in cents."""

from shop.settings import FREE_FROM, SHIPPING


def line_price(item):
    """What one line of an order costs."""
    return item["cents"] * item["count"]


def total(order):
    """What an order costs, shipping included."""
    goods = sum(line_price(item) for item in order["items"])
    return goods + (0 if goods >= FREE_FROM else SHIPPING)
