"""Step 6: the fix mends this flake, still sees the faults that it saw, and touches nothing else.

    check-6.py BASE --test 'COMMAND > {junit}' --force FILE [--delay SECONDS] --break FOLDER --touch FILE [--touch FILE]
               [--limit SECONDS] [--link FOLDER]

The test command writes JUnit XML to {junit}. Patches are of the product alone: --force forces the failure (--delay: by
holding up what the test waits for, so that the fix must last as long), each in --break is a fault that the test must
see; a run longer than --limit (60) hangs, which is no failure. What git does not hold is no part of the fix; --link
names folders of dependencies. Exit code 0: all is well.
"""

import argparse
import pathlib
import sys

from runs import clean, git, outcome

KINDS = "the symptom for good or no end, the symptom the first time alone, a value that is too low, one that is too high"


def read():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    for name in ("test", "force", "break"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("touch", "link"):
        parser.add_argument(f"--{name}", action="append", default=[])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--delay", type=float, default=0)
    parser.add_argument("--limit", type=float, default=60)
    return vars(parser.parse_args())


def main():
    told, wrong = read(), []
    base, breaks = told["base"], sorted(pathlib.Path(told["break"]).glob("*.patch"))

    def tried(ref, patch=None, times=1):
        with clean(ref, patch, told["link"]) as tree:
            return [outcome(told["test"], tree, told["limit"]) for _ in range(times)]

    changed = set(git("diff", "--name-only", base).split()) | set(git("ls-files", "-o", "--exclude-standard").split())
    given = {told["force"], *map(str, breaks), *told["touch"]}
    wrong += [f"{name} changed, and was not agreed on" for name in sorted(changed - given)]
    if not set(told["touch"]) & changed:
        wrong.append("none of the files that were agreed on changed")
    if len({patch.read_text() for patch in breaks}) < 4:
        wrong.append(f"{told['break']} holds {len(breaks)} faults; at least: {KINDS}")
    for patch in (told["force"], *breaks):
        touched = {line[6:] for line in pathlib.Path(patch).read_text().splitlines() if line.startswith("+++ b/")}
        if not touched or touched & set(told["touch"]):
            wrong.append(f"{patch} must change the product, and nothing of the fix")
        elif {kind for kind, _ in tried(base, patch, told["runs"] if patch == told["force"] else 1)} != {"failed"}:
            wrong.append(f"on {base} the test does not fail each time with {patch}: the patch shows nothing")
    forced = tried(None, told["force"], told["runs"])
    if {kind for kind, _ in forced} != {"passed"}:
        kinds = ", ".join(sorted({kind for kind, _ in forced}))
        wrong.append(f"with {told['force']} the fix came out as {kinds}, not passed each time")
    elif min(seconds for _, seconds in forced) < told["delay"]:
        wrong.append(f"with {told['force']} the test is over before the delay is: it does not wait for what is held up")
    plain = tried(None, times=3)
    if {kind for kind, _ in plain} != {"passed"}:
        wrong.append("the fix does not pass: one pass a run, nothing skipped, nothing run twice")
    before = min(seconds for _, seconds in tried(base, times=2))
    if min(seconds for _, seconds in plain) > 3 * before + 1:
        wrong.append("the test takes much longer than on the base: it waits for the time, not for the event")
    for patch in breaks:
        kind = tried(None, patch)[0][0]
        if kind == "hung":
            wrong.append(f"with {patch} the test hangs: give its wait a limit")
        elif kind != "failed":
            wrong.append(f"with {patch} the test does not fail: it no longer sees that fault")
    print("\n".join(wrong) or "the fix holds")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
