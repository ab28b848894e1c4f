"""Step 8: every new test passes alone, beside all others, again, and while the application answers slowly.

    check-8.py SPEC --base-url URL [--repeats 20] [--slow 2] [--workers 2] TESTS...

Each test runs in a project of its own, so that nothing another one left behind helps it; all of them at once, and with
every answer to a script of the page --slow seconds late. Exit code 0: no failure, nothing skipped or retried.
"""

import argparse
import re
import sys

from runs import run
from wire import ids

GOOD = ("passed", "xfailed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("spec")
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--slow", type=float, default=2)
    parser.add_argument("tests", nargs="+")
    given = parser.parse_args()
    once = {"patience": 10000, "repeat": given.repeats}
    plain = run(given.base_url, [once], given.tests, given.workers)[0]
    wrong = [f"{title!r} is {kind} in {given.repeats} repeats" for title, kind, *_ in plain if kind not in GOOD]
    titles = {one[0] for one in plain}
    wrong += [f"{name} has no test" for name in ids(given.spec) if not any(re.match(rf"{name}\b", one) for one in titles)]
    if wrong:
        sys.exit("\n".join(sorted(set(wrong))))
    titles = sorted(titles)
    alone = [{"patience": 20000, "delay": given.slow, "grep": f"{re.escape(title)}$"} for title in titles]
    for title, tests in zip(titles, run(given.base_url, alone, given.tests, given.workers), strict=True):
        bad = [f"is {kind} alone and slow: {message.strip()[:200]}" for _, kind, message, _ in tests if kind not in GOOD]
        wrong += [f"{title!r} {what}" for what in bad or ([] if tests else ["is not found alone"])]
    print("\n".join(wrong) or f"{len(titles)} tests, {given.repeats} repeats, alone and slow")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
