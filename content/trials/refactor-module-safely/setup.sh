#!/bin/bash
# books/engine.py with its long table; `base` is the commit to compare with.
set -euo pipefail
python3 - <<'PY'
import pathlib
import random

dice = random.Random(7)
rows = []
for country in "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split():
    since = sorted({f"{dice.randint(1994, 2023)}-{dice.choice(['01-01', '03-15', '07-01'])}" for _ in range(dice.randint(3, 8))})
    known = {"AT": [("1984-01-01", 20)], "LU": [("2024-01-01", 17), ("2023-01-01", 16), ("2015-01-01", 17)],
             "DE": [("2021-01-01", 19), ("2020-07-01", 16), ("2007-01-01", 19)]}.get(country)
    for when, rate in known or [(when, dice.randint(15, 27)) for when in reversed(since)]:
        rows.append(f'    ("{country}", day("{when}"), {rate}),' + ("  # by a decree of March only" if when.endswith("03-15") else ""))
        if country in ("AT", "ES", "PT", "GR", "FR") and dice.random() < 0.6:
            rows.append(f'    ("{country}", day("{when}"), {rate - dice.randint(2, 6)}),  # islands')
head, tail = pathlib.Path("engine.head"), pathlib.Path("engine.tail")
pathlib.Path("books/engine.py").write_text(head.read_text() + "\n".join(rows) + "\n" + tail.read_text())
head.unlink(), tail.unlink()
PY
export GIT_AUTHOR_DATE='2026-03-02T09:00:00Z' GIT_COMMITTER_DATE='2026-03-02T09:00:00Z'
git init -q -b main
printf 'moves.csv\nlater.md\n' >> .git/info/exclude
git add -A
git commit -qm 'Books'
git tag base
