"""What the checks share: raw records as `sources.csv` describes them, and values converted as `mapping.csv` says."""

import csv
import datetime
import re
import sys
from decimal import Decimal
from pathlib import Path

FORMS = "text | trim | date %d.%m.%Y | number . | number , | number . /100 | lookup TARGET=COLUMN | rule N"
csv.field_size_limit(sys.maxsize)


def read(path, encoding="utf-8-sig"):
    """The lines of a CSV file of our own, as dictionaries; a missing file ends the check."""
    if not Path(path).is_file():
        sys.exit(f"{path} is missing")
    with open(path, encoding=encoding, newline="") as file:
        return list(csv.DictReader(file))


def records(folder, source):
    """Header and records of one raw file: `source` is its line in sources.csv (file, encoding, delimiter, header)."""
    delimiter = {"tab": "\t", "\\t": "\t"}.get(source["delimiter"], source["delimiter"])
    with open(Path(folder, source["file"]), encoding=source["encoding"], newline="") as file:
        rows = list(csv.reader(file, delimiter=delimiter))
    first = int(source.get("header") or 1)
    return rows[first - 1], [dict(zip(rows[first - 1], row)) for row in rows[first:]]


def raw_files(folder, sources="sources.csv"):
    """Every raw file with its header and records; a file that sources.csv leaves out ends the check."""
    described = {line["file"]: line for line in read(sources)}
    missing = {path.name for path in Path(folder).iterdir() if path.is_file()} - set(described)
    if missing:
        sys.exit(f"{sources} says nothing of {', '.join(sorted(missing))}")
    return {name: records(folder, line) for name, line in described.items()}


def output(out, *patterns):
    """The rows of the tables in out/ whose names fit."""
    return [row for pattern in patterns for path in sorted(Path(out).glob(pattern)) for row in read(path)]


def number(how, text):
    """A number whose decimal mark is `how[1]`; negative with a minus on either side or in brackets."""
    mark = how[1]
    text = text.strip().replace({".": ",", ",": "."}[mark], "").replace(mark, ".").replace("\u2212", "-")
    inner = re.fullmatch(r"\((.*)\)|(.*)-", text)
    value = -Decimal(inner[1] or inner[2]) if inner else Decimal(text)
    return value / Decimal(how[2][1:]) if len(how) > 2 else value


def convert(conversion, text):
    """What `mapping.csv` says becomes of a raw text; None where a rule decides."""
    how = conversion.split(maxsplit=2 if conversion.startswith("number") else 1)
    if how[0] == "text":
        return text
    if how[0] == "trim":
        return text.strip()
    if how[0] == "date":
        return datetime.datetime.strptime(text.strip(), how[1]).date().isoformat()
    if how[0] == "number":
        return number(how, text)
    return None


def same(wanted, text):
    """Whether a value of the table is what was wanted; numbers are compared as numbers."""
    try:
        return Decimal(text) == wanted if isinstance(wanted, Decimal) else text == wanted
    except ArithmeticError:
        return False


def keys_of(mapping, target):
    """By source file, the column that mapping.csv makes this target of."""
    return {line["source_file"]: line["source_column"] for line in mapping if line["target"] == target}


def located(files, line, keys):
    """The row of the record that a correction names by its number, as text; None where no record has it.

    source_row is a hint for a number that stands there more than once: a record that comes in above moves all rows.
    """
    name, key = line["source_file"], keys.get(line["source_file"])
    records = files[name][1] if name in files else []
    fits = [number for number, record in enumerate(records, 1) if key and record.get(key) == line["record"]]
    hinted = [number for number in fits if str(number) == line.get("source_row")]
    as_it_was = [number for number in fits if records[number - 1].get(line["column"]) == line["old"]]
    return next((str(number) for number in (*hinted, *as_it_was, *fits)), None)


def replay(files, mapping, rows, corrections, keys):
    """Every cell of these rows that is not what mapping.csv makes of its raw text; a lookup where its key is set."""
    places = [(line, located(files, line, keys)) for line in corrections]
    yield from (f"no record of {line['source_file']} is {line['record']}" for line, place in places if not place)
    changed = {(line["source_file"], place, line["column"]): line["new"] for line, place in places}
    for row in rows:
        name, place = row["source_file"], row["source_row"]
        if name not in files or not place.isdigit() or not 0 < int(place) <= len(files[name][1]):
            yield f"{name}:{place} is no record of the raw files"
            continue
        record = files[name][1][int(place) - 1]
        for line in mapping:
            target, column, how = line["target"], line["source_column"], line["conversion"]
            if target and how.startswith("lookup"):
                left, right = how.split(maxsplit=1)[1].split("=")
                if not row.get(left):
                    continue
                there = [entry[column] for entry in files[line["source_file"]][1] if entry[right] == row[left]]
                wanted = there[0] if len(there) == 1 else f"one line of {line['source_file']} ({len(there)} found)"
            elif target and line["source_file"] == name:
                try:
                    wanted = convert(how, changed.get((name, place, column), record.get(column, "")))
                except (ValueError, ArithmeticError):
                    wanted = f"unreadable by `{how}`"
                if wanted is None:
                    continue
            else:
                continue
            if not same(wanted, row.get(target, "")):
                yield f"{name}:{place} {target} is {row.get(target)!r}, and {column} makes it {str(wanted)!r}"
