"""Step 5: red before green. The new tests fail on the base for the reported reason, pass on the branch, and see the whole fix.

    check-5.py BASE HEAD --test 'COMMAND > {junit}' --tests PATH --scope PATH [--reason REGEX]

BASE is the commit that the issue was handed over on. The test command writes JUnit XML to {junit}. Exit code 0: all as it
should be.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

from commits import code, git, laid_out, names, within


def outcomes(told, product, tests, undo=None):
    """Each test with None for a pass, else the first line of why not; None for all where `undo` undoes no code."""
    with tempfile.TemporaryDirectory() as place:
        tree, junit = pathlib.Path(place, "tree"), pathlib.Path(place, "junit.xml")
        laid_out(tree, product, tests, told.tests)
        if undo:
            path, patch = undo
            before = code(tree / path) if (tree / path).exists() else ""
            git("apply", "-R", "--unidiff-zero", "--whitespace=nowarn", "-", cwd=tree, input=patch)
            if (code(tree / path) if (tree / path).exists() else "") == before:
                return None
        subprocess.run(told.test.replace("{junit}", str(junit)), shell=True, cwd=tree, capture_output=True)
        found = {}
        for case in ET.parse(junit).getroot().iter("testcase") if junit.exists() else ():
            bad = [child for child in case if child.tag in ("failure", "error", "skipped")]
            found[f"{case.get('classname')}::{case.get('name')}"] = f"{bad[0].tag}: {bad[0].get('message')}" if bad else None
        return found


def hunks(base, head, paths):
    """Each changed piece of the product as a patch of its own."""
    for path in paths:
        first, *rest = re.split(rb"(?m)^(?=@@ )", git("diff", "--no-renames", "-U0", base, head, "--", path))
        yield from ((path, first + hunk) for hunk in rest)


def problems(told):
    base, head = told.base, told.head
    commits = git("rev-list", "--reverse", "--first-parent", f"{base}..{head}").decode().split()
    if not commits or git("merge-base", base, head) != git("rev-parse", f"{base}^{{commit}}"):
        yield f"{head} does not begin at {base}, or holds nothing"
        return
    if git("status", "--porcelain").strip():
        yield "there are changes that are in no commit; commit or remove them"
    changed = names(base, head)
    for path in changed:
        if not within(path, told.tests + told.scope):
            yield f"{path} is out of scope; take it out of the branch"
    first = commits[0]
    if not all(within(path, told.tests) for path in names(base, first)):
        yield "the first commit holds more than tests; commit the failing test alone, before the change"
    old, red = outcomes(told, base, base), outcomes(told, base, first)
    failing = {name: why for name, why in red.items() if why and old.get(name) is None}
    if not failing:
        yield "no test of the first commit fails on the base: it shows no fault"
    for name, why in failing.items():
        if not why.startswith("failure: ") or not any(re.search(reason, why) for reason in told.reason):
            yield f"{name} fails on the base for another reason than the reported one ({why[:120]})"
    for name, why in outcomes(told, head, first).items():
        if why:
            yield f"{name} of the first commit does not pass on {head} ({why[:120]})"
    green, kept = outcomes(told, head, head), outcomes(told, head, base)
    for name, why in green.items():
        if why and not old.get(name):
            yield f"{name} does not pass on {head} ({why[:120]})"
    for name in (name for name, why in old.items() if not why):
        if kept.get(name, "gone") or name not in green:
            yield f"{name}, as it is on {base}, does not pass on {head} any more, or is gone"
    for path, patch in hunks(base, head, [path for path in changed if not within(path, told.tests)]):
        undone = outcomes(told, head, head, (path, patch))
        if undone is not None and undone == green:
            where = re.search(rb"\+(\d+)", patch[patch.index(b"@@ "):])[1].decode()
            yield f"{path}:{where}: no test notices when this piece of the change is taken back; test it or leave it out"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("head")
    parser.add_argument("--test", required=True)
    for name in ("tests", "scope"):
        parser.add_argument(f"--{name}", required=True, action="append")
    parser.add_argument("--reason", action="append", default=[r"(?i)\bassert|expected|did not raise"])
    try:
        wrong = list(problems(parser.parse_args()))
    except subprocess.CalledProcessError as error:
        wrong = [f"git could not: {error.stderr.decode().strip()}"]
    print("\n".join(wrong) or "red before green, and the tests see the whole fix")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
