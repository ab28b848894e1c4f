"""Step 8: the last good release is back on every instance, and every record written in between has its verdict.

    check-8.py records.csv --status CMD --good DIGEST --written CMD --read 'CMD {}' [--may-change NAME] [--limits CMD]

--written prints, for each record that the release has confirmed to somebody, its id and then what was confirmed, as words
such as seats=4: from the access log, for a restored database has forgotten it. --read reads the record that stands for {}
through the running release and prints such words too. All there again: readable. Only those of --may-change differ:
converted. It cannot be read: lost, and lost is refused unless --lost names the id, as somebody decided. --limits exits
with 0 where the limits hold.
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
    if told.limits and ran(told.limits)[0]:
        yield f"the limits do not hold: {told.limits}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("list")
    for name in ("status", "good", "written", "read"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--limits")
    for name in ("may-change", "lost"):
        parser.add_argument(f"--{name}", action="append", default=[])
    wrong = list(wrongs(parser.parse_args()))
    print("\n".join(wrong[:20]) or "the last good release is back, and every record in between is accounted for")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
