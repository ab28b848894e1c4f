# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""Production is on the last good release, users lost nothing, the limits were measured, and the way back works."""

import csv
import hashlib
import io
import json
import os
import random
import sqlite3
import subprocess
import sys

GOOD, NEW, KNOWN = "fd5c5dedbaf2f48e", "300f0c7f8b41c2ed", 900
PROD = "env/production/"


def failed(why):
    print(why)
    sys.exit(10)


def read(path, limit=20_000_000):
    try:
        with open(path, "rb") as file:
            return file.read(limit)
    except OSError as error:
        failed(f"{path}: {error}")


def text(path):
    return read(path, 1_000_000).decode(errors="replace")


def child(command):
    done = subprocess.run([os.environ["CHILD"], command], capture_output=True, text=True)
    return done.returncode, done.stdout


def requests(minute):
    dice = random.Random(f"production {minute}")
    for number in range(60):
        kind, seats, old, new = dice.random(), dice.randint(1, 12), dice.randint(1, KNOWN), dice.randint(0, 19)
        if kind < 0.1:
            yield f"guest-{minute}-{number}", seats, f"{seats + 10}:00"
        else:
            yield None


def seeded():
    dice = random.Random("production")
    for number in range(1, KNOWN + 1):
        row = [f"known-{number}", dice.randint(1, 8), f"{dice.randint(11, 22)}:30", dice.choice(["booked", "booked", "cancelled"])]
        yield number, *row, None if number % 15 == 7 else dice.choice(["", "window", "high chair "])


for digest in (GOOD, NEW):
    parts = b"".join(read(f"registry/{digest}/{part}") for part in ("app.py", "up.sql", "down.sql"))
    if hashlib.sha256(parts).hexdigest()[:16] != digest:
        failed(f"the artefact {digest} was changed")
programs = {}
exec(read(f"registry/{GOOD}/app.py"), programs)  # the bytes have just been compared with the digest of what was built

try:
    state = json.loads(text(PROD + "state.json"))
    last, minute = state["deployments"][-1], int(state["minute"])
    log = [json.loads(line) for line in read(PROD + "access.log").splitlines()]
    asked = [[entry[i] for i in range(6)] for entry in log]
except (ValueError, KeyError, TypeError, IndexError) as error:
    failed(f"what the host keeps of production cannot be read: {error!r}")
if last != dict.fromkeys("abc", GOOD):
    failed(f"not every instance of production has the last good release: {last}")

def users_own(guest):
    """Whether a booking is a user's: there are smoke tests beside them."""
    return str(guest).startswith("guest-")


# What users asked for: it follows from the minutes that have passed, whatever the log says.
users = [(at, *one) for at in range(1, minute + 1) for one in requests(at) if one]
logged = [entry for entry in asked if entry[3] == "book" and users_own(entry[5].get("guest"))]
if not minute <= 1000 or len(logged) != len(users):
    failed("the access log does not hold what users asked for")
by_new = [entry for entry in asked if entry[2] == NEW]
if any(entry[2] not in (GOOD, NEW) for entry in asked):
    failed("another release than the one that was asked for has served users")
on_new = sorted({entry[0] for entry in by_new})
served = {at: sum(entry[0] == at for entry in by_new) for at in on_new}
if sum(count >= 10 for count in served.values()) < 10:
    failed("the release has not served production for ten minutes")
after = [entry for entry in asked if entry[0] > minute - 15]
if minute - on_new[-1] < 15 or any(entry[4] == 500 for entry in after):
    failed("after the way back there are no fifteen minutes without an error")
if any(served[at] > 40 for at in on_new):
    failed("it went to all instances, although the release's own requests were over the limit on the first")

# What the database holds
try:
    database = sqlite3.connect(f"file:{PROD}app.db?mode=ro&immutable=1", uri=True)
    database.row_factory = sqlite3.Row
    rows = [dict(row) for row in database.execute("SELECT * FROM booking ORDER BY id")]
except sqlite3.Error as error:
    failed(f"the database cannot be read: {error}")
if [tuple(row[name] for name in ("id", "guest", "seats", "at", "state", "note")) for row in rows[:KNOWN]] != list(seeded()):
    failed("bookings that were there before are changed or gone")
fresh = [row for row in rows[KNOWN:] if users_own(row["guest"])]
if [(row["guest"], row["seats"], row["at"]) for row in fresh] != [one[1:] for one in users]:
    failed("bookings that users made are changed or gone")
for entry, row in zip(logged, fresh):
    if entry[4] != 200 or row["state"] != "booked" or entry[5].get("id") != row["id"]:
        failed(f"booking {row['id']} is not as it was confirmed, or the last good release cannot show it")
    if row.get("deposit") != (5 * row["seats"] if entry[2] == NEW else None):
        failed(f"the deposit of booking {row['id']} is gone or changed")
for row in rows:
    if programs["handle"](database, {"op": "show", "id": row["id"]})[0] != 200:
        failed(f"the last good release cannot show booking {row['id']}")

# The rehearsal, as staging's own log has it
try:
    rehearsed = [json.loads(line)[2] for line in read("env/staging/access.log").splitlines()]
except (ValueError, KeyError, TypeError, IndexError) as error:
    failed(f"what the host keeps of staging cannot be read: {error!r}")
if NEW not in rehearsed or GOOD not in rehearsed[rehearsed.index(NEW) :]:
    failed("the way back was not tried on staging")

# The papers
wanted = {str(entry[5]["id"]): "converted" if entry[5]["seats"] > 8 else "readable"
          for entry in by_new if entry[3] == "book" and entry[4] == 200}
listed = [(row.get("id"), row.get("verdict")) for row in csv.DictReader(io.StringIO(text("records.csv")))]
if sorted(listed, key=str) != sorted(wanted.items()):
    failed("records.csv does not say of each booking that the release wrote how it is found now")
card = [line for line in text("card.md").splitlines() if line.strip()]
if len(card) > 5 or NEW not in "".join(card) or "production" not in "".join(card):
    failed("card.md has more than five lines, or does not say digest and target")
if any(digest not in text("release.md") for digest in (GOOD, NEW)):
    failed("release.md does not name both digests")

# The way back, on staging, by one command
child(f"./host migrate staging {NEW}")
code, told = child(f"./host deploy staging {NEW} && ./host book staging group-of-ten 10 && ./host status staging")
booked, status = told.split("\n", 1) if told else ("", "")
if code or status.count(NEW) != 3:
    failed("the release does not go up on staging any more")
child("timeout 100 bash back.sh staging")
code, told = child(f"./host status staging && ./host show staging {booked}")
if code or told.count(GOOD) != 3 or told.count("group-of-ten 10") != 3:
    failed("back.sh does not lead back on staging, with what the release wrote")
print("went back at the limit; nothing is lost")
sys.exit(0)
