"""Step 7: each result is seen to fail for its reason; each disagreement is an expected failure that a mend turns red.

    check-7.py SPEC PLAN --base-url URL --faults FILE [--held-back FILE] [--workers 2] TESTS...

FILE is what the agent wrote, --held-back what the tester wrote and did not show; `wire.py` says how. Exit code 0: all
as it should be, with the table of red runs.
"""

import argparse
import pathlib
import re
import sys

from runs import run
from wire import faults, ids

FIRST, LATER = 6, 24  # how many runs at once: a few, since most that is wrong shows there
PATIENCE = {True: 10000, False: 5000}


def unready(criteria, own):
    """What the agent's faults lack: a line for each criterion, and for each amount one that makes it longer."""
    for name, values in criteria.items():
        mine = [one for one in own if one["id"] == name]
        if not mine:
            yield f"{name} has no line in the faults"
        put = " ".join(edit[-1] for one in mine for edit in one["edits"])
        mended = " ".join(edit[-1] for one in mine if one["mend"] for edit in one["edits"])
        for value in values:
            longer = re.search(rf"[\d.-]{re.escape(value)}|{re.escape(value)}\d", put)
            if mine and re.fullmatch(r"-?\d+\.\d+", value) and not longer and value not in mended:
                yield f"{name}: make {value} longer in a fault, 1{value.lstrip('-')}: else digits will do"


def as_it_is(tests):
    """What is wrong with the tests on the application as it is."""
    for title, kind, message, _ in tests:
        if kind not in ("passed", "xfailed"):
            yield f"{title!r} is {kind} on the application as it is"
        elif kind == "xfailed" and "expect(" not in message:
            yield f"{title!r} fails for another reason than its assertion: {message[:160]}"


def judged(fault, tests):
    """What is wrong with the run of one fault."""
    red = [(title, message) for title, kind, message, _ in tests if kind == "failed"]
    fixed = [title for title, kind, *_ in tests if kind == "fixed"]
    if not fault["used"]:
        yield f"{fault['name']}: no answer held it: no test of {fault['id']} asks the application, or the line is wrong"
    elif fault["mend"] and red:
        yield f"{fault['name']}: {red[0][0]!r} holds in place what this mends"
    elif fault["mend"] and not fixed:
        yield f"{fault['name']}: no expected failure of {fault['id']} turns red with this"
    elif not fault["mend"] and not red:
        yield f"{fault['name']}: no test of {fault['id']} notices this fault: assert the result"
    elif not fault["mend"] and not any("expect(" in message for _, message in red):
        yield f"{fault['name']}: {red[0][0]!r} is red for another reason: {red[0][1][:160]}"


def decided(plan):
    """The criteria whose disagreement is decided as `page wrong`."""
    after = re.split(r"(?mi)^#+ *disagreements *$", pathlib.Path(plan).read_text(encoding="utf-8"))[-1]
    return set(re.findall(r"(?m)^\W*([A-Z]+-\d+)\b.*page wrong", re.split(r"(?m)^#", after)[0]))


def main():
    parser = argparse.ArgumentParser()
    for name in ("spec", "plan"):
        parser.add_argument(name)
    for name in ("--base-url", "--faults"):
        parser.add_argument(name, required=True)
    parser.add_argument("--held-back")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("tests", nargs="+")
    given = parser.parse_args()
    missing = [f"{name} is not there" for name in (given.plan, given.faults) if not pathlib.Path(name).exists()]
    criteria, own = ids(given.spec), [] if missing else faults(given.faults)
    if wrong := missing or list(unready(criteria, own)):
        sys.exit("\n".join(wrong))
    held = faults(given.held_back) if given.held_back else []
    known = [(one["id"], one["edits"]) for one in own]
    waiting = [{"mend": True}, *(one for one in held if (one["id"], one["edits"]) not in known), *own]
    plain, said, mended, table = [], {}, set(), []
    while waiting and not wrong:
        many = LATER if plain else FIRST
        batch, waiting = waiting[:many], waiting[many:]
        for one in batch:
            one["patience"] = PATIENCE[one["mend"]]
        for fault, tests in zip(batch, run(given.base_url, batch, given.tests, given.workers), strict=True):
            wrong += judged(fault, tests) if "id" in fault else as_it_is(tests)
            plain = plain or tests
            mended |= {title for title, kind, *_ in tests if kind == "fixed"}
            for title, kind, message, _ in tests:
                if kind == "failed" or (kind == "xfailed" and "id" not in fault):
                    name = fault.get("id") or title.split()[0].strip(":")
                    said[name] = f"{said.get(name, '')}\n{message}"
                    lines = re.findall(r"(?m)^ *(Error: expect.*|Locator:.*|Expected.*|Received.*)", message)
                    table.append(f"{fault.get('name', 'as it is')} | {title} | {' '.join(lines)}"[:300])
    if wrong:
        sys.exit("\n".join([*wrong, "there may be more"] if waiting else wrong))
    failing = {title for title, kind, *_ in plain if kind == "xfailed"}
    wrong += [f"{title!r} is an expected failure that no mend turns red" for title in sorted(failing - mended)]
    for name, values in criteria.items():
        gone = [value for value in values if value not in said.get(name, "")]
        wrong += [f"{name}: no red run names {value!r}: assert it, and add its fault" for value in gone]
    odd = decided(given.plan) ^ {title.split()[0].strip(":") for title in failing}
    wrong += [f"{name}: `page wrong` in the plan and an expected failure go together" for name in sorted(odd)]
    print("\n".join(wrong or table))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
