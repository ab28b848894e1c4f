# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""merge-main is a merge of both tips in which everything that either side built works, and nothing else is changed."""

import ast
import json
import os
import pathlib
import subprocess
import sys
import tempfile

FIRST, SECOND = "8d302d7a6142fdc4dafc60037f4df4d544ee9f9d", "20c60d11554ff5c345a792277c3f946fd203d288"
CONFLICTS = {
    "shop/__main__.py", "shop/old_export.py", "shop/pricing.py", "shop/report.py", "shop/settings.py", "shop/view.py",
    "tests/test_old_export.py", "tests/test_pricing.py", "tests/test_report.py",
}
ALLOWED = {"shop/refunds.py", "shop/export.py", "tests/test_export.py", "docs/commands.md"}
GENERATED = """# The 4 commands

- `busiest`: the day with the largest sum
- `by-country`: what was sold, by country
- `by-day`: what was sold, by day
- `by-reason`: what came back, by reason
"""
ASKED = [  # what the product is asked, and what it must say
    ("pricing.total({'items': [{'cents': 1000, 'count': 2}]})", 2490),
    ("pricing.total({'items': [{'cents': 5000, 'count': 1}]})", 5000),
    ("pricing.total({'items': [{'cents': 5200, 'count': 1}], 'voucher': 1000})", 4200),
    ("pricing.total({'items': [{'cents': 5200, 'count': 1}], 'voucher': 9000})", 0),
    ("pricing.total({'items': [{'cents': 4999, 'count': 1}], 'voucher': 9000})", 490),
    ("pricing.total({'items': [{'cents': 4999, 'count': 1}], 'voucher': 99})", 5390),
    ("pricing.line_price({'cents': 7, 'count': 3})", 21),
    ("hasattr(pricing, 'price_of') or hasattr(refunds, 'price_of')", False),
    ("[refunds.refund([{'cents': 700, 'count': 2}], days) for days in (0, 28, 29, 30)]", [1400, 1400, 0, 0]),
    ("report.by_reason([{'returned': [{'reason': 'small', 'count': 2}, {'count': 1}]}, {'returned': [{'reason': 'small', 'count': 1}]}])",
     [["none given", 1], ["small", 3]]),
    ("report.by_reason([])", []),
    ("report.by_country([{'items': [{'cents': 10, 'count': 1}]}, {'country': 'AT', 'items': [{'cents': 6000, 'count': 1}], 'voucher': 500}])",
     [["AT", 5500], ["DE", 500]]),
    ("report.by_day([{'day': 'b', 'items': []}, {'day': 'a', 'items': []}])", [["a", 490], ["b", 490]]),
    ("report.busiest([{'day': 'b', 'items': []}, {'day': 'a', 'items': []}])", "a"),
    ("report.busiest([])", None),
    ("said(view.page('T', 'b'))", ["# T", "b"]),
    ("said(view.page('T', 'b', {'name': 'Ann'}))", ["Orders | Addresses | Log out", "# T", "b"]),
    ("said(view.page('T', 'b', user={'owner': True}, notice='N'))", ["! N", "Orders | Addresses | Log out | Figures", "# T", "b"]),
    ("said(view.page('T', 'b', notice='N'))", ["! N", "# T", "b"]),
    ("refused(lambda: view.page('T', 'b', None, 'N'))", True),
    ("said(account.account_page({'name': 'Ann', 'owner': True}))", ["Orders | Addresses | Log out | Figures", "# Account", "Hello Ann"]),
    ("view.money(1905)", "19.05 EUR"),
    ("export.export([{'day': '=1', 'customer': 'a,b'}, {'day': '@x', 'customer': '+3'}, {'day': 'a-b', 'customer': '-\"'}])",
     "day,customer\n'=1,\"a,b\"\n'@x,'+3\na-b,\"'-\"\"\""),
    ("export.export([{'a': 1, 'b': 'x'}], ('b', 'a'))", "b,a\nx,1"),
    ("sorted(main.COMMANDS)", ["busiest", "by-country", "by-day", "by-reason"]),
    ("export.export([{'day': '=H(\"a\",2)', 'customer': '@\\n'}])", "day,customer\n\"'=H(\"\"a\"\",2)\",\"'@\n\""),
    ("[main.COMMANDS[name][1]([]) for name in ('by-reason', 'by-country', 'by-day')]", [[], [], []]),
    ("followed()", 1000),  # the last one: it changes what a line costs
]
PROGRAM = """
import importlib, json, sys
from shop import account, export, pricing, refunds, report, view
from shop import __main__ as main
def said(page):
    return [line for line in page.splitlines() if line.strip()]
def followed():
    pricing.line_price = lambda item: 1000
    return importlib.reload(refunds).refund([{'cents': 700, 'count': 2}], 0)
def refused(call):
    try:
        call()
    except TypeError:
        return True
    return False
for asked in json.load(open("asked")):
    try:
        print(json.dumps(eval(asked)))
    except Exception as error:
        print(json.dumps(repr(error)))
"""


def failed(why):
    print(why)
    sys.exit(10)


def git(*words):
    ran = subprocess.run(["git", "-C", CLONE, *words], capture_output=True, text=True, errors="replace")
    return ran.stdout if ran.returncode == 0 else failed(f"git {' '.join(words)}: {ran.stderr}")


def laid_out(*more):
    """A folder of the case with the merge; of `more`, paths as they are on feature."""
    place = tempfile.mkdtemp(prefix="graded-", dir=".")
    for words in ((head,), *((FIRST, path) for path in more)):
        archive = subprocess.run(["git", "-C", CLONE, "archive", *words], capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", place], input=archive, check=True)
    return place


def child(command):
    ran = subprocess.run([os.environ["CHILD"], command], capture_output=True, text=True, errors="replace")
    return ran.returncode, ran.stdout


def tests(ref):
    found = {}
    for path in git("ls-tree", "-r", "--name-only", ref, "tests").split():
        source = git("show", f"{ref}:{path}")
        try:
            classes = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
        except SyntaxError:
            failed(f"{path} cannot be parsed")
        found |= {(path, one.name, part.name): ast.dump(part) for one in classes for part in one.body if isinstance(part, ast.FunctionDef)}
    return found


CLONE = tempfile.mkdtemp()
if subprocess.run(["git", "clone", "-q", "--no-checkout", f"file://{os.getcwd()}/shop", CLONE], capture_output=True).returncode:
    failed("no repository")
refs = subprocess.run(["git", "ls-remote", f"file://{os.getcwd()}/origin.git"], capture_output=True, text=True).stdout.split()
if refs != [FIRST, "HEAD", FIRST, "refs/heads/feature", SECOND, "refs/heads/main"]:
    failed("origin is not as it was: something was pushed")
if git("for-each-ref", "--format=%(objectname)", "refs/remotes/origin/feature").strip() != FIRST:
    failed("feature was moved")
head = git("for-each-ref", "--format=%(objectname)", "refs/remotes/origin/merge-main").strip() or failed("there is no branch merge-main")
if git("rev-list", "--parents", "-n", "1", head).split()[1:] != [FIRST, SECOND]:
    failed("merge-main is no merge of feature and main")
changed = set(git("show", "--remerge-diff", "--name-only", "--no-renames", "--format=", head).split())
if strange := changed - CONFLICTS - ALLOWED:
    failed(f"changed, though no conflict: {sorted(strange)}")
files = git("ls-tree", "-r", "--name-only", head).split()
if {"shop/old_export.py", "tests/test_old_export.py"} & set(files):
    failed("what was to stay deleted is there")
if git("show", f"{head}:docs/commands.md") != GENERATED:
    failed("docs/commands.md is not as the commands are")
now = tests(head)
old = {key: body for tip in (FIRST, SECOND) for key, body in tests(tip).items() if key[0] != "tests/test_old_export.py"}
if wrong := [key for key, body in old.items() if now.get(key) != body]:
    failed(f"tests that are changed or gone: {wrong}")
if ("tests/test_export.py", "Cells", "test_formulas_are_text") not in now:
    failed("the test of formulas is not in tests/test_export.py")
run = "timeout 60 python3 -m unittest"
if child(f"cd {laid_out()} && {run}")[0]:
    failed("the tests do not pass")
if not child(f"cd {laid_out('shop/export.py')} && {run} tests.test_export.Cells.test_formulas_are_text")[0]:
    failed("the test of formulas does not notice an export without the mend")
place = laid_out()
pathlib.Path(place, "asked").write_text(json.dumps([asked for asked, _ in ASKED]))
pathlib.Path(place, "ask.py").write_text(PROGRAM)
answers = child(f"cd {place} && timeout 60 python3 ask.py")[1].splitlines()
wanted = [json.dumps(answer) for _, answer in ASKED]
for (asked, _), due, answer in zip(ASKED, wanted, [*answers, *[""] * len(wanted)]):
    if due != answer:
        failed(f"{asked} is {answer}, not {due}")
steers = r"^(rerere\..*|merge\..*\.driver|core\.(attributesfile|hookspath))$"
left = subprocess.run(["git", "config", "--file", "shop/.git/config", "--get-regexp", steers], capture_output=True, text=True).stdout.split("\n")[0]
left = left or next((name for name in ("rr-cache", "info/attributes") if (one := pathlib.Path("shop/.git", name)).is_file() or one.is_dir() and [*one.iterdir()]), "")
if left:
    failed(f"{left} is left in the clone and settles its next merges")
notes = pathlib.Path("conflicts.md")
notes = notes.read_text(errors="replace") if notes.is_file() and not notes.is_symlink() else failed("there is no conflicts.md")
if wrong := [path for path in sorted(CONFLICTS) if path not in notes]:
    failed(f"conflicts.md does not name {wrong}")
print("both sides work, and nothing else is changed")
