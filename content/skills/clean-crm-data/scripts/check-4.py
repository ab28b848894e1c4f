"""Step 4: pairs.csv is right on pairs that you judged yourself, and nothing was written to the CRM.

    check-4.py before.csv pairs.csv --records COMMAND --links COMMAND --same '17 203' --look '18 90' --other '5 6'

The commands print the live CRM as CSV: records with `id`; links with `type`, `child` and `record`. --same: one person, as
the band sure has it, by a chain of pairs too. --look: in that band, and not one by sure pairs. --other: never one,
because two persons, out of scope, or a test.
"""

import argparse

import tables


def problems(told):
    before, pairs = tables.rows(told.before, "id"), tables.rows(told.pairs, "a b band")
    group = tables.groups((row["a"], row["b"]) for row in pairs if row["band"] == "sure")
    band = {frozenset((row["a"], row["b"])): row["band"] for row in pairs}
    for kind in ("same", "look", "other"):
        for a, b in (tables.ids(pair) for pair in getattr(told, kind)):
            one = b in group.get(a, ())
            if one != (kind == "same"):
                yield f"{a} and {b} are {'one by sure pairs' if one else 'not one by sure pairs'}, and you judged them: {kind}"
            if kind == "look" and band.get(frozenset((a, b))) != "look":
                yield f"{a} and {b} are not in the band look"
    now = {row["id"]: set() for row in tables.asked(told.records, "id")}
    for row in tables.asked(told.links, "type child record"):
        now.setdefault(row["record"], set()).add((row["type"], row["child"]))
    held = {
        row["id"]: {(kind, child) for kind in row if kind not in tables.FIELDS for child in tables.ids(row[kind])}
        for row in before
    }
    yield from (f"record {key} is in {'the CRM' if key in now else 'before.csv'} alone" for key in held.keys() ^ now.keys())
    for key in held.keys() & now.keys():
        yield from (f"{kind} {child} of {key}: in before.csv or in the CRM alone" for kind, child in held[key] ^ now[key])


def main():
    parser = argparse.ArgumentParser()
    for name in ("before", "pairs", "--records", "--links"):
        parser.add_argument(name, **({"required": True} if name.startswith("-") else {}))
    for name in ("same", "look", "other"):
        parser.add_argument(f"--{name}", action="append", default=[])
    tables.end(problems(parser.parse_args()), "pairs are as you judged, and the CRM is as before.csv has it")


if __name__ == "__main__":
    main()
