"""Step 5: the branch holds no value, brings none into its history, and its programs take theirs from the environment.

    check-5.py REPOSITORY BASE BRANCH --value old.txt --new new.txt --start 'SHIP_TOKEN=python3 serve.py --once' [--start ...]

Values in pieces count, too, as of two strings side by side. In a fresh clone each --start, one after the other, is run with the
new value in its variable: it ends with 0, git status stays empty, and no file holds the value, an ignored one neither. Without the variable, or with nothing in it, it ends with an error that names the variable. It must end by
itself: give a server a switch for that, or `timeout`.
"""

import argparse
import os
import pathlib
import subprocess
import tempfile

from leak import bare, fingerprint, forms, git, of_folder, said, texts, value_of


def run(command, tree, **more):
    variables = {key: value for key, value in os.environ.items() if key not in more} | {key: value for key, value in more.items() if value is not None}
    ran = subprocess.run(command, shell=True, cwd=tree, env=variables, capture_output=True, timeout=120)
    return ran.returncode, ran.stdout + ran.stderr


def held(told, tree, values):
    """What of the values the branch has: in its files, and in what its own commits add or say."""
    patches = git(tree, "log", "--format=", "-p", "-m", "--text", f"{told.base}..HEAD", raw=True)
    lines = [line for line in patches.splitlines() if line.startswith(b"+")]
    lines += git(tree, "log", "--format=%B", f"{told.base}..HEAD", raw=True).splitlines()
    for value in values:
        wanted = set(forms(value))
        for path in git(tree, "ls-files", "-z").split("\0")[:-1]:
            if any(bare(value) in bare(text) or any(form in text for form in wanted) for text in texts((tree / path).read_bytes())):
                yield f"{fingerprint(value)}: {path} holds it"
        if bare(value) in bare(b"".join(lines)) or any(form in line for line in lines for form in wanted):
            yield f"{fingerprint(value)}: a commit of the branch adds it, or its message says it"


def problems(told):
    with tempfile.TemporaryDirectory() as place:
        tree = pathlib.Path(place, "tree")
        source = pathlib.Path(told.repository).resolve()
        subprocess.run(["git", "clone", "-q", "--branch", told.branch, f"file://{source}", tree], capture_output=True, check=True)
        told.base = git(told.repository, "rev-parse", told.base).strip()
        new = value_of(told.new)
        yield from held(told, tree, [*map(value_of, told.value), new])
        for variable, _, command in (start.partition("=") for start in told.start):
            for value in (None, ""):
                code, text = run(command, tree, **{variable: value})
                if code == 0:
                    yield f"{command}: starts without {variable}"
                elif variable.encode() not in text:
                    yield f"{command}: without {variable} the error does not name it"
            code, text = run(command, tree, **{variable: new.decode()})
            if code:
                yield f"{command}: does not start with the new value in {variable} (exit code {code})"
            if dirty := git(tree, "status", "--porcelain").strip():
                yield f"{command}: after a start git status shows {dirty}"
            for path, data in of_folder(tree):
                if any(form in text for text in texts(data) for form in forms(new)):
                    yield f"{command}: after a start {pathlib.Path(path).relative_to(tree)} holds the new value"


def main():
    parser = argparse.ArgumentParser()
    for name in ("repository", "base", "branch"):
        parser.add_argument(name)
    parser.add_argument("--new", required=True)
    for name in ("value", "start"):
        parser.add_argument(f"--{name}", action="append", required=True)
    said(problems(parser.parse_args()), "the branch holds no value and writes none")


if __name__ == "__main__":
    main()
