"""What the tests of faults share: a built site, and an empty database of either engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres import PostgresServer, needs_postgres, shared_server
from tests.service import a_library

ENGINES = ["sqlite", pytest.param("postgresql", marks=[pytest.mark.system, needs_postgres])]


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The rich library: its content, and its site."""
    return a_library(tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="session")
def site(library: tuple[Path, Path]) -> Path:
    """The built site."""
    return library[1]


@pytest.fixture(params=ENGINES)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'queue.db'}"
    return shared_server().fresh()


@pytest.fixture
def postgres() -> Iterator[PostgresServer]:
    """A server that may be stopped and killed."""
    server = PostgresServer()
    server.start()
    yield server
    server.remove()
