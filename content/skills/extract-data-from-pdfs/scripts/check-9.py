"""Step 9: every file that came in is done, in review or refused, once, by its name; and values to look up on the page.

    check-9.py PDFS OUT [--sample 50] [--looked in-0042]

OUT holds documents.csv (document, status, reason), review.csv and rows.csv. A page without text, or more
than half covered by pictures, is done only where a person --looked. Needs pdfplumber. Exit code 0: the account balances.
"""

import argparse
import collections
import csv
import pathlib
import random
import sys

import pdfplumber


def table(place):
    with open(place, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def unread(place):
    """Why a file cannot simply be done; empty where it can."""
    try:
        with pdfplumber.open(place) as pdf:
            for page in pdf.pages:
                if not page.chars:
                    return f"page {page.page_number} has no text"
                if sum(i["width"] * i["height"] for i in page.images) > 0.5 * page.width * page.height:
                    return f"page {page.page_number} is a picture"
            return "" if pdf.pages else "it has no pages"
    except Exception as error:  # what a broken file raises is pdfminer's affair
        return f"it cannot be opened ({error})"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pdfs", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--sample", type=int, default=50)
    parser.add_argument("--looked", action="append", default=[])
    told = parser.parse_args()
    names = [file.stem for file in sorted(told.pdfs.iterdir()) if file.suffix.lower() == ".pdf"]
    documents, rows = table(told.out / "documents.csv"), table(told.out / "rows.csv")
    times = collections.Counter(row["document"] for row in documents)
    wrong = [f"{name} came in and is in documents.csv {times[name]} times" for name in names if times[name] != 1]
    wrong += [f"{name} never came in" for name in times if name not in names]
    ends = {row["document"]: row["status"] for row in documents}
    with_rows, queue = {row["document"] for row in rows}, {row["document"] for row in table(told.out / "review.csv")}
    for row in documents:
        name, status = row["document"], row["status"]
        if status not in ("done", "review", "refused"):
            wrong.append(f"{name} is {status!r}")
        if status != "done" and not row["reason"].strip():
            wrong.append(f"{name} is in {status} without a reason")
        if (name in with_rows) != (status == "done"):
            wrong.append(f"{name} is {status} and has {'rows' if name in with_rows else 'no rows'}")
        if (name in queue) != (status == "review"):
            wrong.append(f"{name} is {status}, and in review.csv is {'a' if name in queue else 'no'} line")
        why = unread(told.pdfs / f"{name}.pdf") if status == "done" and name not in told.looked else ""
        if why:
            wrong.append(f"{name} is done, and {why}: a person has to look")
    for name, status in collections.Counter(ends.values()).items():
        print(f"{name}: {status}")
    for row in random.Random(len(rows)).sample(rows, min(told.sample, len(rows))):
        print(f"look up: {row['document']}, page {row['page']}: {row['quote']}")
    print("\n".join(wrong) or "the account balances")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
