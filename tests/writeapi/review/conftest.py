"""The tests of review use the store's own fixtures: each runs on both engines."""

from __future__ import annotations

from tests.writeapi.store.conftest import store, url

__all__ = ["store", "url"]
