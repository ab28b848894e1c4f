"""Bills from the bank's CSV file: payer;amount;people, where the bank writes 1.234,56."""

import csv


def _cents(cell):
    whole, cents = cell.replace(".", "").split(",")
    return int(whole) * 100 + int(cents)


def bills(path):
    """Each bill of a file: who paid, how much, for whom."""
    with open(path, newline="", encoding="utf-8") as file:
        return [(payer, _cents(amount), people.split()) for payer, amount, people in csv.reader(file, delimiter=";")]
