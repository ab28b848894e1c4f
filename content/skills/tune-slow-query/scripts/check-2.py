"""Step 2: the inventory is what the catalogue says: each table with its rows, each index, and which of these are invalid.

    check-2.py COPY --inventory inventory.md

COPY is a database, or a script for psql that makes it. A table needs a line that names it with the number of its rows, a tenth
more or less; an index needs a line that names it, and one of an invalid index says so, by the word or by "no" where others have "yes".
"""

import argparse
import pathlib
import re
import sys

from copies import ask, drop, indexes, make, options

TABLES = """SELECT c.relname, (xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %s', c.oid::regclass), false, true, '')))[1]
FROM pg_class c WHERE relkind = 'r' AND relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)"""
BROKEN = re.compile(r"invalid|not valid|broken|\bno\b|\bf\b|false", re.IGNORECASE)


def problems(base, text):
    lines = text.splitlines()
    for table, count in (row.split("|") for row in ask(base, TABLES).splitlines()):
        said = [re.sub(r"(?<=\d)[,_'\u202f ](?=\d{3}\b)", "", line) for line in lines if re.search(rf"\b{re.escape(table)}\b", line)]
        numbers = [int(number) for line in said for number in re.findall(r"\b\d{1,15}\b", line)]
        if not any(abs(number - int(count)) <= int(count) / 10 for number in numbers):
            yield f"no line gives {table} about {count} rows"
    for index in indexes(base).values():
        said = [line for line in lines if re.search(rf"\b{re.escape(index['name'].rpartition('.')[2])}\b", line)]
        if not said:
            yield f"{index['name']} is missing"
        elif not index["valid"] and not any(map(BROKEN.search, said)):
            yield f"{index['name']} is invalid, and no line says so"


def main():
    parser = argparse.ArgumentParser()
    options(parser)
    parser.add_argument("--inventory", default="inventory.md", type=pathlib.Path)
    told = parser.parse_args()
    base = make(told.source, "check_inventory", told.anchor)
    wrong = list(problems(base, told.inventory.read_text(errors="replace")))
    drop(base, told.anchor)
    print("\n".join(wrong) or "the inventory is what the catalogue says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
