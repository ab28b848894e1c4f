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

from wire import ids

RULES = {
    r"waitForTimeout|setTimeout|setInterval|Atomics\.wait|networkidle": "a fixed wait",
    r"xpath=|locator\(\s*['\"`](//|[.#]|\w+ *>)": "a CSS chain or XPath",
    r"\.only\(|\.skip\(|\.fixme\(|testInfo\.(skip|fixme)|mode: *['\"]serial|retries": "a test that is left out, chained or retried",
    r"\.route\(|\.routeFromHAR\(|\.fulfill\(|setContent\(": "an answer of the test's own in place of the application's",
    r"\.catch\(|\bcatch\b|expect\.soft\(|\btry\b": "an error that is swallowed",
    r"\bif *\([^\n]*\)\s*\{?[^}]*\bexpect\(|[&|?]{2} *(await )?expect\(|\? *(await )?expect\(": "an assertion under a condition",
    r"^\s*return;?\s*$": "a test that ends before its end",
    r"storeState|\.evaluate\(": "a script in the page where a shopper would click",
}


def told(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("spec")
    parser.add_argument("--only", action="append", default=[])
    given, wrong, new = parser.parse_args(), [], []
    changed = [line.split("\t") for line in told("git", "diff", "--no-renames", "--name-status", given.base).splitlines()]
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
        text = re.sub(r"(?m)//(?!/).*$|/\*.*?\*/", "", pathlib.Path(name).read_text(encoding="utf-8"))
        for rule, what in RULES.items():
            if found := re.search(rule, text, re.M):
                wrong.append(f"{name}: {what}: {found[0].strip().splitlines()[0] if found[0].strip() else 'return'}")
    listed = told("npx", "playwright", "test", "--list")
    titles = re.findall(r"(?m):\d+:\d+ › (.*)$", listed)
    wrong += [f"{name} has no test whose title begins with it" for name in ids(given.spec) if not any(re.match(rf"{name}\b", one) for one in titles)]
    print("\n".join(wrong) or f"{len(new)} new files")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
