"""Step 7: each result is seen to fail for its reason, and each disagreement is an expected failure that a mend turns red.

    check-7.py SPEC --base-url URL --faults FILE [--held-back FILE] [--plan PLAN] TESTS...

FILE is what the agent wrote, --held-back what the tester wrote and did not show; `wire.py` says how. Exit code 0: all
as it should be, with the table of red runs.
"""

import argparse
import pathlib
import re
import sys

from wire import faults, ids, run

AT_ONCE = 6


def judge(fault, tests):
    """What is wrong with the run of one fault, and the messages of its red tests."""
    red = [(title, message) for title, kind, message, _ in tests if kind == "failed"]
    if not fault["used"]:
        return f"{fault['name']}: no answer held what it looks for: a test does not ask the application, or the line is wrong", []
    if fault["mend"]:
        if red:
            return f"{fault['name']}: {red[0][0]!r} holds in place what this mends", []
        fixed = [title for title, kind, *_ in tests if kind == "fixed"]
        return "" if fixed else f"{fault['name']}: no expected failure of {fault['id']} turns red with this", []
    if not red:
        return f"{fault['name']}: no test of {fault['id']} notices this fault: assert the result", []
    if not any("expect(" in message for _, message in red):
        return f"{fault['name']}: {red[0][0]!r} is red for another reason: {red[0][1][:160]}", []
    return "", [message for _, message in red]


def row(name, messages):
    lines = [line.strip() for line in "\n".join(messages).splitlines()]
    return f"{name} | " + " ".join(line for line in lines if re.match(r"Error: expect|Locator:|Expected|Received", line))[:300]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("spec")
    for name in ("--base-url", "--faults"):
        parser.add_argument(name, required=True)
    for name in ("--held-back", "--plan"):
        parser.add_argument(name)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("tests", nargs="+")
    given = parser.parse_args()
    if not pathlib.Path(given.faults).exists():
        sys.exit(f"{given.faults} is not there: write a fault for each result of {given.spec}")
    criteria, own = ids(given.spec), faults(given.faults)
    held = faults(given.held_back) if given.held_back else []
    wrong = [f"{name} has no line in {given.faults}" for name in sorted(criteria.keys() - {one["id"] for one in own})]
    if wrong:
        sys.exit("\n".join(wrong))
    own = [next((one for one in held if (one["id"], one["edits"]) == (mine["id"], mine["edits"])), mine) for mine in own]
    waiting = [{"patience": 10000}, *held, *(one for one in own if one not in held)]
    for one in waiting:
        one["patience"] = 10000 if one.get("mend", True) else 5000
    said, table, failing = {}, [], set()
    while waiting and not wrong:
        batch, waiting = waiting[:AT_ONCE], waiting[AT_ONCE:]
        for fault, tests in zip(batch, run(given.base_url, batch, given.tests, given.workers), strict=True):
            if "id" not in fault:
                wrong += [f"{title!r} is {kind} on the application as it is" for title, kind, *_ in tests if kind not in ("passed", "xfailed")]
                failing = {(title, message) for title, kind, message, _ in tests if kind == "xfailed"}
                wrong += [f"{title!r} fails for another reason than its assertion" for title, message in failing if "expect(" not in message]
                for title, message in failing:
                    said.setdefault(title.split(" ")[0].rstrip(":"), []).append(message)
                continue
            problem, messages = judge(fault, tests)
            wrong += [problem] if problem else []
            if fault["mend"]:
                failing -= {one for one in failing if any(one[0] == title and kind == "fixed" for title, kind, *_ in tests)}
            elif messages and fault in own:
                said.setdefault(fault["id"], []).extend(messages)
                table.append(row(f"{fault['id']} {fault['name']}", messages))
    if wrong:
        sys.exit("\n".join([*wrong, "there may be more" if waiting else ""]))
    wrong += [f"{title!r} is an expected failure without a mend: nothing shows that it would turn red" for title, _ in sorted(failing)]
    for name, values in criteria.items():
        wrong += [f"{name}: no red run names {value!r}: assert it, and add its fault" for value in values if value not in "\n".join(said.get(name, ""))]
    if given.plan:
        part = re.split(r"(?m)^#+ *", re.split(r"(?mi)^#+ *disagreements *$", pathlib.Path(given.plan).read_text(encoding="utf-8"))[-1])[0]
        noted = {re.search(r"[A-Z]+-\d+", line)[0] for line in part.splitlines() if "page wrong" in line and re.search(r"[A-Z]+-\d+", line)}
        mended = {one["id"] for one in [*own, *held] if one["mend"]}
        wrong += [f"{name}: disagreement in {given.plan} and mended expected failure do not go together" for name in sorted(noted ^ mended)]
    print("\n".join(wrong or table))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
