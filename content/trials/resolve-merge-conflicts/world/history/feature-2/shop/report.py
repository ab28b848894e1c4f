"""Figures over all orders."""

from shop.pricing import total


def by_day(orders):
    """What was sold, by day."""
    rows = {}
    for order in orders:
        rows[order["day"]] = rows.get(order["day"], 0) + total(order)
    return sorted(rows.items())


def by_reason(orders):
    """How many things came back, by reason."""
    rows = {}
    for order in orders:
        for item in order.get("returned", ()):
            reason = item.get("reason") or "none given"
            rows[reason] = rows.get(reason, 0) + item["count"]
    return sorted(rows.items())


def busiest(orders):
    """The day with the largest sum; the earliest of several."""
    best, most = None, 0
    for day, cents in by_day(orders):
        if cents > most:
            best, most = day, cents
    return best
