"""Step 3: the fetch goes to the end with large pages and small ones, after a kill too, and fails where the source does.

    check-3.py --fetch 'python3 fetch.py URL "$FOLDER" --page $PAGE' --largest 250
        --keys 'jq -r ".items[].id" "$FOLDER"/stations-*.json' [--keys ...] [--broken 'COMMAND' ...]
        [--other 'COMMAND'] [--came 'curl -sS "URL?limit=$PAGE"' ...]

$FOLDER is a new folder of the check's own; `--keys` prints the keys of one feed, from the raw files, a line each.
`--broken` is the fetch while the source is down, or answers with something else: it must not end with 0. `--other` is the
fetch as it was on another day: what it left in the folder must not be taken for today's. `--came` prints a first page as the
source gives it, and one file of the fetch has to hold these bytes.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def run(command, folder, page, **more):
    told = {**os.environ, "FOLDER": str(folder), "PAGE": str(page)}
    return subprocess.run(command, shell=True, env=told, stdin=subprocess.DEVNULL, **more)


def keys(commands, folder, page):
    found = []
    for command in commands:
        done = run(command, folder, page, capture_output=True, text=True)
        found.append(set(done.stdout.splitlines()) if not done.returncode else set())
    return found


def files(place):
    return sum(len(names) for _, _, names in os.walk(place))


def killed(command, place, page, most):
    """Begins a fetch and kills it, and all that it started, once half of the files are there."""
    told = {**os.environ, "FOLDER": str(place / "raw"), "PAGE": str(page)}
    process = subprocess.Popen(
        command, shell=True, env=told, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while process.poll() is None and files(place) < most:
        time.sleep(0.002)
    early = process.poll() is None
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    return early


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fetch", required=True)
    parser.add_argument("--largest", type=int, required=True)
    parser.add_argument("--keys", action="append", required=True)
    parser.add_argument("--other")
    for name in ("broken", "came"):
        parser.add_argument(f"--{name}", action="append", default=[])
    told = parser.parse_args()
    small, wrong = max(1, told.largest // 10), []
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two, tempfile.TemporaryDirectory() as three:
        for place, page in ((one, told.largest), (two, small)):
            code = run(told.fetch, Path(place, "raw"), page, stdout=subprocess.DEVNULL).returncode
            wrong += [f"the fetch with pages of {page} ended with {code}"] if code else []
        whole, parts = keys(told.keys, Path(one, "raw"), told.largest), keys(told.keys, Path(two, "raw"), small)
        for number, command in enumerate(told.keys):
            odd = sorted(whole[number] ^ parts[number])
            wrong += [f"{len(odd)} keys with one size of pages alone, such as {odd[0]}: {command}"] if odd else []
            wrong += [] if whole[number] else [f"no keys: {command}"]
        if not wrong:
            early = killed(told.fetch, Path(three), small, files(two) // 2)
            code = run(told.fetch, Path(three, "raw"), small, stdout=subprocess.DEVNULL).returncode
            wrong += [f"after a kill the fetch ended with {code}"] if code else []
            if keys(told.keys, Path(three, "raw"), small) != whole:
                wrong.append("after a kill and another fetch the keys are not the same")
            wrong += [] if early else ["the fetch was through before it could be killed: writes it page by page?"]
        for command in told.came:
            page = run(command, Path(one, "raw"), told.largest, capture_output=True).stdout
            if not page or page not in [path.read_bytes() for path in Path(one).rglob("*") if path.is_file()]:
                wrong.append(f"no file holds byte for byte what the source says to: {command}")
        if told.other:
            for command in (told.other, told.fetch):
                code = run(command, Path(two, "other"), told.largest, stdout=subprocess.DEVNULL).returncode
                wrong += [f"a fetch into the folder of another day ended with {code}"] if code else []
            if keys(told.keys, Path(two, "other"), told.largest) != whole:
                wrong.append("in the folder of another day the keys are not today's")
        for command in told.broken:
            with tempfile.TemporaryDirectory() as four:
                if not run(command, Path(four, "raw"), told.largest, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
                    wrong.append(f"green on a broken source: {command}")
    print("\n".join(wrong) or f"{' and '.join(str(len(found)) for found in whole)} keys, whatever the size of the pages")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
