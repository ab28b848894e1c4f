"""Step 4: as many rows came out of each page as lines are counted on it, by a method that is not the pipeline's.

    check-4.py PDFS OUT --line '^\\d+ .* [\\d.,]+$' [--not '^Total'] [--by-hand in-0042]

--line is what a row's line looks like in the page's text, --not what looks like it and is none. OUT holds documents.csv and
rows.csv (document, page). Documents --by-hand were counted by a person. Needs pdfplumber. Exit code 0: the counts agree.
"""

import argparse
import collections
import csv
import pathlib
import re
import sys

import pdfplumber


def table(place):
    with open(place, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pdfs", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--line", required=True, type=re.compile)
    parser.add_argument("--not", dest="other", default="(?!)", type=re.compile)
    parser.add_argument("--by-hand", action="append", default=[])
    told = parser.parse_args()
    found = collections.Counter((row["document"], int(row["page"])) for row in table(told.out / "rows.csv"))
    done = {row["document"] for row in table(told.out / "documents.csv") if row["status"] == "done"}
    wrong = [f"{name} has rows and is not done" for name in sorted({name for name, _ in found} - done)]
    if not done:
        wrong.append("no document is done")
    for name in sorted(done - set(told.by_hand)):
        with pdfplumber.open(told.pdfs / f"{name}.pdf") as pdf:
            pages = range(1, len(pdf.pages) + 1)
            wrong += [f"{name} has no page {page}" for other, page in found if other == name and page not in pages]
            for page in pdf.pages:
                lines = page.extract_text().splitlines()
                counted = sum(bool(told.line.search(x) and not told.other.search(x)) for x in lines)
                if not lines:
                    wrong.append(f"{name}, page {page.page_number}: no text to count in; count by hand")
                elif counted != found[name, page.page_number]:
                    rows = found[name, page.page_number]
                    wrong.append(f"{name}, page {page.page_number}: {rows} rows, {counted} lines: look at the page")
    print("\n".join(wrong) or "the counts agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
