"""The service as a process whose clock begins where it is told: `content out var site-url moment descriptor`."""

from __future__ import annotations

import os
import socket
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

import uvicorn

from build.reading import read_site
from build.views.rendering import RenderEnvironment
from server.app import Service
from server.queue import ContentShelf, services_of
from writeapi.logs import log_to_stderr
from writeapi.settings import read_settings
from writeapi.store import Store


def a_service(content: Path, out: Path, var: Path, site_url: str, began: datetime) -> Service:
    """The service over a checkout and its built site, as `playbooks serve` makes it, at another time."""
    start = time.monotonic()

    def now() -> datetime:
        return began + timedelta(seconds=time.monotonic() - start)

    settings, _ = read_settings(os.environ, site_url=site_url, var=var)
    var.mkdir(parents=True, exist_ok=True)
    store = Store(settings.database_url, clock=now)
    store.migrate()
    site = read_site(content, began.date(), site_url)
    assert site is not None
    shelf = ContentShelf(content, lambda: now().date(), site_url)
    return Service(out, RenderEnvironment(site), services_of(settings, store, out), shelf)


def main() -> None:
    """Answer on a socket that listens already, until told to end."""
    content, out, var, site_url, began, descriptor = sys.argv[1:]
    service = a_service(Path(content), Path(out), Path(var), site_url, datetime.fromisoformat(began))
    log_to_stderr()
    config = uvicorn.Config(service, log_level="error", access_log=False, server_header=False, proxy_headers=False)
    try:
        uvicorn.Server(config).run(sockets=[socket.socket(fileno=int(descriptor))])
    finally:
        service.close()
