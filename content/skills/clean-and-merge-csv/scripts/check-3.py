"""Step 3: every column is mapped, every conversion can be done again, and no date order was guessed.

    check-3.py --rule customer_id --dates 'web.csv:date=%m/%d/%Y' [--mapping mapping.csv]

mapping.csv: target,source_file,source_column,conversion,decided_by. An empty target is a dropped column whose conversion
is the reason. Match rules decide the targets of --rule alone: all others are converted. --dates is what somebody who
knows the system said of a date column that can be read both ways; decided_by names where it says so. Shows a value of
each column before and after, for whoever approves the mapping.
"""

import argparse
import re
import sys

import tables


def both_ways(values):
    """Whether each date of a column can be read with the day first and with the month first, and they differ."""
    pairs = [re.match(r"\s*(\d{1,2})\D(\d{1,2})\D\d", value) for value in values if value.strip()]
    numbers = [(int(pair[1]), int(pair[2])) for pair in pairs if pair]
    return bool(numbers) and all(max(pair) <= 12 for pair in numbers) and any(one != two for one, two in numbers)


def example(how, values):
    """A value that can be converted, and what it becomes; of dates one whose day is not its month, where there is one."""
    filled = [value for value in values if value.strip()]
    if how.startswith("date"):
        filled.sort(key=lambda value: -len(set(re.findall(r"\d+", value))))
    for text in filled:
        try:
            made = tables.convert(how, text)
        except (ValueError, ArithmeticError, KeyError, IndexError):
            continue
        if made is not None:
            return text, made
    return None


def line_problems(line, values, ruled, stated):
    column, how = f"{line['source_file']} {line['source_column']}", line["conversion"]
    if not line["target"]:
        if len(how) < 8:
            yield f"{column} is dropped without a reason"
        return
    if how.startswith("rule") and line["target"] not in ruled:
        yield f"{column}: {line['target']} is not for a rule to decide; write {tables.FORMS}"
    if how.split(" ")[0] in ("lookup", "rule"):
        return
    shown = example(how, values)
    if not shown:
        yield f"{column}: {how!r} reads none of its values (write {tables.FORMS})"
    else:
        print(f"{column} {shown[0]!r} -> {line['target']} {shown[1]}")
    if how.startswith("date") and both_ways(values):
        settled = (line.get("decided_by") or "").strip()
        if not settled:
            yield f"{column}: no day exceeds 12, so the file proves nothing; ask, and name who said it in decided_by"
        known = stated.get(f"{line['source_file']}:{line['source_column']}")
        if known != how.removeprefix("date").strip():
            yield f"{column}: {how!r}, and its owner said {known or 'nothing (ask, and give the answer as --dates)'}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rule", action="append", default=[])
    parser.add_argument("--dates", action="append", default=[], metavar="FILE:COLUMN=ORDER")
    parser.add_argument("--raw", default="data/raw")
    parser.add_argument("--sources", default="sources.csv")
    parser.add_argument("--mapping", default="mapping.csv")
    told = parser.parse_args()
    stated = dict(pair.split("=", 1) for pair in told.dates)
    wrong, files, mapping = [], tables.raw_files(told.raw, told.sources), tables.read(told.mapping)
    mapped = {(line["source_file"], line["source_column"]) for line in mapping}
    there = {(name, column) for name, (header, _) in files.items() for column in header}
    wrong += [f"{name} {column} is not mapped" for name, column in sorted(there - mapped)]
    wrong += [f"{name} {column} is mapped, and is no column" for name, column in sorted(mapped - there)]
    for line in mapping:
        if (line["source_file"], line["source_column"]) in there:
            values = [record.get(line["source_column"], "") for record in files[line["source_file"]][1]]
            wrong += line_problems(line, values, told.rule, stated)
    print("\n".join(wrong) or "every column is mapped")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
