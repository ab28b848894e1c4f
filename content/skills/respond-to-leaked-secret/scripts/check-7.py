"""Step 7: the scanner stops an invented value of the same shape, its test passes, and fails when the rule is gone.

    check-7.py REPOSITORY BASE BRANCH --value old.txt --scan 'tools/scan.py {}' --test 'make test' --rules tools/rules.txt [--path server/settings.json]

In a fresh clone the invented value is put into each --path, where the real one lay, and scanned: the exit code must not be 0;
with `<token>` in its place it must be. Then --rules goes back to what BASE had, and the test has to fail.
"""

import argparse
import pathlib
import random
import string
import subprocess
import tempfile

from leak import fingerprint, git, said, value_of


def invented(value, dice):
    """The same prefix, up to its last underscore; each other letter or digit another of its kind."""
    text = value.decode()
    begin = text.rfind("_", 0, 16) + 1
    kinds = (string.ascii_lowercase, string.ascii_uppercase, string.digits)
    return text[:begin] + "".join(next((dice.choice(kind.replace(one, "")) for kind in kinds if one in kind), one) for one in text[begin:]), text[:begin]


def problems(told):
    with tempfile.TemporaryDirectory() as place:
        tree = pathlib.Path(place, "tree")
        source = pathlib.Path(told.repository).resolve()
        subprocess.run(["git", "clone", "-q", "--branch", told.branch, f"file://{source}", tree], capture_output=True, check=True)
        base = git(told.repository, "rev-parse", told.base).strip()

        def ended(command):
            return subprocess.run(command, shell=True, cwd=tree, capture_output=True, timeout=120).returncode

        for value in map(value_of, told.value):
            for path in map(pathlib.Path, told.path):
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                was = (tree / path).read_bytes() if (tree / path).is_file() else None
                one, prefix = invented(value, random.Random(7))
                for token, wanted in ((one, True), (f"{prefix}<token>", False)):
                    (tree / path).write_text(f'"token": "{token}"\n')
                    if (ended(told.scan.replace("{}", str(path))) != 0) != wanted:
                        yield f"{fingerprint(value)}: in {path} the scanner {'lets an invented value of its shape' if wanted else 'does not let a placeholder'} pass"
                (tree / path).unlink() if was is None else (tree / path).write_bytes(was)
        if ended(told.test):
            yield f"{told.test} fails"
        subprocess.run(["git", "-C", tree, "checkout", "-q", base, "--", *told.rules], capture_output=True, check=True)
        if ended(told.test) == 0:
            yield f"{told.test} passes without the rule: it does not ask the scanner"


def main():
    parser = argparse.ArgumentParser()
    for name in ("repository", "base", "branch"):
        parser.add_argument(name)
    for name in ("scan", "test"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("value", "rules"):
        parser.add_argument(f"--{name}", action="append", required=True)
    parser.add_argument("--path", action="append", default=["planted.txt"])
    said(problems(parser.parse_args()), "the scanner stops a new one, and the test knows it")


if __name__ == "__main__":
    main()
