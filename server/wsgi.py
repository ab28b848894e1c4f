"""The write API behind a proxy: `WEB_CONCURRENCY=2 gunicorn --threads 4 'server.wsgi:application()'`.

It reads the environment once: `PLAYBOOKS_SITE` (the built site, `site` by default), `PLAYBOOKS_VAR` (where SQLite lies,
`var` by default), `PLAYBOOKS_CONTENT` (the folder of YAML files that review works with, `content` by default), and what
`writeapi.settings` names. Files are served by the proxy; this answers below `/api/v1` and `/review`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import orjson
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.wrappers import Response

from build.routes import API
from library.errors import NOT_FOUND
from library.options import today
from library.problems import UsageError
from writeapi import create_app
from writeapi.errors import PROBLEM_JSON, problem_details
from writeapi.logs import log_to_stderr
from writeapi.review.services import ReviewServices
from writeapi.review.web import MOUNT, create_review_app

from .engine import CurrentEngine
from .queue import open_queue, services_of, start_report
from .shelf import ContentShelf

REFUSED = 4
"""The exit code by which gunicorn knows that a worker will never start, and stops."""


def application(environment: Mapping[str, str] = os.environ) -> DispatcherMiddleware:
    """The WSGI application; says what it uses, and ends with a sentence for settings that cannot work together."""
    try:
        return _application(environment)
    except (UsageError, OSError) as error:
        print(f"playbooks: {error}", file=sys.stderr)  # noqa: T201 - the start report
        raise SystemExit(REFUSED) from error


def _application(environment: Mapping[str, str]) -> DispatcherMiddleware:
    out = Path(environment.get("PLAYBOOKS_SITE", "site")).absolute()
    site_url = built_for(out)
    var = Path(environment.get("PLAYBOOKS_VAR", "var")).absolute()
    settings, store = open_queue(environment, site_url, var, later=True)
    for line in (f"playbooks: the write API of {site_url}", *start_report(settings, store)):
        print(line, file=sys.stderr)  # noqa: T201 - the start report
    log_to_stderr()
    services, engine = services_of(settings, store, out), CurrentEngine(out)
    shelf = ContentShelf(Path(environment.get("PLAYBOOKS_CONTENT", "content")).absolute(), today, site_url)
    editors = create_review_app(ReviewServices(store, shelf, engine, services.random), settings)
    elsewhere = Response(
        problem_details(site_url, NOT_FOUND, "There is nothing at this address."), 404, content_type=PROBLEM_JSON
    )
    return DispatcherMiddleware(elsewhere, {API: create_app(services, engine), MOUNT: editors})


def built_for(out: Path) -> str:
    """The address that the site was built for, as its own index says."""
    try:
        links = orjson.loads((out / API[1:] / "index.json").read_bytes())["links"]
        return str(links["playbooks"]).removesuffix(f"{API}/playbooks")
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(f"there is no built site at {out}; build first, or set PLAYBOOKS_SITE") from error
