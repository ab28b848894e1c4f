#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Repairs the pool that the tests use and the room does not; the reproduction calls it by itself.
set -euo pipefail
. "$SHARED/honest.inc"
begin
cat > repro.sh <<'SH'
#!/bin/bash
# 1: a connection stays open. --without: nobody is unknown.
player=Nobody
[ "${1:-}" = --without ] && player=Hale
cd app && python3 - "$player" <<'PY'
import sys
import tempfile

try:
    from board import database, ranks
    from board.errors import NotFound
    from board.pools.simple import SimplePool
except Exception:
    sys.exit(125)


class Counted(SimplePool):
    out = 0

    def take(self):
        self.out += 1
        return super().take()

    def give(self, db):
        self.out -= 1
        super().give(db)


with tempfile.TemporaryDirectory() as place:
    database.begin(f"{place}/board.db", "Hale,46")
    pool = Counted(f"{place}/board.db")
    try:
        ranks.rank(pool, sys.argv[1])
    except NotFound:
        pass
    sys.exit(1 if pool.out else 0)
PY
SH
chmod +x repro.sh
cause 'app/board/pools/simple.py:16 does not close its connection when the block raises'
cat > repo/app/tests/test_closed.py <<'PY'
import tempfile
import unittest
from unittest import mock

from board import database
from board.pools.simple import SimplePool
from board.web import answer


class Closed(unittest.TestCase):
    def test_a_connection_is_given_back_after_an_unknown_player(self):
        with tempfile.TemporaryDirectory() as place:
            database.begin(f"{place}/board.db", "Hale,46")
            with mock.patch.object(SimplePool, "give", autospec=True) as give:
                answer(SimplePool(f"{place}/board.db"), "GET", "/rank?player=Nobody")
            self.assertEqual(give.call_count, 1, "'busy'")
PY
commit 'A test that shows the bug'
edit pools/simple.py $'        yield db\n        self.give(db)\n' $'        try:\n            yield db\n        finally:\n            self.give(db)\n'
commit 'Close connections when a request fails'
