"""Step 7: red test alone, then the repair; with the repair taken back, test and reproduction are red again.

    check-7.py REPO BASE HEAD --test COMMAND --tests PATH --reason REGEX --repro SCRIPT --cause FILE [--runs 5]

--reason is what the red test must print: the wrong value that was seen. FILE quotes each added line of the product that could
hide an error (catch, except, retry, sleep, timeout) as it stands, with its reason; and one of the places that it names, as
path:line at BASE, lies where the repair changes something.
"""

import argparse
import pathlib
import re
import subprocess
import sys

from checkouts import checkout, git, ran

HIDES = re.compile(r"^\+.*\b(catch|except|retry|sleep|timeout)", re.IGNORECASE)


def tested(told, product, tests):
    """The test command on the product of one commit with the tests of another."""
    with checkout(told.repo, product, (git(told.repo, "rev-parse", tests).strip(), told.tests)) as tree:
        return ran(told.test, tree)


def red(told, what, result):
    code, said = result
    if code == 0:
        yield f"{what}: the tests pass, and should show the bug"
    elif not re.search(told.reason, said):
        yield f"{what}: the tests fail without printing {told.reason!r}: {said.strip()[-160:]!r}"


def green(what, result):
    if result[0]:
        yield f"{what}: the tests fail: {result[1].strip()[-160:]!r}"


def reproduced(told, product, tests):
    with checkout(told.repo, product, (git(told.repo, "rev-parse", tests).strip(), told.tests)) as tree:
        return ran(f"'{told.repro.resolve()}'", tree)[0]


def pointed_at(told, outside, cause):
    """Whether the cause names a place, within five lines, that the repair changes."""
    path = ""
    for line in git(told.repo, "diff", "-U0", "--no-renames", told.base, told.head, "--", ".", *outside).splitlines():
        if line.startswith("--- "):
            path = line[6:]
        elif found := re.match(r"@@ -(\d+)(?:,(\d+))? ", line):
            first, count = int(found[1]), int(found[2] or 1)
            for name, place in re.findall(r"([\w./-]+):(\d+)", cause):
                if ("/" + path).endswith("/" + name.removeprefix("./")) and first - 5 <= int(place) <= first + count + 5:
                    return True
    return False


def problems(told):
    base, head = told.base, told.head
    commits = git(told.repo, "rev-list", "--reverse", "--first-parent", f"{base}..{head}").split()
    if len(commits) < 2:
        yield f"{base}..{head} holds {len(commits)} commits: one with the test alone, then the repair"
        return
    outside = [f":(exclude){path}" for path in told.tests]
    if named := git(told.repo, "diff", "--name-only", base, commits[0], "--", ".", *outside).split():
        yield f"the first commit holds more than tests: {named}"
    if taken := re.findall(r"(?m)^-(?!--).*", git(told.repo, "diff", "--no-renames", base, head, "--", *told.tests)):
        yield f"lines of tests that were there are gone: {taken[0]!r}"
    yield from green(f"{base} as it was", tested(told, base, base))
    yield from red(told, "at the first commit", tested(told, commits[0], commits[0]))
    yield from green(f"at {head}", tested(told, head, head))
    yield from red(told, f"tests of {head} with the repair taken back", tested(told, base, head))
    if (code := reproduced(told, base, head)) != 1:
        yield f"with the repair taken back the reproduction exits {code}, not 1"
    for _ in range(told.runs):
        if code := reproduced(told, head, head):
            yield f"at {head} the reproduction exits {code}, not 0"
            break
    cause = told.cause.read_text(errors="replace") if told.cause.is_file() else ""
    if not pointed_at(told, outside, cause):
        yield f"no place that {told.cause} names as path:line lies where the repair changes something"
    for line in git(told.repo, "diff", "-U0", base, head, "--", ".", *outside).splitlines():
        if HIDES.match(line) and not line.startswith("+++") and line[1:].strip() not in cause:
            yield f"{line[1:].strip()!r} can hide an error, and {told.cause} does not quote it with its reason"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("repo", type=pathlib.Path)
    parser.add_argument("base")
    parser.add_argument("head")
    for name in ("test", "reason"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("repro", "cause"):
        parser.add_argument(f"--{name}", required=True, type=pathlib.Path)
    parser.add_argument("--tests", required=True, action="append")
    parser.add_argument("--runs", type=int, default=5)
    try:
        wrong = list(problems(parser.parse_args()))
    except subprocess.CalledProcessError as error:
        wrong = [f"could not: {error.cmd} {error.stderr or ''}"]
    print("\n".join(wrong) or "red before the repair, green with it, red again without it")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
