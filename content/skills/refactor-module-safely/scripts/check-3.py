"""Step 3: every line of the old file is in one row of moves.csv, or is empty, an import or a remark.

    check-3.py BASE books/engine.py moves.csv [--rest REGEX]

The columns are found by their beginnings: name, first, last, destination. --rest: what a line in no row may look like. In
Python each statement must lie in a row or in several that name it.
"""

import argparse
import csv
import pathlib
import re

from commits import pieces, said, text

REST = r'\s*|\s*(#|//).*|\s*(import|from|use|#include)\b.*|\s*""".*"""'


def rows_of(path):
    for row in csv.DictReader(pathlib.Path(path).open(newline="")):
        row = {key.strip().lower(): (value or "").strip() for key, value in row.items() if isinstance(key, str) and not isinstance(value, list)}
        yield [next((value for key, value in row.items() if key.startswith(begin)), "") for begin in ("name", "first", "last", "dest")]


def problems(told):
    if not pathlib.Path(told.table).is_file():
        yield f"there is no {told.table}"
        return
    source = text(told.base, told.module)
    lines, taken = source.splitlines(), {}
    for name, first, last, destination in rows_of(told.table):
        if not (first.isdigit() and last.isdigit() and 1 <= int(first) <= int(last) <= len(lines)):
            yield f"{name}: {first}-{last} are no lines of {told.module}, which has {len(lines)}"
            continue
        if not destination:
            yield f"{name} has no destination"
        for number in range(int(first), int(last) + 1):
            if number in taken and lines[number - 1].strip():
                yield f"line {number} is in the rows of {taken[number]} and {name}"
            taken[number] = name
    for name, first, last, _ in pieces(source) if told.module.endswith(".py") else ():
        if not any(name == taken.get(number) for number in range(first, last + 1)):
            yield f"{name}, lines {first} to {last}, has no row of its name"
    for number, line in enumerate(lines, 1):
        if number not in taken and not re.fullmatch(told.rest, line):
            yield f"line {number} is in no row: {line.strip()}"


def main():
    parser = argparse.ArgumentParser()
    for name in ("base", "module", "table"):
        parser.add_argument(name)
    parser.add_argument("--rest", default=REST)
    said(problems(parser.parse_args()), "every line is accounted for")


if __name__ == "__main__":
    main()
