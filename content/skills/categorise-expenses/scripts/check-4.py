"""Step 4: what goes between own accounts is a transfer, nothing else is, and a refund is no income.

    check-4.py [--accounts accounts.csv] [--days 4]

accounts.csv, by the person: account,words: the words by which other accounts' texts name it.
"""

import argparse
import collections
import datetime
import sys

import books


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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--accounts", default="accounts.csv")
    parser.add_argument("--days", type=int, default=4)
    told = parser.parse_args()
    rows, wrong = books.rows(), []
    own = {line["account"]: line["words"].lower() for line in books.table(told.accounts)}
    for name, row in rows.items():
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
    print("\n".join(wrong[:20]) or "transfers and refunds are taken out")
    return 1 if wrong or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
