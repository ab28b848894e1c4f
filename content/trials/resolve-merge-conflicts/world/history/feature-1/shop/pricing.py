"""What things cost, in cents."""

from shop.settings import SHIPPING


def price_of(item):
    """What one line of an order costs."""
    return item["cents"] * item["count"]


def total(order):
    """What an order costs, shipping included; a voucher pays goods, not shipping."""
    goods = sum(price_of(item) for item in order["items"])
    return goods - min(goods, order.get("voucher", 0)) + SHIPPING
