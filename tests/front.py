"""The service as it is deployed: nginx before gunicorn and MCP, PostgreSQL and Redis behind; `--through=nginx`."""

from __future__ import annotations

import atexit
import tempfile
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import date
from inspect import isasyncgen
from pathlib import Path
from typing import Any, cast

import anyio
import httpx
import psycopg
import redis as redis_client

from server.deploy.commands import of_site
from tests import calls
from tests.builders import TODAY
from tests.faults.http_server import Served, gunicorn, started
from tests.faults.redis_server import Redis
from tests.nginx import Nginx, free_port, nginx
from tests.postgres import shared_server
from tests.trees import built

HERE = "http://playbooks.test"
KEPT = 3
"""So many stacks may stand at once: tests of one module share theirs."""

LOOPBACK = "127.0.0.0/8"


@dataclass
class Stack:
    """One service with everything that it needs."""

    nginx: Nginx
    api: Served
    mcp: Served
    database_url: str
    redis: Redis

    def empty(self) -> None:
        """Forget what was sent and counted."""
        with psycopg.connect(self.database_url.replace("+psycopg", ""), autocommit=True) as connection:
            names = connection.execute(
                "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
            ).fetchall()
            listed = ", ".join(f'"{name}"' for (name,) in names)
            connection.execute(f"TRUNCATE {listed} RESTART IDENTITY CASCADE".encode())
        with redis_client.Redis.from_url(self.redis.url) as client:
            client.flushdb()

    def ask(self, address: str, path: str, method: str, host: str = HERE, **options: Any) -> httpx.Response:
        """One request to nginx, from a proxy that says it came from `address`; the host is that of the site."""
        if isasyncgen(body := options.get("content")):
            options["content"] = iter(
                anyio.run(_parts, cast("AsyncGenerator[bytes, None]", body))
            )  # a body in pieces, without a length
        front = calls.Client(transport=_Front(self.nginx.address.port), base_url=host)
        with front as client:
            headers = httpx.Headers(options.pop("headers", None))
            headers.setdefault("X-Forwarded-For", address)
            headers = httpx.Headers([(name, value.strip()) for name, value in headers.raw])  # the client refuses spaces
            return client.request(method, path, headers=headers, **options)


async def _parts(body: AsyncGenerator[bytes, None]) -> list[bytes]:
    return [part async for part in body]


class _Front(httpx.HTTPTransport):
    """Sends to a port of loopback what is meant for the site, with the site's name as the host."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self.port = port

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.url = request.url.copy_with(scheme="http", host="127.0.0.1", port=self.port)
        return super().handle_request(request)


@contextmanager
def deployed(
    content: Path, folder: Path, *, release: bool = False, today: date = TODAY, **settings: str
) -> Iterator[Stack]:
    """The content built for the address that nginx answers at, and everything that serves it."""
    with free_port() as port:
        site_url = f"http://127.0.0.1:{port}"
        built(content, folder / "site", today, site_url=site_url, release=release)
    with ExitStack() as keep:
        yield stack(keep, folder / "stack", content, folder / "site", settings, port=port)


def stack(
    keep: ExitStack,
    folder: Path,
    content: Path,
    out: Path,
    settings: Mapping[str, str],
    *,
    proxies: tuple[str, ...] = (),
    port: int = 0,
) -> Stack:
    """A whole service over a built site; everything ends with `keep`. `settings` are `PLAYBOOKS_*`."""
    folder.mkdir(parents=True, exist_ok=True)
    counting = Redis(folder)
    keep.callback(counting.kill)
    url = shared_server().fresh()
    told = {"limits_url": counting.url, "trusted_proxies": "1", "content": str(content), **settings}
    told.setdefault("redis_gone", "fall-back")  # a machine that is busy with tests may keep it waiting for a second
    api = keep.enter_context(gunicorn(out, folder / "api", database_url=url, graceful=30, **told))  # type: ignore[arg-type]  # names of settings
    command = ["mcp", "--http", "--port", "0", "--out", str(out), "--var", str(folder / "mcp-var")]
    environment = {f"PLAYBOOKS_{name.upper()}": value for name, value in told.items()}
    mcp = keep.enter_context(started(command, {**environment, "PLAYBOOKS_DATABASE_URL": url}, folder / "mcp-log"))
    deployment = of_site(out, None)
    deployment = replace(
        deployment,
        root=str(out),
        api=(f"127.0.0.1:{api.address.port}",),
        mcp=(f"127.0.0.1:{mcp.address.port}",),
        proxies=proxies,
        hsts=f"max-age={settings['hsts']}" if "hsts" in settings else "",
    )
    front = keep.enter_context(
        nginx(deployment, folder / "nginx", port=port, budgets=int(settings.get("budgets", "0")))
    )
    return Stack(front, api, mcp, url, counting)


class Fronts:
    """The stacks of a test session, one for each site and its settings."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Any, ...], tuple[Stack, ExitStack]] = {}
        self._folder = Path(tempfile.mkdtemp(prefix="front-"))
        self._made = 0
        atexit.register(self.close)

    def of(self, content: Path, out: Path, **settings: str) -> Stack:
        """The stack for a site, as good as new."""
        key = (out, *sorted(settings.items()))
        if key not in self._kept:
            while len(self._kept) >= KEPT:
                self._kept.pop(next(iter(self._kept)))[1].close()
            keep = ExitStack()
            self._made += 1
            made = stack(keep, self._folder / str(self._made), content, out, settings, proxies=(LOOPBACK,))
            self._kept[key] = (made, keep)
        found = self._kept[key][0]
        found.empty()
        return found

    def close(self) -> None:
        """End all of them."""
        while self._kept:
            self._kept.popitem()[1][1].close()
