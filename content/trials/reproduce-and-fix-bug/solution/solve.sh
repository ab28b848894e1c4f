#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The pool rolls back and takes back, whatever the block does; what took connections by hand goes through it.
set -euo pipefail
cat > repro.sh <<'SH'
#!/bin/bash
# Run in a checkout. 1: after some mistyped names the room says busy; 0: it says 46; 125: it does not start. --without: none mistyped.
export BOARD_PORT=$((20000 + RANDOM % 20000))
scripts/dev.sh > /dev/null 2>&1 &
room=$!
trap 'kill $room 2> /dev/null; wait $room 2> /dev/null' EXIT
up=
for _ in $(seq 150); do
  scripts/ask /ranks > /dev/null 2>&1 && up=yes && break
  kill -0 $room 2> /dev/null || break
  sleep 0.1
done
[ "$up" ] || exit 125
names=(Lindkvist Morau Abbebe)
[ "${1:-}" = --without ] && names=(Lindqvist Moreau Abebe)
for name in "${names[@]}"; do scripts/ask "/rank?player=$name" > /dev/null; done
seen=$(scripts/ask '/rank?player=Hale')
echo "seen: $seen"
case $seen in 46) exit 0 ;; busy) exit 1 ;; *) exit 125 ;; esac
SH
chmod +x repro.sh
cat > cause.md <<'MD'
# Cause

app/board/pools/bounded.py:23: `lend` gives the connection back only if the block ends without an exception. An unknown player
raises NotFound within the block, so one of the three connections is lost each time; after the third every request waits 0.2
seconds and says busy. v1.1 had the same lines in pools/simple.py, and no bug: a connection that was lost was closed there.

Prediction, written before it was tried: `/stats` counts 1, 2, 3 after the three mistyped names, and the first busy comes after
the third. It did.

Shares the cause: app/board/export.py:7 takes a connection by hand and loses it for an unknown week. Everything that lends:
an import or a pick that is refused loses one, too, in the middle of a transaction, which keeps the database locked; so what is
given back is rolled back first.

Line that could hide something: none.
MD
cd repo
git checkout -q -b fix
cat > app/tests/test_pool.py <<'PY'
"""Requests that fail leave the room as it was."""

import pathlib
import tempfile
import unittest

from board import database
from board.pools import pool_for
from board.web import answer

FAILING = [("GET", "/rank?player=Nobody", ""), ("GET", "/team?name=Nobody", ""), ("GET", "/export?week=1", ""),
           ("POST", "/import", "Hale,1\nTran"), ("POST", "/pick?team=Nobody&player=Tran", "")]


class Room(unittest.TestCase):
    def test_failing_requests_leave_the_room_as_it_was(self):
        for method, target, body in FAILING:
            with self.subTest(target), tempfile.TemporaryDirectory() as place:
                database.begin(f"{place}/board.db", pathlib.Path("seed.csv").read_text())
                pool = pool_for({"pool": "bounded", "connections": 3, "wait": 0.05}, f"{place}/board.db")
                for _ in range(4):
                    answer(pool, method, target, body)
                self.assertEqual(answer(pool, "GET", "/rank?player=Hale"), (200, "46"))
                self.assertEqual(answer(pool, "POST", "/pick?team=Blues&player=Tran"), (200, "picked"))
                self.assertEqual(pool.stats(), "in use: 0")
PY
git add app/tests
git commit -qm 'Show that failing requests stop the room'
python3 - <<'PY'
import pathlib

path = pathlib.Path("app/board/pools/bounded.py")
old = "        yield db\n        self.give(db)\n"
new = "        try:\n            yield db\n        finally:\n            db.rollback()\n            self.give(db)\n"
text = path.read_text()
assert old in text
path.write_text(text.replace(old, new))
path = pathlib.Path("app/board/export.py")
text = path.read_text()
text = text.replace("    db = pool.take()\n    rows = db", "    with pool.lend() as db:\n        rows = db")
path.write_text(text.replace("    pool.give(db)\n", ""))
PY
git commit -qam 'Connections come back however a request ends'
