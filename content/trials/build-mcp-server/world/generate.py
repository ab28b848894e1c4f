"""generate.py SEED DATA: a help desk's records; calls.json is made of two of them by setup.sh."""

import json
import random
import sys

seed, target = int(sys.argv[1]), sys.argv[2]
draw = random.Random(seed)
first, last = ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn"], ["Moser", "Huber", "Lang", "Wolf"]
things = ["printer", "login", "invoice", "screen", "network", "keyboard", "backup", "licence"]
states = ["is broken", "does not start", "shows an error", "is slow", "got lost"]
customers = [{"id": f"C{n:02}", "name": f"{a} {b}", "email": f"{a}.{b}{draw.randrange(99)}@example.com".lower(), "tickets": []}
             for n, (a, b) in enumerate((a, b) for a in first for b in last)]
tickets = []
for n in range(1, 132 + seed % 7):
    owner = draw.choice(customers)
    one = {"id": f"T-{n:04}", "title": f"The {draw.choice(things)} {draw.choice(states)} ({draw.randrange(1000)})",
           "st": draw.choice([0, 0, 0, 1, 2]), "cust": owner["id"], "score": draw.random(), "trace": "x" * 1500,
           "comments": [{"by": draw.choice(["desk", owner["name"]]), "text": f"Note {draw.randrange(10**6)}"} for _ in range(2)]}
    tickets.append(one)
    owner["tickets"] += [one["id"]] if one["st"] != 2 else []
json.dump({"tickets": tickets, "customers": customers}, open(target, "w"))
