#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A fetch that goes on where it was killed, and a load that stages in SQL, tests there and merges.
set -euo pipefail
. "$SHARED/work.inc"
cat > fetch.py <<'PY'
import json, os, sys, time, urllib.error, urllib.request
from pathlib import Path

words = sys.argv[1:]
page = int(words[words.index("--page") + 1]) if "--page" in words else 125
url, folder = words[0], Path(words[1])
folder.mkdir(parents=True, exist_ok=True)
if (folder / "complete").exists() or (folder / "page").exists() and (folder / "page").read_text() != str(page):
    for old in folder.iterdir():
        old.unlink()
(folder / "page").write_text(str(page))


def saved(name, address):
    place = folder / name
    if not place.exists():
        wait = 0.05
        while True:
            try:
                body = urllib.request.urlopen(url + address).read()
                break
            except urllib.error.HTTPError as error:
                if error.code not in (429, 502, 503, 504) or wait > 5:
                    raise
                time.sleep(wait)
                wait *= 2
        items = json.loads(body)["items"]
        assert isinstance(items, list)
        (folder / "torn").write_bytes(body)
        os.replace(folder / "torn", place)
    return json.loads(place.read_bytes())


number = 1
while saved(f"stations-{number}.json", f"/stations?offset={page * (number - 1)}&limit={page}")["items"]:
    number += 1
number, address = 1, f"/readings?limit={page}"
while address is not None:
    address = saved(f"readings-{number}.json", address)["next"]
    number += 1
(folder / "complete").touch()
PY
cat > load.py <<'PY'
import json, pathlib, sqlite3, sys

db = sqlite3.connect(sys.argv[2])
db.executescript("""
CREATE TABLE IF NOT EXISTS stations (id TEXT NOT NULL PRIMARY KEY, label, status, town, river, gone INT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS readings (station TEXT, at TEXT, value REAL, UNIQUE (station, at));
CREATE TABLE IF NOT EXISTS rejects (feed, key UNIQUE, reason);
CREATE TEMP TABLE s (id, label, status, town, river, whole);
CREATE TEMP TABLE r (station, at, value, whole);
CREATE TEMP TABLE closed (id);
""")
folder = pathlib.Path(sys.argv[1])
for name in folder.glob("stations-*.json"):
    for i in json.loads(name.read_text())["items"]:
        db.execute("INSERT INTO s VALUES (?, ?, ?, ?, ?, ?)", (i.get("id"), i.get("label"), i.get("status"), i["location"]["town"], i.get("river"), json.dumps(i, sort_keys=True)))
for name in folder.glob("readings-*.json"):
    db.executemany("INSERT INTO r VALUES (?, ?, ?, ?)", [(i.get("station"), i.get("at"), i["value"], json.dumps(i, sort_keys=True)) for i in json.loads(name.read_text())["items"]])
db.executemany("INSERT INTO closed VALUES (?)", [(line.strip(),) for line in open("closed.txt")])
TESTS = {
    "unique": "SELECT 1 FROM s GROUP BY id HAVING count(DISTINCT whole) > 1 UNION ALL SELECT 1 FROM r GROUP BY station, at HAVING count(DISTINCT whole) > 1",
    "not_null": "SELECT 1 FROM s WHERE coalesce(id, '') = '' UNION ALL SELECT 1 FROM r WHERE coalesce(station, '') = '' OR coalesce(at, '') = ''",
    "relationships": "SELECT 1 FROM r WHERE station NOT IN (SELECT id FROM s WHERE id IS NOT NULL) AND station NOT IN (SELECT id FROM stations) AND station NOT IN (SELECT id FROM closed)",
    "accepted_values": "SELECT 1 FROM s WHERE status IS NULL OR status NOT IN ('Active', 'Suspended', 'Closed')",
    "days": "SELECT 1 FROM (SELECT count(DISTINCT date(at)) AS n, julianday(date(max(at))) - julianday(date(min(at))) + 1 AS due FROM r WHERE at <> '') WHERE n = 0 OR n < due",
    "shrunk": "SELECT 1 WHERE (SELECT count(DISTINCT id) FROM s) < 0.9 * (SELECT count(*) FROM stations WHERE gone = 0) OR NOT EXISTS (SELECT 1 FROM s)",
}
red = []
for name, query in TESTS.items():
    if db.execute(query).fetchone():
        red.append(name)
        print("failed:", name)
if red:
    sys.exit(2)
with db:
    db.execute("UPDATE stations SET gone = id NOT IN (SELECT id FROM s)")
    db.execute("REPLACE INTO stations SELECT DISTINCT id, label, status, town, river, 0 FROM s")
    db.execute("REPLACE INTO rejects SELECT DISTINCT 'readings', station || '|' || at, 'station is closed' FROM r WHERE station IN (SELECT id FROM closed) AND station NOT IN (SELECT id FROM stations)")
    db.execute("REPLACE INTO readings SELECT DISTINCT station, at, value FROM r WHERE station IN (SELECT id FROM stations)")
PY
finish
