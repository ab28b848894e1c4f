# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""Each planted fault has a script that shows it, nothing else is called a fault, and all are mended for every input."""

import csv
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys

COMMIT, TREE = "fadfa8157cf31e1811fc5e6248be57d3895ed363", "4bfdbded765ec45bbfcde6e385da800f0a705942d820e57508da5edffd20e292"
OPEN = {"GET /status", "GET /shared/<token>", "GET /v1/export/<tenant>", "GET /v1/total/<tenant>"}
ROUTES = OPEN | {"GET /count/<what>", "GET /files/<rest...>", "GET /invoices", "GET /invoices/<id>", "GET /invoices/<id>/lines",
                 "GET /v1/lines/<id>", "GET /v1/ping", "POST /admin/query", "POST /hooks"}
LINES = ('"SELECT text FROM line WHERE invoice = ?", [id])',
         '"SELECT text FROM line WHERE invoice = ? AND invoice IN (SELECT id FROM invoice WHERE tenant = ?)", [id, request["tenant"]])')
MENDS = {  # each planted fault: the file, what stands there, and what would be right
    "sort": ("shop/api.py", "if sort.split()[:1] not in [[column] for column in COLUMNS]:",
             'if sort.lower() not in [c + way for c in COLUMNS for way in ("", " desc", " asc")]:'),
    "lines": ("shop/api.py", *LINES),
    "files": ("shop/api.py", "if not place.is_file():",
              'if FILES / request["tenant"] not in place.resolve().parents or not place.is_file():'),
    # Before 3.11.10 `ipaddress` calls most of 192.0.0.0/24 global, which it is not: who says so is right.
    "hooks": ("shop/api.py", "if address.is_private or",
              'if not address.is_global or (str(address).startswith("192.0.0.") and str(address) not in ("192.0.0.9", "192.0.0.10")) or address.is_private or'),
    **{name: ("shop/legacy.py", f"def {name}(request, tenant):\n",
              f"def {name}(request, tenant):\n    signed_in(request)\n    if tenant != request['tenant']:\n        raise Refused(403, 'no')\n")
       for name in ("export", "total")},
}
ANN, BOB = ["--as", "ann"], ["--as", "bob"]


def hook(address):
    return ["POST", "/hooks", *ANN, "--data", json.dumps({"url": f"http://{address}/x"})]


ALLOWED = [
    *(["GET", f"/invoices?sort={sort}", *ANN] for sort in ("id", "amount", "customer", "id%20desc", "amount%20DESC", "customer%20desc")),
    *(["GET", path, *ANN] for path in ("/invoices", "/invoices/1", "/invoices/2/lines", "/invoices/3/lines", "/count/invoices",
      "/count/customers", "/files/offer.txt", "/files/2026/notes.txt", "/v1/ping", "/v1/export/red", "/v1/total/red", "/v1/lines/3")),
    *(["GET", path, *BOB] for path in ("/invoices/4/lines", "/files/contract.txt", "/v1/export/blue", "/v1/total/blue", "/v1/lines/4")),
    ["GET", "/status"], ["GET", "/shared/k3Zr0b1tq8Wf2LxY"],
    ["POST", "/admin/query", "--as", "olga", "--data", '{"sql": "SELECT id FROM invoice UNION SELECT 9"}'],
    *(hook(address) for address in ("9.9.9.9", "100.63.255.255", "100.128.0.1", "172.32.0.1", "1.1.1.1:8080")),
]
ATTACKS = [
    *(["GET", f"/invoices?sort={sort}", *ANN] for sort in ("id%20LIMIT%201", "id%20limit%202", "amount%20desc%20LIMIT%201",
      "amount%20OFFSET%201", "id%20%2B%20(SELECT%201)", "amount%09*-1", "id%20COLLATE%20NOCASE", "id%20/*x*/")),
    *(["GET", path, *ANN] for path in ("/invoices/4/lines", "/v1/lines/4", "/v1/export/blue", "/v1/total/blue", "/invoices/4")),
    *(["GET", path, *BOB] for path in ("/invoices/1/lines", "/v1/lines/2", "/v1/export/red", "/v1/total/red")),
    *(["GET", path] for path in ("/v1/export/red", "/v1/total/red", "/v1/export/blue", "/v1/total/blue", "/v1/lines/1", "/invoices")),
    *(["GET", f"/files/{path}", *ANN] for path in ("....//blue/contract.txt", "....//....//shop/api.py", "..././blue/contract.txt",
      "2026/....//....//blue/contract.txt", "%2e%2e%2e%2e%2f%2fblue/contract.txt", "../blue/contract.txt", "/....//blue/contract.txt")),
    *(hook(address) for address in ("100.64.0.1", "100.64.1.1", "100.100.0.7:80", "100.127.255.255", "10.0.0.1", "127.0.0.1", "169.254.169.254",
      "192.168.1.1", "224.0.0.1", "0.0.0.0", "x@100.64.0.9")),
]
RUN = """import contextlib, io, json, runpy, sys
for words in json.load(open(sys.argv[1])):
    sys.argv[1:] = words
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        runpy.run_module("shop.ask", run_name="__main__")
    print(json.dumps(said.getvalue()))
"""


def failed(why):
    print(why)
    sys.exit(10)


def text(path):
    try:
        with open(path, "rb") as file:
            return file.read(200_000).decode(errors="replace")
    except OSError as error:
        failed(f"{path}: {error}")


def child(command):
    done = subprocess.run([os.environ["CHILD"], command], capture_output=True, text=True)
    return done.returncode, done.stdout


def told(said):
    """Whether an answer tells anything: an empty list is no leak."""
    return said.startswith("200 ") and not said.endswith("\n[]\n")


def files_of(folder):
    found = []
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in (".git", "__pycache__"))
        found += [os.path.join(at, name) for name in sorted(names)]
    return found


def laid(name, mended=()):
    """A copy of the untouched product beside the review, with some of the grader's own mends."""
    shutil.copytree("shop", name, ignore=shutil.ignore_patterns(".git", "__pycache__"))
    for mend in mended:
        path, old, new = MENDS[mend]
        whole = text(f"{name}/{path}")
        if whole.count(old) != 1:
            raise SystemExit(f"the grader's own mend does not fit: {mend}")
        with open(f"{name}/{path}", "w") as file:
            file.write(whole.replace(old, new))
    return name


def crossed(name, program, mended=()):
    """A copy whose text is its own, and whose answers are those of another copy's program."""
    with open(f"{laid(name, mended)}/shop/__init__.py", "w") as file:
        file.write(f"__path__[:] = [{os.path.abspath(program + '/shop')!r}]\n")
    return name


def shown(name, which):
    """Which scripts show their fault in a copy."""
    loop = "; ".join(f"timeout 60 bash ../review/{n}.sh > /dev/null 2>&1; echo {n} $?" for n in which)
    told = dict(line.split() for line in child(f"cd {name}; {loop}")[1].splitlines() if re.fullmatch(r"\d+ \d+", line))
    if bad := [n for n in which if told.get(str(n)) not in ("0", "1")]:
        failed(f"scripts end with neither 0 nor 1 in {name}: {bad}")
    return {n for n in which if told[str(n)] == "1"}


def answers(name, asked):
    for path, body in ((f"{name}/asked.json", json.dumps(asked)), (f"{name}/run.py", RUN)):
        with open(path, "w") as file:
            file.write(body)
    said = [json.loads(line) for line in child(f"cd {name} && timeout 100 python3 run.py asked.json")[1].splitlines()]
    return said if len(said) == len(asked) else failed(f"{name} does not answer")


whole = hashlib.sha256()
for path in files_of("shop"):
    whole.update(path.encode() + b"\0" + open(path, "rb").read() + b"\0")
if whole.hexdigest() != TREE or text("shop/.git/refs/heads/main").strip() != COMMIT:
    failed("the checkout is not as it was")
rows = list(csv.DictReader(io.StringIO(text("review/surface.csv"))))
listed = [f"{row.get('method')} {row.get('route')}" for row in rows]
if sorted(listed) != sorted(ROUTES):
    failed(f"surface.csv is not the surface: {sorted(set(listed) ^ ROUTES)}")
if wrong := [one for one, row in zip(listed, rows) if (row.get("guard") == "none") != (one in OPEN)]:
    failed(f"surface.csv is wrong on who is refused: {wrong}")
numbers = sorted(int(name[:-3]) for name in os.listdir("review") if re.fullmatch(r"[1-9]\d?\.sh", name))
heads = re.findall(r"(?m)^## (\d+)\. `?(shop/\w+\.py):\d+", text("review/report.md"))
if not numbers or [int(number) for number, _ in heads] != numbers:
    failed("report.md does not have a finding with its place for each script")
if shown(laid("g-base"), numbers) != set(numbers):
    failed("scripts show nothing on the untouched product")
laid("g-silent")
open("g-silent/shop/ask.py", "w").close()
if wrong := shown("g-silent", numbers):
    failed(f"scripts that show a fault where nothing answers: {wrong}")
if wrong := shown(laid("g-right", MENDS), numbers):
    failed(f"findings that are none, for they show where nothing is wrong: {wrong}")
if shown(crossed("g-text", "g-right"), numbers) or shown(crossed("g-program", "g-base", MENDS), numbers) != set(numbers):
    failed("scripts go by the text of the files, and not by what is answered")
taken = []
for number, fault in enumerate(MENDS):
    name = laid(f"g-{number}", [one for one in MENDS if one != fault])
    order = sorted(numbers, key=lambda one: one in taken)  # those that found no other fault first
    loop = f"for n in {' '.join(map(str, order))}; do timeout 60 bash ../review/$n.sh > /dev/null 2>&1; [ $? = 1 ] && exit $((100 + n)); done; exit 99"
    code, _ = child(f"cd {name}; {loop}")
    if code - 100 not in numbers:
        failed(f"not found: {fault}")
    taken.append(code - 100)
for number in numbers:
    name = laid(f"m-{number}")
    if child(f"cd {name} && git apply ../review/{number}.patch")[0] or shown(name, [number]):
        failed(f"{number}.patch does not apply, or {number}.sh shows the fault all the same")
laid("m-all")
for number in numbers:
    if child(f"cd m-all && git apply ../review/{number}.patch")[0]:
        failed(f"{number}.patch does not apply after the others")
base, mended = answers("g-base", ALLOWED), answers("m-all", ALLOWED)
if any(not said.startswith("200 ") for said in base):
    raise SystemExit("the grader asks for what is not allowed")
if wrong := [asked for asked, old, new in zip(ALLOWED, base, mended) if old != new]:
    failed(f"the mends change what is allowed: {wrong[:3]}")
own = answers("g-right", ATTACKS)
if any(map(told, own)):
    raise SystemExit(f"the grader's own mends let pass: {[a for a, said in zip(ATTACKS, own) if told(said)]}")
if wrong := [asked for asked, said in zip(ATTACKS, answers("m-all", ATTACKS)) if told(said)]:
    failed(f"with all mends it still answers: {wrong[:3]}")
print("all faults are shown and mended, and nothing else is called one")
sys.exit(0)
