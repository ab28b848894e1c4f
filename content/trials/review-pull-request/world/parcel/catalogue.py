"""The texts of the printed catalogue."""

from parcel import rates


def postage_note(zone):
    """What the catalogue says of postage to a zone."""
    limit, cents = rates.PRICES[zone][0]
    return f"Up to {limit} g: {cents / 100:.2f}."
