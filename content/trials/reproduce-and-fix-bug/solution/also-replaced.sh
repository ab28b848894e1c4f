#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A connection whose block failed is closed and another takes its place; the export keeps taking by hand. The reproduction replays
# the log and is a Python program; the tests go over HTTP.
set -euo pipefail
cat > repro.sh <<'SH'
#!/usr/bin/env python3
"""1: the room, started as on draft evenings, loses Hale's rank over the evening; 0: it does not; 125: it does not start."""
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

EVENING = ["/ranks", "/rank?player=Lindkvist", "/export?week=44", "/rank?player=Morau", "/rank?player=Tran", "/rank?player=Abbebe"]
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]


def ask(path):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
            return answer.status, answer.read().decode().strip()
    except urllib.error.HTTPError as error:
        return error.code, ""
    except OSError:
        return 0, ""


room = subprocess.Popen(["scripts/dev.sh"], env={**os.environ, "BOARD_PORT": str(port)}, stderr=-3, stdout=-3)
try:
    for _ in range(150):
        if room.poll() is not None or ask("/rank?player=Hale")[0] == 200:
            break
        time.sleep(0.1)
    if ask("/rank?player=Hale") != (200, "46"):
        sys.exit(125)
    for path in EVENING:
        if "--without" not in sys.argv or ask("/ranks")[0] == 200 and not path.endswith(("kvist", "Morau", "Abbebe")):
            ask(path)
    sys.exit(0 if ask("/rank?player=Hale") == (200, "46") else 1)
finally:
    room.kill()
    room.wait()
SH
chmod +x repro.sh
cat > cause.md <<'MD'
app/board/pools/bounded.py:24 is not reached when the block of `lend` raises. Predicted: with `connections = 4` in a copy it takes
four mistyped names instead of three. So it was.

The same: app/board/export.py:9 raises before it gives back. All users of `lend`: ranks.py (rank, load), teams.py (team, pick).
A lost writer keeps its transaction open: "database is locked", which web.py calls busy as well.

One added line catches: `except BaseException:` in lend, which closes the connection (that rolls back), puts a new one in its
place and raises on.
MD
cd repo
git checkout -q -b fix v1.2
cat >> app/tests/test_web.py <<'PY'


class Lost(unittest.TestCase):
    """Requests that fail, one kind after another, in one room with two connections."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        database.begin(f"{place.name}/board.db", pathlib.Path("seed.csv").read_text())
        told = {"pool": "bounded", "connections": 2, "wait": 0.05}
        self.pool = pool_for(told, f"{place.name}/board.db")

    def twice(self, status, *request):
        for _ in range(2):
            self.assertEqual(answer(self.pool, *request)[0], status, answer(self.pool, *request))
        self.assertEqual(answer(self.pool, "GET", "/rank?player=Hale"), (200, "46"))

    def test_mistyped_names(self):
        self.twice(404, "GET", "/rank?player=Hall")
        self.twice(404, "GET", "/team?name=Hall")

    def test_an_empty_week(self):
        self.twice(404, "GET", "/export?week=45")

    def test_what_is_refused_is_not_half_done(self):
        self.assertEqual(answer(self.pool, "POST", "/pick?team=Reds&player=Tran"), (200, "picked"))
        self.twice(422, "POST", "/pick?team=Blues&player=Tran")
        self.twice(422, "POST", "/import", "Hale,1\nTran")
        self.assertEqual(answer(self.pool, "GET", "/team?name=Blues"), (200, "Blues 0: "))
PY
git commit -qam 'Rooms with two connections and requests that fail: red'
python3 - <<'PY'
import pathlib

path = pathlib.Path("app/board/pools/bounded.py")
text = path.read_text()
old = "        yield db\n        self.give(db)\n"
new = '''        try:
            yield db
        except BaseException:
            db.close()
            db = connect(self.path)
            raise
        finally:
            self.give(db)
'''
assert old in text
text = text.replace("self.size, self.wait = connections, wait", "self.path, self.size, self.wait = path, connections, wait")
path.write_text(text.replace(old, new))
PY
git commit -qam 'A connection whose request failed is replaced'
python3 - <<'PY'
import pathlib

path = pathlib.Path("app/board/export.py")
path.write_text('''"""A week as a file."""

from board.errors import NotFound


def export(pool, week):
    db = pool.take()
    try:
        rows = db.execute("select player, rank from ranks where week = ? order by player", (week,)).fetchall()
    finally:
        pool.give(db)
    if not rows:
        raise NotFound(f"nothing of week {week}")
    return "\\n".join(f"{player},{rank}" for player, rank in rows)
''')
PY
git commit -qam 'The export gives back, too'
