"""Step 5: the way from BASE is made of slices: small, without renames, and each passes the tests that BASE had.

    check-5.py BASE --install 'node install.js' --test 'node --test test/' --tests test --limit 400 [--not '*lock*']

Commits that --not names entirely (lockfiles, output of a codemod) are not counted in lines. Exit code 0: all hold.
"""

import argparse
import fnmatch
import subprocess
import sys
import tempfile


def git(*words, folder="."):
    return subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True).stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    for name in ("install", "test", "tests"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--limit", type=int, default=400)
    parser.add_argument("--not", dest="free", action="append", default=["*.lock", "*-lock.*"])
    told, wrong = parser.parse_args(), []
    commits = git("rev-list", "--reverse", "--first-parent", f"{told.base}..HEAD").split()
    if len(commits) < 2:
        wrong.append(f"{len(commits)} commits: what runs on both versions comes before the bump, in a slice of its own")
    if git("status", "--porcelain", "--untracked-files=no"):
        wrong.append("there are changes that no slice holds")
    for commit in commits:
        short = git("log", "-1", "--format=%h %s", commit).strip()
        lines = 0
        for line in git("diff", "--numstat", "--no-renames", f"{commit}~", commit).splitlines():
            added, removed, name = line.split("\t")
            if added != "-" and not any(fnmatch.fnmatch(name, free) for free in told.free):
                lines += int(added) + int(removed)
        if lines > told.limit:
            wrong.append(f"{short}: {lines} changed lines, over {told.limit}: cut it in two")
        for line in git("diff", "--name-status", "-M40%", f"{commit}~", commit).splitlines():
            if line[0] in "RD":
                wrong.append(
                    f"{short}: {line.split(chr(9), 1)[1]} is renamed or gone: no restructuring with the upgrade"
                )
        with tempfile.TemporaryDirectory() as place:
            git("clone", "--quiet", ".", f"{place}/tree")
            git("checkout", "--quiet", "--detach", commit, folder=f"{place}/tree")
            git("checkout", "--quiet", git("rev-parse", told.base).strip(), "--", told.tests, folder=f"{place}/tree")
            for command in (told.install, told.test):
                ran = subprocess.run(command, shell=True, cwd=f"{place}/tree", capture_output=True, text=True)
                if ran.returncode:
                    wrong.append(
                        f"{short}: `{command}` fails: this slice cannot be deployed alone\n{ran.stdout[-400:]}"
                    )
                    break
    print("\n".join(wrong) or "the slices hold")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
