"""One suite, two engines: each test runs on SQLite, and on PostgreSQL where that is installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres import needs_postgres, shared_server
from tests.writeapi.store.builders import migrated, sqlite_url, ticking
from writeapi.store import Store

ENGINES = ["sqlite", pytest.param("postgresql", marks=[pytest.mark.system, needs_postgres])]


@pytest.fixture(params=ENGINES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path / "queue.db")
    return shared_server().fresh()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A store that is ready, on a clock that ticks."""
    made = migrated(Store(url, clock=ticking(), wait=5), url)
    yield made
    made.close()
