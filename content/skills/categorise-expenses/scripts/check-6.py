"""Step 6: categories come from the rules, the labels and nothing else; what is not known stays unknown.

    check-6.py --run 'python3 month.py' [--wrong 3] [--least 60]

In copies: each third of labelled.csv is taken away and decided again (at most --wrong in a hundred decided wrongly, at
least --least decided); a category gets another name in rules and labels, and its rows must follow; purchases in words
that nobody has seen, alone and among the bank's usual ones, must stay unknown, and those with other numbers be decided.
Each row's reason is held against rules.csv, labelled.csv, decisions.csv.
"""

import argparse
import collections
import re
import sys
from decimal import Decimal
from pathlib import Path

import books
import coming
import reasons

OTHER = "Renamed by the check"


def key(line):
    return line["account"], line["date"], int(Decimal(line["amount"]) * 100), line["text"]


def folds(command):
    """Of the labelled rows that were taken away: how many are decided, and how many wrongly."""
    lines, decided, wrong = books.table("labelled.csv"), 0, 0
    for fold in range(3):
        with books.copied(fresh=True) as tree:
            books.written("labelled.csv", [line for number, line in enumerate(lines) if number % 3 != fold], tree)
            books.run(command, tree)
            became = {tuple(row[name] for name in books.STEPS): row["category"] for row in books.rows(tree).values()}
        for line in lines[fold::3]:
            found = became.get(key(line), "unknown")
            decided += found != "unknown"
            wrong += found not in ("unknown", line["category"])
    return 100 * decided / len(lines), 100 * wrong / len(lines)


def renamed(command, rows):
    """Categories that do not follow their name in the files."""
    common = collections.Counter(row["category"] for row in rows.values() if row["reason"].startswith("neighbours"))
    for category, _ in common.most_common(2):
        with books.copied(fresh=True) as tree:
            for name in ("labelled.csv", "rules.csv", "decisions.csv"):
                lines = books.table(name, tree)
                for line in lines:
                    line["category"] = OTHER if line["category"] == category else line["category"]
                if lines:
                    books.written(name, lines, tree)
            for path in tree.glob("categor*.md"):
                path.write_text(path.read_text().replace(f"{category}:", f"{OTHER}:"))
            books.run(command, tree)
            became = {tuple(row[name] for name in books.STEPS): row["category"] for row in books.rows(tree).values()}
        stayed = [row for row in rows.values() if row["category"] == category]
        if any(became.get(tuple(row[name] for name in books.STEPS)) != OTHER for row in stayed):
            yield f"{category} has another name in all files, and rows are still decided as before: by what?"


def unseen(command, rows, least):
    """What becomes of texts that are new: in words that nobody has seen, and with other numbers in them."""
    last = max(row["date"][:7] for row in rows.values())
    bought = {name: row for name, row in rows.items() if row["date"][:7] == last and row["amount"] < 0}
    known = [name for name, row in bought.items() if row["reason"].startswith("neighbours")]
    turned, around = {}, coming.wording(rows)
    for account in {rows[name]["account"] for name in known}:
        mine = [name for name in known if rows[name]["account"] == account][:4]
        turned |= {name: coming.turned(rows[name]["text"]) for name in mine[::2]}
        turned |= {name: coming.turned(rows[name]["text"], around) for name in mine[1::2]}
    decided = [name for name, row in bought.items() if row["reason"][:4] in ("neig", "rule") and name not in turned]
    numbered = {name: re.sub(r"\d", lambda sign: str((int(sign[0]) + 1) % 10), rows[name]["text"]) for name in decided}
    with books.copied() as tree:
        month = coming.next_month(tree, turned | numbered)
        books.run(command, tree)
        new = {row["text"]: row["category"] for row in books.rows(tree).values() if row["date"][:7] == month}
    for text in turned.values():
        if new.get(text) != "unknown":
            yield f"a text that nobody has seen, {text!r}, became {new.get(text, 'no row')}"
    same = [name for name in decided if new.get(numbered[name]) == rows[name]["category"]]
    if 100 * len(same) < least * len(decided):
        yield f"with other numbers in their texts {len(same)} of {len(decided)} purchases are decided as they were"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--run", required=True)
    parser.add_argument("--wrong", type=float, default=3)
    parser.add_argument("--least", type=float, default=60)
    told = parser.parse_args()
    rows = books.rows()
    if not rows or not Path("labelled.csv").exists():
        print("there is no table tx, or no labelled.csv")
        return 1
    problems = [*reasons.wrong(rows)][:10] + [*renamed(told.run, rows)]
    decided, wrong = folds(told.run)
    if wrong > told.wrong or decided < told.least:
        problems.append(f"of labelled rows taken away {decided:.0f} in a hundred are decided, {wrong:.1f} wrongly")
    problems += unseen(told.run, rows, told.least)
    print("\n".join(problems) or f"{decided:.0f} in a hundred decided without their label, {wrong:.1f} wrongly")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
