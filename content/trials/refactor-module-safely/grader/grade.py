# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""split holds the old file's pieces letter by letter in their new files, and behaves as base does."""

import ast
import csv
import os
import pathlib
import subprocess
import sys
import tempfile

BASE = "6769143623539a08297ec49ea3f4736c416315fc"
OLD = "books/engine.py"
PLACES = {
    "books/rates.py": "NoRate RATES RATES_AS_OF rate_of",
    "books/parsing.py": "STRICT Line _AMOUNT BadLine parse_line parse day",
    "books/posting.py": "Posting HANDLERS handler _round _tax_within post_sale post_purchase post_refund post",
    "books/foreign.py": "post_import post_export",
    "books/reports.py": "_quarter _owed quarters",
}
CALLERS = ["books/__main__.py", "scripts/close_quarter.py"]
LINES = """2024-01-03;export;AT;120.00;Ann
2019-05-05;export;FR;7.00;early
2024-02-03;refund;IT;0.01;a
2024-02-04;refund;DE;10.50;b;c;d
2024-02-05;sale;GR;33.33;x
2024-02-06;import;PT;0.05;half
1985-01-01;sale;AT;12.00;old
2022-12-31;purchase;LU;99.99;
2023-01-01;purchase;LU;99.99;
"""
ASK = """
import hashlib, inspect, re, sys
def digest(what):
    return hashlib.sha256(repr(what).encode()).hexdigest()
from books import engine
for name, what in sorted(vars(engine).items()):
    if name.startswith("__") or inspect.ismodule(what) or name == "namedtuple":
        continue
    shown = [one.__name__ for one in what.__mro__] if inspect.isclass(what) else inspect.signature(what) if callable(what) else what
    print(name, re.sub(" at 0x[0-9a-f]+", "", str(shown)))
when = engine.day("2024-03-15")
for country in sorted({row[0] for row in engine.RATES}):
    print(country, [engine.rate_of(country, engine.day(f"{year}-06-30")) for year in range(2023, 2026)])
print(digest([[engine._round(cents / 4), engine._tax_within(cents, 19)] for cents in range(-9, 400)]))
print(digest([engine.HANDLERS[kind](engine.Line(when, kind, "AT", cents, "t")) for kind in sorted(engine.HANDLERS) for cents in range(0, 200)]))
if sys.argv[1:]:
    from books import posting
    assert engine.HANDLERS is posting.HANDLERS
"""


def failed(why):
    print(why)
    sys.exit(10)


def git(*words):
    ran = subprocess.run(["git", "-C", CLONE, *words], capture_output=True, text=True, errors="replace")
    return ran.stdout if ran.returncode == 0 else failed(f"git {' '.join(words)}: {ran.stderr}")


def laid_out(ref, *more):
    """A folder of the case with a commit; of `more`, paths as they are on base."""
    place = tempfile.mkdtemp(prefix="graded-", dir=".")
    for words in ((ref,), *((BASE, path) for path in more)):
        archive = subprocess.run(["git", "-C", CLONE, "archive", *words], capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", place], input=archive, check=True)
    pathlib.Path(place, "samples/more.txt").write_text(LINES)
    pathlib.Path(place, "ask.py").write_text(ASK)
    return place


def child(command):
    ran = subprocess.run([os.environ["CHILD"], command], capture_output=True, text=True, errors="replace")
    return ran.returncode, ran.stdout


def named(source):
    """The lines of each definition, with decorators and the remarks right above."""
    lines = source.splitlines()
    for node in ast.parse(source).body:
        name = getattr(node, "name", None) or (node.targets[0].id if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) else None)
        if name:
            first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
            start = first
            while lines[start - 2].startswith("#") and not lines[start - 2].startswith("# ---"):
                start -= 1
            yield name, first, node.end_lineno, "\n".join(lines[start - 1 : node.end_lineno])


CLONE = tempfile.mkdtemp()
if subprocess.run(["git", "clone", "-q", "--no-checkout", f"file://{os.getcwd()}", CLONE], capture_output=True).returncode:
    failed("no repository")
if git("for-each-ref", "--format=%(objectname)", "refs/remotes/origin/main").strip() != BASE:
    failed("main is not as it was")
head = git("for-each-ref", "--format=%(objectname)", "refs/remotes/origin/split").strip() or failed("there is no branch split")
commits = git("rev-list", "--reverse", f"{BASE}..{head}").split()
if not commits or git("merge-base", BASE, head).strip() != BASE:
    failed("split does not begin at main, or holds nothing")
new = [*PLACES, "books/dates.py"]
changed = git("diff", "--name-only", "--no-renames", BASE, head).split()
if wrong := [path for path in changed if path not in [OLD, *new, *CALLERS]]:
    failed(f"changed, and no part of the move: {wrong}")
for path in CALLERS:
    if len([line for line in git("diff", "-U0", BASE, head, "--", path).splitlines() if line[:1] in "+-"]) > 10:
        failed(f"{path} is changed more than the move asks for")
was = {name: rest for name, *rest in named(git("show", f"{BASE}:{OLD}"))}
there = git("ls-tree", "-r", "--name-only", head, "books").split()
now = []
for path in there:
    try:
        now += [(name, path, body) for name, _, _, body in named(git("show", f"{head}:{path}"))]
    except SyntaxError:
        failed(f"{path} cannot be parsed")
for path, names in PLACES.items():
    for name in names.split():
        found = [(place, body) for other, place, body in now if other == name]
        if len(found) != 1 or found[0][0] not in (path, *(["books/dates.py"] if name == "day" else [])):
            failed(f"{name} stands in {[place for place, _ in found]}, not once in {path}")
        if found[0][1] != was[name][2]:
            failed(f"{name} is not as it was")
strange = {name for name, path, _ in now if path in (OLD, *new)} - set(was) - {"__all__"}
if strange or any(path == OLD and name != "__all__" for name, path, _ in now):
    failed(f"new, or still in the old file: {sorted(strange)}")
def filled(commit):
    """The new files that hold something of the old one."""
    bodies, found = {rest[2] for rest in was.values()}, set()
    for path in set(git("ls-tree", "-r", "--name-only", commit, "books").split()) & set(new):
        try:
            found |= {(path, name) for name, _, _, body in named(git("show", f"{commit}:{path}")) if body in bodies}
        except SyntaxError:
            failed(f"{commit}: {path} cannot be parsed")
    return found


for commit in commits:
    if len({path for path, _ in filled(commit) - filled(f"{commit}^")}) > 1:
        failed("a commit moves into several files")
    if len(git("diff", "--name-only", "--diff-filter=A", f"{commit}^", commit).split()) > 1:
        failed("a commit makes several files")
    if child(f"cd {laid_out(commit, 'tests', 'samples')} && timeout 60 python3 -B -m unittest")[0]:
        failed(f"{commit}: the tests do not pass")
before, after = laid_out(BASE), laid_out(head)
for module in new:
    if module in there and child(f"cd {after} && python3 -B -c 'import {module[:-3].replace('/', '.')}'")[0]:
        failed(f"{module} cannot be imported by itself")
for command in (
    "./golden.sh out && cd out && tail -n +1 *",
    "python3 -B ask.py",
    "python3 -B scripts/close_quarter.py 2024-Q1 samples/more.txt 2>&1",
    "python3 -B scripts/close_quarter.py 2024-Q1 samples/bad.txt 2>&1",
):
    old, got = (child(f"cd {place} && {command}") for place in (before, after))
    if "ask" in command and old[0]:
        raise SystemExit(f"the grader's own question fails: {old[1][-500:]}")
    if old != got:
        where = next((pair for pair in zip(old[1].splitlines(), got[1].splitlines()) if pair[0] != pair[1]), (old[0], got[0]))
        failed(f"{command}: {str(where[0])[:200]} before, {str(where[1])[:200]} now")
if child(f"cd {after} && python3 -B ask.py same")[0]:
    failed("there are two registries")
table = pathlib.Path("moves.csv")
if not table.is_file() or table.is_symlink():
    failed("there is no moves.csv")
try:
    rows = list(csv.DictReader(table.read_text(errors="replace").splitlines()))
    rows = {row["name"]: (int(row["first"]), int(row["last"]), row["destination"]) for row in rows if row["name"] in was}
except (KeyError, TypeError, ValueError) as error:
    failed(f"moves.csv has no columns name, first, last and destination with numbers: {error!r}")
for name, (first, last, _) in was.items():
    if name not in rows or not rows[name][0] <= first <= last <= rows[name][1]:
        failed(f"moves.csv does not account for {name}, lines {first} to {last}")
    if not any(other == name and path == rows[name][2] for other, path, _ in now):
        failed(f"moves.csv: {name} is not in {rows[name][2]}")
print("everything is in its place as it was, and nobody outside can tell")
