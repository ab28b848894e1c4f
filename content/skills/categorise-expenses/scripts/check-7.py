"""Step 7: an answer counts for all rows of its merchant, past and coming, and for no other.

    check-7.py --run 'python3 month.py' --triage 'python3 month.py triage' --answered 12 [--category Health]

In a copy two shops that nobody has seen are paid through one service: they are two merchants.
--answered is how many merchants you have answered so far: decisions.csv holds as many lines, each with a date. The triage prints a line for each merchant, the merchant before the first tab, largest sum first.
"""

import argparse
import re
import sys
from decimal import Decimal

import books
import coming


def asked_about(command, tree):
    return [line.split("\t") for line in books.run(command, tree)[1].splitlines() if line.count("\t") >= 2]


def through_one_service(told, rows):
    """Two new shops whose texts begin alike, asked about as one."""
    last = max(row["date"][:7] for row in rows.values())
    around, texts = coming.wording(rows), {}
    for name, row in rows.items():
        new = coming.turned(row["text"], around)
        first = next((word for word in re.findall(r"[^\W\d_]+", new) if word.lower() not in around), None)
        if first and row["date"][:7] == last and row["reason"].startswith("neighbours") and first not in texts:
            texts[first] = name, re.sub(rf"\b{first}\b", f"Zahlvia {first}", new, count=1)
    two = dict(list(texts.values())[:2])
    with books.copied() as tree:
        before = {line[0] for line in asked_about(told.triage, tree)}
        coming.next_month(tree, two)
        books.run(told.run, tree)
        new = [line[0] for line in asked_about(told.triage, tree) if line[0] not in before]
    if len(new) < len(two):
        yield f"{' and '.join(two.values())} are two shops, and are asked about as {new}"


def main():
    parser = argparse.ArgumentParser()
    for name in ("run", "triage"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--answered", type=int, required=True)
    parser.add_argument("--category", default="Answered by the check")
    told = parser.parse_args()
    rows, wrong = books.rows(), []
    answers = books.table("decisions.csv")
    if len(answers) != told.answered or not all(line["date"].strip() for line in answers):
        wrong.append(f"decisions.csv has {len(answers)} answers, and you gave {told.answered}: who gave the others?")
    unknown = {name for name, row in rows.items() if row["category"] == "unknown"}
    with books.copied() as tree:
        code, said = books.run(told.triage, tree)
        asked = [line.split("\t") for line in said.splitlines() if line.count("\t") >= 2]
        if code or bool(asked) != bool(unknown) or sum(int(line[2]) for line in asked) != len(unknown):
            print(f"{len(unknown)} rows are unknown, and the triage asks about {sum(int(line[2]) for line in asked)}")
            return 1
        sums = [abs(Decimal(line[1])) for line in asked]
        if sums != sorted(sums, reverse=True):
            wrong.append("the triage does not begin with the largest sum")
        if not asked:
            print("nothing is unknown; add a purchase from a shop that nobody labelled, and try again")
            return 1
        merchant, _, count = asked[0]
        books.written(
            "decisions.csv",
            [
                *books.table("decisions.csv", tree),
                {"date": "2025-07-01", "merchant": merchant, "category": told.category},
            ],
            tree,
        )
        for place in range(2):
            if place:
                coming.next_month(tree, {})
            books.run(told.run, tree)
            now = books.rows(tree)
            changed = {name for name in rows if now.get(name, {}).get("category") != rows[name]["category"]}
            if len(changed) != int(count) or not changed <= unknown:
                wrong.append(f"the answer for {merchant!r} changes {len(changed)} rows, of {count}")
            if any(
                now[name]["reason"] != "decision" or now[name]["category"] != told.category
                for name in changed & set(now)
            ):
                wrong.append("rows that were answered do not say `decision`, or have another category")
        said = books.run(told.triage, tree)[1]
        if any(line.split("\t")[0] == merchant for line in said.splitlines()):
            wrong.append(f"{merchant!r} was answered and is asked about again")
    wrong += through_one_service(told, rows)
    print("\n".join(wrong) or f"one answer, {count} rows")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
