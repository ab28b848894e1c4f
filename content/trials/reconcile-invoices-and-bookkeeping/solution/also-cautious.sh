#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Another program: candidates are gathered first, whatever two lines want is a question; transfers from the card's side.
set -euo pipefail
cat > reconcile.py <<'PY'
import collections
import csv
import datetime
import glob
import itertools
import os
import re
import sys

ACCOUNT = {"bank": 1200, "card": 1210}
read = lambda name, d=",": list(csv.DictReader(open(name, newline=""), delimiter=d))
day = datetime.date.fromisoformat
Line = collections.namedtuple("Line", "id account date cents payee text")
Way = collections.namedtuple("Way", "state why uses parts", defaults=((),))  # parts: contra, cents, document


def lines():
    for b in read("statements/balances.csv"):
        total = int(b["opening_cents"])
        for n, r in enumerate(read(f"statements/{b['account']}-{b['statement']}.csv", ";"), 1):
            amount = int(re.sub("[.,]", "", r["amount"]))
            total += amount
            yield Line(f"{b['account']}/{b['statement']}/{n}", b["account"], day(r["date"]), amount, r["payee"], r["text"])
        if total != int(b["closing_cents"]):
            sys.exit(print("not whole:", b["account"], b["statement"]) or 2)


def side(e, account):
    return int(e["cents"]) if e["account"] == str(ACCOUNT[account]) else -int(e["cents"]) if e["contra"] == str(ACCOUNT[account]) else 0


def ways(l, all_lines, ledger, unpaid, papers, rules):
    """Everything that a line could be, by the first rule that says anything."""
    mine = [e for e in ledger if l.id in e["ref"].split()]
    if mine and sum(side(e, l.account) for e in mine) == l.cents:
        return [Way("in-ledger", "reference", [e["id"] for e in mine])]
    near = [e for e in ledger if not e["ref"] and side(e, l.account) == l.cents and l.payee in e["text"] and abs(day(e["date"]) - l.date).days <= 5]
    if near:
        return [Way("in-ledger", "entry of that amount and payee", [e["id"]]) for e in near]
    if l.payee == "Own account":
        pairs = [x for x in all_lines if x.payee == l.payee and x.account != l.account and x.cents == -l.cents and abs(x.date - l.date).days <= 5]
        return [Way("transfer", x.id, [f"to {x.id}"], [(1200, l.cents, "")] if l.account == "card" else ()) for x in pairs]
    report = re.search(r"po_\d+", l.text)
    if report and os.path.exists(f"documents/{report[0]}.csv"):
        rows = [(r["what"], int(r["cents"])) for r in read(f"documents/{report[0]}.csv")]
        if sum(c for _, c in rows) == l.cents and all(unpaid.get(w) == c or w == "fee" for w, c in rows):
            parts = [(4970, c, f"{report[0]}.csv") if w == "fee" else (1400, c, w) for w, c in reversed(rows)]
            return [Way("matched", "payout", [w for w, _ in rows if w != "fee"], parts)]
        return []
    named = re.findall(r"[RC]-\d{4}", l.text)
    if named:
        if all(n in unpaid for n in named) and sum(unpaid[n] for n in named) == l.cents:
            return [Way("matched", "numbers", named, [(1400, unpaid[n], n) for n in named])]
        return []
    if l.cents > 0:
        told = {n for x in all_lines for n in re.findall(r"[RC]-\d{4}", x.text)}
        own = [n for n, c in unpaid.items() if customer[n] == l.payee and n not in told]
        every = itertools.chain.from_iterable(itertools.combinations(own, k) for k in range(1, 1 + len(own)))
        return [Way("matched", "customer and sum", list(c), [(1400, unpaid[n], n) for n in c]) for c in every if sum(map(unpaid.get, c)) == l.cents]
    if rules.get(l.payee, "ask") != "ask":
        fits = [n for n, p in papers.items() if p["Supplier"] == l.payee and p["cents"] == -l.cents and 0 <= (l.date - day(p["Date"])).days <= 60]
        return [Way("proposed", "rule and document", [n], [(int(rules[l.payee]), l.cents, n)]) for n in fits]
    return []


def decide():
    ledger = read("books/ledger.csv")
    paid = collections.Counter()
    for e in ledger:
        paid[e["document"]] += int(e["cents"]) if e["contra"] == "1400" else 0
    for i in read("books/invoices.csv"):
        customer[i["number"]] = i["customer"]
    unpaid = {i["number"]: int(i["cents"]) for i in read("books/invoices.csv") if paid[i["number"]] != int(i["cents"])}
    papers = {}
    for name in glob.glob("documents/*.txt"):
        text = open(name).read()
        if re.match("(INVOICE|RECEIPT)\n", text) and os.path.basename(name) not in {e["document"] for e in ledger}:
            papers[os.path.basename(name)] = p = dict(re.findall(r"(?m)^(\w+): (.+)", text))
            p["cents"] = int(re.sub(r"\D", "", p["Total"]))
    rules = {r["payee"]: r["account"] for r in read("rules.csv")}
    every = list(lines())
    could = {l: ways(l, every, ledger, unpaid, papers, rules) for l in every}
    wanted = collections.Counter(u for all_of in could.values() for u in {u for w in all_of for u in w.uses} if not u.startswith("L"))
    taken = {}
    for l in reversed(every):  # of equal lines the last has the entry
        twins = [x for x in every if x[1:] == l[1:]]
        if could[l] and could[l][0].state == "in-ledger":
            want = {w.uses[0] for w in could[l]}
            rivals = [x for x in every if x not in twins and could[x] and could[x][0].state == "in-ledger" and want & {w.uses[0] for w in could[x]}]
            free = [w for w in could[l] if taken.setdefault(w.uses[0], l) in (l, *[x for x in every if could[l][0].why == "reference"])]
            could[l] = free if not rivals or could[l][0].why == "reference" else free * 2
        elif len(could[l]) == 1 and any(wanted[u] > 1 for u in could[l][0].uses):
            could[l] = could[l] * 2
    return every, could


def table():
    every, could = decide()
    left = 0
    with open("lines.csv", "w") as out:
        write = csv.writer(out)
        write.writerow("id,account,date,cents,text,state,ledger_ids,document,reason".split(","))
        for l in every:
            w = could[l][0] if len(could[l]) == 1 else Way("question", f"{len(could[l])} ways", [])
            ids = " ".join(w.uses) if w.state == "in-ledger" else ""
            documents = " ".join(u for u in w.uses if not u.startswith("to ")) if not ids else ""
            write.writerow([l.id, l.account, l.date, l.cents, f"{l.payee} {l.text}", w.state, ids, documents, w.why])
            left += w.state != "in-ledger"
    return left, len(every)


def post():
    every, could = decide()
    number = int(read("books/ledger.csv")[-1]["id"][1:])
    with open("books/ledger.csv", "a") as out:
        for l in sorted(every, key=lambda l: l.date):
            if len(could[l]) == 1 and l.date > datetime.date(2026, 8, 31):
                for contra, cents, document in could[l][0].parts:
                    number += 1
                    ref = f"{could[l][0].why} {l.id}" if could[l][0].state == "transfer" else l.id
                    csv.writer(out, lineterminator="\n").writerow([f"L{number}", l.date, ACCOUNT[l.account], contra, cents, f"{l.payee}, {l.text}", ref, document])
    with open("posted.csv", "w") as out:
        csv.writer(out).writerows([("id", "line"), *((e["id"], e["ref"]) for e in read("books/ledger.csv") if e["ref"])])


customer = {}
table()
if sys.argv[1:] == ["--post"]:
    post()
left, all_of_them = table()
print(f"{left} of {all_of_them} lines are not in the ledger")
sys.exit(left > 0)
PY
python3 reconcile.py --post || [ $? = 1 ]
