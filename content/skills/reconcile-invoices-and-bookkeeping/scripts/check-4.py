"""Step 4: what is ambiguous, or only nearly fits, becomes a question; so do the payees that are always asked about.

    check-4.py --run 'python3 reconcile.py' --money bank=1200 --before before/ledger.csv --rules rules.csv=before/rules.csv --ask 'Tax office' ...

The command runs in copies of this folder with the ledger as it was before anything was posted (--before). For each line that
it matches to invoices: a second invoice of the same amount and the number out of the text, an invoice of one cent more,
another payee without the number, a twin of the line; for each that it proposes by a document: another total, a reminder in its place, no
document, no rule for its payee. The rules are those of --rules before: a run that adds to them asks nobody. Formats are said in `books.py`, the other options by --help.
"""

import argparse
import pathlib
import re
import shutil
import sys

from books import Copy, options, read, states, write


def fresh(told):
    copy = Copy(told)
    for place, before in ((told.ledger, told.before), *(told.rules,) * bool(told.rules)):
        shutil.copy(before, copy.place / place)
    return copy


def ruled(told, row):
    """What is wrong with a proposal when the rules say nothing of its payee."""
    copy = fresh(told)
    place = copy.place / told.rules[0]
    there = place.read_text().splitlines(keepends=True)
    place.write_text("".join(line for line in there if not row["text"].startswith(line.split(",")[0])))
    if states(copy.run()[2]).get(row["id"]) == "proposed":
        yield f"{row['id']} ({row['text']}) is proposed with no rule for its payee"


def without_number(told, row, numbers):
    text = re.sub("|".join(map(re.escape, numbers)), "", row["text"]) if numbers else row["text"]
    return {told.text: text}


def sold(told, row, numbers, invoices):
    """Changes after which a match to invoices must be none."""
    paid = [invoice for invoice in invoices if invoice["number"] in numbers]
    second = [{**invoice, "number": f"{invoice['number'][:-1]}X{n}"} for n, invoice in enumerate(paid)]
    dearer = [{**i, "cents": int(i["cents"]) + (i is paid[0])} for i in invoices]
    no_number = without_number(told, row, numbers)
    yield "a second invoice of the same amount and no number", [*invoices, *second], no_number
    yield "an invoice of one cent more", dearer, {}
    yield "another payee and no number", invoices, {**no_number, told.payee: "Nobody Knows"}


def spoilt(told, text, cents):
    """A document after which a proposal must be none: its text, or None where it is gone."""
    whole, part = f"{abs(cents) // 100:,}".replace(",", "." if told.decimal == "," else ","), f"{abs(cents) % 100:02}"
    for amount in (f"{whole}{told.decimal}{part}", f"{abs(cents) // 100}{told.decimal}{part}"):
        if amount in text:
            yield "another total", text.replace(amount, f"1{amount}")
            break
    yield "a reminder in its place", re.sub(told.paper, "REMINDER", text)
    yield "no document", None


def tried(told):
    rows, invoices = fresh(told).run()[2], read(told.invoices)
    worth = {invoice["number"]: int(invoice["cents"]) for invoice in invoices}
    if not rows:
        yield f"{told.run} writes no {told.lines} with the ledger of before"
    if told.rules and pathlib.Path(told.rules[0]).read_bytes() != pathlib.Path(told.rules[1]).read_bytes():
        yield f"{told.rules[0]} is not {told.rules[1]}: whom the rules do not know is a question"
    for row in rows:
        documents = row["document"].split()
        if any(row["text"].startswith(payee) for payee in told.ask) and row["state"] not in ("question", "in-ledger"):
            yield f"{row['id']} is {row['state']}, and {row['text']} is always a question"
        if row["state"] == "matched" and documents and sum(worth.get(one, 0) for one in documents) == int(row["cents"]):
            for name, all_of, change in sold(told, row, documents, invoices):
                copy = fresh(told)
                write(copy.place / told.invoices, all_of)
                copy.line(row["id"], change)
                if states(copy.run()[2]).get(row["id"]) != "question":
                    yield f"{row['id']} ({row['text']}) is no question with {name}"
            copy = fresh(told)
            twin = copy.line(row["id"], {}, more=True)
            if [states(copy.run()[2]).get(one) for one in (row["id"], twin)].count("question") == 0:
                yield f"{row['id']} ({row['text']}) and its twin are both matched"
        for file in [pathlib.Path(told.documents, one) for one in documents if row["state"] == "proposed"]:
            for name, text in spoilt(told, file.read_text() if file.is_file() else "", int(row["cents"])):
                copy = fresh(told)
                if text is None:
                    (copy.place / file).unlink(missing_ok=True)
                else:
                    (copy.place / file).write_text(text)
                if states(copy.run()[2]).get(row["id"]) == "proposed":
                    yield f"{row['id']} ({row['text']}) is proposed with {name}"
        if row["state"] == "proposed" and told.rules:
            yield from ruled(told, row)
        if row["state"] == "proposed" and not documents:
            yield f"{row['id']} ({row['text']}) is proposed without a document"


def main():
    parser = argparse.ArgumentParser()
    options(parser)
    parser.add_argument("--before", required=True, help="the ledger as it was")
    parser.add_argument("--rules", type=lambda pair: pair.split("="), default=(), help="the rules, a payee at the start of a line, and as they were")
    parser.add_argument("--ask", action="append", default=[], help="a payee that the owner is always asked about")
    parser.add_argument("--paper", default=r"(?i)\b(invoice|receipt|rechnung|quittung)\b", help="words that make a document")
    wrong = list(tried(parser.parse_args()))
    print("\n".join(wrong[:12]) or "what is ambiguous becomes a question")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
