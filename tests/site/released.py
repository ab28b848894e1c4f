"""Release builds of the real content and of the rich library, served as the product serves them, and their pages."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

import pytest

from build.settings import PROJECT
from build.views.routes import HTML, PAGE_ROUTES, ROUTES, Route
from tests.builders import BOOK, TODAY
from tests.lengths import LONG
from tests.rich import write_rich_content
from tests.server.test_serve import start

NODE = PROJECT / "tests/node"
TOOLS = NODE / "node_modules/.bin"
LIVE = (
    "/search/?q=fix+flaky+tests",
    "/search/?q=nothing+like+this+zzzz",
    f"/search/?q={'+'.join(['flaky'] * 3)}&min_trust=never",
    "/submissions/?id=sub_" + "a" * 26,
    "/no-such-page",
)
"""Pages that the service makes when they are asked for."""


@dataclass
class Released:
    """A release build and where it is served."""

    name: str
    out: Path
    address: str

    @cached_property
    def pages(self) -> list[str]:
        """The paths of all built pages, as readers ask for them."""
        files = sorted(self.out.resolve().rglob("*.html"))
        return ["/" + str(file.relative_to(self.out.resolve())).removesuffix("index.html") for file in files]

    def file(self, path: str) -> Path:
        """The file of a page."""
        return self.out.resolve() / (path.lstrip("/") + ("index.html" if path.endswith("/") else ""))

    def of(self, route: Route) -> list[str]:
        """The pages of a route, the largest first; what has a route of its own is not of one with a slug."""
        own = {other.path for other in ROUTES}
        pattern = re.compile(re.escape(route.path).replace(r"\{slug\}", "[^/]+").replace(r"\{number\}", "[0-9]+"))
        found = [page for page in self.pages if pattern.fullmatch(page) and (page == route.path or page not in own)]
        return sorted(found, key=lambda page: (-self.file(page).stat().st_size, page))


def shown(site: Released) -> list[str]:
    """What browsers look at: every kind of page, from the route table; a new kind cannot be forgotten.

    Of the documents, which both libraries have, the largest only.
    """
    if LONG:
        return [*site.pages, *LIVE]
    if site.name == "rich":
        return [*(page for page in site.pages if not page.startswith("/docs/")), *LIVE]
    return checked(site)


def checked(site: Released) -> list[str]:
    """What checkers of files read: all of it every night.

    The rich library has each kind in each state, so all of it always; of the real content the largest page of each
    kind, for there is most that can go wrong.
    """
    if LONG or site.name == "rich":
        return site.pages
    return [page for route in PAGE_ROUTES if route.content_type == HTML for page in site.of(route)[:1]]


@contextmanager
def released(name: str, content: Path, folder: Path) -> Iterator[Released]:
    """The site of some content, built for release and served while this is open."""
    today = TODAY if name == "rich" else datetime.now(UTC).date()
    process, address = start(content, folder / "out", "--release", today=today)
    try:
        yield Released(name, folder / "out", address)
    finally:
        process.terminate()
        process.communicate(timeout=60)


def both(folder: Path) -> Iterator[tuple[Released, Released]]:
    """The sites of the rich library and of the real content."""
    with (
        released("rich", write_rich_content(folder), folder / "rich") as rich,
        released("real", PROJECT / "content", folder / "real") as real,
    ):
        yield rich, real


def tool(name: str, *arguments: str | Path, seconds: int = 240) -> subprocess.CompletedProcess[str]:
    """Run a checker of tests/node; where it is not installed, the test is skipped and says so."""
    if not (TOOLS / name).exists():
        pytest.skip(f"{name} is not installed in tests/node (make system): nothing was checked by it")
    return run(str(TOOLS / name), *arguments, seconds=seconds)


def run(*command: str | Path, seconds: int = 240) -> subprocess.CompletedProcess[str]:
    """Run a command with the Node of tests/node."""
    if shutil.which(str(command[0])) is None:
        pytest.skip(f"{command[0]} is not installed (make system): nothing was checked by it")
    environment = {**os.environ, "PATH": f"{TOOLS}:{os.environ['PATH']}"}
    return subprocess.run(
        [str(part) for part in command], check=False, capture_output=True, text=True, timeout=seconds, env=environment
    )


__all__ = ["BOOK", "LIVE", "NODE", "Released", "both", "checked", "released", "run", "shown", "tool"]
