# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""Reads the exports as those who know them say, and compares ids and values; runs merge.py in the child alone."""

import collections
import csv
import datetime
import hashlib
import os
import re
import shutil
import subprocess
import sys
from decimal import Decimal, InvalidOperation
from pathlib import Path

RECEIVED = "a126024bc992c20711d7ea90279d924d28f46b9d8da2c38a86a112d56fcbb227"
FIXED = {("N-0211", "price"): "92.00", ("N-0211", "amount"): "920.00"}
FIXED |= {("N-0388", "price"): "228.00", ("N-0388", "amount"): "912.00"}
FORMS = {"customers.csv": ("utf-8", ",", 0), "north.csv": ("utf-8-sig", ",", 0)}
FORMS |= {"south.csv": ("cp1252", ";", 1), "web.csv": ("utf-16", "\t", 0)}
RAW = Path("data/raw")


def failed(why):
    print(why)
    sys.exit(10)


def table(name):
    encoding, delimiter, skip = FORMS[name]
    with open(RAW / name, encoding=encoding, newline="") as file:
        return list(csv.reader(file, delimiter=delimiter))[skip:]


def save(name, rows):
    encoding, delimiter, skip = FORMS[name]
    place = RAW / name
    before = place.read_bytes().decode(encoding).splitlines(keepends=True)[:skip]
    with open(place, "w", encoding=encoding, newline="") as file:
        file.writelines(before)
        csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(rows)


def bare(name):
    return re.sub(r" (gmbh|ag|ltd)$", "", " ".join(name.lower().split()))


def amount(name, text):
    if name == "web.csv":
        return Decimal(text) / 100
    text = text.replace(",", "") if name == "north.csv" else text.replace(".", "").replace(",", ".")
    return -Decimal(text.strip("()-")) if text[0] == "(" or text[-1] == "-" else Decimal(text)


def truth():
    """Where each record belongs: its place to (kind, the row or None, the group of equal records)."""
    customers = {row[0]: row for row in table("customers.csv")[1:] if row[0]}
    names = {bare(row[1]): row[0] for row in customers.values()}
    found = {}
    for name, dates in (("north.csv", "%Y-%m-%d"), ("south.csv", "%d.%m.%Y"), ("web.csv", "%m/%d/%Y")):
        groups = {}
        for number, row in enumerate(table(name)[1:], 1):
            if name == "web.csv":
                invoice, typed, called, date, delivered, item, quantity, price, _, money, card = row
                customer = re.sub(r"^[Kk]-?", "", typed.strip()) or names.get(bare(called), "")
            else:
                invoice, customer, date, item, quantity, price, money, card, _ = row
                delivered = ""
                customer = customer.strip() if name == "north.csv" else customer[2:] if customer[:2] == "K-" else ""
            group = groups.setdefault(tuple(row), number)
            if invoice == "Summe" or customer == "TEST":
                found[name, number] = ("rejected", None, group)
                continue
            cells = {"invoice": invoice}
            for column, text in (("date", date), ("delivered", delivered)):
                cells[column] = text and datetime.datetime.strptime(text, dates).date().isoformat()
            cells |= {"item": item, "quantity": Decimal(quantity), "card": card}
            cells["unit_price"] = Decimal(FIXED.get((invoice, "price")) or amount(name, price))
            cells["amount"] = Decimal(FIXED.get((invoice, "amount")) or amount(name, money))
            if customer in customers:
                cells |= {"customer_id": customer, "customer": customers[customer][1], "country": customers[customer][2]}
            found[name, number] = ("merged" if customer in customers else "unmatched", cells, group)
    return found


def equal(wanted, text):
    try:
        return Decimal(text) == wanted if isinstance(wanted, Decimal) else text == wanted
    except (InvalidOperation, TypeError):
        return False


def compare(when):
    wanted, seen = truth(), collections.Counter()
    keeps = collections.Counter()
    kinds = {"merged.csv": "merged", "rejected.csv": "rejected", "duplicates.csv": "duplicates"}
    kinds |= {f"unmatched-{name}": "unmatched" for name in FORMS if name != "customers.csv"}
    for file, kind in kinds.items():
        place = Path("out", file)
        if not place.is_file() or place.is_symlink():
            failed(f"{when}: {place} is missing")
        with open(place, encoding="utf-8-sig", newline="") as opened:
            rows = list(csv.DictReader(opened))
        for row in rows:
            try:
                key = (row["source_file"], int(row["source_row"]))
                right, cells, group = wanted[key]
            except (KeyError, TypeError, ValueError):
                failed(f"{when}: {file} holds a row that is no record: {row}")
            seen[key] += 1
            if kind == "duplicates":
                other = wanted.get((key[0], int(row["copy_of"])), ("", None, None))
                if right == "rejected" or other[2] != group or int(row["copy_of"]) == key[1]:
                    failed(f"{when}: {key} is no copy of {row['copy_of']}")
                continue
            if kind != right:
                failed(f"{when}: {key} is in {file}, and is {right}")
            if kind == "rejected" and not row["reason"].strip():
                failed(f"{when}: {key} has no reason")
            keeps[key[0], group] += kind != "rejected"
            for name, value in (cells or {}).items():
                if not equal(value, row.get(name)):
                    failed(f"{when}: {name} of {key} is {row.get(name)!r}, not {str(value)!r}")
    if set(seen) != set(wanted) or max(seen.values()) > 1:
        odd = [key for key in wanted if seen[key] != 1]
        failed(f"{when}: {len(odd)} records are not there once: {odd[:3]}")
    if any(count > 1 for count in keeps.values()):
        failed(f"{when}: a record that came twice is kept twice")


def run(when):
    shutil.rmtree("out", ignore_errors=True)
    Path("out").unlink(missing_ok=True)
    if Path("raw.sha256").is_file() and not Path("raw.sha256").is_symlink():
        lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path}\n" for path in sorted(RAW.iterdir())]
        Path("raw.sha256").write_text("".join(lines))
    said = subprocess.run([os.environ["CHILD"], "timeout 120 python3 merge.py"], capture_output=True, text=True)
    return said.returncode, f"{when}: merge.py ended with {said.returncode}: {said.stdout[-300:]}"


def main():
    lines = []
    for folder in ("data/raw", "documents", "notes", "control.csv", "README.md"):
        paths = sorted(Path(folder).rglob("*")) if Path(folder).is_dir() else [Path(folder)]
        if any(path.is_symlink() or not path.exists() for path in [Path(folder), *paths]):
            failed(f"{folder} is not as it was received")
        lines += [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path}" for path in paths if path.is_file()]
    if hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest() != RECEIVED:
        failed("the files are not those that were received")
    if not Path("merge.py").is_file():
        failed("there is no merge.py")
    compare("as it lies there")
    for path in (Path("."), Path("data"), RAW, *RAW.iterdir()):
        path.chmod(path.stat().st_mode | 0o700)
    os.remove("control.csv")
    code, why = run("made anew")
    if code:
        failed(why)
    compare("made anew")
    kept = RAW.joinpath("customers.csv").read_bytes()
    north, south, web, customers = (table(name) for name in ("north.csv", "south.csv", "web.csv", "customers.csv"))
    north[40][5], north[40][6] = "1,234.50", "({:,.2f})".format(Decimal("1234.50") * abs(int(north[40][4])))
    north[40][4] = str(-abs(int(north[40][4])))
    north.append(["N-9001", " 00900 ", "2025-05-31", "A-09", "2", "150.00", "300.00", "0000000000000017", "a\nb"])
    south += [south[60], ["S-9001", "K-00108", "02.01.2025", "A-10", "1", "1.070,00", "1.070,00-", "0" * 16, "Süd 1"]]
    web.append(["W-9001", "", "  acme  süd gmbh", "05/02/2025", "05/04/2025", "A-02", "3", "7400", "26418", "22200", "1" * 16])
    web.append(["W-9002", "", "Zebra West", "01/03/2025", "01/05/2025", "A-02", "3", "7400", "26418", "22200", "1" * 16])
    customers.append(["00900", "Zebra  Ost", "NA", "Ost"])
    for name, rows in (("north.csv", north), ("south.csv", south), ("web.csv", web), ("customers.csv", customers)):
        save(name, rows)
    code, why = run("of other exports")
    if code:
        failed(why)
    compare("of other exports")
    RAW.joinpath("customers.csv").write_bytes(kept + b"00108,Acme Ost,DE,Ost\n")
    if not run("with a customer twice")[0]:
        failed("with a customer twice merge.py ends well")
    print("every record is where it belongs")


main()
