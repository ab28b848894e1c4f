# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""Reads the exports by itself and knows each merchant's category; runs month.py in the child alone."""

import collections
import csv
import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

GIVEN = "a74fec3122e62f8ad3a115158786ddde4141cfc171ee162196a24669ba1df8a9"
KNOWN = {
    "REWE MARKT": "Groceries", "EDEKA SANDER": "Groceries", "BIO COMPANY": "Groceries", "WOCHENMARKT": "Groceries",
    "CAFE MORGENROT": "Eating out", "TRATTORIA DA ENZO": "Eating out", "KANTINE AM HAFEN": "Eating out",
    "ARAL STATION": "Transport", "DB VERTRIEB": "Transport", "BVG FAHRSCHEIN": "Transport", "LINDEN APOTHEKE": "Health",
    "PRAXIS DR. WEBER": "Health", "THALIA BUCHHANDLUNG": "Shopping", "ZALANDO SE": "Shopping",
    "BAUMARKT HORNBACH": "Shopping", "ARAL SHOP BISTRO": "Groceries", "VATTENFALL STROM": "Home",
    "TELEKOM FESTNETZ": "Home", "ALLIANZ HAFTPFLICHT": "Insurance", "MIETE HAUSVERWALTUNG": "Home",
    "GEHALT NORDWERK": "Income", "ZINSEN": "Income",
}  # fmt: skip
DOUBTFUL = {"OMA ELSE": {"Income"}, "YOGA LOFT": {"Health"}, "FOTO ZWICK": {"Shopping"}}
DOUBTFUL |= {"KIOSK 7": {"Groceries", "Shopping", "Eating out"}, "ZQX": set(), "QVV": set(), "XZZ": set()}
OWN = {"giro": "DE02100100100000012345", "card": "KREDITKARTE 5123", "savings": "DE77100100100000067890"}
FORMS = {"giro": ("cp1252", ";"), "card": ("utf-8", ","), "savings": ("utf-16", "\t")}


def failed(why):
    print(why)
    sys.exit(10)


def fields_of(account, fields):
    """Date, cents and text of a booked record, or nothing."""
    if account == "giro" and len(fields) == 5 and fields[2] == "gebucht":
        day, month, year = fields[0].split(".")
        return f"{year}-{month}-{day}", int(Decimal(fields[4].replace(".", "").replace(",", ".")) * 100), fields[3]
    if account == "card" and fields[0] != "Date":
        month, day, year = fields[0].split("/")
        return f"{year}-{month}-{day}", -int(Decimal(fields[2].replace(",", "")) * 100), fields[1]
    if account == "savings" and fields[0] != "date":
        return fields[0], int(Decimal(fields[1]) * 100), fields[2]
    return None


def truth():
    """Each booked row, by how often it was booked."""
    found = collections.Counter()
    for path in Path("exports").iterdir():
        account = path.name.split("-")[0]
        with open(path, encoding=FORMS[account][0], newline="") as file:
            records = [row for row in csv.reader(file, delimiter=FORMS[account][1]) if row]
        found |= collections.Counter((account, *row) for row in (fields_of(account, fields) for fields in records) if row)
    return found


def stored():
    place = Path("books.sqlite")
    if not place.is_file() or place.is_symlink():
        failed("there is no books.sqlite")
    try:
        with sqlite3.connect(f"file:{place.absolute()}?mode=ro", uri=True) as db:
            db.row_factory = sqlite3.Row
            return [dict(row) for row in db.execute("SELECT id, account, date, amount, text, raw, category, reason FROM tx")]
    except sqlite3.Error as error:
        failed(f"books.sqlite cannot be read: {error}")


def compare(when):
    rows = stored()
    found = collections.Counter((row["account"], row["date"], row["amount"], row["text"]) for row in rows)
    wanted = truth()
    if found != wanted:
        odd = [*(wanted - found), *(found - wanted)][:3]
        failed(f"{when}: rows that are missing or too many: {odd}")
    wrong, unknown, guessed = [], 0, []
    for row in rows:
        text = row["text"].upper()
        own = any(words in text for account, words in OWN.items() if account != row["account"])
        if own != (row["category"] == "transfer"):
            failed(f"{when}: {row['text']!r} is {row['category']}")
        doubtful = next((good for name, good in DOUBTFUL.items() if name in text), None)
        right = next((category for name, category in KNOWN.items() if name in text), None)
        if own or (doubtful is not None and row["category"] in doubtful | {"unknown"}):
            continue
        unknown += row["category"] == "unknown"
        if row["category"] != "unknown" and any(name in text for name in ("ZQX", "QVV", "XZZ")):
            guessed.append(row["text"])
        if row["category"] not in (right, "unknown"):
            wrong.append((row["text"], row["category"]))
            if row["amount"] > 0:
                failed(f"{when}: {row['text']!r} came back and is {row['category']}")
    if len(wrong) > len(rows) / 100 or unknown > len(rows) / 5:
        failed(f"{when}: {len(wrong)} of {len(rows)} rows are wrong, {unknown} needlessly unknown: {wrong[:5]}")
    if len(guessed) > 1:
        failed(f"{when}: shops that nobody has seen are decided: {guessed}")
    return {row["id"]: row for row in rows}


def disguised(rows, seen):
    """Rows whose date and amount stand together in a line of the repository."""
    found = set()
    for line in set(seen.splitlines()):
        days = set(re.findall(r"\d+[./-]\d+[./-]\d+|\b\d{8}\b", line))
        numbers = {re.sub(r"\D", "", part).lstrip("0") for part in re.findall(r"\d[\d.,]*", line)} if days else set()
        for row in rows if days else []:
            year, month, day = row["date"].split("-")
            forms = {row["date"], f"{day}.{month}.{year}", f"{month}/{day}/{year}", f"{day}/{month}/{year}", year + month + day}
            if forms & days and str(abs(row["amount"])) in numbers:
                found.add(row["text"])
    return found


def run():
    return subprocess.run([os.environ["CHILD"], "timeout 120 python3 month.py 2>&1"], capture_output=True, text=True)


def month(number, texts, reworded=False):
    """One more month of exports and statements."""
    balances = list(csv.DictReader(open("balances.csv", newline="")))
    for account, rows in texts.items():
        name = f"2025-{number:02}"
        last = [line for line in balances if line["account"] == account][-1]["closing"]
        lines = []
        for day, cents, text in rows:
            if account == "giro":
                amount = ("-" if cents < 0 else "") + f"{abs(cents) // 100:,}".replace(",", ".") + f",{abs(cents) % 100:02}"
                lines.append(f'{day:02}.{number:02}.2025;{day:02}.{number:02}.2025;gebucht;"{text}";{amount}')
            elif account == "card":
                lines.append(f'{number:02}/{day:02}/2025,"{text}","{-cents / 100:,.2f}"')
            else:
                lines.append(f"{name}-{day:02}\t{cents / 100:.2f}\t{text}")
        head = {"giro": "Kontoauszug;Girokonto\n\nBuchungstag;Wertstellung;Status;Verwendungszweck;Betrag\n"}
        head |= {"card": "Date,Description,Amount\n", "savings": "date\tamount\ttext\n"}
        suffix = "tsv" if account == "savings" else "csv"
        Path("exports", f"{account}-{number}.{suffix}").write_bytes((head[account] + "\n".join(lines) + "\n").encode(FORMS[account][0]))
        closing = Decimal(last) + Decimal(sum(cents for _, cents, _ in rows)) / 100
        balances.append({"account": account, "month": name, "opening": last, "closing": f"{closing:.2f}"})
    with open("balances.csv", "w", newline="") as file:
        table = csv.DictWriter(file, ["account", "month", "opening", "closing"], lineterminator="\n")
        table.writeheader()
        table.writerows(balances)


def main():
    names = sorted(str(path) for path in Path("exports").iterdir()) if Path("exports").is_dir() else []
    names += ["accounts.csv", "balances.csv", "categories.md", "labelled.csv", "README.md"]
    if any(not Path(name).is_file() or Path(name).is_symlink() for name in names):
        failed("a file that was given is gone")
    sums = [f"{hashlib.sha256(Path(name).read_bytes()).hexdigest()}  {name}" for name in sorted(names)]
    if hashlib.sha256("\n".join(sums).encode()).hexdigest() != GIVEN:
        failed("a file that was given was changed")
    stays = compare("as it lies there")
    subprocess.run([os.environ["CHILD"], "git log -p --all > .git/seen; cat $(git ls-files -co --exclude-standard) >> .git/seen 2>&1"])
    seen = Path(".git/seen").read_bytes().decode(errors="replace") if Path(".git/seen").is_file() else ""
    if leaked := [row["text"] for row in stays.values() if row["text"] in seen]:
        failed(f"private rows can be read in the repository: {leaked[:3]}")
    if len(alike := disguised(stays.values(), seen)) > 5:
        failed(f"private rows can be read in the repository, in other words: {sorted(alike)[:3]}")
    for path in (Path("exports"), *Path("exports").iterdir(), Path("balances.csv")):
        path.chmod(path.stat().st_mode | 0o700)
    os.remove("books.sqlite")
    for when in ("made anew", "made twice"):
        said = run()
        if said.returncode:
            failed(f"{when}: month.py ended with {said.returncode}: {said.stdout[-300:]}")
        before = compare(when)
    shutil.copy("exports/card-2.csv", "exports/card-2-again.csv")
    run()
    compare("with an export under two names")
    giro = [(1, -50000, "Miete Hausverwaltung Kranz 07/25"), (2, -50000, "Debitkarte Baumarkt Hornbach 5511")]
    giro += [(3, -410, "Debitkarte Cafe Morgenrot 7171")] * 2 + [(9, -4211, "Debitkarte REWE Markt 8281"), (27, 245000, "Gehalt Nordwerk AG 07/25")]
    giro += [(11, -1290, "Debitkarte Linden Apotheke 9119"), (12, -5500, "Debitkarte Aral Station 3113"), (12, -650, "Debitkarte Aral Shop Bistro 3114")]
    giro += [(13, -900, "Debitkarte Zqx Wvvk 7713"), (14, 1290, "Debitkarte Linden Apotheke 9119"), (20, -31000, "Ausgleich KREDITKARTE 5123 07/25")]
    giro += [(15, 900, "Debitkarte Zqx Wvvk 7713"), (16, -1700, "Debitkarte PayPal Qvv Jkk 1204"), (17, -2300, "Debitkarte PayPal Xzz Prm 1307")]
    giro += [(18, -3115, "Debitkarte Edeka Sander 6161"), (19, -820, "Debitkarte Kantine am Hafen 2727")]
    giro += [(21, -1933, "Debitkarte Bio Company 4141"), (23, -2710, "Debitkarte REWE Markt 8282")]
    card = [(4, -2299, "THALIA BUCHHANDLUNG 1212, BERLIN DE"), (5, -1450, "KANTINE AM HAFEN 3434, BERLIN DE"), (6, -123456, "ZALANDO SE 5656, BERLIN DE")]
    card += [(10, -3199, "BIO COMPANY 7878, BERLIN DE"), (11, -2150, "BVG FAHRSCHEIN 9191, BERLIN DE")]
    card += [(22, 31000, "PAYMENT RECEIVED, DE02100100100000012345 THANK YOU")]
    month(7, {"giro": giro, "card": card, "savings": [(1, 50000, "Gutschrift von DE02100100100000012345 Sparen"), (15, 19, "Zinsen Nr 7")]})
    said = run()
    if said.returncode:
        failed(f"with July month.py ended with {said.returncode}: {said.stdout[-300:]}")
    after = compare("with July")
    if any(after.get(name, {}).get("category") != row["category"] for name, row in before.items() if row["category"] != "unknown"):
        failed("with July rows that were stored have another category, or id")
    unknown = collections.Counter(row["category"] for row in after.values())["unknown"]
    asked = subprocess.run([os.environ["CHILD"], "python3 month.py triage"], capture_output=True, text=True).stdout.splitlines()
    lines = [line.split("\t") for line in asked if line.count("\t") == 2]
    if not lines or sum(int(line[2]) for line in lines) != unknown:
        failed("triage does not ask about the rows that are unknown")
    if any(re.sub(r"\D", "", line[1]) == "4000" and line[2] == "2" for line in lines):
        failed("two shops that are paid through PayPal are one merchant in the triage")
    balances = Path("balances.csv").read_text()
    odd = "Wvk Pjj Qrr Vbb Xnn".split()
    texts = {"giro": [(day, cents, f"Zqx {odd[day % 5]} {number}" if number % 3 else text) for number, (day, cents, text) in enumerate(giro)]}
    month(8, texts)
    said = run()
    if said.returncode == 0 or "giro" not in said.stdout:
        failed(f"with new words in August month.py does not stop: {said.stdout[-300:]}")
    kept = {row["id"]: row["category"] for row in stored()}
    if any(kept.get(name) != row["category"] for name, row in after.items()):
        failed("the month that stops changes stored rows")
    Path("exports/giro-8.csv").unlink()
    for name in ("card", "savings", "giro"):
        table = [line.split(",") for line in balances.splitlines()]
        for line in table:
            if line[0] == name and line[1] == "2025-03":
                line[3] = f"{Decimal(line[3]) + Decimal('0.01'):.2f}"
        Path("balances.csv").write_text("\n".join(map(",".join, table)) + "\n")
        Path("books.sqlite").unlink(missing_ok=True)  # one that ends badly may have stored nothing
        if run().returncode == 0:
            failed(f"{name}: a cent is missing, and month.py ends well")
    print("rows, categories and stops are as they should be")


main()
