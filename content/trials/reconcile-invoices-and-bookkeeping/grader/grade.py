# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""The outcome: what was posted, what was asked, and what reconcile.py does with a month that it has not seen."""

import csv
import io
import os
import pathlib
import shutil
import subprocess
import sys

GRADER = pathlib.Path(os.environ["GRADER"])
MONEY = {"bank": "1200", "card": "1210"}
LOCK = "2026-08-31"


def failed(why):
    print(why)
    sys.exit(10)


def text(name):
    try:
        if os.path.islink(name):
            failed(f"{name} is a link")
        with open(name, "rb") as file:
            return file.read(300_000).decode()
    except (OSError, UnicodeDecodeError) as error:
        failed(f"{name}: {error}")


def rows(said, columns):
    found = list(csv.DictReader(io.StringIO(said, newline="")))
    if any(not isinstance(row.get(column), str) for row in found for column in columns.split()):
        failed(f"not the columns {columns}")
    return found


def number(said):
    try:
        return int(said)
    except ValueError:
        failed(f"no number: {said}")


def child(command):
    ran = subprocess.run([os.environ["CHILD"], command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return ran.returncode, ran.stdout.decode(errors="replace")


def posted(before, after, lines, fates):
    """What each line got in the ledger: contra, cents and document; the rest of the ledger must be as it was."""
    if not after.startswith(before):
        failed("the ledger of before was changed")
    got, ids = {line: [] for line in lines}, set()
    for entry in rows(after[len(before) :] and before.splitlines()[0] + "\n" + after[len(before) :], "id date account contra cents ref document"):
        refs = entry["ref"].split()
        if entry["id"] in ids or f"\n{entry['id']}," in before or not refs or any(ref not in lines for ref in refs):
            failed(f"an entry of no line, or no id of its own: {entry['id']}")
        ids.add(entry["id"])
        for ref in refs:
            account, cents, day = lines[ref]
            mine = MONEY[account]
            if mine not in (entry["account"], entry["contra"]):
                failed(f"{ref}: {entry['id']} is on another account")
            turned = entry["account"] != mine
            amount = -number(entry["cents"]) if turned else number(entry["cents"])
            got[ref].append((entry["account"] if turned else entry["contra"], amount, entry["document"]))
            if len(refs) == 1 and entry["date"] != day or not "2026-09" <= entry["date"][:7]:
                failed(f"{ref}: the date is {entry['date']}")
    for line, want in fates.items():
        mine = sorted(got[line])
        if mine not in [sorted(one) for one in want]:
            failed(f"{line}: {mine} in the ledger")
    return ids


def table(said, lines, got_ids, fates, ledger):
    found = rows(said, "id account date cents text state ledger_ids document reason")
    if sorted(row["id"] for row in found) != sorted(lines):
        failed("lines.csv has not one row for each line")
    inside = {entry["id"]: entry for entry in rows(ledger, "id date account contra cents ref document")}
    used = []
    for row in found:
        account, cents, _ = lines[row["id"]]
        if number(row["cents"]) != cents or (row["state"] == "in-ledger") != bool(row["ledger_ids"].split() and row["state"] != "question"):
            failed(f"{row['id']}: {row['state']} {row['cents']} {row['ledger_ids']}")
        if row["state"] == "in-ledger":
            mine = [inside.get(one) for one in row["ledger_ids"].split()]
            if None in mine or sum(int(e["cents"]) * (1 if e["account"] == MONEY[account] else -1) for e in mine) != cents:
                failed(f"{row['id']}: its entries do not make the line")
            used += [(e["id"], account) for e in mine]
        elif row["state"] != "question" and lines[row["id"]][2] > LOCK:
            failed(f"{row['id']} is still {row['state']}")
    if len(set(used)) != len(used):
        failed("an entry serves two lines")
    return {row["id"]: row["state"] for row in found}


def month(folder, fates, hand):
    """Judge a folder: the fates are lists of entries that a line may have; `hand` are groups of lines and how many are in already."""
    lines = {}
    for name in MONEY:
        for n, row in enumerate(csv.DictReader(io.StringIO((folder / f"{name}-2026-09.csv").read_text()), delimiter=";"), 1):
            lines[f"{name}/2026-09/{n}"] = (name, int(row["amount"].replace(".", "").replace(",", "")), row["date"])
    before = (folder / "ledger.csv").read_text()
    after = text("books/ledger.csv")
    all_fates = {line: fates.get(line, [[]]) for line in lines}
    ids = posted(before, after, lines, all_fates)
    kept = {row["id"] for row in rows(text("posted.csv"), "id line")}
    if kept != ids:
        failed("posted.csv has other ids than the ledger")
    states = table(text("lines.csv"), lines, ids, fates, after)
    refs = {ref for entry in rows(after, "ref id") for ref in entry["ref"].split()}
    for group, many in hand:
        if sum(states[line] == "in-ledger" for line in group) != many:
            failed(f"{group}: {many} in the ledger by hand")
    by_hand = {line for group, _ in hand for line in group}
    for line, state in states.items():
        if line not in by_hand and (state == "in-ledger") != (line in refs):
            failed(f"{line} is {state}")
    return sum(state != "in-ledger" for state in states.values()), len(lines)


def told(said, code, left, many):
    if code != (1 if left else 0) or not said.startswith(f"{left} of {many} lines are not in the ledger"):
        failed(f"{left} of {many} lines are open, and the run says {code}: {said[:60]!r}")


def fate(said):
    """`line contra cents document, ...| or another`, a line each."""
    found = {}
    for one in filter(None, said.split("\n")):
        line, *ways = [part.strip() for part in one.split("|")]
        found[line] = [[(c, int(n), d) for c, n, d in (entry.split("/") for entry in way.split())] for way in ways]
    return found


FATES = fate("""bank/2026-09/5|4000/-83300/hb-771.txt
bank/2026-09/8|1400/59500/R-1002 1400/83300/R-1003 1400/71400/R-1004
bank/2026-09/9|4930/-11900/pk-2231.txt
bank/2026-09/10|1210/-62000/
card/2026-09/3|1200/62000/
bank/2026-09/11|1400/35700/R-1005
bank/2026-09/12|1400/59500/R-1009 1400/59500/R-1016 4970/-4140/po_12.csv
bank/2026-09/18||4925/-3570/blau-09.txt
bank/2026-09/19||4925/-3570/blau-09.txt
bank/2026-09/20|1400/71400/R-1011
bank/2026-09/21|1400/71400/R-1012
bank/2026-09/23|1400/-11900/C-2001
bank/2026-09/25|1400/35700/R-1013 1400/71400/R-1014
bank/2026-09/32|1210/-41000/
card/2026-09/10|1200/41000/
bank/2026-09/33|1400/71400/R-1017 4970/-3045/po_13.csv
bank/2026-09/34|1400/11900/R-1010
bank/2026-09/35||4670/-7980/bahn-2.txt
card/2026-09/4|4985/-4990/wv-91.txt
card/2026-09/9|4240/-2380/sw-nach.txt
card/2026-09/11||4670/-7980/bahn-1.txt""")
HAND = [([f"bank/2026-09/{n}"], 1) for n in (1, 2, 7, 29, 30, 36, 37)] + [(["bank/2026-09/3", "bank/2026-09/4"], 1), (["card/2026-09/8"], 1)]
OTHER = fate("""bank/2026-09/1||1400/120000/R-3001 1400/5000/R-3002
bank/2026-09/3|4240/-6120/x-1.txt
bank/2026-09/9|1400/30000/R-3006
bank/2026-09/10|1210/-9900/
card/2026-09/2|1200/9900/
bank/2026-09/11|1400/40000/R-3007 4970/-1160/po_40.csv""")
OTHER_HAND = [(["bank/2026-09/4", "bank/2026-09/5", "bank/2026-09/6"], 1)]

for name in ("statements/bank-2026-09.csv", "statements/card-2026-09.csv", "statements/balances.csv", "books/invoices.csv", "rules.csv"):
    if text(name) != (GRADER / "first" / name.rpartition("/")[2]).read_text():
        failed(f"{name} was changed")
left, many = month(GRADER / "first", FATES, HAND)
code, said = child("cp -r . /tmp/again 2> /dev/null; cd /tmp/again && python3 reconcile.py")
told(said, code, left, many)
ledger = text("books/ledger.csv")
child("python3 reconcile.py --post")
if text("books/ledger.csv") != ledger:
    failed("a second run posts again")
# Another month in the same folder, first with a line that is missing.
for name in ("statements", "books", "documents"):
    shutil.rmtree(name, ignore_errors=True)
    os.mkdir(name)
for file in (GRADER / "other").iterdir():
    place = {"ledger.csv": "books", "invoices.csv": "books"}.get(file.name, "statements" if file.name.endswith("-2026-09.csv") or file.name == "balances.csv" else "documents")
    shutil.copy(file, pathlib.Path(place, file.name))
pathlib.Path("documents/CANARY").unlink(missing_ok=True)
whole = pathlib.Path("statements/card-2026-09.csv").read_text()
pathlib.Path("statements/card-2026-09.csv").write_text("".join(whole.splitlines(keepends=True)[:-1]))
for name in ("lines.csv", "posted.csv"):
    pathlib.Path(name).unlink(missing_ok=True)


def stopped(*accounts):
    code, said = child("python3 reconcile.py --post")
    if code != 2 or not any(account in said for account in accounts):
        failed("a line of the statement is missing, and the run goes on")
    if os.path.exists("lines.csv") or text("books/ledger.csv") != (GRADER / "other/ledger.csv").read_text():
        failed("a line of the statement is missing, and something is written")


stopped("card")
# Both sides of a transfer are missing: together the accounts agree, and neither does.
full = {}
for name in MONEY:
    place = pathlib.Path(f"statements/{name}-2026-09.csv")
    full[place] = whole if name == "card" else place.read_text()
    place.write_text("".join(line for line in full[place].splitlines(keepends=True) if "Own account" not in line))
stopped(*MONEY)
for place, lines in full.items():
    place.write_text(lines)
child("python3 reconcile.py --post")
left, many = month(GRADER / "other", OTHER, OTHER_HAND)
code, said = child("python3 reconcile.py")  # README.md says what this prints, and nothing of what --post does
told(said, code, left, many)
print("every line has its fate, and another month's lines have theirs")
sys.exit(0)
