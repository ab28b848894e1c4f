"""Who gets money back, and who pays."""

from ledger import money


def balances(bills):
    """What each person gets back; less than zero: has to pay."""
    found = {}
    for payer, amount, people in bills:
        found[payer] = found.get(payer, 0) + amount
        for person, share in zip(people, money.split(amount, [1] * len(people))):
            found[person] = found.get(person, 0) - share
    return dict(sorted(found.items()))
