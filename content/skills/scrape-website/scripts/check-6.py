"""Step 6: items.csv comes from the saved bytes and from nothing else, and verify.py reports a value that is not in its page.

    check-6.py items.csv fetch.csv --parse 'python3 parse.py' --verify 'python3 verify.py' --seen 'ADDRESS rent=1250.00'

In copies, without a network: items.csv is made anew; pages of one folder of the site change places, and their rows must
follow; values are falsified, and verify.py must end with another exit code than 0. --seen: what you read in the browser,
empty where there was nothing to read. --own: a column that a model filled.
"""

import argparse
import itertools
from pathlib import Path

import saved

AT, COLUMNS = ("address", "file"), "address status content_type bytes sha256 file"


def falsified(value):
    if not value:
        return "17"
    place = max((place for place, letter in enumerate(value) if letter.isdigit()), default=None)
    return value + " x" if place is None else value[:place] + str((int(value[place]) + 1) % 10) + value[place + 1 :]


def moved(told, items, fields):
    """Pages change places within a folder of the site; what the rows hold then must change places with them."""
    fetched = saved.rows(told.fetched, COLUMNS)
    answers, folders, wanted = saved.last(fetched), {}, {}
    for row in items:
        folders.setdefault(row["address"].rstrip("/").rpartition("/")[0], []).append(row)
    bodies = {row["address"]: Path(row["file"]).read_bytes() for row in items}
    kinds = {row["address"]: answers[row["address"]]["content_type"] for row in items}
    for rows in folders.values():
        for here, there in itertools.pairwise([*rows, rows[0]]):
            saved.put(answers[here["address"]], bodies[there["address"]])
            answers[here["address"]]["content_type"] = kinds[there["address"]]
            wanted[here["address"]] = [there[field] for field in fields]
    saved.write(told.fetched, fetched)
    saved.run(told.parse, offline=True)
    now = {row["address"]: row for row in saved.rows(told.items, "address file")}
    for address, values in wanted.items():
        if address not in now or [now[address].get(field) for field in fields] != values:
            yield f"{address}: another page in its place does not change its row as it should"


def problems(told):
    items, answers = saved.rows(told.items, "address file"), saved.last(saved.rows(told.fetched, COLUMNS))
    if not items:
        yield "items.csv has no row"
        return
    fields = [field for field in items[0] if field not in (*AT, *told.own)]
    for row in items:
        answer = answers.get(row["address"], {"status": "nothing", "file": ""})
        if answer["status"] != "200" or Path(answer["file"]) != Path(row["file"]) or not Path(row["file"]).is_file():
            yield f"{row['address']}: has a row from {row['file'] or 'nowhere'}, and the site answered {answer['status']}"
    found = {row["address"]: row for row in items}
    for seen in told.seen:
        address, _, (field, _, value) = (*seen.partition(" ")[:2], seen.partition(" ")[2].partition("="))
        if (read := found.get(address, {}).get(field)) != value:
            yield f"{address}: {field} is {read!r}, and you read {value!r}"
    with saved.copied():
        before = Path(told.items).read_bytes()
        Path(told.items).unlink()
        if not saved.run(told.parse, offline=True) or not Path(told.items).is_file() or Path(told.items).read_bytes() != before:
            yield f"{told.parse} does not make the same items.csv again from raw/ alone"
            return
        if not saved.run(told.verify, offline=True):
            yield f"{told.verify} does not find all values"
        for field in fields:
            for full in (True, False):
                for place in [place for place, row in enumerate(items) if bool(row[field]) == full][:3]:
                    changed = {**items[place], field: falsified(items[place][field])}
                    saved.write(told.items, [*items[:place], changed, *items[place + 1 :]])
                    if saved.run(told.verify, offline=True):
                        yield f"{told.verify} lets pass: {field} {changed[field]} in place of {items[place][field] or 'nothing'}"
        yield from moved(told, [row for row in items if row["address"] in answers and Path(row["file"]).is_file()], fields)


def main():
    parser = argparse.ArgumentParser()
    for name in ("items", "fetched", "--parse", "--verify"):
        parser.add_argument(name, **({"required": True} if name.startswith("-") else {}))
    for name in ("seen", "own"):
        parser.add_argument(f"--{name}", action="append", default=[])
    saved.end(problems(parser.parse_args()), "every value comes from its page, and a false one is reported")


if __name__ == "__main__":
    main()
