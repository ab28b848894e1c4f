"""Prices with tax, in cents."""


def total(lines: list[tuple[int, int]], rate: int = 20) -> int:
    """The sum of amount times price, with tax, rounded half up."""
    net = sum(amount * price for amount, price in lines)
    return (net * (100 + rate) + 50) // 100
