"""The service as it is deployed, for the tests of that: one stack, built for the address that nginx answers at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.front import Stack, deployed
from tests.rich import write_rich_content


@pytest.fixture(scope="session")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rich library's content."""
    return write_rich_content(tmp_path_factory.mktemp("content"))


@pytest.fixture(scope="session")
def stack(content: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The whole service; nobody before nginx is trusted, and plain http is to be forgotten for a day."""
    with deployed(content, tmp_path_factory.mktemp("stack"), hsts="86400") as made:
        yield made
