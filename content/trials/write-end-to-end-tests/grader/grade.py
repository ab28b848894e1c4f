# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""Whether the tests notice every fault of the shop, and nothing else: each runs over shops with one change in the source."""

import fnmatch
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

FAILED, ROOM = 10, pathlib.Path("/trial/.room")
ALLOWED = ("tests/checkout*.spec.ts", "tests/pages/*.ts", "specs/*")
CONFIG = """import user from './playwright.config';
const shops: any[] = %s;
export default { ...user, retries: 0, fullyParallel: true, outputDir: '.room/out', reporter: [['json', { outputFile: '.room/report.json' }]],
  webServer: shops.filter(one => one.starts).map(one => ({ command: `python3 .room/${one.app}/server.py ${one.port}`, url: `http://127.0.0.1:${one.port}` })),
  projects: shops.map(one => ({ name: one.name, grep: new RegExp(one.grep), repeatEach: one.repeat, retries: 0, timeout: 120_000,
    expect: { timeout: one.patience }, use: { ...user.use, baseURL: `http://127.0.0.1:${one.port}` } })) };
"""
SERVER, SCRIPT = "server.py", "shop.js"
MUTANTS = {
    "C-01 free below the limit": [(SERVER, "goods > FREE_FROM", "goods > 4900")],
    "C-02 discount": [(SERVER, '"SPRING10": 10', '"SPRING10": 20')],
    "C-02 total": [(SERVER, "goods - discount + shipping", "goods + shipping")],
    "C-02 no total": [(SCRIPT, "'Total', said.total", "'Total', ''")],
    "C-02 at the second try": [(SERVER, "            vouchers[user] = code\n", "            if user not in vouchers:\n                vouchers[user] = ''\n                return 503, {'error': 'Busy'}\n            vouchers[user] = code\n")],
    "C-02 line stays": [(SCRIPT, "said.discount]", "window.was = said.discount || window.was]")],
    "C-02 total stays": [(SERVER, "vouchers.pop(user, None)", "pass"), (SCRIPT, "said.discount]", "said.goods === said.total || !window.off && said.discount]"), (SCRIPT, "on('remove', 'click', async () => totals(", "on('remove', 'click', async () => totals(window.off = 1, ")],
    "C-03 message": [(SERVER, "This voucher has expired.", "Try later.")],
    "C-03 applied all the same": [(SERVER, 'return 422, {"error": "This voucher has expired."}', 'vouchers[user] = "SPRING10"; return 422, {"error": "This voucher has expired.", "now": priced(user)}'), (SCRIPT, ": tell('vbad', said.error)", ": (said.now && totals(said.now), tell('vbad', said.error))")],
    "C-04 message": [(SERVER, "Card declined", "Thank you")],
    "C-04 ordered all the same": [(SERVER, 'return 402, {"error"', 'orders.setdefault(user, []).append({"number": "A-1", "total": "29.90", "paid": 0}); return 402, {"error"')],
    "C-05 heading": [(SCRIPT, "<h1>Order placed", "<h1>Basket")],
    "C-05 number": [(SCRIPT, "said.number}</strong>", "said.number}0</strong>")],
    "C-05 twice": [(SERVER, "orders.setdefault(user, []).append(", "orders.setdefault(user, []).extend(2 * "), (SERVER, '{"number": number, "total": total, "paid": time.monotonic() + PAYMENT}', '[{"number": number, "total": total, "paid": time.monotonic() + PAYMENT}]')],
    "C-05 total": [(SERVER, 'total = priced(user)["total"]', 'total = priced(user)["goods"]')],
    "C-05 never confirmed": [(SERVER, 'now > one["paid"]', 'now > one["paid"] + 900')],
    "C-06 link": [(SCRIPT, "count(0);", "count(2);")],
}  # fmt: skip
MENDS = {
    "C-01 at the limit": [(SERVER, "goods > FREE_FROM", "goods >= FREE_FROM")],
    "C-06 opened again": [(SERVER, 'return 201, {"number": number}', 'baskets.pop(user, None); return 201, {"number": number}')],
}
SLOW = [(SERVER, "PRICING, PAYMENT = 0.4, 1.2", "PRICING, PAYMENT = 1.6, 3.0"), ("shop.html", 'id="b"', 'id="b" class="x7"'), ("shop.html", "<main", '<section><div class="y"></div></section><main'),
        (SCRIPT, 'id="sums"', 'id="sums" class="t2"')]  # fmt: skip


def failed(why):
    print(str(why)[:1500])
    sys.exit(FAILED)


def unchanged():
    sums = dict(line.split("  ")[::-1] for line in (pathlib.Path(os.environ["GRADER"]) / "files.sha256").read_text().splitlines()[1:])
    for name, wanted in sums.items():
        if not pathlib.Path(name).is_file() or hashlib.sha256(pathlib.Path(name).read_bytes()).hexdigest() != wanted:
            failed(f"{name} was changed")
    for path in pathlib.Path().rglob("*"):
        name = str(path)
        if path.is_dir() or name in sums or name.split("/")[0] in (".git", "node_modules", "test-results", "playwright-report"):
            continue
        if not any(fnmatch.fnmatch(name, one) for one in ALLOWED):
            failed(f"{name} is new and none of {ALLOWED}")
    plan = pathlib.Path("specs/checkout.plan.md")
    text = plan.read_text(errors="replace") if plan.is_file() else ""
    part = re.split(r"(?m)^#+ ", re.split(r"(?mi)^#+ *disagreements", text)[-1])[0] if re.search(r"(?mi)^#+ *disagreements", text) else ""
    if [name for name in ("C-01", "C-06") if name not in part]:
        failed("the disagreements of C-01 and C-06 are not in specs/checkout.plan.md")


def shop(app, edits):
    place = ROOM / app
    shutil.copytree("app", place)
    for name, find, put in edits:
        text = (place / name).read_text()
        assert find in text, (app, find)
        (place / name).write_text(text.replace(find, put))


def run(shops):
    """The tests of each shop: title, expected status, status, and how often it ran."""
    ports = {app: 4300 + number for number, app in enumerate(dict.fromkeys(one["app"] for one in shops))}
    seen = set()
    told = []
    for number, one in enumerate(shops):
        told.append({"name": f"r{number}", "grep": ".", "repeat": 1, "patience": 5000} | one | {"port": ports[one["app"]], "starts": one["app"] not in seen})
        seen.add(one["app"])
    pathlib.Path(".room.config.ts").write_text(CONFIG % json.dumps(told))
    (ROOM / "report.json").unlink(missing_ok=True)
    said = subprocess.run([os.environ["CHILD"], "playwright test -c .room.config.ts --workers=3 tests/checkout"], capture_output=True, text=True)
    try:
        with (ROOM / "report.json").open() as file:
            report = json.loads(file.read(20_000_000))
    except (OSError, ValueError):
        failed(f"Playwright wrote no report: {said.stdout[-800:]}")
    found = [[] for _ in shops]

    def read(suite, before):
        for spec in suite.get("specs", ()):
            for test in spec["tests"]:
                last = test["results"][-1]["status"] if test["results"] else "skipped"
                found[int(test["projectName"][1:])].append((before + spec["title"], test["expectedStatus"], last, len(test["results"])))
        for inner in suite.get("suites", ()):
            read(inner, before + inner["title"] + " ")

    for suite in report["suites"]:
        read(suite, "")
    return found


def good(tests, what):
    bad = [one for one in tests if one[3] != 1 or one[1] not in ("passed", "failed") or one[1] != one[2]]
    if bad or not tests:
        failed(f"{what}: {bad[:3] or 'no tests'}")


def changed(names):
    """A shop with each change in its source, and the run of its criterion's tests over it."""
    for name in names:
        shop(re.sub(r"\W", "-", name), (MUTANTS | MENDS)[name])
        yield {"app": re.sub(r"\W", "-", name), "grep": rf"\b{name[:4]}\b", "patience": 15000 if name in MENDS else 5000}


def noticed(names, found):
    """A mutant turns a plain test red, a mend an expected failure and nothing else."""
    for name, tests in zip(names, found, strict=True):
        red = [one for one in tests if one[1] == "passed" != one[2]]
        fixed = [one for one in tests if one[1] == "failed" and one[2] == "passed"]
        if name in MENDS and (red or not fixed):
            failed(f"mended {name}: {red[:2] or 'no expected failure turns red'}")
        if name in MUTANTS and not red:
            failed(f"no test notices {name}")


def main():
    unchanged()
    ROOM.mkdir()
    shop("base", [])
    plain, *mended = run([{"app": "base", "patience": 15000}, *changed(MENDS)])
    good(plain, "on the shop as it is")
    noticed(MENDS, mended)
    early = [name for name in MUTANTS if name < "C-03"]
    noticed(early, run(list(changed(early))))
    late, titles = [name for name in MUTANTS if name >= "C-03"], sorted({one[0] for one in plain})
    shop("slow", SLOW)
    alone = [{"app": "slow", "grep": re.escape(title) + "$", "patience": 15000} for title in titles]
    found = run([*changed(late), *alone])
    noticed(late, found[: len(late)])
    for title, tests in zip(titles, found[len(late) :], strict=True):
        good(tests, f"{title} alone, on a slow shop")
    print("every fault is noticed, and every disagreement is an expected failure")


main()
