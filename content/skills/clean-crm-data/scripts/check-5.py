"""Step 5: merges.csv is what sure pairs and your rules make of the records, and what is not kept stands in dropped.csv.

    check-5.py RECORDS.csv before.csv pairs.csv merges.csv dropped.csv --strict 'consent no unknown yes' \
        --earliest created --add email --words tags --number customer_no --never status=deleted --country 43 --skip status

RECORDS.csv is your own export of all fields. --strict: a field and its values, strictest first. --earliest: the minimum.
--add, --words: several values can stand in it, between semicolons or white space, and none is lost. Each value must stand on the records that
its source names. --number: the external
id, whose bearer survives, else the record on which most hangs; --never: is no survivor. --skip: what the CRM sets itself.
"""

import argparse
import re

import tables


def plain(text, country):
    """A value as it is compared: letters small, no +tag, a phone in its international form."""
    text = re.sub(r"\+[^@\s]*@", "@", " ".join(text.casefold().split()))
    if re.fullmatch(r"[+\d][\d\s()/.-]{6,}", text):
        text = re.sub(r"^0", f"+{country}", re.sub(r"^00", "+", re.sub(r"[^\d+]", "", text)))
    return text


def held(told, field, text):
    """The values that stand in a field."""
    parts = text.split() if field in told.words else re.split("[;|]", text) if field in told.add else [text]
    return {plain(part, told.country) for part in parts if part.strip()}


def survivors(told, members, records, weight):
    never = dict(one.split("=", 1) for one in told.never)
    able = [key for key in members if not any(records[key].get(field) == value for field, value in never.items())]
    able = [key for key in able if told.number and records[key][told.number]] or able
    return [key for key in able if weight[key] == max(weight[one] for one in able)]


def wrong_of(told, field, value, given):
    """What is wrong with the value of a field, by the values that it had on each record."""
    strict = {words[0]: words[1:] for words in map(str.split, told.strict)}.get(field)
    if strict or field in told.earliest:
        right = min(
            (one for one in given.values() if not strict or one in strict), key=strict.index if strict else None, default=""
        )
        if value != right:
            yield f"is {value or 'empty'}, not {right}"
    elif given and not value:
        yield "was filled and is empty"
    if strange := held(told, field, value).difference(*(held(told, field, text) for text in given.values())):
        yield f"has {' '.join(strange)}, which stands on none of the records"
    if field in told.add + told.words:
        yield from (
            f"lost {text} of {key}" for key, text in given.items() if not held(told, field, text) <= held(told, field, value)
        )


def problems(told):
    records = {row["id"]: row for row in tables.rows(told.records, f"id {told.number or ''}")}
    weight = {}
    for row in tables.rows(told.before, "id"):
        weight[row["id"]] = sum(len(tables.ids(text)) for kind, text in row.items() if kind not in tables.FIELDS)
    pairs = tables.rows(told.pairs, "a b band")
    group = tables.groups((row["a"], row["b"]) for row in pairs if row["band"] == "sure")
    merged, values, sources = {}, {}, {}
    for row in tables.rows(told.merges, "survivor losers field value source"):
        merged.setdefault(row["survivor"], set()).update([row["survivor"], *tables.ids(row["losers"])])
        values.setdefault(row["survivor"], {})[row["field"]] = row["value"]
        sources[row["survivor"], row["field"]] = tables.ids(row["source"])
    dropped = tables.rows(told.dropped, "survivor loser field value reason")
    dropped = {(row["survivor"], row["loser"], row["field"], row["value"]) for row in dropped if row["reason"]}
    wanted = {frozenset(members) for members in group.values()}
    for members in wanted ^ {frozenset(members) for members in merged.values()}:
        yield f"{' '.join(sorted(members))}: together in {'pairs.csv' if members in wanted else 'merges.csv'} alone"
    for survivor, members in merged.items():
        if strangers := members - (records.keys() & weight.keys()):
            yield f"no records: {' '.join(sorted(strangers))}"
            continue
        if survivor not in (able := survivors(told, sorted(members), records, weight)):
            yield f"{survivor} survives, and {' or '.join(able)} should"
        for field in records[survivor].keys() - {"id", *told.skip}:
            given = {key: records[key][field] for key in sorted(members) if records[key][field]}
            value = values[survivor].get(field, "")
            yield from (f"{survivor}: {field} {wrong}" for wrong in wrong_of(told, field, value, given))
            source = sources.get((survivor, field), [])
            if held(told, field, value).difference(*(held(told, field, given.get(key, "")) for key in source)):
                yield f"{survivor}: {field} {value} does not stand on its source, {' '.join(source) or 'which is not named'}"
            for key in given.keys() - {survivor} if field not in told.add + told.words else ():
                if (
                    held(told, field, given[key]) != held(told, field, value)
                    and (survivor, key, field, given[key]) not in dropped
                ):
                    yield f"{survivor}: {field} {given[key]} of {key} is lost, and not in dropped.csv with a reason"


def main():
    parser = argparse.ArgumentParser()
    for name in ("records", "before", "pairs", "merges", "dropped"):
        parser.add_argument(name)
    for name in ("strict", "earliest", "add", "words", "never", "skip"):
        parser.add_argument(f"--{name}", action="append", default=[])
    parser.add_argument("--number")
    parser.add_argument("--country", default="")
    tables.end(problems(parser.parse_args()), "merges follow the rules, and nothing is lost unsaid")


if __name__ == "__main__":
    main()
