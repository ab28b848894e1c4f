"""The sites that the contract is held against: the library with every state, and the real content."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.service import a_library
from tests.trees import built

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session", params=["rich", pytest.param("real", marks=pytest.mark.slow)])
def api(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of `/api/v1` of a built site; real content is built as of the day it is."""
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "rich":
        a_library(folder)
    else:
        built(PROJECT / "content", folder / "site", datetime.now(UTC).date())
    return folder / "site/api/v1"
