"""What a customer pays."""

from parcel import rates


def total(goods, grams, country):
    """Goods and postage, if there is any to pay."""
    return goods + rates.price(grams, country, goods)


def lines(goods, grams, country):
    """The invoice as it is printed."""
    sum_ = total(goods, grams, country)
    return [f"goods {goods / 100:.2f}", f"postage {(sum_ - goods) / 100:.2f}", f"total {sum_ / 100:.2f}"]
