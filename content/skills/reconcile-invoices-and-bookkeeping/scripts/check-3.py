"""Step 3: every line of the statements has one row, a row that is in the ledger names entries that add up, and the run says so.

    check-3.py --run 'python3 reconcile.py' --money bank=1200 --money card=1210 [--balances statements/balances.csv] ...

The command runs in copies of this folder: as it is; without the last line of a statement, and without both sides of a transfer
(it has to stop, to name the account and to write nothing); with one more line that nobody knows, and with a twin of a line that is in the ledger (one row more, one
line more that is open). Formats are said in `books.py`, the other options by --help.
"""

import argparse
import sys

from books import Copy, doubles, effect, options, read, statements, states


def rows_stand(told):
    there, rows = statements(told), read(told.lines)
    yield from (f"{told.lines} has no row for {line}" for line in sorted(there.keys() - {row["id"] for row in rows}))
    yield from (f"{told.lines}: {row['id']} is no line of a statement" for row in rows if row["id"] not in there)
    yield from (f"{told.lines} has two rows for {line}" for line in doubles(row["id"] for row in rows))
    ledger, serves = {entry["id"]: entry for entry in read(told.ledger)}, []
    for row in rows:
        account, cents = there.get(row["id"], ("", 0))
        ids = row["ledger_ids"].split() if row["state"] == "in-ledger" else []
        if account and int(row["cents"]) != cents:
            yield f"{row['id']} has {row['cents']} cents, and the statement {cents}"
        elif account and row["state"] == "in-ledger":
            said = sum(effect(told, ledger[one], account) for one in ids if one in ledger)
            serves += [f"{one} on {account}" for one in ids]
            if not ids or said != cents:
                yield f"{row['id']} is said to be in the ledger, whose entries {ids} make {said} of {cents} cents"
    yield from (f"{one} serves two lines" for one in doubles(serves))


def left(rows):
    return sum(row["state"] != "in-ledger" for row in rows)


def says(name, code, output, rows):
    """What is wrong with what a run says of its own rows."""
    if not output.startswith(f"{left(rows)} "):
        yield f"{name}: {left(rows)} lines are open, and the output opens with {output[:40]!r}"
    if (code == 0) != (left(rows) == 0):
        yield f"{name}: {left(rows)} lines are open, and the exit code is {code}"


def sides(told):
    """Two lines of two accounts that cancel out, where there are any."""
    there = statements(told).items()
    return next(((a, b) for a, (one, cents) in there for b, (other, back) in there if one < other and cents == -back), ())


def tried(told):
    code, output, rows = Copy(told).run()
    if not rows:
        yield f"{told.run} writes no {told.lines}: {output[-300:]}"
        return
    yield from says("as it is", code, output, rows)
    if states(rows) != states(read(told.lines)):
        yield f"{told.lines} is not what {told.run} writes"
    copy, pair = Copy(told), sides(told)
    for line in pair:
        copy.line(line, None)
    code, output, now = copy.run() if pair else (2, "", [])
    if code == 0 or now or any(line.split("/")[0] not in output for line in pair[:1]):
        yield f"without {pair[0]} and {pair[1]}, the two sides of a transfer, the run does not stop and name the account"
    last = {line.rpartition("/")[0]: line for line in statements(told)}
    for line in last.values():
        copy = Copy(told)
        copy.line(line, None)
        code, output, now = copy.run()
        if code == 0 or now or line.split("/")[0] not in output:
            yield f"without the last line of {line.rpartition('/')[0]} the run does not stop and name the account"
        twin = next((row["id"] for row in reversed(rows) if row["state"] == "in-ledger" and row["id"].startswith(line.rpartition("/")[0] + "/")), None)
        unknown = {told.payee: "Nobody Knows", told.text: "no such thing", told.amount: f"-13{told.decimal}37"}
        for name, source, change in (("a line that nobody knows", line, unknown), (f"a twin of {twin}", twin, {})):
            copy = Copy(told)
            more = source and copy.line(source, change, more=True)
            code, output, now = copy.run() if more else (0, "", rows)
            if more and (len(now) != len(rows) + 1 or left(now) != left(rows) + 1 or more not in states(now)):
                yield f"with {name} there are {len(now)} rows and {left(now)} open ones, before {len(rows)} and {left(rows)}"
            elif more:
                yield from says(f"with {name}", code, output, now)


def main():
    parser = argparse.ArgumentParser()
    options(parser)
    told = parser.parse_args()
    wrong = list(rows_stand(told)) or list(tried(told))
    print("\n".join(wrong[:12]) or "every line has one row, and the run says what is open")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
