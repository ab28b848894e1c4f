# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""What requests one after the other cannot show: a refusal beside another request, three at once, the other pool. Ends 0 if well."""

import contextlib
import sys
import tempfile

from board import database
from board.pools import pool_for
from board.web import answer

TOLD = {"connections": 3, "wait": 0.5}
IMPORT = "POST", "/import", "Hale,1\nTran"


def pool(kind):
    place = tempfile.mkdtemp()
    database.begin(f"{place}/board.db", "Hale,46 Tran,88")
    return pool_for(TOLD | {"pool": kind}, f"{place}/board.db")


room = pool("bounded")
with room.lend():
    refused = [answer(room, *IMPORT)[0] for _ in range(3)]
if refused != [422] * 3 or answer(room, "POST", "/pick?team=Reds&player=Tran") != (200, "picked") or room.stats() != "in use: 0":
    sys.exit("a refused import beside another request leaves something behind")
with contextlib.ExitStack() as three:
    if len({id(three.enter_context(room.lend())) for _ in range(3)}) != 3:
        sys.exit("not three connections at once")
for kind in ("simple", "bounded"):
    room = pool(kind)
    if answer(room, "POST", "/import", "Hale,7")[0] != 200 or answer(room, "GET", "/rank?player=Hale") != (200, "7"):
        sys.exit(f"an import is lost with the {kind} pool")
    if answer(room, "POST", "/pick?team=Reds&player=Tran")[0] != 200 or answer(room, "GET", "/team?name=Reds") != (200, "Reds 1: Tran"):
        sys.exit(f"a pick is lost with the {kind} pool")
