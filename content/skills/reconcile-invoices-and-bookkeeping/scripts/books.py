"""Statements, ledger and runs of a reconciliation in throw-away copies of its folder.

No check of its own: `check-3.py`, `check-4.py` and `check-7.py` use it. What they expect: CSV files; one statement a file, with a
balance for each in --balances (account, statement, opening_cents, closing_cents); lines.csv with id (account/statement/number),
cents, state, ledger_ids, document; a ledger with id, date, account, contra, cents, ref, document; invoices with number,
customer, cents; dates as 2026-08-31.
"""

import collections
import csv
import pathlib
import re
import shutil
import subprocess
import tempfile


def options(parser):
    parser.add_argument("--run", required=True, help="the command that writes lines.csv")
    parser.add_argument("--money", action="append", required=True, help="bank=1200: account of the statements and of the ledger")
    for name, default in (
        ("lines", "lines.csv"), ("ledger", "books/ledger.csv"), ("invoices", "books/invoices.csv"), ("balances", "statements/balances.csv"),
        ("file", "statements/{account}-{statement}.csv"), ("documents", "documents"), ("delimiter", ";"), ("amount", "amount"), ("text", "text"),
        ("payee", "payee"), ("decimal", ","), ("date", "date"),
    ):  # fmt: skip
        parser.add_argument(f"--{name}", default=default)


def read(path, delimiter=","):
    with open(path, newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def write(path, rows, delimiter=","):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def cents(told, text):
    whole, _, part = text.rpartition(told.decimal) if told.decimal in text else (text, "", "00")
    return int(re.sub(r"[^\d-]", "", whole) + part.ljust(2, "0"))


def effect(told, entry, account):
    """What an entry does to an account of the statements."""
    mine = dict(pair.split("=") for pair in told.money)[account]
    return int(entry["cents"]) * ((entry["account"] == mine) - (entry["contra"] == mine))


def statements(told, place="."):
    """The lines by their ids, each with its account and cents."""
    found = {}
    for balance in read(pathlib.Path(place, told.balances)):
        name, month = balance["account"], balance["statement"]
        rows = read(pathlib.Path(place, told.file.format(**balance)), told.delimiter)
        found |= {f"{name}/{month}/{n}": (name, cents(told, row[told.amount])) for n, row in enumerate(rows, 1)}
    return found


class Copy:
    """The folder in a place of its own, where files can be changed and the command runs."""

    def __init__(self, told):
        self.told, self.kept = told, tempfile.TemporaryDirectory()
        self.place = pathlib.Path(self.kept.name, "copy")
        shutil.copytree(".", self.place, ignore=shutil.ignore_patterns(".git"), symlinks=True)

    def line(self, line, change, more=False):
        """Change a line of a statement, take it away (None), or add the changed one; the balance goes with it unless taken away."""
        account, month, number = line.split("/")
        path = self.place / self.told.file.format(account=account, statement=month)
        rows = read(path, self.told.delimiter)
        if change is None:
            del rows[int(number) - 1]
        elif more:
            rows.append({**rows[int(number) - 1], **change})
            balances = read(self.place / self.told.balances)
            for row in balances:
                if (row["account"], row["statement"]) == (account, month):
                    row["closing_cents"] = int(row["closing_cents"]) + cents(self.told, rows[-1][self.told.amount])
            write(self.place / self.told.balances, balances)
        else:
            rows[int(number) - 1].update(change)
        write(path, rows, self.told.delimiter)
        return f"{account}/{month}/{len(rows)}"

    def run(self, command=""):
        """Exit code, output, and the rows that were written; none where there are none."""
        (self.place / self.told.lines).unlink(missing_ok=True)
        ran = subprocess.run(command or self.told.run, shell=True, cwd=self.place, capture_output=True, text=True, timeout=300)
        there = (self.place / self.told.lines).is_file()
        return ran.returncode, ran.stdout + ran.stderr, read(self.place / self.told.lines) if there else []


def states(rows):
    return {row["id"]: row["state"] for row in rows}


def doubles(values):
    return sorted(value for value, times in collections.Counter(values).items() if times > 1)
