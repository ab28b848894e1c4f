"""Step 6: after merging, each child hangs once on its survivor, survivors hold the values of merges.csv, the rest is as it was.

    check-6.py RECORDS.csv LINKS.csv merges.csv --records COMMAND --links COMMAND --merged status=merged --empty COMMAND \
        --same COMMAND_THEN COMMAND_NOW

RECORDS.csv and LINKS.csv are your own listing of the copy before anything was merged; the commands print the same listings
of it now. Records have `id`; links have `type`, `child`, `record`, and what else is to stay, such as the amount of an open
deal. --merged: how the CRM marks losers that it keeps in its list. --empty: prints the outbox and the workflow log, a
header at most. --same: the two print one and the same: what stands in each child, by its id and without its record (texts,
stages, amounts of closed deals), and the automations with their state; the first may be `cat` of what you saved. Where the copy has ids of its own, put those of the originals into its listings first.
"""

import argparse
import collections
import subprocess

import tables

KEY = ("type", "child", "record")


def children(links, into):
    """How often each child hangs on each record; a list that both records were on has the survivor once."""
    found = collections.Counter(
        (row["type"], row["child"], into.get(row["record"], row["record"]), *(f"{k} {row[k]}" for k in row if k not in KEY))
        for row in links
    )
    return collections.Counter(found.keys()) if into else found


def problems(told):
    into, values = {}, collections.defaultdict(dict)
    for row in tables.rows(told.merges, "survivor losers field value"):
        into.update(dict.fromkeys(tables.ids(row["losers"]), row["survivor"]))
        values[row["survivor"]][row["field"]] = row["value"]
    if not into:
        yield "merges.csv merges nothing"
    then = children(tables.rows(told.links_before, "type child record"), into)
    now = children(tables.asked(told.links, "type child record"), {})
    for count, where in ((then - now, "is lost"), (now - then, "is new or there twice")):
        yield from (f"{kind} {child} on {record or 'nobody'} {' '.join(more)}: {where}" for kind, child, record, *more in count)
    records, after = (
        {row["id"]: row for row in table} for table in (tables.rows(told.records_before, "id"), tables.asked(told.records, "id"))
    )
    field, _, mark = told.merged.partition("=")
    for key in records.keys() | after.keys():
        if key not in records:
            yield f"record {key} is new"
        elif key in into:
            if key in after and (not field or after[key].get(field) != mark):
                yield f"record {key} is not merged into {into[key]}"
        elif key not in after:
            yield f"record {key} is gone"
        else:
            wanted = records[key] | {name: value for name, value in values.get(key, {}).items() if name in records[key]}
            yield from (
                f"record {key}: {name} is {after[key].get(name)!r}, not {wanted[name]!r}"
                for name in wanted
                if after[key].get(name) != wanted[name]
            )
    for then_said, now_said in told.same:
        lines = [collections.Counter(tables.printed(command).splitlines()) for command in (then_said, now_said)]
        if not lines[0]:
            yield f"{then_said}: prints nothing, so that nothing is compared"
        for count, where in ((lines[0] - lines[1], "is gone or another"), (lines[1] - lines[0], "was not there")):
            yield from (f"{line[:160]}: {where}" for line in count)
    if told.empty:
        said = subprocess.run(told.empty, shell=True, capture_output=True, text=True)
        if said.returncode or len(said.stdout.splitlines()) > 1:
            yield f"{told.empty}: {len(said.stdout.splitlines()) - 1} were sent or queued, exit code {said.returncode}"


def main():
    parser = argparse.ArgumentParser()
    for name in ("records_before", "links_before", "merges"):
        parser.add_argument(name)
    for name in ("--records", "--links"):
        parser.add_argument(name, required=True)
    parser.add_argument("--merged", default="")
    parser.add_argument("--empty")
    parser.add_argument("--same", nargs=2, action="append", default=[])
    tables.end(problems(parser.parse_args()), "every child hangs on its survivor, and the rest is as it was")


if __name__ == "__main__":
    main()
