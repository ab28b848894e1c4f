"""The client of the CRM: python3 crm.py [--crm production|sandbox] COMMAND …"""

import argparse
import csv
import sqlite3
import sys

TABLES = ("deals", "tasks", "notes", "mails", "tickets", "invoices")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--crm", choices=("production", "sandbox"), default="sandbox")
    parser.add_argument("--type")
    parser.add_argument("words", nargs="+")
    told = parser.parse_args()
    command, *words = told.words
    if told.crm == "production" and command not in ("records", "links", "outbox"):
        sys.exit("this token reads only")
    crm = sqlite3.connect(f"file:{told.crm}.sqlite?mode={'ro' if told.crm == 'production' else 'rw'}", uri=True)
    crm.execute("PRAGMA foreign_keys = ON")
    out = csv.writer(sys.stdout, lineterminator="\n")
    with crm:
        if command in ("records", "outbox"):
            found = crm.execute(f"SELECT * FROM {'contacts' if command == 'records' else 'outbox'} ORDER BY 1")
            out.writerow([column[0] for column in found.description])
            out.writerows(found)
        elif command == "links":
            out.writerow(["type", "child", "record", "amount"])
            for table in TABLES:
                amount = {"deals": "CASE WHEN stage = 'open' THEN cents END", "invoices": "cents"}.get(table, "NULL")
                found = crm.execute(f"SELECT '{table}', id, contact, {amount} FROM {table} ORDER BY id")
                out.writerows(found if told.type in (None, table) else ())
            found = crm.execute("SELECT 'lists', list, contact, NULL FROM list_members ORDER BY list, contact")
            out.writerows(found if told.type in (None, "lists") else ())
        elif command == "set":
            for word in words[1:]:
                field, _, value = word.partition("=")
                crm.execute(f'UPDATE contacts SET "{field}" = ? WHERE id = ?', (value, words[0]))
        elif command == "move" and words[0] == "lists":
            crm.execute("INSERT OR IGNORE INTO list_members VALUES (?, ?)", (words[1], words[3]))
            crm.execute("DELETE FROM list_members WHERE list = ? AND contact = ?", words[1:3])
        elif command == "move" and words[0] in TABLES:
            crm.execute(f"UPDATE {words[0]} SET contact = ? WHERE id = ? AND contact = ?", (words[3], words[1], words[2]))
        elif command == "archive":
            crm.execute("UPDATE contacts SET status = 'merged', merged_into = ? WHERE id = ?", (words[1], words[0]))
        elif command == "delete":
            crm.execute("DELETE FROM contacts WHERE id = ?", words)
        elif command == "create":
            given = dict(word.split("=", 1) for word in words)
            crm.execute(f"INSERT INTO contacts ({', '.join(given)}) VALUES ({', '.join('?' * len(given))})", [*given.values()])
        else:
            sys.exit(f"unknown: {command}")


if __name__ == "__main__":
    main()
