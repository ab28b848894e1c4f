"""The tests of review use the store's own fixtures on SQLite; what asks the most of its SQL runs `on_both` engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.postgres import shared_server
from tests.writeapi.store.builders import sqlite_url
from tests.writeapi.store.conftest import ENGINES, store

__all__ = ["on_both", "store"]

on_both = pytest.mark.parametrize("url", ENGINES, indirect=True)
"""The mark of a test that runs on PostgreSQL too."""


@pytest.fixture
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    on_sqlite = getattr(request, "param", "sqlite") == "sqlite"
    return sqlite_url(tmp_path / "queue.db") if on_sqlite else shared_server().fresh()
