"""Step 4: every address was asked for slowly, once, where robots.txt lets you, and raw/ holds the bytes that came.

    check-4.py inventory.csv fetch.csv raw --delay 2 --agent flat-finder --body 'curl -s -A flat-finder/1.0 {}' \
        --look ADDRESS --kind text/html --again 'python3 fetch.py'

The command of --body prints what the site answers to an address: for robots.txt, and for the pages to look at, which are
compared with the saved ones byte by byte. --again runs the fetcher once more in a copy, and in another from nothing on ten
addresses: the times must be those of the run. --log, where the host's log can be had: prints each address that was asked for.
"""

import argparse
import collections
import datetime
import hashlib
import itertools
import shutil
import subprocess
import time
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


def moment(row):
    return datetime.datetime.fromisoformat(row["time"].replace("Z", "+00:00")).timestamp()


def seen(told):
    found = subprocess.run(told.log, shell=True, capture_output=True, text=True, check=False).stdout if told.log else ""
    return found.splitlines()


def afresh(told, inventory, fetched):
    """A run from nothing on a few addresses, refused ones among them, against the clock and the host's log."""
    refused = [address for address, row in saved.last(fetched).items() if row["status"] in ("401", "403")]
    some = {*refused[:3], *[address for address in inventory if address not in refused][:7]}
    with saved.copied():
        saved.write(told.inventory, [row for row in saved.rows(told.inventory, "address") if row["address"] in some])
        shutil.rmtree(told.raw)
        Path(told.fetched).unlink()
        before, begun = len(seen(told)), time.time()
        saved.run(told.again)
        ended, now = time.time(), saved.rows(told.fetched, COLUMNS)
        if any(not begun - 1 < moment(row) < ended + 1 for row in now) or ended - begun < told.delay * (len(now) - 1):
            yield f"{len(now)} requests in {ended - begun:.1f} seconds: the times of fetch.csv are not those of the run"
        asked = collections.Counter(address for address in seen(told)[before:] if address in some)
        for address in asked - collections.Counter(row["address"] for row in now):
            yield f"{address} was asked for {asked[address]} times, and fetch.csv does not say so"
        for address, times in collections.Counter(row["address"] for row in now).items():
            if times > 1 and address in refused:
                yield f"{address} refused, and was asked again"


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
        yield from afresh(told, inventory, fetched)
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
    for name in ("again", "log"):
        parser.add_argument(f"--{name}")
    saved.end(problems(parser.parse_args()), "asked for slowly, once and where allowed, and kept as it came")


if __name__ == "__main__":
    main()
