"""Step 5: each quote stands on its page, as often as it is used, and holds the values that were read from it.

    check-5.py PDFS OUT --value net --value quantity [--word item] [--minus net 'CREDIT NOTE'] [--by-hand in-0042]

rows.csv in OUT has document, page, quote and the values. A --value is a number, a --word text; nothing but spaces is
overlooked. --minus: on documents with these words (a pattern) the value is negative, whether its line prints a minus or
not; elsewhere the sign is the printed one. Quotes from scans, and signs that only a column gives, are looked up by a
person (--by-hand). Needs pdfplumber. Exit code 0: all stand there.
"""

import argparse
import collections
import csv
import pathlib
import re
import sys
from decimal import Decimal, InvalidOperation

import pdfplumber


def joined(text):
    return "".join(text.split())


def numbers(text):
    """Every number in a text, read with a point and with a comma for the cents; a minus may stand on either side."""
    found = set()
    for token in re.findall(r"\(?[-−]?\d[\d.,']*[-−]?\)?", text):
        less = "-" in token or "−" in token or token.startswith("(")
        token = re.sub(r"[^\d.,]", "", token).rstrip(".,")
        for read in (token.replace(",", ""), token.replace(".", "").replace(",", ".")):
            try:
                found.add(-Decimal(read) if less else Decimal(read))
            except InvalidOperation:
                continue
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pdfs", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    for name in ("value", "word", "by-hand"):
        parser.add_argument(f"--{name}", action="append", default=[])
    parser.add_argument("--minus", nargs=2, action="append", default=[], metavar=("VALUE", "WORDS"))
    told = parser.parse_args()
    with open(told.out / "rows.csv", newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["document"] not in told.by_hand]
    texts, negative, wrong = {}, set(), [] if rows else ["rows.csv has no rows"]
    for name in sorted({row["document"] for row in rows}):
        with pdfplumber.open(told.pdfs / f"{name}.pdf") as pdf:
            for page in pdf.pages:
                both = (page.extract_text(), page.extract_text(use_text_flow=True))
                texts[name, str(page.page_number)] = [joined(text) for text in both]
                negative |= {(name, value) for value, words in told.minus if re.search(words, both[0])}
    used = collections.Counter((row["document"], row["page"], joined(row["quote"])) for row in rows)
    for (name, page, quote), times in sorted(used.items()):
        there = max((text.count(quote) for text in texts.get((name, page), [""])), default=0) if quote else 0
        if there < times:
            wrong.append(f"{name}, page {page}: {quote!r} is quoted {times} times and stands there {there} times")
    for row in rows:
        for name in told.value:
            there, turned = numbers(row["quote"]), (row["document"], name) in negative
            if row[name] and Decimal(row[name]) not in ({-abs(number) for number in there} if turned else there):
                sign = ", turned negative by the words of its document" if turned else ""
                wrong.append(f"{row['document']}: {name} {row[name]} is not in its quote {row['quote']!r}{sign}")
        for name in told.word:
            if not set(row[name].split()) <= set(row["quote"].split()):
                wrong.append(f"{row['document']}: {name} {row[name]!r} is not in its quote {row['quote']!r}")
    print("\n".join(wrong[:40]) or "the quotes hold")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
