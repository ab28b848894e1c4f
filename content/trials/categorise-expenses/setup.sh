#!/bin/bash
# Half a year of three accounts, the same bytes each time.
set -euo pipefail
python3 - <<'PY'
import collections
import csv
import io
import random
from pathlib import Path

draw = random.Random(5).random  # `random()` alone is the same in every Python
MERCHANTS = {
    "REWE Markt": ("Groceries", 900, 9000), "Edeka Sander": ("Groceries", 700, 8000), "Bio Company": ("Groceries", 900, 5000),
    "Wochenmarkt Kollwitzplatz": ("Groceries", 500, 3000), "Cafe Morgenrot": ("Eating out", 320, 900),
    "Trattoria Da Enzo": ("Eating out", 1800, 6000), "Kantine am Hafen": ("Eating out", 600, 1100),
    "Aral Station": ("Transport", 3000, 8000), "DB Vertrieb GmbH": ("Transport", 1900, 9000), "BVG Fahrschein": ("Transport", 300, 900),
    "Linden Apotheke": ("Health", 500, 4000), "Praxis Dr. Weber": ("Health", 2000, 9000), "Thalia Buchhandlung": ("Shopping", 900, 4000),
    "Zalando SE": ("Shopping", 2000, 12000), "Baumarkt Hornbach": ("Shopping", 800, 15000), "Aral Shop Bistro": ("Groceries", 300, 1500),
    "Vattenfall Strom": ("Home", 6200, 6201), "Telekom Festnetz": ("Home", 3995, 3996), "Allianz Haftpflicht": ("Insurance", 900, 901),
}
NEW = {"Yoga Loft Mitte": (1500, 1501), "Foto Zwick Passbild": (1200, 3000), "Kiosk 7 Himmel": (200, 900)}
PREFIX = {"giro": "Kartenzahlung {} {} Berlin", "card": "{} {}, BERLIN DE"}
rows = []  # account, month, day, cents, text, category


def add(account, month, day, cents, text, category):
    rows.append((account, month, day, cents, text, category))


for month in range(1, 7):
    for account in ("giro", "card"):
        for name, (category, low, high) in MERCHANTS.items():
            times = 1 if high - low == 1 else 1 + int(draw() * 3)
            if high - low == 1 and account == "card":
                continue
            for _ in range(times):
                cents, day = low + int(draw() * (high - low)), 1 + int(draw() * 28)
                shown = name.upper() if account == "card" else name
                begin = "Debitkarte {} {}" if (account, month) == ("giro", 6) else PREFIX[account]  # reworded by the bank
                text = begin.format(shown, 1000 + int(draw() * 9000))
                add(account, month, day, -cents, text, category)
                if name == "Cafe Morgenrot" and draw() < 0.4:
                    add(account, month, day, -cents, text, category)
        for name, (low, high) in NEW.items():
            if draw() < 0.4:
                cents = low + int(draw() * (high - low))
                add(account, month, 1 + int(draw() * 28), -cents, PREFIX[account].format(name, 1000 + int(draw() * 9000)), "")
    add("giro", month, 1, -50000, f"Miete Hausverwaltung Kranz {month:02}/25", "Home")
    add("giro", month, 27, 245000, f"Gehalt Nordwerk AG {month:02}/25", "Income")
    if month in (2, 5):
        add("giro", month, 3, 50000, "Gutschrift Oma Else zum Geburtstag", "Income")
    add("savings", month, 15, 12 + month, f"Zinsen Nr {month}", "Income")
    add("giro", month, 28, -50000, "Uebertrag an DE77100100100000067890 Sparen", "transfer")
    if month > 1:
        add("savings", month, 1, 50000, "Gutschrift von DE02100100100000012345 Sparen", "transfer")
    spent = 40000 + 100 * int(draw() * 300)
    add("giro", month, 20, -spent, f"Ausgleich KREDITKARTE 5123 {month:02}/25", "transfer")
    add("card", month, 22, spent, "PAYMENT RECEIVED, DE02100100100000012345 THANK YOU", "transfer")
for month, name, account in ((3, "Zalando SE", "giro"), (4, "Baumarkt Hornbach", "card"), (6, "Zalando SE", "card")):
    text = next(row for row in rows if row[0] == account and row[1] == month and name.upper() in row[4].upper())
    add(account, month, 28, -text[3], text[4], "Shopping")

opening = {"giro": 134217, "card": -25131, "savings": 801000}
Path("exports").mkdir()
with open("balances.csv", "w", newline="") as file:
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["account", "month", "opening", "closing"])
    for account in opening:
        for month in range(1, 7):
            closing = opening[account] + sum(row[3] for row in rows if row[:2] == (account, month))
            table.writerow([account, f"2025-{month:02}", f"{opening[account] / 100:.2f}", f"{closing / 100:.2f}"])
            opening[account] = closing


def german(cents):
    return ("-" if cents < 0 else "") + f"{abs(cents) // 100:,}".replace(",", ".") + f",{abs(cents) % 100:02}"


def giro(name, months):
    lines = ["Kontoauszug;Girokonto", "", "Buchungstag;Wertstellung;Status;Verwendungszweck;Betrag"]
    for _, month, day, cents, text, _ in sorted(row for row in rows if row[0] == "giro" and row[1] in months):
        value = f"{max(1, day - day % 3):02}.{month:02}.2025"
        lines.append(f'{day:02}.{month:02}.2025;{value};gebucht;"{text}";{german(cents)}')
    lines += [f'28.{months[-1]:02}.2025;28.{months[-1]:02}.2025;vorgemerkt;"Kartenzahlung REWE Markt 1111 Berlin Süd";-12,00']
    Path("exports", name).write_bytes(("\r\n".join(lines) + "\r\n").encode("cp1252"))


def card(name, months):
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["Date", "Description", "Amount"])
    for _, month, day, cents, what, _ in sorted((row for row in rows if row[0] == "card" and row[1] in months), reverse=True):
        table.writerow([f"{month:02}/{day:02}/2025", what, f"{-cents / 100:,.2f}"])
    Path("exports", name).write_text(text.getvalue())


def savings(name):
    lines = ["date\tamount\ttext"] + [f"2025-{month:02}-{day:02}\t{cents / 100:.2f}\t{text}" for who, month, day, cents, text, _ in sorted(rows) if who == "savings"]
    Path("exports", name).write_bytes("\n".join(lines).encode("utf-16"))


giro("giro-1.csv", range(1, 5))
giro("giro-2.csv", range(4, 7))
card("card-1.csv", range(1, 4))
card("card-2.csv", range(3, 7))
savings("savings-1.tsv")
with open("labelled.csv", "w", newline="") as file:
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["account", "date", "amount", "text", "category"])
    used = collections.Counter()
    for account, month, day, cents, text, category in sorted(rows, key=lambda row: (row[1], row[2], row[4])):
        kind = (account, "".join(sign for sign in text if sign.isalpha())[:20])
        if category not in ("", "transfer") and month < 6 and used[kind] < 4 and cents < 0 or category == "Income" and month < 5:
            used[kind] += 1
            table.writerow([account, f"2025-{month:02}-{day:02}", f"{cents / 100:.2f}", text, category])
PY
git init -q
printf 'Tool for three accounts\n' > .git/description
git add README.md
git commit -qm 'What the tool shall do'
