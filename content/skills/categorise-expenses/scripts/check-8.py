"""Step 8: a cent that is missing stops the run, and names its account; nothing missing, nothing stops.

    check-8.py --run 'python3 month.py'

In copies: every closing balance that moves by a cent, in the first and the last month of each account, and a record
that is taken out of each account's export.
"""

import argparse
import sys

import books
import coming


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--run", required=True)
    command = parser.parse_args().run
    rows, wrong = books.rows(), []
    with books.copied() as tree:
        code, said = books.run(command, tree)
        if code or not rows:
            print(f"the run ends with {code}: {said[-300:]}")
            return 1
    lines = books.table("balances.csv")
    for account in sorted({line["account"] for line in lines}):
        months = sorted(line["month"] for line in lines if line["account"] == account)
        for month in (months[0], months[-1]):
            with books.copied() as tree:
                coming.balance(tree, account, month, 1)
                code, said = books.run(command, tree)
                if code == 0 or account not in said:
                    wrong.append(
                        f"{account} {month}: a cent is missing, and the run does not stop and name the account"
                    )
        with books.copied(fresh=True) as tree:
            row = next(row for row in rows.values() if row["account"] == account)
            for path in (tree / "exports").iterdir():
                text, encoding = books.decoded(path)
                path.write_bytes(text.replace(row["raw"], "").encode(encoding))
            if books.run(command, tree)[0] == 0:
                wrong.append(f"{account}: without the record {row['text'][:30]!r} everything still agrees")
    print("\n".join(wrong) or "a cent would be noticed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
