#!/bin/bash
# Ports with their tests, what each thing takes, faults that CI must catch, and the runs of main.
set -euo pipefail
export GIT_AUTHOR_NAME=Mara GIT_AUTHOR_EMAIL=mara@example.org GIT_COMMITTER_NAME=Mara GIT_COMMITTER_EMAIL=mara@example.org
export GIT_AUTHOR_DATE='2026-03-02T09:00:00Z' GIT_COMMITTER_DATE='2026-03-02T09:00:00Z'
python3 - <<'PY'
import json
import pathlib
import random

dice = random.Random(5)
costs = {"install": 60, "build": 139, "migrate": 40, "lint": 20, "smoke": 25}
stale = {}
calendar = ["test_calendar.Calendar.test_open_year", "test_calendar.Calendar.test_sunday", "test_closing.Closing.test_close"]
for name in [*calendar, "test_closing.Closing.test_others_stay_open", "test_ports.Ports.test_depth"]:
    costs[f"tests.{name}"] = dice.randint(2, 30)
costs["tests.test_closing.Closing.test_leap"] = 0
for port in ("aberon", "brinna", "corvik", "dunmar", "eskale", "fenholm"):
    rows = [str(dice.randint(40, 900)) for _ in range(13)]
    pathlib.Path(f"tide/tables/{port}.txt").write_text("\n".join(rows) + "\n")
    numbers = [int(row) for row in rows]
    body = f'import unittest\n\nfrom tide import heights\n\n\nclass {port.capitalize()}(unittest.TestCase):\n'
    made = [(f"hour_{hour}", f'heights.height("{port}", {hour}), {numbers[hour]}') for hour in range(1, 10, 2)]
    half = next(hour for hour in range(12) if (numbers[hour] + numbers[hour + 1]) % 2)
    made.append(("half", f'heights.height("{port}", {half}.5), {(numbers[half] + numbers[half + 1] + 1) // 2}'))
    made.append(("high", f'heights.high("{port}"), {numbers.index(max(numbers))}'))
    if port in ("corvik", "fenholm"):
        made.append(("low", f'heights.low("{port}"), {numbers.index(min(numbers))}'))
    for name, words in made:
        body += f"    def test_{name}(self):\n        self.assertEqual({words})\n\n"
        identity = f"tests.test_{port}.{port.capitalize()}.test_{name}"
        costs[identity] = dice.choice([3, 5, 8, 12, 20, 35, 60, 90])
        if dice.random() < 0.5:
            stale[identity] = round(max(1, 70 - costs[identity]) * dice.uniform(0.5, 1.5), 1)
    pathlib.Path(f"tide/tests/test_{port}.py").write_text(body.rstrip() + "\n")
pathlib.Path("forge/costs.json").write_text(json.dumps(costs, indent=1) + "\n")
pathlib.Path("tide/times.json").write_text(json.dumps(stale, indent=1) + "\n")
PY
git init -q -b main tide
cd tide
git add -A
git commit -qm 'Tide'
mkdir ../faults
fault() {
  git add -A
  git diff --cached > "../faults/$1.patch"
  git reset -q --hard
}
sed -i 's/    return rows.index(max(rows))/&  /' tide/heights.py && fault lint-space
cp tables/aberon.txt tables/aberon-west.txt && fault old-long-name
sed -i 's/default 0/default/' migrations/002.sql && fault test-migration
sed -i 's/index(min(rows))/index(min(rows[:3]))/' tide/heights.py && fault test-low
sed -i 's/    OPEN\[year\].remove(day)/    OPEN[year]/' tide/calendar.py && fault test-closing
for round in "small 7" "large 3" "small 7"; do
  python3 ../forge/ci.py --runner "${round% *}" --times "${round#* }" > ../forge/last.log
done
