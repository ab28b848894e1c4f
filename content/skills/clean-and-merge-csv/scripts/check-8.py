"""Step 8: every value that stands out was looked up, and a document says what it is.

    check-8.py --key invoice --group item [--price unit_price] [--amount amount] [--documents documents]

Finds the rows itself: what corrections.csv changes, prices over five times or under a fifth of their group's median, as
they came and as they are now, the 20 largest amounts, and rows that are over a tenth of their group. outliers.csv:
source_file,source_row,status (confirmed or corrected),document; the document names the row and holds both its price and
its amount: a price that is wrong may stand there as a total.
"""

import argparse
import collections
import sys
from decimal import Decimal
from statistics import median

import tables
from documents import bears_out, uncorrected


def main():
    parser = argparse.ArgumentParser()
    for name in ("key", "group"):
        parser.add_argument(f"--{name}", required=True)
    for name, value in (("price", "unit_price"), ("amount", "amount"), ("documents", "documents")):
        parser.add_argument(f"--{name}", default=value)
    told = parser.parse_args()
    wrong, files, mapping = [], tables.raw_files("data/raw"), tables.read("mapping.csv")
    rows = {
        (row["source_file"], row["source_row"]): row for row in tables.output("out", "merged.csv", "unmatched*.csv")
    }
    groups = collections.defaultdict(list)
    for row in rows.values():
        groups[row[told.group]].append(row)
    middle = {group: median(Decimal(row[told.price]) for row in inner) for group, inner in groups.items()}
    whole = {group: sum(abs(Decimal(row[told.amount])) for row in inner) for group, inner in groups.items()}
    largest = sorted(rows, key=lambda place: -abs(Decimal(rows[place][told.amount])))[:20]
    keys, fixes = tables.keys_of(mapping, told.key), tables.read("corrections.csv")
    corrected = {(line["source_file"], tables.located(files, line, keys)) for line in fixes}
    listed = {(line["source_file"], line["source_row"]): line for line in tables.read("outliers.csv")}
    for place, row in rows.items():
        now, came = Decimal(row[told.price]), uncorrected(files, mapping, row, told.price)
        odd = any(price > 5 * middle[row[told.group]] or price < middle[row[told.group]] / 5 for price in (now, came))
        share = len(groups[row[told.group]]) > 10 and abs(Decimal(row[told.amount])) > whole[row[told.group]] / 10
        if not odd and not share and place not in largest and place not in corrected:
            continue
        line, name = listed.get(place), ":".join(place)
        if not line:
            wrong.append(f"{name} stands out ({row[told.price]} for {row[told.group]}) and is not listed")
        elif line["status"] != ("corrected" if place in corrected else "confirmed"):
            wrong.append(f"{name} is called {line['status']!r}, and came as {came} and is {now}")
        elif why := bears_out(told.documents, line["document"], row, told.key, [now, row[told.amount]]):
            wrong.append(f"{name}: {why}")
    print("\n".join(wrong) or "all that stands out is borne out")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
