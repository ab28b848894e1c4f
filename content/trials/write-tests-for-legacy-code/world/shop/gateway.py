"""The bank's rates, over the network."""

import json
from decimal import Decimal


def exact(answer):
    """The rate in the bank's answer, digit by digit."""
    return Decimal(json.loads(answer)["rate"])


def rate(currency):
    """How many euros one unit of the currency is worth today."""
    from urllib.request import urlopen

    with urlopen(f"https://bank.example/rates/{currency}", timeout=5) as answer:
        return exact(answer.read())
