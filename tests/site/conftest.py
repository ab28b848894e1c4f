"""What tests of pages share: the two release builds, made and served once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.site.released import Released, both


@pytest.fixture(scope="session")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Released, Released]]:
    """The rich library and the real content, released and served."""
    folder = tmp_path_factory.mktemp("released")
    (folder / "rich").mkdir()
    (folder / "real").mkdir()
    yield from both(folder)
