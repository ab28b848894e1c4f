"""Step 9: a month in other words stops the run, with the account's name; the same month in known words does not.

    check-9.py --run 'python3 month.py' --account giro --account card

In copies: the last month again, a month later, with balances to match; then with one account's texts in other words, all
of them and every second one.
What was stored before keeps its category.
"""

import argparse
import sys

import books
import coming


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--run", required=True)
    parser.add_argument("--account", required=True, action="append")
    told = parser.parse_args()
    rows, wrong = books.rows(), []
    if not rows:
        print("there is no table tx in books.sqlite")
        return 1
    last = max(row["date"][:7] for row in rows.values())
    for account, each in ((None, 1), *((account, each) for account in told.account for each in (1, 2))):
        mine = [
            name
            for name, row in sorted(rows.items())
            if row["account"] == account and row["date"][:7] == last and row["category"] not in ("transfer", "unknown")
        ]
        new_words = {name: coming.turned(rows[name]["text"]) for name in mine[::each]}
        with books.copied() as tree:
            month = coming.next_month(tree, new_words)
            code, said = books.run(told.run, tree)
            now = books.rows(tree)
        if account and (code == 0 or account not in said):
            wrong.append(
                f"{account} has new words in {'all' if each == 1 else 'half'} of {month}, and the run does not stop and name it"
            )
        if not account and code:
            wrong.append(f"a month like the last one stops the run: {said[-300:]}")
        changed = [name for name in rows if now.get(name, {}).get("category") != rows[name]["category"]]
        if changed:
            wrong.append(f"{len(changed)} rows that were stored have another category, or are gone")
    print("\n".join(wrong) or "new words are noticed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
