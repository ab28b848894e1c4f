"""Step 8: the last good release is back on every instance, and every record written in between has its verdict.

    check-8.py records.csv --status CMD --good DIGEST --written CMD --read 'CMD {}' [--may-change NAME] [--limits CMD]
        [--log CMD --new DIGEST --per-cent 1 --minutes 10]

--written prints, for each record that the release has confirmed to somebody, its id and then what was confirmed, as words
such as seats=4: from the access log, for a restored database has forgotten it. --read reads the record that stands for {}
through the running release and prints such words too. All there again: readable. Only those of --may-change differ:
converted. It cannot be read: lost, and lost is refused unless --lost names the id, as somebody decided. --limits exits
with 0 where the limits hold. --log prints `MINUTE INSTANCE DIGEST STATUS` of each request from the access log: one instance
had the release alone for so many minutes, and no further one got it while its own errors were over the limit.
"""

import argparse
import csv
import pathlib
import subprocess
import sys


def ran(command):
    said = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=250)
    return said.returncode, said.stdout.splitlines()


def verdict(words, command, may_change):
    """How the running release finds a record, and what is wrong with it."""
    code, said = ran(command)
    missing = [word for word in words if word not in " ".join(said).split()]
    if code:
        return "lost", []
    if not missing:
        return "readable", []
    return "converted", [word for word in missing if word.partition("=")[0] not in may_change]


def spread(told):
    """Instances that the release reached too early, or over the limit."""
    rows = [line.split() for line in ran(told.log)[1]]
    own = [(int(minute), instance, status.startswith("5")) for minute, instance, digest, status in rows if digest == told.new]
    reached = {}
    for minute, instance, _ in own:
        reached.setdefault(instance, minute)
    for instance, minute in list(reached.items())[1:]:
        errors = [error for at, _, error in own if minute - told.minutes <= at < minute]
        if minute - min(reached.values()) < told.minutes:
            yield f"{instance} got the release before it had run {told.minutes} minutes on one instance"
        elif 100 * sum(errors) > told.per_cent * len(errors):
            yield f"{instance} got the release when {sum(errors)} of its {len(errors)} requests were errors"
    if not reached:
        yield f"{told.log} knows no request to {told.new}"


def wrongs(told):
    code, lines = ran(told.status)
    if code or not lines:
        yield f"no answer from {told.status}"
    yield from (f"not the last good release: {line}" for line in lines if told.good not in line)
    code, lines = ran(told.written)
    written = {line.split()[0]: line.split()[1:] for line in lines if line.strip()}
    if code or not written:
        yield "the release wrote nothing: it was not there, or --written asks the wrong log"
    path = pathlib.Path(told.list)
    rows = list(csv.DictReader(path.open(newline=""))) if path.is_file() else []
    listed = {row.get("id"): row.get("verdict") for row in rows}
    yield from (f"{one} is listed and was not written by the release" for one in listed if one not in written)
    for one, words in written.items():
        found, changed = verdict(words, told.read.replace("{}", one), told.may_change)
        if changed:
            yield f"{one} is not what was confirmed: {' '.join(changed)} is gone"
        elif found == "lost" and one not in told.lost:
            yield f"{one} cannot be read any more, and nobody decided that"
        elif listed.get(one) != found:
            yield f"{one} is {found}, and {told.list} says {listed.get(one) or 'nothing'}"
    yield from spread(told) if told.log else ()
    if told.limits and ran(told.limits)[0]:
        yield f"the limits do not hold: {told.limits}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("list")
    for name in ("status", "good", "written", "read"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("limits", "log", "new"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--per-cent", type=float, default=1)
    parser.add_argument("--minutes", type=int, default=10)
    for name in ("may-change", "lost"):
        parser.add_argument(f"--{name}", action="append", default=[])
    wrong = list(wrongs(parser.parse_args()))
    print("\n".join(wrong[:20]) or "the last good release is back, and every record in between is accounted for")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
