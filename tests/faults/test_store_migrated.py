"""A migration is killed at many moments: what is left is either nothing or all, and the next one succeeds.

There are 4 kills, and 20 in the long form.
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import inspect

from tests.forks import Forked
from tests.lengths import many
from tests.postgres import needs_postgres, shared_server
from tests.writeapi.store.builders import a_run, a_store, count, rows, sqlite_url
from tests.writeapi.store.worker import said, start
from writeapi.store import Store
from writeapi.store.schema import REVISION, metadata

KILLS = many(4, 20)
pytestmark = pytest.mark.slow


def tables(store: Store) -> set[str]:
    """The tables that are there; none when there is no database yet."""
    with suppress(Exception), store._database.read() as connection:
        return set(inspect(connection).get_table_names())
    return set()


def started(url: str) -> Forked:
    """A worker that has just begun to migrate."""
    worker = start("migrate", url)
    assert said(worker) == "ready"
    assert worker.stdin is not None
    worker.stdin.write("go\n")
    worker.stdin.flush()
    return worker


def usual(url: str) -> float:
    """How long a migration takes that nobody kills."""
    worker = started(url)
    begun = time.monotonic()
    assert said(worker) == "migrated"
    worker.communicate()
    return time.monotonic() - begun


@pytest.mark.parametrize("engine", ["sqlite", pytest.param("postgresql", marks=[pytest.mark.system, needs_postgres])])
def test_a_killed_migration_is_repeated(engine: str, tmp_path: Path) -> None:
    def fresh(name: object) -> str:
        return sqlite_url(tmp_path / f"{name}.db") if engine == "sqlite" else shared_server().fresh()

    whole = {*metadata.tables, "alembic_version"}
    longest = usual(fresh("whole"))
    left_nothing = 0
    for number in range(KILLS):
        url = fresh(number)
        worker = started(url)
        time.sleep(longest * number / KILLS)
        worker.kill()
        worker.communicate()
        store = a_store(url)
        left = tables(store)
        assert left in (set(), whole), "never a part"
        left_nothing += not left
        store.migrate()
        store.ready()
        store.add(a_run(), None)
        assert count(url, "runs") == 1
        assert rows(url, "SELECT version_num FROM alembic_version") == [(REVISION,)]
        store.close()
    sys.stdout.write(f"\n{engine}: {KILLS} migrations killed, {left_nothing} left nothing, the others all\n")
