"""The whole service in this process: the rich library built, the queue in a folder of its own, no network."""

from __future__ import annotations

import atexit
import functools
import random
import shutil
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import anyio
import httpx

from build.reading import read_site
from build.views.rendering import RenderEnvironment
from server.app import Service
from server.queue import ContentShelf, services_of
from tests.builders import TODAY
from tests.rich import write_rich_content
from tests.trees import built
from tests.writeapi.store.builders import migrated, wall_clock
from writeapi.settings import ServiceSettings
from writeapi.store import Store

if TYPE_CHECKING:
    from tests.front import Fronts, Stack

HERE = "http://playbooks.test"

fronts: list[Fronts] = []
"""With `--through=nginx` one: then each service stands behind nginx, and is asked through it (`tests/conftest.py`)."""

_FRONT_OF: WeakKeyDictionary[Service, Stack] = WeakKeyDictionary()


def a_library(folder: Path) -> tuple[Path, Path]:
    """The rich library in a folder of its own: its content, and its site; several services may be over it.

    It is built once a process, and copied: a build takes ten times as long.
    """
    content, out = _shared_library()
    folder.mkdir(parents=True, exist_ok=True)
    for part in (content, out.with_name(f".{out.name}")):
        shutil.copytree(part, folder / part.name, symlinks=True)
    (folder / out.name).symlink_to(out.readlink())
    return folder / content.name, folder / out.name


def a_service(
    folder: Path, *, content: Path | None = None, out: Path | None = None, database_url: str = "", **settings: Any
) -> Service:
    """The service over the rich library, or over other content, built unless `out` is its site; settings by name."""
    if fronts and out is None and content is None:
        content, out = _shared_library()
    if content is None:
        content, made = a_library(folder)
        out = out or made
    elif out is None:
        out = folder / "site"
        built(content, out, TODAY, site_url=HERE)
    site = read_site(content, TODAY, HERE)
    assert site is not None
    front = fronts[0].of(content, out, **{name: str(value) for name, value in settings.items()}) if fronts else None
    url = front.database_url if front else database_url or f"sqlite:///{folder / 'queue.db'}"
    told = replace(ServiceSettings(HERE, url, folder / "limits.db"), **settings)
    # Behind a front is a process of its own, where it is the day that it really is.
    store = migrated(Store(url, clock=(lambda: datetime.now(UTC)) if front else wall_clock), url)
    chance = random.Random(1)
    services = replace(services_of(told, store, out), random=chance.randbytes)
    service = Service(out, RenderEnvironment(site), services, ContentShelf(content, lambda: TODAY, HERE))
    if front:
        _FRONT_OF[service] = front
    return service


@functools.cache
def _shared_library() -> tuple[Path, Path]:
    """The rich library that every service may be over whose test changes nothing in it."""
    folder = Path(tempfile.mkdtemp(prefix="library-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    content = write_rich_content(folder)
    built(content, folder / "site", TODAY, site_url=HERE)
    return content, folder / "site"


class Client:
    """Asks a service; redirects are not followed. `address` is where the requests come from."""

    def __init__(self, service: Service, address: str = "192.0.2.1") -> None:
        self.service = service
        self.address = address

    def __call__(self, path: str, method: str = "GET", **options: Any) -> httpx.Response:
        """One request, answered."""
        if front := _FRONT_OF.get(self.service):
            return front.ask(self.address, path, method, **options)

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(app=self.service, client=(self.address, 50_000))
            async with httpx.AsyncClient(transport=transport, base_url=HERE) as client:
                return await client.request(method, path, **options)

        return anyio.run(ask)
