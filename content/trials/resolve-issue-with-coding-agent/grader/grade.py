# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""The branch does all four expectations and nothing else; its first commit's tests see each of them on any right product."""

import ast
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import types

GRADER = pathlib.Path(os.environ["GRADER"])
BASE, TREE = "a2377d37f873e5c101167820351dcdd1346ef449", "acb7a42def27f40558ff6fdff185f376c67a4c14"
RIGHT = (GRADER / "right.py").read_text().partition("\n")[2]
right = types.ModuleType("right")
exec(RIGHT, vars(right))

HALF = {  # a product that lacks one expectation: what of the right one is replaced
    "1: shares add up": [("shares = [abs(amount) * weight // total for weight in weights]",
                         "return [rounded(amount * weight / total) for weight in weights]")],
    "2: who gets the cents left over": [("key=lambda place: -(abs(amount) * weights[place] % total))", "key=lambda place: -place)")],
    "3: refunds": [("return -cents if found[1] else cents", "return int(found[1] + found[2]) * 100 + int((found[3] or '').ljust(2, '0'))"),
                  ("return f\"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}\"",
                   "return f'{cents // 100}.{cents % 100:02d}'"),
                  ("return [-share for share in shares] if amount < 0 else shares",
                   "return [rounded(amount * weight / total) for weight in weights] if amount < 0 else shares")],
    "4: short amounts": [("(?:\\.([0-9]{1,2}))?\"", "\\.([0-9]{2})\"")],
}
KINDS = [  # what the issue does not speak of: main decides which of it is taken and which refused
    *(f"money.split(900, {weights})" for weights in (
        "(1, 2)", "range(1, 4)", "{1: 1, 2: 2}", "[0.5, 1.0]", "[Fraction(1, 2), 1]", "[True, True]", "[Decimal(1), Decimal(2)]",
        "[1, Decimal(2)]", "['1', '2']", "[None, 1]", "[]", "[0, 0]", "[2, -1]", "[2.0, -0.5]", "[inf, 1]", "[nan, 1]", "[1j, 1]")),
    *(f"money.split({amount}, [1, 2])" for amount in (
        "900.0", "-900.0", "Fraction(900)", "True", "Decimal(900)", "'900'", "None", "[900]", "inf", "nan")),
    *(f"money.parse({text!r})" for text in ("", "-", ".", ".50", "-.50", "--1.00", "1,50", "1e3", "1.00.00", None, 1050, 10.5)),
    *(f"money.show({cents!r})" for cents in (5.0, "5", None)),
]
TAKEN = """from decimal import Decimal
from fractions import Fraction
from math import inf, nan
from ledger import money
for call in open("kinds"):
    try:
        said = eval(call)
        said = [int(share) if isinstance(share, int) else share for share in said] if isinstance(said, list) else said
    except Exception:
        said = "refused"
    print(call.strip(), "is", said)
"""


def failed(why):
    print(why)
    sys.exit(10)


def child(command):
    said = subprocess.run([os.environ["CHILD"], command], capture_output=True, text=True)
    return said.returncode, said.stdout


def git(*words):
    said = subprocess.run(["git", "-C", CLONE, *words], capture_output=True, text=True)
    return said.stdout.strip() if said.returncode == 0 else failed(f"git {' '.join(words)}: {said.stderr}")


def laid_out(product, tests, text=None):
    """A folder of the case with the product of one commit and the tests of another; `text` is its money.py."""
    place = tempfile.mkdtemp(prefix="graded-", dir=".")
    for ref, paths in ((product, []), (tests, ["tests"])):
        shutil.rmtree(f"{place}/tests", ignore_errors=True)
        archive = subprocess.run(["git", "-C", CLONE, "archive", ref, *paths], capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", place], input=archive, check=True)
    if text:
        pathlib.Path(place, "ledger/money.py").write_text(text)
    return place


def suite(*which):
    return child(f"cd {laid_out(*which)} && timeout 100 python3 -m pytest -q -x -p no:cacheprovider")


def functions(ref):
    found = {}
    for path in git("ls-tree", "-r", "--name-only", ref, "tests").splitlines():
        for node in ast.parse(git("show", f"{ref}:{path}")).body if path.endswith(".py") else ():
            if isinstance(node, ast.FunctionDef):
                found[path, node.name] = ast.dump(node)
    return found


CLONE = tempfile.mkdtemp()
if subprocess.run(["git", "clone", "-q", "--no-checkout", f"file://{os.getcwd()}", CLONE], capture_output=True).returncode:
    failed("no repository")
heads = git("for-each-ref", "--format=%(refname:short)", "refs/remotes/origin").split()
if "origin/issue-17" not in heads:
    failed("there is no branch issue-17")
head = git("rev-parse", "origin/issue-17")
if git("rev-parse", "origin/main") != BASE or git("rev-parse", f"{BASE}^{{tree}}") != TREE:
    failed("main is not as it was")
commits = git("rev-list", "--reverse", "--first-parent", f"{BASE}..{head}").split()
if not commits or git("merge-base", BASE, head) != BASE:
    failed("issue-17 does not begin at main, or holds nothing")
changed = git("diff", "--name-only", "--no-renames", BASE, head).split()
if wrong := [path for path in changed if path != "ledger/money.py" and not path.startswith("tests/")]:
    failed(f"out of scope: {wrong}")
first = commits[0]
if not all(path.startswith("tests/") for path in git("diff", "--name-only", "--no-renames", BASE, first).split()):
    failed("the first commit holds more than tests")
now = functions(head)
if wrong := [name for name, body in functions(BASE).items() if now.get(name) != body]:
    failed(f"tests that were there are changed or gone: {wrong}")
for what, which in {"old tests": (head, BASE), "tests of the first commit": (head, first), "tests": (head, head)}.items():
    code, said = suite(*which)
    if code:
        failed(f"the {what} do not pass on the branch: {said[-1500:]}")
code, said = suite(BASE, first, RIGHT)
if code:
    failed(f"the tests of the first commit do not pass on another right product: {said[-1500:]}")
if suite(BASE, first)[0] != 1:
    failed("the tests of the first commit do not fail on main")
for lack, edits in HALF.items():
    text = RIGHT
    for old, new in edits:
        if text.count(old) != 1:
            raise SystemExit(f"the grader's own edit does not fit: {old}")
        text = text.replace(old, new)
    if suite(BASE, head, text)[0] != 1:
        failed(f"no test sees that a product lacks expectation {lack}")
dice = random.Random(17)
asked = ["-0.05 a b", "0.05 a b", "10 a b c", "10.5 a b c", "-10.5 a b c", "-0.01 a b", "90071992547409.93 a b:2 c:4", "0.00 a b",
         "1234567890123456789012345678901.01 a b:2"]
for _ in range(30):
    people = " ".join(f"{name}:{dice.randint(0, 7)}" for name in "abcd"[: dice.randint(1, 4)]) + " e:1"
    asked.append(f"{dice.choice(['', '-'])}{dice.randint(0, 400)}.{dice.randint(0, 99):02d} {people}")
wanted = []
for words in asked:
    amount, *people = words.split()
    shares = right.split(right.parse(amount), [int(person.partition(":")[2] or 1) for person in people])
    wanted += [f"{person.partition(':')[0]} {right.show(share)}" for person, share in zip(people, shares)]
place = laid_out(head, head)
pathlib.Path(place, "asked").write_text("\n".join(asked))
loop = "from ledger.__main__ import main; [main(['split', *line.split()]) for line in open('asked')]"
code, said = child(f"cd {place} && python3 -c \"{loop}\" 2> /dev/null")
if said.split("\n")[:-1] != wanted:
    failed(f"shares are wrong:\n{said[:800]}")
for words in ("10.505 a", "10. a", "ten a", "1.2.3 a", "1.00 a:-1 b:2", "1.00 a:0"):
    code, said = child(f"cd {place} && python3 -m ledger split {words} 2> /dev/null")
    if code != 2 or said.strip():
        failed(f"split {words} is not refused")
amounts = [*range(1, 60), 1000, 2000, 9_007_199_254_740_993, 10**40 + 1]
shared = [([3, 3, 1], [1, 1, 1], [1, 7, 4], [1, 2])[number % 4] for number in range(4 * len(amounts))]
called = [(sign * amounts[number // 4], weights) for number, weights in enumerate(shared) for sign in (1, -1)]
loop = "from ledger import money, tax; import json\nfor a, w in json.load(open('called')): print([int(x) for x in money.split(a, w)])"
stays = "from ledger import money, tax; print([tax.tax_within(p, q) for p in range(-300, 600) for q in (7, 19)], " \
    "[money.rounded(v / 8) for v in range(-80, 80)], [money.show(c) for c in range(0, 400000, 777)])"
bills = [("ann", 2000, "ann ben cid"), ("ben", 1000, "ann ben cid"), ("cid", 9_007_199_254_740_993, "ben cid")]
balance = {}
for payer, amount, people in bills:
    balance[payer] = balance.get(payer, 0) + amount
    for person, share in zip(people.split(), right.split(amount, [1] * len(people.split()))):
        balance[person] = balance.get(person, 0) - share
was, other = laid_out(BASE, BASE), laid_out(BASE, BASE, RIGHT)
for folder in (place, was, other):
    pathlib.Path(folder, "kinds").write_text("\n".join(KINDS))
    pathlib.Path(folder, "called").write_text(json.dumps(called))
    pathlib.Path(folder, "bills").write_text("".join(f"{who};{cents // 100},{cents % 100:02d};{people}\n" for who, cents, people in bills))
    for name, program in (("loop.py", loop), ("stays.py", stays), ("taken.py", TAKEN)):
        pathlib.Path(folder, name).write_text(program)
if child(f"cd {place} && python3 loop.py") != (0, "".join(f"{right.split(*one)}\n" for one in called)):
    failed("shares are wrong where ledger.money is called twice or by another caller")
if child(f"cd {place} && python3 -m ledger settle bills") != (0, "".join(f"{who} {right.show(balance[who])}\n" for who in sorted(balance))):
    failed("settle shares out wrongly")
if child(f"cd {place} && python3 stays.py") != child(f"cd {was} && python3 stays.py"):
    failed("something that the issue does not ask for is changed")
before, due, after = (child(f"cd {folder} && python3 taken.py")[1].splitlines() for folder in (was, other, place))
if [line.endswith("refused") for line in before] != [line.endswith("refused") for line in due] or len(before) != len(KINDS):
    raise SystemExit(f"the grader's own product does not take what main takes: {before} {due}")
if wrong := [f"{old}, now {new}" for old, new in zip(due, [*after, *KINDS]) if old != new]:
    failed("what is taken or refused, and how it is shared out, is changed beside the issue:\n" + "\n".join(wrong))
text = pathlib.Path("pull-request.md")
text = text.read_text(errors="replace") if text.is_file() and not text.is_symlink() else failed("there is no pull-request.md")
for path, low, high in (("ledger/importer.py", 4, 11), ("ledger/report.py", 2, 8)):
    if not any(low <= int(line) <= high for line in re.findall(re.escape(path) + r":(\d+)", text)):
        failed(f"the text does not name the same fault in {path}")
if len({one for one in re.findall(r"ledger/(?!money)\w+\.py:\d+", text)}) > 12:
    failed("the text names so many places that nobody finds those with the fault")
print("four expectations, each with a test that was red; nothing else is changed")
sys.exit(0)
