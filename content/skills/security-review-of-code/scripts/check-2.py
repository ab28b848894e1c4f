"""Step 2: surface.csv has the router's own list, no row more and none less, and says of each route who is refused.

    check-2.py surface.csv --routes CMD --ask 'CMD {method} {path}' --refused REGEX [--fill '<id>=1'] [--unseen FILE]

Run it in the checkout. --routes prints `METHOD ROUTE`, one a line; --ask sends a request without a session and prints the
answer, which --refused recognises. Columns: method, route, place and guard (path:line, or none). Every tracked source file
(--source, a suffix; .py) that holds one of --ways is in a row, or in the list of files that nobody looked at.
"""

import argparse
import csv
import pathlib
import re
import subprocess
import sys


def ran(command):
    return subprocess.run(command, shell=True, capture_output=True, text=True, timeout=120).stdout


def code_at(place):
    """Whether path:line is a line of code of this checkout: a comment refuses nobody."""
    path, _, line = place.rpartition(":")
    lines = pathlib.Path(path).read_text(errors="replace").splitlines() if path and pathlib.Path(path).is_file() else []
    text = lines[int(line) - 1].strip() if line.isdigit() and 0 < int(line) <= len(lines) else ""
    return bool(text) and not text.startswith(("#", "//", '"""', "*"))


def wrongs(told):
    routes = {tuple(line.split(None, 1)) for line in ran(told.routes).splitlines() if line.strip()}
    if not routes:
        yield f"{told.routes} prints no route"
    path = pathlib.Path(told.surface)
    rows = list(csv.DictReader(path.open(newline=""))) if path.is_file() else []
    listed = [(row.get("method"), row.get("route")) for row in rows]
    yield from (f"no row for {' '.join(one)}" for one in sorted(routes - set(listed)))
    yield from (f"two rows, or no such route: {one[0]} {one[1]}" for one in listed if one not in routes or listed.count(one) > 1)
    for row in rows:
        method, route, guard = row.get("method") or "", row.get("route") or "", row.get("guard") or ""
        if not code_at(row.get("place") or ""):
            yield f"{method} {route}: {row.get('place')} is no line of code"
        if guard != "none" and not code_at(guard):
            yield f"{method} {route}: the guard {guard or 'nothing'} is no line of code"
        for name, value in (pair.split("=", 1) for pair in told.fill):
            route = route.replace(name, value)
        refused = re.search(told.refused, ran(told.ask.replace("{method}", method).replace("{path}", route)))
        if bool(refused) != (guard != "none"):
            yield f"{method} {route}: without a session it {'is refused' if refused else 'answers'}, and its guard is {guard}"
    unseen = pathlib.Path(told.unseen).read_text().split() if told.unseen and pathlib.Path(told.unseen).is_file() else []
    seen = {(row.get(name) or "").rpartition(":")[0] for row in rows for name in ("place", "guard")} | set(unseen)
    for file in ran(f"git ls-files '*{told.source}'").split():
        if file not in seen and re.search(told.ways, pathlib.Path(file).read_text(errors="replace")):
            yield f"{file} has ways in or out, and is in no row and not in the list of what nobody looked at"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("surface")
    for name in ("routes", "ask", "refused"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--fill", action="append", default=[])
    parser.add_argument("--unseen")
    parser.add_argument("--source", default=".py")
    parser.add_argument("--ways", default=r"(?m)^\s*@?(\w+\.)?route\(")
    wrong = list(wrongs(parser.parse_args()))
    print("\n".join(wrong) or "the surface is the router's, and each guard does what its row says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
