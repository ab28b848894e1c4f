"""Step 7: the command that failed on the base does not fail once on the fix, in a number of runs that means something.

    check-7.py BASE --test 'COMMAND > {junit}' --rate 0.1 [--times 2]

--rate is the one measured in step 3; there are 3 / rate runs, or --times as many. Each is in a clean copy of what git
holds; --link names folders of dependencies. Exit code 0: the base failed here, and the fix passed each time.
"""

import argparse
import math
import sys

from runs import clean, outcome


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("--test", required=True)
    parser.add_argument("--rate", type=float, required=True)
    parser.add_argument("--times", type=float, default=1)
    parser.add_argument("--link", action="append", default=[])
    told = parser.parse_args()
    runs, wrong = math.ceil(3 / told.rate * told.times), []
    with clean(told.base, links=told.link) as tree:
        if all(outcome(told.test, tree)[0] == "passed" for _ in range(runs)):
            wrong.append(f"on {told.base} no run of {runs} failed, so no failure on the fix means nothing here")
    with clean(links=told.link) as tree:
        for number in range(1, runs + 1):
            if (kind := outcome(told.test, tree)[0]) != "passed":
                wrong.append(f"run {number} of {runs} on the fix came out as {kind}, not passed")
                break
    print("\n".join(wrong) or f"{runs} of {runs} runs passed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
