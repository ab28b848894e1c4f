"""Step 8: which of the planted faults a review found, by what its proofs and mends do and not by what it says.

    check-8.py HEAD --fault COMMAND --test COMMAND [--fault … --test …] [--review FOLDER] [--least N]

HEAD holds all planted faults. Each --fault takes one of them out of a copy (a sed, a git apply); its --test, on inputs of
your own, ends with 0 where that fault is out and not on HEAD. A fault is found if the proof of some finding (FOLDER/N.sh)
ends with 1 on HEAD and with 0 once that fault alone is out, and the test ends with 0 once FOLDER/N.patch is on: a mend of
the proof's own input alone is none. Findings that no fault explains are false alarms, or faults that you did not plant:
read those. Exit code 0: at least N (all) were found.
"""

import argparse
import pathlib
import sys

from copies import tried


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("head")
    parser.add_argument("--fault", required=True, action="append")
    parser.add_argument("--test", required=True, action="append")
    parser.add_argument("--review", type=pathlib.Path, default=pathlib.Path("review"))
    parser.add_argument("--least", type=int)
    told = parser.parse_args()
    if len(told.fault) != len(told.test):
        parser.error("each --fault has its --test")
    if not told.review.is_dir():
        print(f"there is no folder {told.review}")
        return 1
    command = f"bash {told.review.name}/%s.sh"
    names = sorted(path.stem for path in told.review.glob("[0-9]*.sh"))
    shows = [name for name in names if tried(told.head, told.review, command % name) == 1]
    explained, found = set(), 0
    for fault, test in zip(told.fault, told.test):
        if tried(told.head, told.review, test) == 0 or tried(told.head, told.review, test, edit=fault) != 0:
            parser.error(f"this test does not tell whether its fault is there: {test}")
        by = [name for name in shows if tried(told.head, told.review, command % name, edit=fault) == 0]
        mends = {name: told.review / f"{name}.patch" for name in by}
        bad = [name for name in by if not mends[name].is_file() or tried(told.head, told.review, test, mends[name]) != 0]
        explained.update(by)
        found += len(by) > len(bad)
        print(f"{'found by ' + ', '.join(by) if len(by) > len(bad) else 'MISSED'}: {fault}")
        if bad:
            print(f"  mended for its own inputs alone: {', '.join(bad)}")
    print(f"{found} of {len(told.fault)} found; explained by none: {', '.join(sorted(set(shows) - explained)) or 'no finding'}")
    return 0 if found >= (len(told.fault) if told.least is None else told.least) else 1


if __name__ == "__main__":
    sys.exit(main())
