"""Step 7: per source and period the table agrees with figures from outside, to the cent, or rows explain why not.

    check-7.py --key invoice [--control control.csv] [--documents documents] [--amount amount] [--date date]

control.csv: source_file,period,amount. explained.csv: source_file,source_row,period,amount,document: by how much this
row makes ours more than theirs in this period. That is what its correction changed; or all of it in its own period and
the same less in the one where theirs has it, and the document names both periods; or all of it where somebody who knows
the figures says that they lack it (--lacking FILE:ROW). Rows that merely add up explain nothing. The document holds the
row's number and amount.
"""

import argparse
import collections
import sys
from decimal import Decimal
from pathlib import Path

import tables
from documents import bears_out, names_period, uncorrected


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--key", required=True)
    for name in ("control", "explained", "reconcile"):
        parser.add_argument(f"--{name}", default=f"{name}.csv")
    for name in ("documents", "amount", "date"):
        parser.add_argument(f"--{name}", default=name)
    parser.add_argument("--lacking", action="append", default=[])
    told = parser.parse_args()
    wrong, files, mapping = [], tables.raw_files("data/raw"), tables.read("mapping.csv")
    rows = {
        (row["source_file"], row["source_row"]): row for row in tables.output("out", "merged.csv", "unmatched*.csv")
    }
    theirs = {(line["source_file"], line["period"]): Decimal(line["amount"]) for line in tables.read(told.control)}
    size = {len(period) for _, period in theirs}.pop()
    ours = collections.Counter()
    for (name, _), row in rows.items():
        ours[name, row[told.date][:size]] += Decimal(row[told.amount])
    explained, moved = collections.Counter(), collections.Counter()
    for line in tables.read(told.explained) if Path(told.explained).exists() else []:
        place, amount = (line["source_file"], line["source_row"]), Decimal(line["amount"])
        if place not in rows:
            wrong.append(f"{':'.join(place)} explains a difference and is not in the table")
            continue
        is_now, was = Decimal(rows[place][told.amount]), uncorrected(files, mapping, rows[place], told.amount)
        own = rows[place][told.date][:size]
        why = bears_out(told.documents, line["document"], rows[place], told.key, [is_now])
        if amount != is_now - was or not amount or line["period"] != own:
            if amount != (is_now if line["period"] == own else -is_now):
                why = f"it cannot explain {amount}: of {own}, its amount is {is_now}, as it came {was}"
            elif ":".join(place) not in told.lacking:
                moved[place] += amount
                why = why or names_period(told.documents, line["document"], line["period"])
        wrong += [f"{':'.join(place)}: {why}"] if why else []
        explained[line["source_file"], line["period"]] += amount
    wrong += [f"{':'.join(place)} is moved, by {rest} to nowhere" for place, rest in moved.items() if rest]
    written = {(line["source_file"], line["period"]): line for line in tables.read(told.reconcile)}
    for place in sorted({*theirs, *ours, *explained}):
        difference = ours[place] - theirs.get(place, Decimal(0))
        if difference != explained[place]:
            wrong.append(
                f"{place[0]} {place[1]}: {difference} more than theirs, of which rows explain {explained[place]}"
            )
        line = written.get(place)
        if not line or [Decimal(line[name]) for name in ("ours", "theirs")] != [ours[place], theirs.get(place, 0)]:
            wrong.append(f"{place[0]} {place[1]}: {told.reconcile} does not say ours {ours[place]}")
    print("\n".join(wrong) or f"{len(theirs)} figures agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
