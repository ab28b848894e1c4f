#!/bin/bash
# The source on two days, the same each time.
set -euo pipefail
python3 - <<'PY'
import csv
import json
import random
from pathlib import Path

draw = random.Random(29).random  # `random()` alone is the same in every Python
RIVERS = ["Aller", "Bode", "Elbe", None, "Oker"]


def station(number, name):
    about = {"id": name, "label": f"Weir {number % 90}", "status": "Suspended" if number % 31 == 7 else "Active"}
    about["location"] = {"town": f"Town {number % 70}", "lat": round(52 + draw(), 4)}
    if number % 5 != 3:  # not every station tells its river
        about["river"] = RIVERS[number % 5]
    return about


names = [f"{number:04}" if number % 2 else f"E{number * 7}" for number in range(1, 361)]
names[100:104] = ["171", "0171", "e854", "E0854"]
names = list(dict.fromkeys(names))
one = [station(number, name) for number, name in enumerate(names)]
for place in (150, 151, 202, 335):
    one.insert(place, None)  # taken down: its place in the pages is empty
closed = ["0900", "E6301"]


def measured(stations, days):
    for day in days:
        for hour in (0, 12):
            for name in [item["id"] for item in stations if item] + closed:
                yield {"station": name, "at": f"2026-03-{day:02}T{hour:02}:00:00Z", "value": round(draw() * 4, 2), "quality": "raw"}


first = list(measured(one, (1, 2, 3)))
two = [item and json.loads(json.dumps(item)) for item in one]
for place in (5, 77, 205, 300):
    two[place]["label"] += " (new)"
two[9]["status"] = "Closed"
two[41] = two[233] = None
two += [station(number, f"N{number}") for number in range(700, 706)]
gone = {one[41]["id"], one[233]["id"]}
second = [dict(item) for item in first if item["station"] not in gone]
for number in range(60, len(second), 200):
    second[number]["value"] = round(second[number]["value"] + 1, 2)
second += measured(two, (4,))
Path("source").mkdir()
Path("source/day-1.json").write_text(json.dumps({"largest": 150, "stations": one, "readings": first}))
Path("source/day-2.json").write_text(json.dumps({"largest": 150, "stations": two, "readings": second}))
Path("closed.txt").write_text("\n".join(closed) + "\n")
with open("outside.csv", "w", newline="") as file:
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["id", "label", "type"])
    rows = [[item["id"], item["label"], "gauge"] for item in two if item] + [[f"M{number}", f"Staff {number}", "manual"] for number in range(1, 6)]
    table.writerows(sorted(rows))
PY
