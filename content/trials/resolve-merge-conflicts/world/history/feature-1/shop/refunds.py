"""What is paid back for goods that were sent back."""

from shop import pricing
from shop.settings import RETURN_DAYS


def refund(items, days):
    """The cents to pay back; nothing after the last day."""
    if days > RETURN_DAYS:
        return 0
    return sum(pricing.price_of(item) for item in items)
