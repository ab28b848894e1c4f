"""Step 4: every address was asked for slowly, once, where robots.txt lets you, and raw/ holds the bytes that came.

    check-4.py inventory.csv fetch.csv raw --delay 2 --agent flat-finder --body 'curl -s -A flat-finder/1.0 {}' \
        --look ADDRESS --kind text/html --again 'python3 fetch.py'

The command of --body prints what the site answers to an address: for robots.txt, and for the pages to look at, which are
compared with the saved ones byte by byte. --again runs the fetcher once more in a copy.
"""

import argparse
import datetime
import hashlib
import itertools
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import saved

COLUMNS = "address time status bytes sha256 file"


def body(told, address):
    return subprocess.run(told.body.replace("{}", f"'{address}'"), shell=True, capture_output=True, check=False).stdout


def paths_of(told, inventory, fetched):
    """What was asked for against what was to be, by the robots.txt of each host."""
    robots, asked = {}, {row["address"] for row in fetched}
    for address in inventory:
        parts = urlsplit(address)
        host = f"{parts.scheme}://{parts.netloc}"
        robots[host] = robots.get(host) or body(told, f"{host}/robots.txt").decode(errors="replace")
        may = saved.allowed(robots[host], told.agent, parts.path + (f"?{parts.query}" if parts.query else ""))
        if may != (address in asked):
            yield f"{address}: {'not asked for' if may else 'asked for, and robots.txt forbids it'}"
    yield from (f"{address} is in fetch.csv, and not in the inventory" for address in asked - set(inventory))


def twice(fetched):
    good = [row["address"] for row in fetched if row["status"] == "200"]
    return {address for address in good if good.count(address) > 1}


def problems(told):
    inventory = [row["address"] for row in saved.rows(told.inventory, "address")]
    fetched = saved.rows(told.fetched, COLUMNS)
    yield from paths_of(told, inventory, fetched)
    yield from (f"{address} is there twice with status 200" for address in twice(fetched))
    times = {}
    for row in fetched:
        times.setdefault(urlsplit(row["address"]).netloc, []).append(
            datetime.datetime.fromisoformat(row["time"].replace("Z", "+00:00"))
        )
        page = Path(row["file"]) if row["file"] else None
        if row["status"] == "200" and not (page and page.is_file()):
            yield f"{row['address']}: no page is kept"
        elif page and page.is_file() and hashlib.sha256(page.read_bytes()).hexdigest() != row["sha256"]:
            yield f"{row['file']} is not what fetch.csv says of it"
    for host, asked in times.items():
        gap = min(((two - one).total_seconds() for one, two in itertools.pairwise(sorted(asked))), default=told.delay)
        if gap < told.delay:
            yield f"{host} was asked again after {gap:.3f} seconds"
    known = {Path(row["file"]): row["status"] for row in fetched if row["file"]}
    for page in (page for page in sorted(Path(told.raw).rglob("*")) if page.is_file()):
        kind = subprocess.run(["file", "--mime-type", "-b", page], capture_output=True, text=True, check=False).stdout.strip()
        if page not in known or (known[page] == "200" and kind not in told.kind):
            yield f"{page}: {kind}{'' if page in known else ', of no row of fetch.csv'}"
    last = saved.last(fetched)
    for address in told.look:
        row = last.get(address, {"status": "", "file": ""})
        if row["status"] == "200" and Path(row["file"]).read_bytes() != body(told, address):
            yield f"{row['file']} is not what the site answers for {address}"
    if told.again:
        with saved.copied():
            saved.run(told.again)
            yield from (
                f"a restart asks for {address} again" for address in twice(saved.rows(told.fetched, COLUMNS)) - twice(fetched)
            )


def main():
    parser = argparse.ArgumentParser()
    for name in ("inventory", "fetched", "raw"):
        parser.add_argument(name)
    parser.add_argument("--delay", type=float, required=True)
    for name in ("agent", "body"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("look", "kind"):
        parser.add_argument(f"--{name}", action="append", default=[])
    parser.add_argument("--again")
    saved.end(problems(parser.parse_args()), "asked for slowly, once and where allowed, and kept as it came")


if __name__ == "__main__":
    main()
