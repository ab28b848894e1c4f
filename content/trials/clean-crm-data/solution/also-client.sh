#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# By the client alone, child by child; candidates by blocks; addresses and phones in one form each.
set -euo pipefail
cat > /tmp/clean.py <<'PY'
import collections
import contextlib
import csv
import io
import sys

sys.path.insert(0, ".")
import crm


def client(*words):
    sys.argv = ["crm.py", *map(str, words)]
    with contextlib.redirect_stdout(io.StringIO()) as said:
        crm.main()
    return list(csv.DictReader(io.StringIO(said.getvalue())))


def write(name, rows):
    with open(name, "w", newline="") as file:
        out = csv.DictWriter(file, list(rows[0]))
        out.writeheader()
        out.writerows(rows)


def simple(email):
    user, at, host = email.lower().partition("@")
    return user.split("+")[0] + at + host


def dialled(phone):
    digits = "".join(filter(str.isdigit, phone))
    return f"+{digits}" if phone[:1] == "+" else f"+{digits[2:]}" if digits[:2] == "00" else f"+43{digits[1:]}" if digits else ""


def who(name):
    words = name.replace(",", " ").replace("Dr.", "").replace("Mag.", "").lower().split()
    return frozenset(words)


records = {row["id"]: row for row in client("--crm", "production", "records")}
held = collections.defaultdict(list)
for link in client("--crm", "production", "links"):
    held[link["record"]].append((link["type"], link["child"]))
kinds = ["deals", "tasks", "notes", "mails", "lists", "tickets", "invoices"]
write("before.csv", [{key: row[key] for key in ("id", "created", "consent", "owner")}
                     | {kind: " ".join(child for one, child in held[row["id"]] if one == kind) for kind in kinds} for row in records.values()])
people = {key: row for key, row in records.items() if row["created"] < "2026-10" and row["tags"] != "test"}
no = {key: row["customer_no"].lower().removeprefix("k").lstrip("-0") for key, row in people.items()}
blocks = collections.defaultdict(list)
for key, row in people.items():
    for sign in (("number", no[key]), ("mailbox", simple(row["email"])), ("phone", dialled(row["phone"])),
                 ("name and company", who(row["name"]) and (who(row["name"]), row["company"].lower()))):
        if sign[1] and sign[1] != "":
            blocks[sign].append(key)
found = collections.defaultdict(list)
for (kind, value), members in sorted(blocks.items(), key=str):
    for place, one in enumerate(members):
        for two in members[place + 1:]:
            found[two, one].append((kind, len({who(people[member]["name"]) for member in members}) > 1))
pairs, parent = [], {key: key for key in people}


def root(key):
    return key if parent[key] == key else root(parent[key])


for (one, two), signs in found.items():
    against = []
    if no[one] and no[two] and no[one] != no[two]:
        against.append("numbers")
    if any(shared for kind, shared in signs if kind in ("mailbox", "phone")):
        against.append("shared")
    sure = any(kind == "number" for kind, _ in signs) or (len(signs) > 1 and not against)
    pairs.append({"a": one, "b": two, "evidence": " + ".join(sorted(kind for kind, _ in signs)), "counter_evidence": "; ".join(against),
                  "band": "sure" if sure else "look"})
    if sure:
        parent[root(one)] = root(two)
write("pairs.csv", pairs)
clusters = collections.defaultdict(list)
for key in people:
    clusters[root(key)].append(key)
merges, dropped, work = [], [], []
for members in clusters.values():
    if len(members) == 1:
        continue
    able = [key for key in members if people[key]["status"] != "deleted"]
    able = [key for key in able if no[key]] or able
    survivor = max(able, key=lambda key: len(held[key]))
    losers = [key for key in members if key != survivor]
    row = dict(people[survivor])
    every = [people[key] for key in (survivor, *losers)]
    row["consent"] = next(word for word in ("no", "unknown", "yes") if any(one["consent"] == word for one in every))
    for field in ("created", "first_contact"):
        row[field] = min(one[field] for one in every)
    row["email"] = "; ".join(sorted({simple(one["email"]) for one in every} - {""}))
    row["phone"] = "; ".join(sorted({dialled(one["phone"]) for one in every} - {""}))
    row["tags"] = " ".join(sorted({word for one in every for word in one["tags"].split()}))
    for field in ("name", "company", "owner", "source", "customer_no"):
        row[field] = next((one[field] for one in every if one[field]), "")
    for field in row.keys() - {"id", "status", "merged_into"}:
        if row[field]:
            sources = [one["id"] for one in every if one[field] and one[field] == row[field]] or [one["id"] for one in every if one[field]]
            merges.append({"survivor": survivor, "losers": " ".join(losers), "field": field, "value": row[field], "source": " ".join(sources)})
    for key in losers:
        for field in ("name", "company", "owner", "source", "customer_no", "consent", "created", "first_contact"):
            if people[key][field] not in ("", row[field]):
                dropped.append({"survivor": survivor, "loser": key, "field": field, "value": people[key][field], "reason": f"rule: {field}"})
    work.append((survivor, losers, row))
write("merges.csv", merges)
write("dropped.csv", dropped)
for survivor, losers, row in work:
    client("set", survivor, *(f"{field}={value}" for field, value in row.items() if field != "id" and value != people[survivor][field]))
    for key in losers:
        for kind, child in held[key]:
            client("move", kind, child, key, survivor)
        client("archive", key, survivor)
PY
python3 -B /tmp/clean.py
