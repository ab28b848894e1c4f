"""Step 6: nothing but new tests, page objects and notes; no rule of the house is broken; each criterion has a test.

    check-6.py BASE SPEC --only GLOB [--only GLOB]

BASE is the commit before the plan. Only files that match --only may be new, and none may be changed or removed.
Exit code 0: all as it should be.
"""

import argparse
import fnmatch
import pathlib
import re
import subprocess
import sys

from runs import playwright
from wire import ids

RULES = {
    r"waitForTimeout|setTimeout|setInterval|Atomics\.wait|networkidle": "a fixed wait",
    r"xpath=|locator\(\s*['\"`](//|[.#]|\w+ *>)": "a CSS chain or XPath",
    r"\.(only|skip|fixme)\(": "a test that is left out",
    r"mode: *['\"]serial|\bretries *:": "tests that are chained or retried",
    r"\.toPass\(": "steps that are tried again until they pass",
    r"\.route\(|\.routeFromHAR\(|\.fulfill\(|setContent\(": "an answer of the test's own in place of the application's",
    r"\.catch\(|\bcatch *[({]|\btry *\{": "an error that is swallowed",
    r"\bif *\([^\n]*\)\s*\{?[^}]*\bexpect\(|([&|?]{2}|\?) *(await )?expect\(": "an assertion under a condition",
    r"\bof +await\b|\.all\(\)": "a loop over whatever is there, which asserts nothing where nothing is",
    r"^\s*return;?\s*$": "a test that ends before its end",
    r"\.evaluate\(": "a script in the page where a user would click",
}
COMMENTS = re.compile(r"(^|(?<=[\s;,{}()]))//[^\n]*|/\*.*?\*/", re.S)


def told(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and command[0] == "git":
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("spec")
    parser.add_argument("--only", action="append", default=[])
    given, wrong, new = parser.parse_args(), [], []
    diff = told("git", "diff", "--no-renames", "--name-status", given.base)
    changed = [line.split("\t") for line in diff.splitlines()]
    other = told("git", "ls-files", "-o").splitlines()
    ignored = re.compile(r"(^|/)(node_modules|test-results|playwright-report|blob-report)(/|$)")
    for state, name in [*changed, *(("A", name) for name in other if not ignored.search(name))]:
        if state != "A":
            wrong.append(f"{name} was there in {given.base} and is changed: take that out, or to the one who owns it")
        elif not any(fnmatch.fnmatch(name, only) for only in given.only):
            wrong.append(f"{name} is new and neither test, page object nor note")
        else:
            new.append(name)
    for name in new:
        if not re.search(r"\.[cm]?[jt]sx?$", name):
            continue
        text = COMMENTS.sub("", pathlib.Path(name).read_text(encoding="utf-8"))
        for rule, what in RULES.items():
            if found := re.search(rule, text, re.M):
                wrong.append(f"{name}: {what}: {found[0].strip().splitlines()[0] if found[0].strip() else 'return'}")
    listed = told(*playwright(), "test", "--list")
    titles = re.findall(r"(?m):\d+:\d+ › (.*)$", listed)
    for name in ids(given.spec):
        if not any(re.match(rf"{name}\b", one) for one in titles):
            wrong.append(f"{name} has no test whose title begins with it")
    print("\n".join(wrong) or f"{len(new)} new files: {', '.join(new)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
