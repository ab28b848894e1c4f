# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""The outcome: tables as they lie there, and what fetch.py and load.py make of a source of the grader's own."""

import csv
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

GIVEN = {
    "with_source.py": "0db948691e63fd0bf04e7f92550cce86ac026742885b6ca9a60aba811e82d8c1",
    "closed.txt": "c86a0cc60ed50f6f5922469b279be996776837a1d0ad3749a281799a2db61ff1",
    "outside.csv": "95db6e846ccbf9ca52c34fd22e939af0086a9d3b449a89a5e377f70caf8fc03a",
    "source/day-1.json": "309e3e0f8e29fbc4fc5665a317ba1492c4a14a40725d9fcb494b0336950a2c13",
    "source/day-2.json": "05ca0a4bdd0bc2c688ec625427cdc5d5239c7d098d7169b602f752bf32f64d2d",
}
FIELDS = "items.[].at items.[].id items.[].label items.[].location.lat items.[].location.town items.[].quality items.[].river"
FIELDS += " items.[].station items.[].status items.[].value meta.agency next"
URL = "http://127.0.0.1:8099"


def failed(why):
    print(why)
    sys.exit(10)


def data(path, most=5_000_000):
    try:
        if os.path.islink(path):
            failed(f"{path} is a link")
        with open(path, "rb") as file:
            return file.read(most)
    except OSError as error:
        failed(f"{path}: {error}")


def expected(days):
    stations, readings, rejects = {}, {}, set()
    for day in days:
        for row in stations.values():
            row[-1] = 1
        for item in filter(None, day["stations"]):
            stations[item["id"]] = [item["label"], item["status"], item["location"]["town"], item.get("river"), 0]
        for item in day["readings"]:
            if item["station"] in stations:
                readings[item["station"], item["at"]] = item["value"]
            else:
                rejects.add(("readings", f"{item['station']}|{item['at']}"))
    return stations, readings, rejects


def tables(path):
    """What the database holds, or why that cannot be said."""
    with tempfile.TemporaryDirectory() as place:
        for end in ("", "-wal", "-journal"):
            if not end or os.path.exists(path + end):
                Path(place, f"base.db{end}").write_bytes(data(path + end, 50_000_000))
        try:
            base = sqlite3.connect(Path(place, "base.db"))
            rows = [
                base.execute(query).fetchmany(100_000)
                for query in (
                    "SELECT id, label, status, town, river, gone FROM stations",
                    "SELECT station, at, value FROM readings",
                    "SELECT feed, key FROM rejects WHERE length(reason) > 0",
                )
            ]
        except sqlite3.Error as error:
            return str(error)
    found = ({row[0]: list(row[1:]) for row in rows[0]}, {row[:2]: row[2] for row in rows[1]}, set(rows[2]))
    doubled = [len(one) for one in rows] != [len(one) for one in found]
    return "a row is there twice" if doubled else found


def compare(path, days, what):
    found, wanted = tables(path), expected(days)
    if isinstance(found, str):
        failed(f"{what}: {found}")
    for name, ours, theirs in zip(("stations", "readings", "rejects"), wanted, found):
        if ours != theirs:
            odd = sorted(set(ours) ^ set(theirs))[:3] if set(ours) != set(theirs) else "values"
            failed(f"{what}: {name} are others: {odd}")


def child(command):
    done = subprocess.run([os.environ["CHILD"], command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout[:100_000].decode(errors="replace")


def must(command, what):
    code, text = child(command)
    if code:
        failed(f"{what} ended with {code}: {text[-300:]}")


for name, known in GIVEN.items():
    if hashlib.sha256(data(name)).hexdigest() != known:
        failed(f"{name} was changed")
one, two = (json.loads(data(f"source/day-{number}.json")) for number in (1, 2))
compare("flood.db", [one, two], "flood.db")
for number, day in ((1, one), (2, two)):
    found = {"stations": set(), "readings": set()}
    for place in Path("raw", f"day-{number}").glob("*-*.json"):
        try:
            page = json.loads(data(place))
            feed = place.name.split("-")[0]
            found[feed] |= {json.dumps(item, sort_keys=True) for item in page["items"]}
        except (ValueError, KeyError, TypeError) as error:
            failed(f"{place}: {error!r}")
    for feed, items in found.items():
        if items != {json.dumps(item, sort_keys=True) for item in day[feed] if item}:
            failed(f"raw/day-{number} has not all {feed} as they came")
lines = list(csv.DictReader(data("differences.csv").decode(errors="replace").splitlines()))
if sorted((line.get("side"), line.get("key")) for line in lines) != [("missing", f"M{number}") for number in range(1, 6)]:
    failed("differences.csv has other keys")
if not all(line.get("reason") for line in lines):
    failed("a difference without a reason")
lines = list(csv.reader(data("columns.csv").decode(errors="replace").splitlines()))[1:]
if {line[0] for line in lines if line} != set(FIELDS.split()):
    failed("columns.csv has other fields")
if b"150" not in data("contract.md"):
    failed("contract.md does not say the largest page")


def station(number, label=""):
    place = {"town": f"T{number % 9}", "lat": 52.5}
    return {"id": f"{number:03}" if number % 3 else f"s{number}", "label": f"L{number % 11}{label}", "status": "Active", "location": place}


def day(stations, days, plus=0.0):
    names = [item["id"] for item in stations if item] + ["0900"]
    found = [
        {"station": name, "at": f"2026-04-{number:02}T{hour:02}:00:00Z", "value": round(number + hour / 7 + place + (plus if place % 9 == 0 else 0), 2)}
        for number in days
        for hour in (0, 12)
        for place, name in enumerate(names)
    ]
    return {"largest": 150, "stations": stations, "readings": found}


first = [station(number) for number in range(1, 61)]
first[25:25] = [None, None]
later = [item and (station(9, "!") if item["id"] == "s9" else item) for item in first] + [station(number) for number in range(70, 75)]
later[6] = None
first, later = day(first, (1, 2, 3)), day(later, (2, 3, 4), 0.5)
more = day([first["stations"][6], *(item for item in later["stations"] if item)], tuple(range(2, 20)), 0.25)
other = Path("other-raw")
shutil.rmtree(other, ignore_errors=True)
for stale in Path(".").glob("other*.db*"):
    stale.unlink()
other.mkdir()
other.chmod(0o777)
shutil.copy(Path(os.environ["GRADER"], "other_source.py"), "other_source.py")
for name, whole in (("other-1", first), ("other-2", later), ("other-3", more)):
    Path("source", f"{name}.json").write_text(json.dumps(whole))


def fetch(name, folder, more="", before=""):
    return f"{before} python3 other_source.py {name} python3 fetch.py {URL} {folder} {more}"


def load(folder, base="other.db"):
    return f"python3 load.py {folder} {base}"


must(fetch("other-1", "other-raw/1", "--page 20"), "a fetch")
must(load("other-raw/1"), "a load")
compare("other.db", [first], "another source")
must(load("other-raw/1"), "a second load")
compare("other.db", [first], "a second load")
must(fetch("other-2", "other-raw/2", "--page 7"), "a fetch of small pages")
must(load("other-raw/2"), "a load of the next day")
compare("other.db", [first, later], "the next day")
child(f"SLOW=0.05 python3 other_source.py other-2 timeout -s KILL 0.9 python3 fetch.py {URL} other-raw/3 --page 7")
must(fetch("other-2", "other-raw/3", "--page 7"), "a fetch after a kill")
must(load("other-raw/3", "other-3.db"), "its load")
compare("other-3.db", [later], "after a kill")
for name in ("other-1", "other-2"):
    must(fetch(name, "other-raw/5", "--page 20"), "a fetch into a folder of another day")
must(load("other-raw/5", "other-5.db"), "its load")
compare("other-5.db", [later], "after another day in the same folder")
for fault in ("down", "page"):
    if child(fetch("other-1", f"other-raw/{fault}", before=f"FAULT={fault}"))[0] in (0, 124):
        failed(f"a fetch is green on a source that is {fault}")

must(fetch("other-3", "other-raw/4"), "a fetch of many days")
most = os.path.getsize("other.db") // 1024 + 24
code, _ = child(f"ulimit -f {most}; {load('other-raw/4')}")
if code:
    compare("other.db", [first, later], "a load that found no room")
    must(load("other-raw/4"), "a load after that")
compare("other.db", [first, later, more], "many days")


def planted(name, feed, edit):
    folder = other / name
    shutil.copytree(other / "4", folder)
    done = False
    for place in sorted(folder.glob(f"{feed}-*.json")):
        page = json.loads(place.read_text())
        if page["items"] and not done:
            done = edit(page["items"])
            place.unlink()
            place.write_text(json.dumps(page))
    for place in (folder, *folder.iterdir()):
        place.chmod(0o777)
    code, text = child(load(f"other-raw/{name}"))
    if code in (0, 124) or f"failed: {name}" not in text:
        failed(f"{name} was planted, and the load ended with {code}: {text[-200:]}")
    compare("other.db", [first, later, more], f"after {name}")


def put(field, value):
    return lambda items: bool(items[-1].update({field: value})) or True


def dropped(items):
    items[:] = [item for item in items if not item["at"].startswith("2026-04-05")]
    return False


planted("unique", "readings", lambda items: bool(items.append({**items[2], "value": 99.5})) or True)
planted("not_null", "stations", put("id", None))
planted("accepted_values", "stations", put("status", "Broken"))
planted("relationships", "readings", put("station", "nowhere"))
planted("days", "readings", dropped)
planted("shrunk", "stations", lambda items: bool(items.clear()))
print("all of both feeds, on both days and on others")
