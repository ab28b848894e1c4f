"""Step 8: every old test is still collected and comes out as before, and three runs agree.

    check-8.py BASE [--pytest OPTIONS] [--pytest ANOTHER ORDER]

Each order is run three times on the tree as it is, and the first once on BASE. Exit code 0: all as it should be.
"""

import argparse
import sys

from outcomes import RED, copied, outcomes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("--pytest", action="append")
    told, wrong = parser.parse_args(), []
    orders = told.pytest or [""]
    with copied(told.base) as tree:
        old = outcomes(orders[0], tree)
    if old is None:
        sys.exit(f"the tests of {told.base} do not run here")
    runs = []
    for command in orders * 3:
        with copied() as tree:
            runs.append(outcomes(command, tree))
    now = runs[0] or {}
    if any(run is None or run != now for run in runs):
        wrong.append("the runs do not agree, or one broke off: a test hangs on order, clock or another test")
    for name, kind in sorted(old.items()):
        if now.get(name) != kind:
            wrong.append(f"{name} was {kind} and is {now.get(name, 'not collected')}")
    new = {name: kind for name, kind in now.items() if name not in old}
    if not new:
        wrong.append("no new test was collected")
    wrong += [f"{name} is skipped, so it says nothing" for name, kind in sorted(new.items()) if kind == "skipped"]
    wrong += [f"{name} fails" for name, kind in sorted(new.items()) if kind in RED]
    print("\n".join(wrong) or f"{len(old)} old tests as before, {len(new)} new ones")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
