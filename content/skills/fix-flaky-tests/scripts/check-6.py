"""Step 6: the fix mends this flake, still sees the faults that it saw, and touches nothing else.

    check-6.py BASE --test 'COMMAND > {junit}' --force FILE --break FILE [--break FILE] --touch FILE [--touch FILE]

The test command writes JUnit XML to {junit}. Patches are of the product alone: --force forces the failure, each --break
is a fault that the test must see (a wrong value; the symptom made permanent). Exit code 0: all as it should be.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET


def git(*words, folder="."):
    return subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True).stdout


def outcome(command, ref, patch=None):
    """passed, failed or other (skipped, rerun, nothing run), and the seconds of the tests; `ref` None: as it is now."""
    with tempfile.TemporaryDirectory() as place:
        tree = pathlib.Path(place, "tree")
        shutil.copytree(".", tree, symlinks=True)
        if ref:
            git("checkout", "--quiet", "--force", ref, folder=tree)
            git("clean", "-fdxq", folder=tree)
        if patch:
            git("apply", str(pathlib.Path(patch).resolve()), folder=tree)
        junit = pathlib.Path(place, "junit.xml")
        code = subprocess.run(command.replace("{junit}", str(junit)), shell=True, cwd=tree, capture_output=True).returncode
        cases = list(ET.parse(junit).getroot().iter("testcase")) if junit.exists() else []
        kinds = {child.tag for case in cases for child in case if child.tag in ("failure", "error", "skipped")}
        seconds = sum(float(case.get("time", 0)) for case in cases)
        names = [(case.get("classname"), case.get("name")) for case in cases]
        clean = cases and not kinds and code == 0 and len(names) == len(set(names))
        return "passed" if clean else "failed" if code and kinds & {"failure", "error"} else "other", seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    for name in ("test", "force"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("break", "touch"):
        parser.add_argument(f"--{name}", required=True, action="append")
    parser.add_argument("--runs", type=int, default=10)
    told = vars(parser.parse_args())
    test, base, wrong = told["test"], told["base"], []
    changed = set(git("diff", "--name-only", base).split()) | set(git("ls-files", "-o", "--exclude-standard").split())
    given = {told["force"], *told["break"], *told["touch"]}
    wrong += [f"{name} changed, and was not agreed on" for name in sorted(changed - given)]
    if not set(told["touch"]) & changed:
        wrong.append("none of the files that were agreed on changed")
    for patch in (told["force"], *told["break"]):
        touched = {line[6:] for line in pathlib.Path(patch).read_text().splitlines() if line.startswith("+++ b/")}
        if not touched or touched & set(told["touch"]):
            wrong.append(f"{patch} must change the product, and nothing of the fix")
        elif outcome(test, base, patch)[0] != "failed":
            wrong.append(f"on {base} the test does not fail with {patch}: the patch shows nothing")
    forced = [outcome(test, None, told["force"])[0] for _ in range(told["runs"])]
    if set(forced) != {"passed"}:
        wrong.append(f"with {told['force']} the fix came out as {', '.join(sorted(set(forced)))}, not passed each time")
    plain = [outcome(test, None) for _ in range(2)]
    if {kind for kind, _ in plain} != {"passed"}:
        wrong.append("the fix does not pass: one pass a run, nothing skipped, nothing run twice")
    before = min(outcome(test, base)[1] for _ in range(2))
    if min(seconds for _, seconds in plain) > 3 * before + 0.5:
        wrong.append("the test takes much longer than on the base: it waits for the time, not for the event")
    for patch in told["break"]:
        if outcome(test, None, patch)[0] != "failed":
            wrong.append(f"with {patch} the test does not fail: it no longer sees that fault")
    print("\n".join(wrong) or "the fix holds")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
