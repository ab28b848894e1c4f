# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""The room behaves through an evening as one with a right repair; the tests and the reproduction see the bug and its repair."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

GRADER = pathlib.Path(os.environ["GRADER"])
BAD, GOOD = "148ee7456a2043a813d9d71d4adba321cb9e6f78", "2adf1d98a273f0a3e7d419cad4ea67878c7edbe4"
RIGHT = {name: (GRADER / "right" / name).read_text().partition("\n")[2] for name in ("app/board/pools/bounded.py", "app/board/export.py")}


def failed(why):
    print(why)
    sys.exit(10)


def child(command):
    said = subprocess.run([os.environ["CHILD"], command], capture_output=True, text=True, errors="replace")
    return said.returncode, said.stdout


def git(*words):
    said = subprocess.run(["git", "-C", CLONE, *words], capture_output=True, text=True, errors="replace")
    return said.stdout.strip() if said.returncode == 0 else failed(f"git {' '.join(words)}: {said.stderr}")


def laid_out(product, tests=None, edits=()):
    """A folder of the case with the product of one commit and the tests of another."""
    place = tempfile.mkdtemp(prefix="graded-", dir=".")
    for ref, paths in ((product, []), (tests, ["app/tests"])):
        if ref:
            shutil.rmtree(f"{place}/{paths[0]}" if paths else place, ignore_errors=True)
            os.makedirs(place, exist_ok=True)
            archive = subprocess.run(["git", "-C", CLONE, "archive", ref, *paths], capture_output=True, check=True).stdout
            subprocess.run(["tar", "-x", "-C", place], input=archive, check=True)
    for name, text in dict(edits).items():
        pathlib.Path(place, name).write_text(text)
    return place


def suite(*which):
    return child(f"cd {laid_out(*which)}/app && timeout 100 python3 -m unittest -q 2>&1")


def evening(*which):
    place = laid_out(*which)
    pathlib.Path(place, "evening.py").write_text((GRADER / "evening.py").read_text())
    return child(f"cd {place} && timeout 250 python3 evening.py 2>&1")


def repro(what, wanted, folder, option=""):
    code, said = child(f"cd {folder} && git init -q && git add -A && git -c user.name=x -c user.email=x@x commit -qm x && "
                       f"timeout 100 ../repro.sh {option}")
    if code != wanted:
        failed(f"repro.sh {option} exits {code}, not {wanted}: {what}")


def text(name):
    path = pathlib.Path(name)
    if path.is_symlink() or not path.is_file():
        failed(f"there is no {name}")
    with path.open("rb") as file:
        return file.read(100_000).decode(errors="replace")


CLONE = tempfile.mkdtemp()
if subprocess.run(["git", "clone", "-q", "--no-checkout", f"file://{os.getcwd()}/repo", CLONE], capture_output=True).returncode:
    failed("no repository")
if "origin/fix" not in git("for-each-ref", "--format=%(refname:short)", "refs/remotes/origin").split():
    failed("there is no branch fix")
head = git("rev-parse", "origin/fix")
commits = git("rev-list", "--reverse", "--first-parent", f"{BAD}..{head}").split()
if len(commits) < 2 or git("merge-base", BAD, head) != BAD:
    failed("fix does not begin at v1.2 with a test and a repair after it")
first = commits[0]
if wrong := [path for path in git("diff", "--name-only", "--no-renames", BAD, first).split() if not path.startswith("app/tests/")]:
    failed(f"the first commit holds more than tests: {wrong}")
if wrong := [path for path in git("diff", "--name-only", "--no-renames", BAD, head).split() if not path.startswith(("app/tests/", "app/board/"))]:
    failed(f"out of scope: {wrong}")
if re.search(r"(?m)^-(?!--)", git("diff", "--no-renames", BAD, head, "--", "app/tests")):
    failed("tests that were there are changed")
code, said = suite(BAD, first)
if code == 0 or "busy" not in re.sub(r"\w*busy\.\w+|test_\w+|\w+_busy\w*", "", said):
    failed(f"the tests of the first commit do not show busy on v1.2: {said[-800:]}")
for what, which in {"tests of the first commit, with another right repair": (BAD, first, RIGHT), "tests of the first commit": (head, first),
                    "tests": (head, head), "old tests": (head, BAD)}.items():
    code, said = suite(*which)
    if code:
        failed(f"the {what} do not pass: {said[-800:]}")
wanted, found = evening(BAD, None, RIGHT.items()), evening(head)
if wanted[0] or not wanted[1].count("open: 3") == 2:
    raise SystemExit(f"the grader's own room does not do: {wanted}")
if found != wanted:
    other = [f"{new} and not {old}" for old, new in zip(wanted[1].splitlines(), [*found[1].splitlines(), *["nothing"] * 400]) if old != new]
    failed("the room answers otherwise than one with a right repair:\n" + "\n".join(other[:3]))
for which in ((BAD, None, RIGHT.items()), (head,)):
    place = laid_out(*which)
    pathlib.Path(place, "app", "beside.py").write_text((GRADER / "beside.py").read_text())
    code, said = child(f"cd {place}/app && timeout 60 python3 -B beside.py 2>&1")
    if code and which != (head,):
        raise SystemExit(f"the grader's own room does not do: {said}")
    if code:
        failed(f"not all at once: {said[-400:]}")
repro("v1.2", 1, laid_out(BAD))
shown = subprocess.run(["git", "-C", CLONE, "show", f"{BAD}:app/board/pools/bounded.py"], capture_output=True, text=True, check=True).stdout
repro("v1.2 with a comment", 1, laid_out(BAD, None, {"app/board/pools/bounded.py": f"{shown}\n# try: finally: except: rollback\n"}))
repro("v1.2", 0, laid_out(BAD), "--without")
repro("v1.1", 0, laid_out(GOOD))
repro("another right repair", 0, laid_out(BAD, None, RIGHT))
repro("the branch", 0, laid_out(head))
repro("a room that does not start", 125, laid_out(BAD, None, {"app/board/web.py": "import nothing_of_this_name\n"}))
cause = text("cause.md")
named = {(path, int(line)) for path, line in re.findall(r"(?:app/board/)?([\w/]+\.py):(\d+)", cause)}
for path, low, high in (("pools/bounded.py", 18, 26), ("export.py", 6, 12)):
    if not any(path.endswith(name) and low <= line <= high for name, line in named):
        failed(f"cause.md does not name app/board/{path}")
if len(named) > 16:
    failed("cause.md names so many places that nobody finds the cause")
for line in git("diff", "-U0", BAD, head, "--", "app/board").splitlines():
    if re.match(r"\+(?!\+\+).*\b(catch|except|retry|sleep|timeout)", line) and line[1:].strip() not in cause:
        failed(f"cause.md does not quote {line[1:].strip()}")
print("the room holds for an evening of wrong requests, and tests and reproduction see the bug")
sys.exit(0)
