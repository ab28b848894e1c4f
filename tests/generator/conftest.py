"""What the tests of the build share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rich import write_rich_content
from tests.trees import built


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """The library with every state in it."""
    return write_rich_content(tmp_path)


@pytest.fixture(scope="session")
def rich_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That library, built once; tests only read it."""
    folder = tmp_path_factory.mktemp("rich")
    built(write_rich_content(folder), folder / "site")
    return folder / "site"
