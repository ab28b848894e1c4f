"""Step 3: each record of the exports is one row, once, and the rows make the balances of the statements.

    check-3.py --run 'python3 month.py' [--skip 'vorgemerkt|^Saldo']

Adds up itself from the table tx; each line of an export that has a date is part of a row's raw text, but for those that
--skip, a regular expression of yours, calls no booking: what cancels out is booked too. In copies: a new database is the same, every export twice under another name adds
nothing, and one more purchase that equals another of its day adds one row.
"""

import argparse
import collections
import re
import shutil
import sys
from decimal import Decimal

import books
import coming


def content(rows):
    return collections.Counter(tuple(row[name] for name in books.STEPS) for row in rows.values())


def balances(rows):
    """Where the rows do not make the statements' balances."""
    moved, before = collections.Counter(), {}
    for row in rows.values():
        moved[row["account"], row["date"][:7]] += row["amount"]
    lines = books.table("balances.csv")
    for line in sorted(lines, key=lambda line: (line["account"], line["month"])):
        opening, closing = (int(Decimal(line[name]) * 100) for name in ("opening", "closing"))
        account, month = line["account"], line["month"]
        if opening + moved[account, month] != closing:
            yield f"{account} {month}: the rows move {moved[account, month]} cents, the statement {closing - opening}"
        if before.get(account, opening) != opening:
            yield f"{account} {month}: balances.csv does not begin where the month before ends"
        before[account] = closing
    for account, month in sorted(set(moved) - {(line["account"], line["month"]) for line in lines}):
        yield f"{account} {month}: there are rows and no statement; a date may be read wrongly"


def records(rows):
    """Rows that are no record of an export, or have another amount than it."""
    texts = "\n".join(books.decoded(path)[0] for path in sorted(books.Path("exports").iterdir()))
    for name, row in rows.items():
        if not row["raw"] or row["raw"] not in texts or row["text"] not in row["raw"].replace('""', '"'):
            yield f"row {name} ({row['text'][:30]}) is no record of an export: keep it as it stands, in raw"
        elif f"{abs(row['amount']):03}" not in row["raw"].replace(".", "").replace(",", ""):
            yield f"row {name} has another amount than its record"


def left_out(rows, skip):
    """Lines of the exports that look like bookings, and are in no row."""
    kept = {line.strip() for row in rows.values() for line in (row["raw"] or "").splitlines()}
    for path in sorted(books.Path("exports").iterdir()):
        for line in books.decoded(path)[0].splitlines():
            dated = re.search(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\b20\d{6}\b", line)
            if dated and line.strip() not in kept and not (skip and re.search(skip, line)):
                yield f"{path.name}: {line[:60]!r} is in no row"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--run", required=True)
    parser.add_argument("--skip")
    told = parser.parse_args()
    command = told.run
    rows = books.rows()
    wrong = (
        [*balances(rows), *records(rows), *left_out(rows, told.skip)][:20]
        if rows
        else ["there is no table tx in books.sqlite"]
    )
    with books.copied(fresh=True) as tree:
        books.run(command, tree)
        if content(books.rows(tree)) != content(rows):
            wrong.append("a new database from the same exports has other rows")
    if not rows:
        print("\n".join(wrong))
        return 1
    for fresh in (True, False):
        with books.copied(fresh) as tree:
            for path in sorted((tree / "exports").iterdir()):
                shutil.copy(path, path.with_name(f"{path.stem}-again{path.suffix}"))
            books.run(command, tree)
            if content(books.rows(tree)) != content(rows):
                wrong.append("an export that is there twice, under two names, changes the rows")
    one = max(
        rows.values(), key=lambda row: (row["category"] not in ("unknown", "transfer"), row["amount"] < 0, row["date"])
    )
    same = [row for row in rows.values() if (row["account"], row["date"]) == (one["account"], one["date"])]
    with books.copied() as tree:
        coming.export(tree, one, [row["raw"] for row in same] + [one["raw"]], "more")
        coming.balance(tree, one["account"], one["date"][:7], one["amount"])
        books.run(command, tree)
        if content(books.rows(tree)) != content(rows) + content({"": one}):
            wrong.append(
                f"a second purchase that equals {one['text'][:30]!r} of {one['date']} does not become one more row"
            )
    print("\n".join(wrong) or f"{len(rows)} rows, each a record, and the balances agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
