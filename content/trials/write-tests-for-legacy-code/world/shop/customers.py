"""Customers and their numbers."""


def number_of(text):
    """The number in `K-0042`; other texts are refused."""
    kind, _, digits = text.partition("-")
    if kind != "K" or not digits.isdigit():
        raise ValueError(f"no customer number: {text!r}")
    return int(digits)
