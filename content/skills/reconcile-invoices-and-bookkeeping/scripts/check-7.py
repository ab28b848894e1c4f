"""Step 7: what was posted is what posted.csv says, it adds up line by line, nothing else moved, and a second run posts nothing.

    check-7.py --run 'python3 reconcile.py --post' --money bank=1200 --before before/ledger.csv --lock 2026-08-31 --never 4999

The ledger as it was (--before) must stand unchanged at the head of the ledger as it is. Each new entry has an id of its own, a
date after --lock, the line's id as reference and a document; --never names accounts that get nothing (suspense, rounding).
Invoices are paid whole; no document stands behind two lines. Then the command runs again in a copy, and in one whose ledger was
broken off halfway: no entry may come twice; and on the ledger of before with the posted lines dated --lock: none may come. Formats are said in `books.py`, the other options by --help.
"""

import argparse
import collections
import pathlib
import sys

from books import Copy, doubles, effect, options, read, statements


def entries(told):
    """The entries that are new; the ledger may only have grown."""
    before, now = (pathlib.Path(name).read_text() for name in (told.before, told.ledger))
    return read(told.ledger)[len(read(told.before)) :] if now.startswith(before) else None


def added(told, new):
    lines, posted = statements(told), [row["id"] for row in read(told.posted)]
    days = {row["id"]: row["date"] for row in read(told.lines)}
    if sorted(posted) != sorted(entry["id"] for entry in new) or doubles(entry["id"] for entry in read(told.ledger)):
        yield f"the new ids are not those of {told.posted}, each once"
    sums, behind = collections.Counter(), {}
    accounts = {pair.split("=")[1] for pair in told.money}
    for entry in new:
        refs, who = entry["ref"].split(), f"{entry['id']} ({entry['text']}, {entry['cents']})"
        if not refs or any(ref not in lines for ref in refs):
            yield f"{who} has no line of a statement as its reference"
            continue
        if entry["date"] <= told.lock or entry["date"] not in {days.get(ref) for ref in refs}:
            yield f"{who} has the date {entry['date']}"
        if {entry["account"], entry["contra"]} & set(told.never):
            yield f"{who} goes to an account that gets nothing without an answer"
        for ref in refs:
            sums[ref] += effect(told, entry, lines[ref][0])
        if entry["contra"] != told.receivables and {entry["account"], entry["contra"]} - accounts:
            if not entry["document"] or not pathlib.Path(told.documents, entry["document"]).is_file():
                yield f"{who} has no document"
            elif behind.setdefault(entry["document"], refs) != refs:
                yield f"{entry['document']} stands behind {behind[entry['document']]} and {refs}"
    yield from (f"the entries of {ref} make {said} of {lines[ref][1]} cents" for ref, said in sums.items() if said != lines[ref][1])


def invoices(told, new):
    due = {invoice["number"]: int(invoice["cents"]) for invoice in read(told.invoices)}
    paid = collections.Counter()
    for entry in read(told.ledger):
        paid[entry["document"]] += int(entry["cents"]) if entry["contra"] == told.receivables else 0
    for number in sorted({entry["document"] for entry in new if entry["contra"] == told.receivables}):
        if paid[number] != due.get(number):
            yield f"invoice {number} of {due.get(number)} cents is paid with {paid[number]}"


def again(told, new):
    known = [[entry[key] for key in ("ref", "contra", "cents", "document")] for entry in new]
    head = pathlib.Path(told.ledger).read_text().splitlines(keepends=True)
    for name, keep in (("a second run", len(head)), ("a run after one that was broken off", len(head) - len(new) // 2)):
        copy = Copy(told)
        (copy.place / told.ledger).write_text("".join(head[:keep]))
        copy.run()
        later = [[entry[key] for key in ("ref", "contra", "cents", "document")] for entry in read(copy.place / told.ledger)]
        fresh = later[len(later) - len(known) :] if len(later) > len(head) - 1 else later[len(head) - 1 - len(new) :]
        if len(later) > len(head) - 1 or doubles(map(str, fresh)) or any(entry not in known for entry in fresh):
            yield f"{name} posts something that stands there, or something else"


def locked(told, new):
    copy, moved = Copy(told), sorted({ref for entry in new for ref in entry["ref"].split()} & statements(told).keys())
    pathlib.Path(copy.place, told.ledger).write_text(pathlib.Path(told.before).read_text())
    for line in moved:
        copy.line(line, {told.date: told.lock})
    copy.run()
    for entry in read(copy.place / told.ledger)[len(read(told.before)) :]:
        if entry["date"] <= told.lock or set(entry["ref"].split()) & set(moved):
            yield f"{entry['ref']}, dated {told.lock} in a copy, is posted in the closed period"


def main():
    parser = argparse.ArgumentParser()
    options(parser)
    for name in ("before", "lock"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--posted", default="posted.csv")
    parser.add_argument("--receivables", default="1400")
    parser.add_argument("--never", action="append", default=[])
    told = parser.parse_args()
    new = entries(told)
    if new is None:
        wrong = ["the ledger of before is not the head of the ledger: something was changed or put in another order"]
    else:
        wrong = [*added(told, new), *invoices(told, new), *again(told, new), *locked(told, new)]
    print("\n".join(wrong[:12]) or f"{len(new)} entries, each for its line, and a second run posts nothing")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
