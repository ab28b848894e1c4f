# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""The outcome: rows of the papers as they came, and of fresh papers that nobody has seen, against what was printed."""

import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

FIELDS = ["page", "supplier", "number", "date", "due", "item", "quantity", "unit_price", "net", "currency"]


def failed(why):
    print(why)
    sys.exit(10)


def table(place):
    try:
        with open(place, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        failed(f"{place}: {error}")


def same(field, text, value):
    text, value = " ".join((text or "").split()), "" if value is None else str(value)
    return text == value


def judge(facts, out, what):
    documents = table(f"{out}/documents.csv")
    ends = {row.get("document"): row for row in documents}
    if len(documents) != len(ends) or set(ends) != set(facts):
        failed(f"{what}: documents.csv has not each paper once: {sorted(set(facts) ^ set(ends))}")
    rows, read, sound = {}, 0, 0
    for row in table(f"{out}/rows.csv"):
        rows.setdefault(row.get("document"), []).append(row)
    for name, fact in facts.items():
        end = ends[name]
        if end.get("status") not in ("done", "review", "refused"):
            failed(f"{what}: {name} is {end}")
        if end["status"] != "done":
            if not (end.get("reason") or "").strip() or name in rows:
                failed(f"{what}: {name} is {end['status']}, without a reason or with rows")
            sound += fact["sound"] and "twin" not in fact
            continue
        if not fact["sound"] or "twin" in fact and ends[fact["twin"]]["status"] == "done":
            failed(f"{what}: {name} is done, and {fact['why'] or 'a paper with its number is done as well'}")
        sound, read = sound + 1, read + ("twin" not in fact)
        found = sorted(rows.get(name, []), key=lambda r: (r.get("item") or "", r.get("net") or ""))
        expected = sorted(fact["rows"], key=lambda r: (r["item"], r["net"]))
        if len(found) != len(expected):
            failed(f"{what}: {name} ({fact['kind']}) has {len(found)} rows of {len(expected)}")
        for other in expected:
            hit = next((row for row in found if all(same(f, row.get(f), other[f]) for f in FIELDS)), None)
            if hit is None:
                failed(f"{what}: {name} ({fact['kind']}) has no row {other}")
            found.remove(hit)
    total = sum(f["sound"] and "twin" not in f for f in facts.values())
    if read < 0.9 * total:
        failed(f"{what}: {read} of {total} sound papers are done")
    if len([n for n in rows if n not in facts]):
        failed(f"{what}: rows of papers that never came")
    queue = {row.get("document") for row in table(f"{out}/review.csv")}
    if queue != {name for name, end in ends.items() if end["status"] == "review"}:
        failed(f"{what}: review.csv is not the papers in review")


def main():
    grader = pathlib.Path(os.environ["GRADER"])
    place = pathlib.Path(tempfile.mkdtemp())
    for name, seed in (("first", "7"), ("fresh", "4242")):
        subprocess.run([sys.executable, grader / "papers.py", place / name, seed, place / f"{name}.json"], check=True)
    first, fresh = (json.loads((place / f"{name}.json").read_text()) for name in ("first", "fresh"))
    for path in (place / "first").iterdir():
        here = pathlib.Path("pdfs", path.name)
        if not here.is_file() or here.read_bytes() != path.read_bytes():
            failed(f"{here} was changed")
    judge(first, "out", "the papers as they came")
    if not pathlib.Path("extract.py").is_file():
        failed("there is no extract.py")
    for name in ("truth", "out", "pdfs"):
        shutil.rmtree(name, ignore_errors=True)
    shutil.rmtree("fresh", ignore_errors=True)
    shutil.copytree(place / "fresh", "fresh")
    code = subprocess.run([os.environ["CHILD"], "timeout 120 python3 extract.py fresh fresh-out"], capture_output=True, text=True)
    if code.returncode:
        failed(f"extract.py breaks on fresh papers: {code.stdout[-600:]}")
    judge(fresh, "fresh-out", "fresh papers")
    for field, value, good in (("net", "12.50.00", False), ("currency", "XYZ", False), ("date", "2026-13-04", False), ("due", None, False), ("net", "90071992547409930.01", True)):
        row = {"document": "d", "page": 1, "quote": "1 Lamp 2 3.00 6.00", "supplier": "Keller GmbH", "number": "K-1", "date": "2026-03-04"}
        row |= {"due": "2026-04-03", "item": "Lamp", "quantity": "2", "unit_price": "3.00", "net": "6.00", "currency": "EUR", "reasons": {}, field: value}
        pathlib.Path("row.json").write_text(json.dumps(row))
        asked = subprocess.run([os.environ["CHILD"], "python3 schema.py < row.json"], capture_output=True, text=True)
        if (asked.returncode == 0) != good or good and value not in asked.stdout:
            failed(f"schema.py with {field} = {value!r}: exit code {asked.returncode}, {asked.stdout[-200:]}")
    print("every paper that is done is right, here and on fresh papers")
    sys.exit(0)


main()
