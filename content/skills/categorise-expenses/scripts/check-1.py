"""Step 1: private files are as they were given, in no commit and no fixture, and the tool calls nobody.

    check-1.py --print exports labelled.csv balances.csv        the checksum of them all: note it outside the folder
    check-1.py --sum SUM --run 'python3 month.py' exports labelled.csv balances.csv

Looks for texts of the rows in the whole history of git and in files that could be committed, and for lines with the date
and the amount of a row, whatever their words: invented rows share both by chance alone. Calls to a network are
counted while the tool runs, also those whose errors are swallowed; that works for a tool in Python.
"""

import argparse
import collections
import datetime
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import books

WATCH = """import os, sys
def watch(event, values):
    called = event == "subprocess.Popen" and any(name in str(values) for name in ("curl", "wget", "ssh", "nc "))
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "urllib.Request") or called:
        with open(os.environ["WATCHED"], "a") as file:
            file.write(f"{event} {str(values)[:120]}\\n")
sys.addaudithook(watch)
"""


def git(*words):
    return subprocess.run(["git", *words], capture_output=True, text=True, errors="replace").stdout


def disguised(seen, rows):
    """Rows whose date and amount stand together in one line, in whatever form."""
    of_day, found = collections.defaultdict(list), set()
    for row in rows:
        day = datetime.date.fromisoformat(row["date"])
        for form in books.DATES:
            of_day[day.strftime(form)].append((row["date"], str(abs(row["amount"]))))
    for line in set(seen.splitlines()):
        numbers = {re.sub(r"\D", "", number).lstrip("0") for number in re.findall(r"\d[\d.,']*", line)}
        for day in re.findall(r"\d+[./-]\d+[./-]\d+|\b\d{8}\b", line):
            found |= {row for row in of_day.get(day, []) if row[1] in numbers}
    return found


def calls(command):
    with tempfile.TemporaryDirectory() as place, books.copied(fresh=True) as tree:
        Path(place, "sitecustomize.py").write_text(WATCH)
        log = Path(place, "log")
        os.environ |= {"PYTHONPATH": place, "WATCHED": str(log)}
        books.run(command, tree)
        return log.read_text().splitlines()[:3] if log.exists() else []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("private", nargs="+")
    for name in ("sum", "run"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--print", action="store_true")
    told = parser.parse_args()
    paths = [Path(name) for name in told.private]
    paths = sorted(path for one in paths for path in ([one] if one.is_file() else one.rglob("*")) if path.is_file())
    sums = [f"{path.as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in paths]
    found, wrong = hashlib.sha256("\n".join(sums).encode()).hexdigest(), []
    if told.print:
        print(found)
        return 0
    if not told.sum or not found.startswith(told.sum):
        wrong.append(f"the private files are not those that were given (now {found[:12]}): fetch them again")
    wrong += [f"{path} is not ignored by git" for path in paths if not git("check-ignore", "--no-index", str(path))]
    open_to_all = [name for name in git("ls-files", "-co", "--exclude-standard").splitlines() if Path(name).is_file()]
    seen = git("log", "-p", "--all") + "".join(Path(name).read_text(errors="replace") for name in open_to_all)
    there = books.rows().values()
    private = {row[name] for row in there for name in ("text", "raw") if len(row[name]) > 11 and " " in row[name]}
    wrong += [
        f"{text[:40]!r} stands in a commit, or in a file that could be committed" for text in private if text in seen
    ][:5]
    if len(alike := disguised(seen, there)) > 2:
        wrong.append(f"lines that could be committed have date and amount of {len(alike)} rows: {sorted(alike)[:3]}")
    wrong += [f"the tool calls out: {line}" for line in calls(told.run)] if told.run else ["name the tool: --run"]
    print("\n".join(wrong) or "nothing private leaves the folder")
    return 1 if wrong or not there else 0


if __name__ == "__main__":
    sys.exit(main())
