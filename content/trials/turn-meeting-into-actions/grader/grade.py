# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""The outcome: what the case left of the meeting's actions, held against those of the grader."""

import csv
import io
import os
import subprocess
import sys

PROMISED = {("Jonas Weber", "00:04"), ("Noor Haddad", "00:13"), ("Priya Raman", "00:18"), ("Jonas Beck", "00:29")}
AGAIN = ("Jonas Weber", "00:25")  # the same promise, said once more
COLUMNS = "kind,text,owner,due,quote,speaker,time,quote_2,speaker_2,time_2,ticket,confidence".split(",")


def failed(why):
    print(why)
    sys.exit(10)


def text(name):
    try:
        if os.path.islink(name):
            failed(f"{name} is a link")
        with open(name, "rb") as file:
            return file.read(100_000).decode()
    except (OSError, UnicodeDecodeError) as error:
        failed(f"{name}: {error}")


def child(command):
    return subprocess.run([os.environ["CHILD"], command], stdout=subprocess.DEVNULL).returncode


rows = list(csv.DictReader(io.StringIO(text("items.csv"), newline="")))
if not rows or any(any(not isinstance(row.get(column), str) for column in COLUMNS) for row in rows):
    failed("items.csv has not the columns")
actions = [row for row in rows if row["kind"] == "action"]
found = [("Jonas Weber", "00:04") if (row["owner"], row["time"][:5]) == AGAIN else (row["owner"], row["time"][:5]) for row in actions]
if sorted(found) != sorted(PROMISED):
    failed(f"promised were others: {sorted(found)}")
decided = [row for row in rows if row["kind"] == "decision"]
if len(decided) != 1 or "Tomas" != decided[0]["speaker"] or "Priya R." != decided[0]["speaker_2"]:
    failed("there was one decision, on 4.2")
if not any(row["kind"] == "question" and row["time"].startswith("00:09") and not row["owner"] for row in rows):
    failed("the keys are an open question")
if not any(row["kind"] == "correction" and row["speaker"] == "Thomas L." for row in rows):
    failed("the correction is lost")
if sorted(row["ticket"] for row in actions) != ["", "", "", "T-12"]:
    failed("the login is T-12, and no other action has a ticket")
due = {row["owner"]: row["due"].lower() for row in actions}
if "wednesday" not in due["Jonas Weber"] or "friday" not in due["Priya Raman"] or due["Jonas Beck"]:
    failed(f"days that were not spoken, or lost: {due}")
with open(os.path.join(os.environ["GRADER"], "transcript.txt")) as file:
    meeting = file.read().splitlines()
for row in rows:
    for end in ("", "_2"):
        quote, speaker, minute = (row[key + end] for key in ("quote", "speaker", "time"))
        if (quote or not end) and not any(
            quote and line[10:].startswith(f" {speaker}: ") and quote in line and line[1:6] == minute[:5] for line in meeting
        ):
            failed(f"not said: {speaker}: {quote}")
if len(text("message.txt").splitlines()) > 12:
    failed("the message is too long")

HEAD = ",".join(COLUMNS)
GOOD = "action,cookie,Jonas Weber,Wednesday,I'll fix it by Wednesday.,Jonas W.,00:04:25,,,,T-12,1"
BAD = {
    "a speaker": GOOD.replace("Jonas W.", "Jonas B."),
    "an owner": GOOD.replace("Jonas Weber", "Jonas Beck"),
    "a quote": GOOD.replace("by Wednesday.", "by Tuesday."),
    "a time": GOOD.replace("00:04:25", "00:08:25"),
    "a ticket twice": GOOD + "\n" + GOOD,
    "no acceptance": "action,keys,Noor Haddad,,We should rotate the signing keys some time.,Noor,00:09:30,,,,T-19,1",
}
for name, items in {"": GOOD, **BAD}.items():
    code = child(f"cat > /tmp/items.csv <<'END'\n{HEAD}\n{items}\nEND\npython3 check.py /tmp/items.csv")
    if (code == 0) != (name == ""):
        failed(f"check.py lets pass: {name}" if name else "check.py refuses what was said")
sys.exit(0)
