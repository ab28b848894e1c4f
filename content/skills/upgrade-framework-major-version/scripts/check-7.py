"""Step 7: every test that BASE had is still there, runs, passes and checks as much; nothing is skipped.

    check-7.py BASE --install 'npm ci' --test 'node --test --test-reporter=tap test/' --tests test

The command prints TAP (node --test, tape, prove; pytest with pytest-tap). BASE's own test files are run over the new tree as
well; those that the guide forces to change are named with --changed, read by a person, and left out. Exit code 0: all hold.
"""

import argparse
import collections
import re
import subprocess
import sys
import tempfile

LINE = re.compile(r"^\s*(not )?ok \d+ ?-? ?(.*?)\s*(# *(?:skip|todo)\b.*)?$", re.I)


def git(*words, folder="."):
    return subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True).stdout


def outcome(place, told):
    """How often each test passed, by name; and those that did not, or that ended badly as a whole."""
    passed, other = collections.Counter(), []
    ran = subprocess.run(told.install, shell=True, cwd=place, capture_output=True, text=True)
    if not ran.returncode:
        ran = subprocess.run(told.test, shell=True, cwd=place, capture_output=True, text=True)
    for line in ran.stdout.splitlines():
        found = LINE.match(line)
        if found and (found[1] or found[3]):
            other.append(f"{found[2]}: {'fails' if found[1] else 'is skipped'}")
        elif found:
            passed[found[2]] += 1
    if ran.returncode and not other:
        other.append(f"exit code {ran.returncode}: {(ran.stderr or ran.stdout)[-400:]}")
    return passed, other


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    for name in ("install", "test", "tests"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--changed", action="append", default=[])
    told, wrong = parser.parse_args(), []
    sha = git("rev-parse", told.base).strip()
    results = {}
    with tempfile.TemporaryDirectory() as place:
        for name in ("base", "own tests", "base's tests"):
            tree = f"{place}/{name.replace(' ', '-')}"
            git("clone", "--quiet", ".", tree)
            if name == "base":
                git("checkout", "--quiet", "--detach", sha, folder=tree)
            if name == "base's tests":
                git("rm", "-rq", "--ignore-unmatch", "--", told.tests, folder=tree)
                git("checkout", "--quiet", sha, "--", told.tests, folder=tree)
                for kept in told.changed:
                    git("checkout", "--quiet", "HEAD", "--", kept, folder=tree)
            results[name] = outcome(tree, told)
    baseline, broken = results.pop("base")
    if broken or not baseline:
        sys.exit(f"{told.base} is no baseline: {broken or 'no test ran'}")
    print(f"{sum(baseline.values())} tests on {told.base}")
    for name, (passed, other) in results.items():
        wrong += [f"{name} on the new version: {why}" for why in other]
        wrong += [f"{name}: {test!r} no longer runs" for test in baseline if passed[test] < baseline[test]]
    print("\n".join(wrong) or "all of them pass")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
