"""Steps 5 to 7: one query gives every known number, and holds no value that comes from nowhere.

    check-6.py QUERY --known CONNECTION FILE [--known ...] --told PATH [--told ...] [--adds-up]
               [--table SCHEMA.TABLE ...]

QUERY is one SELECT with :'from' and :'to', as psql fills them in. Each FILE has lines `from,to,number` under a heading: the
signed periods in the data, and what was worked out by hand for a few made rows in a database of their own. CONNECTION is
that of the role that can only read. --told: files or folders with definitions and the code that builds the tables.
--table: what the definition names, and what its views are made of; the query reads nothing else, for a summary that was
made of the known numbers gives them back, and is silent on the one that is asked. --adds-up: the number of a period is the sum of those of its parts (sums and counts, not averages or distinct ones).
"""

import argparse
import csv
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
from decimal import Decimal, InvalidOperation

COMMON = {"0", "1", "2", "100", "100.0", "second", "minute", "hour", "day", "week", "month", "quarter", "year", "UTC"}
WORD = r"'(?:[^']|'')*'|\$\w*\$.*?\$\w*\$|(?<![\w.$])\d[\w.]*"


def values(text):
    """The literals of a query, without its remarks."""
    text = re.sub(r"--[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
    return re.findall(WORD, re.sub(r":'(?:from|to)'", " ", text), flags=re.DOTALL)


def unknown(query, told):
    files = [file for path in map(pathlib.Path, told) for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file()]
    files = [file for file in files if file.suffix != ".csv"]
    words = set(re.findall(r"[\w:/.+-]+", "\n".join(file.read_text(errors="replace") for file in files)))
    words |= COMMON | {word.rstrip(".,:") for word in words}
    return sorted({value for value in values(query) if not set(value.strip("'").split()) <= words})


def psql(connection, query, first, after):
    argv = ["psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-v", f"from={first}", "-v", f"to={after}", connection]
    env = {**os.environ, "PGOPTIONS": "-c default_transaction_read_only=on"}
    return subprocess.run(argv, input=query, capture_output=True, text=True, env=env)


def relations(plan):
    """Every table that a plan reads."""
    if isinstance(plan, dict) and "Relation Name" in plan:
        yield f"{plan.get('Schema')}.{plan['Relation Name']}"
    for part in plan.values() if isinstance(plan, dict) else plan if isinstance(plan, list) else ():
        yield from relations(part)


def number(connection, query, first, after):
    said = psql(connection, query, first, after)
    try:
        return Decimal(said.stdout.strip()), ""
    except InvalidOperation:
        return None, (said.stderr or f"not one number: {said.stdout[:200]!r}").strip()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("query", type=pathlib.Path)
    parser.add_argument("--known", nargs=2, action="append", required=True, metavar=("CONNECTION", "FILE"))
    parser.add_argument("--told", action="append", required=True)
    parser.add_argument("--adds-up", action="store_true")
    parser.add_argument("--table", action="append", default=[])
    told = parser.parse_args()
    query = told.query.read_text() if told.query.is_file() else ""
    wrong = [f"{told.query}: the value {value} stands in no definition" for value in unknown(query, told.told)]
    if "\\" in query or ":'from'" not in query or ":'to'" not in query:
        wrong.append(f"{told.query} must be one SELECT with :'from' and :'to', and no backslash commands")
    for connection, _ in told.known if told.table and not wrong else ():
        plan = psql(connection, f"EXPLAIN (VERBOSE, FORMAT JSON) {query}", "2000-01-01", "2000-01-02").stdout
        try:
            read = set(relations(json.loads(plan)))
        except ValueError:
            read = {"something that EXPLAIN cannot tell"}
        wrong += [f"{told.query} reads {name}, which the definition does not name" for name in sorted(read - set(told.table))]
    for connection, file in told.known if not wrong else ():
        for line in csv.DictReader(pathlib.Path(file).open()):
            first, after = (datetime.date.fromisoformat(line[name]) for name in ("from", "to"))
            got, why = number(connection, query, first, after)
            if got != Decimal(line["number"]):
                wrong.append(f"{file}: {first} to {after} is {line['number']}, the query says {got} {why}".rstrip())
            elif told.adds_up and (after - first).days > 1:
                middle = first + (after - first) // 2
                parts = [number(connection, query, *days)[0] for days in ((first, middle), (middle, after))]
                if None in parts or sum(parts) != got:
                    wrong.append(f"{first} to {after}: its two halves do not add up to the whole")
    print("\n".join(wrong) or "every known number comes out")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
