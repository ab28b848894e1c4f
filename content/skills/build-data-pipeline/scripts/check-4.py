"""Steps 4 and 8: a second load changes nothing, a killed one leaves old rows or new, and what changed or returned arrives.

    check-4.py --load 'python3 load.py raw/today "$DB"' --rows 'sqlite3 "$DB" "SELECT id, label FROM stations ORDER BY id"'
        --before 'python3 load.py raw/yesterday "$DB"' [--kills 5]

$DB is a file in a new folder of the check's own, or what else your commands make of it (a schema of that name). `--rows`
prints all rows in the order of their keys, load time and what is gone from the source left out.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def run(command, base, **more):
    return subprocess.run(command, shell=True, env={**os.environ, "DB": str(base)}, stdin=subprocess.DEVNULL, **more)


def load(command, base, wrong, what):
    code = run(command, base, stdout=subprocess.DEVNULL).returncode
    if code:
        wrong.append(f"{what} ended with {code}")


def rows(command, base):
    done = run(command, base, capture_output=True, text=True)
    return done.stdout if not done.returncode else f"no rows: {done.stderr[:200]}"


def killed(command, base, seconds):
    process = subprocess.Popen(
        command, shell=True, env={**os.environ, "DB": str(base)}, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    time.sleep(seconds)
    try:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for _ in range(200):  # what the shell had started holds its locks until it is gone, too
            os.killpg(process.pid, 0)
            time.sleep(0.01)
    except ProcessLookupError:
        process.wait()


def main():
    parser = argparse.ArgumentParser()
    for name in ("load", "rows", "before"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--kills", type=int, default=5)
    told, wrong = parser.parse_args(), []
    with tempfile.TemporaryDirectory() as place:
        fresh, base = Path(place, "fresh.db"), Path(place, "base.db")
        load(told.load, fresh, wrong, "a load into nothing")
        today = rows(told.rows, fresh)
        load(told.load, fresh, wrong, "the second load")
        wrong += ["the second load changed rows"] if rows(told.rows, fresh) != today else []
        load(told.before, base, wrong, "the load of yesterday")
        yesterday = rows(told.rows, base)
        if yesterday == today or not today.strip() or today.startswith("no rows"):
            wrong.append("yesterday and today are the same, or there are no rows: that shows nothing")
        begun = time.monotonic()
        load(told.load, base, wrong, "today's load after yesterday's")
        took = time.monotonic() - begun
        if rows(told.rows, base) != today:
            wrong.append("after yesterday's load today's rows are others than in a fresh table: what was corrected?")
        for command in (told.before, told.load):
            load(command, fresh, wrong, "a load after a load of the other day")
        if rows(told.rows, fresh) != today:
            wrong.append("today, yesterday and today again are others than today: what was gone for a day did not come back?")
        for number in range(0 if wrong else told.kills):
            broken = Path(place, f"kill-{number}.db")
            load(told.before, broken, wrong, "the load of yesterday")
            killed(told.load, broken, took * (number + 1) / (told.kills + 1))
            if rows(told.rows, broken) not in (yesterday, today):
                wrong.append(f"killed after {number + 1} of {told.kills + 1} parts of its time, it left neither old nor new rows")
            load(told.load, broken, wrong, "a load after a kill")
            if rows(told.rows, broken) != today:
                wrong.append("a load after a kill has other rows")
    print("\n".join(wrong) or f"{len(today.splitlines())} rows, after a second load and {told.kills} kills too")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
