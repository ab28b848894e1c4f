"""The commands: python3 -m ledger split 10.00 ann ben:2, settle FILE, report FILE."""

import sys

from ledger import importer, money, report, settle


def split(amount, *people):
    names = [person.partition(":")[0] for person in people]
    weights = [int(person.partition(":")[2] or 1) for person in people]
    shares = money.split(money.parse(amount), weights)
    return [f"{name} {money.show(share)}" for name, share in zip(names, shares)]


def settled(path):
    return [f"{who} {money.show(cents)}" for who, cents in settle.balances(importer.bills(path)).items()]


def reported(path):
    return report.lines(importer.bills(path))


def main(words):
    commands = {"split": split, "settle": settled, "report": reported}
    try:
        print("\n".join(commands[words[0]](*words[1:])))
    except (ValueError, KeyError, IndexError, TypeError) as error:
        print(f"ledger: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
