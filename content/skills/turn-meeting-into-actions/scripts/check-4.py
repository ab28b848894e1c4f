"""Step 4: items.csv stands on the transcript, and check.py notices when it does not.

    check-4.py items.csv transcript.txt people.csv --heard 'Ann Lee 00:04:25' --back 00:02:20

`--heard` is a promise that somebody noted by hand: who, and when; `--back` is the time of one that was taken back.
"""

import argparse
import csv
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LINE = re.compile(r"\[([\d:]+)\] ([^:]+): (.*)")
ACCEPTED = re.compile(r"\b(I'll|I will|I can|I'm on|leave it to me|yes|sure)\b", re.IGNORECASE)


def seconds(time):
    parts = [int(part) for part in time.split(":")] if re.fullmatch(r"\d+:\d+:\d+", time) else [-1, 0, 0]
    return parts[0] * 3600 + parts[1] * 60 + parts[2]


def near(one, other):
    return abs(seconds(one) - seconds(other)) <= 10


def wrongs(items, said, people, told):
    names = {spelling: row for row in people for spelling in row["spellings"].split("|")}
    tickets = [item["ticket"] for item in items if item["ticket"]]
    yield from (f"two items have {ticket}" for ticket in set(tickets) if tickets.count(ticket) > 1)
    for item in items:
        for end in ("", "_2") if item["quote_2"] else ("",):
            quote, speaker, time = (item[key + end] for key in ("quote", "speaker", "time"))
            if not quote or not any(quote in words and speaker == who and near(time, when) for when, who, words in said):
                yield f"{speaker} did not say this at {time}: {quote}"
        owner = names.get(item["speaker"], {}).get("name")
        if item["kind"] == "action" and not (owner == item["owner"] and ACCEPTED.search(item["quote"])):
            yield f"not accepted by {item['owner']}: {item['quote']}"
        if item["kind"] != "action" and item["owner"]:
            yield f"a {item['kind']} has an owner"
        if item["kind"] == "decision" and not names.get(item["speaker_2"], {}).get("may_decide"):
            yield f"nobody who may decide agreed: {item['text']}"
    actions = [item for item in items if item["kind"] == "action"]
    for owner, _, time in (heard.rpartition(" ") for heard in told.heard):
        if not any(item["owner"] == owner and near(item["time"], time) for item in actions):
            yield f"the promise of {owner} at {time} is lost"
    yield from (f"taken back: {item['text']}" for item in actions if any(near(item["time"], time) for time in told.back))


def mutants(items):
    action = next(number for number, item in enumerate(items) if item["kind"] == "action")
    other = next(item["speaker"] for item in items if item["speaker"] != items[action]["speaker"])
    question = next((number for number, item in enumerate(items) if item["kind"] == "question"), None)
    ticket = next((item["ticket"] for item in items if item["ticket"]), "T-1")
    yield "another word in a quote", {action: {"quote": items[action]["quote"] + " gladly"}}
    yield "another speaker", {action: {"speaker": other}}
    yield "a time far off", {action: {"time": items[action]["time"][:3] + "59:59"}}
    yield "two items for one ticket", {0: {"ticket": ticket}, 1: {"ticket": ticket}}
    if question is not None:
        yield "an open question made an action", {question: {"kind": "action", "owner": items[action]["owner"]}}


def accepts(items):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "items.csv")
        with path.open("w", newline="") as out:
            writer = csv.DictWriter(out, list(items[0]))
            writer.writeheader()
            writer.writerows(items)
        return subprocess.run([sys.executable, "check.py", str(path)], capture_output=True).returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs=3)
    parser.add_argument("--heard", action="append", default=[])
    parser.add_argument("--back", action="append", default=[])
    told = parser.parse_args()
    missing = [name for name in (*told.files, "check.py") if not Path(name).is_file()]
    if missing:
        print("missing:", *missing)
        return 1
    items, people = (list(csv.DictReader(open(told.files[number], newline=""))) for number in (0, 2))
    said = LINE.findall(Path(told.files[1]).read_text())
    wrong = list(wrongs(items, said, people, told))
    if not wrong and any(item["kind"] == "action" for item in items) and len({item["speaker"] for item in items}) > 1:
        wrong += [] if accepts(items) else ["check.py refuses the items"]
        for name, changes in mutants(items):
            if accepts([{**item, **changes.get(number, {})} for number, item in enumerate(items)]):
                wrong.append(f"check.py lets pass: {name}")
    print("\n".join(wrong) or f"{len(items)} items stand")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
