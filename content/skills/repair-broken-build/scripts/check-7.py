"""Step 7: nothing was switched off: tests, targets, files and guards are those of the last green build, and the build can fail.

    check-7.py REPO GREEN FAILING HEAD --build COMMAND --ids COMMAND --listing COMMAND --break COMMAND [--protect PATH]
        [--approved PATH:REGEX] [--env NAME=VALUE]

GREEN is a commit before FAILING, and not one of the repairs. After a clean build --ids prints the ids of the tests that ran, a line each, and --listing the names in the artefact. --break
spoils a clone of HEAD (a syntax error, a failing test): the build must fail. --protect: a file or folder that no repair may
touch; --approved: lines that may be added there all the same.
"""

import argparse
import re
import subprocess
import sys

from clean import clone, git, ran

OFF = re.compile(r"^[+].*([|][|] true|continue-on-error|exclude|skipLibCheck|skipTests|no-verify|-Wno-|#if 0)")


def built(told, ref):
    with clone(told.repo, ref) as tree:
        code, said = ran(told.build, tree, told.env)
        lists = [set(ran(command, tree, told.env)[1].splitlines()) for command in (told.ids, told.listing)]
        return code, said, *lists


def guards(told):
    """What was changed of that which no repair may touch."""
    before = git(told.repo, "rev-list", f"{told.failing}~").split()
    if git(told.repo, "rev-parse", f"{told.green}^{{commit}}").strip() not in before:
        yield f"{told.green} is no commit before {told.failing}: nothing can be compared with it"
    for line in git(told.repo, "diff", f"{told.green}..{told.head}").splitlines():
        if OFF.match(line):
            yield f"switches something off: {line}"
    for path in git(told.repo, "diff", "--name-only", "--no-renames", "--diff-filter=D", told.failing, told.head).splitlines():
        yield f"{path} is gone"
    with clone(told.repo, told.head) as tree:
        for path in git(tree, "diff", "--name-only", "--no-renames", "--diff-filter=A", git(told.repo, "rev-parse", told.failing).strip(), "HEAD").splitlines():
            if ran(f"git check-ignore -q --no-index -- '{path}'", tree)[0] == 0:
                yield f"{path} is committed although git ignores it: does it hold a key?"
    allowed = [one.split(":", 1) for one in told.approved]
    for path in git(told.repo, "diff", "--name-only", "--no-renames", told.failing, told.head, "--", *told.protect).splitlines() if told.protect else ():
        added = re.findall(r"(?m)^\+(?!\+\+ )(.*)", git(told.repo, "diff", "-U0", told.failing, told.head, "--", path))
        regexes = [regex for place, regex in allowed if place == path]
        if not regexes or not all(any(re.search(regex, line) for regex in regexes) for line in added):
            yield f"{path} is changed without approval"


def problems(told):
    yield from guards(told)
    code, said, old_ids, old_names = built(told, told.green)
    if code or not old_ids or not old_names:
        yield f"{told.green} does not build here ({code}), or lists no tests or no artefact: {said.strip()[-160:]!r}"
    code, said, ids, names = built(told, told.head)
    if code:
        yield f"{told.head} does not build: {said.strip()[-160:]!r}"
    for what, gone in (("tests", old_ids - ids), ("artefact", old_names - names)):
        if gone:
            yield f"{what}: {', '.join(sorted(gone))} of {told.green} is missing"
    print(*(f"new in the artefact, for a commit to explain: {name}" for name in sorted(names - old_names)), sep="\n")
    for command in told.spoil:
        with clone(told.repo, told.head) as tree:
            subprocess.run(command, shell=True, cwd=tree, check=True)
            if ran(told.build, tree, told.env)[0] == 0:
                yield f"the build exits 0 after {command!r}: it cannot fail"


def main():
    parser = argparse.ArgumentParser()
    for name in ("repo", "green", "failing", "head"):
        parser.add_argument(name)
    for name in ("build", "ids", "listing"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--break", dest="spoil", required=True, action="append")
    for name in ("protect", "approved", "env"):
        parser.add_argument(f"--{name}", action="append", default=[])
    try:
        wrong = list(problems(parser.parse_args()))
    except subprocess.CalledProcessError as error:
        wrong = [f"could not: {error} {error.stderr}"]
    print("\n".join(wrong) or "tests, targets and guards are those of the last green build")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
