"""The copy that has no live part: nginx alone over a built site, as a CDN would serve it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from server.deploy.commands import of_site
from tests.builders import TODAY
from tests.nginx import Nginx, free_port, nginx
from tests.trees import built


@contextmanager
def static_copy(content: Path, folder: Path, *, release: bool = False, **told: Any) -> Iterator[Nginx]:
    """The content built for the address that nginx answers at, and nothing behind it."""
    with free_port() as port:
        built(content, folder / "site", TODAY, site_url=f"http://127.0.0.1:{port}", release=release)
    alone = replace(of_site(folder / "site", None), root=str(folder / "site"), api=(), mcp=(), **told)
    with nginx(alone, folder / "nginx", port=port) as served:
        yield served
