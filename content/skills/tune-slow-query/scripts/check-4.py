"""Step 4: the goal is met with every parameter set, each new index is one that the plan uses and that was not there, none is lost.

    check-4.py COPY --old slow/orders.sql --new new.sql --migration migration.sql --set 17 2026-01-01 --set 3 2025-06-01 \\
        --most 600 [--production work_mem] [--times 2]

COPY is a database, or a script for psql that makes it; the migration runs in a throw-away copy alone. --most is the number
of buffers, hit and read, that a run may take (times differ from hour to hour, buffers do not). Each new index must be
named in a plan, and with it dropped, in a transaction that is rolled back, a set must take --times as many buffers.
Settings that --production does not name must not stand in a plan. A valid index that was there stays, unless another
begins with its columns; an invalid one becomes valid by being built, and not by being called so in the catalogue.
"""

import argparse
import json
import sys

from copies import buffers, drop, indexes, make, migrate, options, plan, statements


def doubled(index, there):
    """The index whose leading columns are those of the new one, in the same order, under the same condition."""
    keys = index["keys"]
    same = (old for old in there.values() if (old["table"], old["kind"]) == (index["table"], index["kind"]))
    return next((old["name"] for old in same if old["name"] != index["name"] and old["valid"] and old["keys"][: len(keys)] == keys), "")


def pays(base, index, told, plans):
    """Why an index should not stay, or nothing."""
    name = index["name"]
    if old := doubled(index, indexes(base)):
        yield f"{name} has the leading columns of {old}, which is there"
    if not any(f'"{name.rpartition(".")[2]}"' in json.dumps(found) for found in plans):
        yield f"no plan uses {name}"
        return
    without = [buffers(plan(base, told.new, values, f"BEGIN; DROP INDEX {name};\n")) for values in told.sets]
    if not any(after > told.times * buffers(found) for after, found in zip(without, plans, strict=True)):
        yield f"with {name} dropped no set takes {told.times} times the buffers: {without}"


def main():
    parser = argparse.ArgumentParser()
    options(parser)
    statements(parser)
    parser.add_argument("--most", type=int, required=True)
    parser.add_argument("--times", type=float, default=2)
    parser.add_argument("--production", default="", help="settings that production has, too: names with commas")
    told = parser.parse_args()
    base = make(told.source, "check_plan", told.anchor)
    there = indexes(base)
    before = [plan(base, told.old, values) for values in told.sets]
    wrong = [why for why in [migrate(base, told.migration)] if why]
    after = [plan(base, told.new, values) for values in told.sets]
    for values, one, other in zip(told.sets, before, after, strict=True):
        print(f"{' '.join(values)}: {buffers(one)} to {buffers(other)} buffers")
        if buffers(other) > told.most:
            wrong.append(f"{' '.join(values)}: {buffers(other)} buffers, more than {told.most}")
        for name in sorted(set(other.get("Settings", {})) - set(told.production.split(","))):
            wrong.append(f"{' '.join(values)}: the plan was made with {name}, which production does not have")
    found = indexes(base)
    for name, index in there.items():
        if index["valid"] and not doubled(index | {"name": ""}, found):
            wrong.append(f"{name} is gone, whoever else asks by its columns")
    for index in found.values():
        was = there.get(index["name"])
        if index["valid"] and was and not was["valid"] and was["file"] == index["file"]:
            wrong.append(f"{index['name']} is called valid, and was not built anew: rows may be missing from it")
        if not index["valid"]:
            wrong.append(f"{index['name']} is invalid: drop it, concurrently")
        elif not was or not was["valid"]:
            wrong += pays(base, index, told, after)
    drop(base, told.anchor)
    print("\n".join(dict.fromkeys(wrong)) or "the goal is met, and each new index pays")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
