"""The report of the month for the household's notice board."""


def _euros(cents):
    return f"EUR {cents // 100},{cents % 100:02d}"


def lines(bills):
    """A line for each payer, with the total of what was paid."""
    totals = {}
    for payer, amount, _ in bills:
        totals[payer] = totals.get(payer, 0) + amount
    return [f"{payer}: {_euros(cents)}" for payer, cents in sorted(totals.items())]
