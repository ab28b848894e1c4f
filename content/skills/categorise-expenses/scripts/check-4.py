"""Step 4: what goes between own accounts is a transfer, nothing else is, and a refund is no income.

    check-4.py --run 'python3 month.py' --triage 'python3 month.py triage' --category Health [--accounts accounts.csv]
               [--days 4]

Needs what step 7 builds. accounts.csv, by the person: account,words: the words by which other accounts' texts name it. In
a copy, a purchase that is unknown comes back: both are unknown, and after an answer both are what was answered,
--category, which is one of yours. --triage prints a merchant a line: merchant, tab, sum, tab, rows.
"""

import argparse
import collections
import datetime
import sys

import books
import coming


def unpaired(transfers, days):
    """Transfers without a counterpart: equal and opposite, on another account, within these days."""
    left = sorted(transfers, key=lambda row: row["date"])
    while left:
        one = left.pop(0)
        day = datetime.date.fromisoformat(one["date"])
        fitting = [
            row
            for row in left
            if row["amount"] == -one["amount"]
            and row["account"] != one["account"]
            and (datetime.date.fromisoformat(row["date"]) - day).days <= days
        ]
        if fitting:
            left.remove(fitting[0])
        else:
            yield one


def refunded(told, rows):
    """What becomes of the refund of a purchase that is unknown, and of both after an answer."""
    bought = [name for name, row in rows.items() if row["category"] == "unknown" and row["amount"] < 0]
    if not bought:
        print("no purchase is unknown, so the refund of one is not tried: add one of a shop that nobody labelled")
        return
    name = max(bought, key=lambda name: rows[name]["date"])
    one = rows[name]

    def pair(tree):
        same = [row for row in books.rows(tree).values() if row["text"] == one["text"]]
        return [{row["category"] for row in same if row["amount"] * sign == abs(one["amount"])} for sign in (-1, 1)]

    with books.copied() as tree:
        coming.next_month(tree, {}, [name])
        books.run(told.run, tree)
        if pair(tree) != [{"unknown"}, {"unknown"}]:
            yield f"{one['text'][:40]!r} is unknown, and comes back as {sorted(pair(tree)[1]) or 'no row'}"
        names = [line.split("\t")[0] for line in books.run(told.triage, tree)[1].splitlines() if line.count("\t") > 1]
        if not names:
            yield "the triage prints no line of merchant, tab, sum, tab, rows"
            return
        answers = [{"date": one["date"], "merchant": merchant, "category": told.category} for merchant in names]
        books.written("decisions.csv", [*books.table("decisions.csv", tree), *answers], tree)
        books.run(told.run, tree)
        if pair(tree) != [{told.category}] * 2:
            yield f"{one['text'][:40]!r} was answered, and purchase and refund are {[sorted(side) for side in pair(tree)]}"


def main():
    parser = argparse.ArgumentParser()
    for name in ("run", "triage", "category"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--accounts", default="accounts.csv")
    parser.add_argument("--days", type=int, default=4)
    told = parser.parse_args()
    rows, wrong = books.rows(), []
    own = {line["account"]: line["words"].lower() for line in books.table(told.accounts)}
    if not own:
        wrong.append(f"{told.accounts} is missing or empty: write account,words, a line for each of your accounts")
    for name, row in rows.items() if own else ():
        names_own = any(words in row["text"].lower() for account, words in own.items() if account != row["account"])
        if names_own != (row["category"] == "transfer"):
            wrong.append(
                f"row {name} ({row['text'][:40]}) is {row['category']}: own accounts and nothing else are transfers"
            )
    last = max((row["date"] for row in rows.values()), default="")
    first = min((row["date"] for row in rows.values()), default="")
    for row in unpaired([row for row in rows.values() if row["category"] == "transfer"], told.days):
        day = datetime.date.fromisoformat(row["date"])
        edges = [abs((datetime.date.fromisoformat(edge) - day).days) for edge in (first, last)]
        if min(edges) > told.days:
            wrong.append(f"the transfer of {row['date']} ({row['amount']} cents) has no counterpart")
    spent = collections.defaultdict(set)
    for row in rows.values():
        if row["amount"] < 0 and row["category"] != "unknown":
            spent[row["account"], books.letters(row["text"])].add(row["category"])
    for name, row in rows.items():
        there = spent.get((row["account"], books.letters(row["text"])))
        if row["amount"] > 0 and there and row["category"] not in there | {"unknown"}:
            wrong.append(f"row {name} ({row['text'][:40]}) came back from {sorted(there)} and is {row['category']}")
    wrong += refunded(told, rows)
    print("\n".join(wrong[:20]) or "transfers and refunds are taken out")
    return 1 if wrong or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
