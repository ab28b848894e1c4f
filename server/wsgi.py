"""The write API behind a proxy: `WEB_CONCURRENCY=2 gunicorn --threads 4 'playbook_library:application()'`.

It reads the environment once: `PLAYBOOKS_SITE` (the built site, `site` by default), `PLAYBOOKS_VAR` (where SQLite lies,
`var` by default), `PLAYBOOKS_CONTENT` (the folder of YAML files that review works with, `content` by default), and what
`writeapi.settings` names. Files are served by the proxy; this answers below `/api/v1` and `/review`, and the
pages that a query fills in.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.wrappers import Response
from werkzeug.wsgi import responder

from build.reading import read_site
from build.settings import theme_beside
from build.views.rendering import RenderEnvironment
from build.views.routes import API
from library.interface.errors import NOT_FOUND
from library.options import today
from library.problems import UsageError
from writeapi import create_app
from writeapi.api.wire import PROBLEM_JSON, problem_details
from writeapi.logs import log_to_stderr
from writeapi.review.services import ReviewServices
from writeapi.review.web.app import create_review_app
from writeapi.review.web.pages import MOUNT

from .budgets import Budgets
from .environment import site_url_of, strict_transport
from .files import SLUG
from .query_pages import CurrentEngine, query_of, query_page
from .queue import ContentShelf, open_queue, services_of, start_report
from .response_headers import with_headers

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

RUNS = f"{API}/runs"
REFUSED = 4  # the exit code by which gunicorn knows that a worker will never start, and stops


def application(environment: Mapping[str, str] = os.environ) -> WSGIApplication:
    """The WSGI application; says what it uses, and ends with a sentence for settings that cannot work together."""
    try:
        return _application(environment)
    except (UsageError, OSError) as error:
        click.echo(f"playbooks: {error}", err=True)
        raise SystemExit(REFUSED) from error


def _application(environment: Mapping[str, str]) -> WSGIApplication:
    out = Path(environment.get("PLAYBOOKS_SITE", "site")).absolute()
    content = Path(environment.get("PLAYBOOKS_CONTENT", "content")).absolute()
    missing, site_url = list[str](), ""
    try:
        site_url = site_url_of(out)
    except UsageError as error:
        missing.append(str(error))
    var = Path(environment.get("PLAYBOOKS_VAR", "var")).absolute()
    settings, store = open_queue(environment, site_url, var, later=True, wrong=missing)
    hsts = strict_transport(environment)
    for line in (f"playbooks: the write API of {site_url}", *start_report(settings, store, environment, content, out)):
        click.echo(line, err=True)
    log_to_stderr()
    services, engine = services_of(settings, store, out), CurrentEngine(out)
    review = ReviewServices(store, ContentShelf(content, today, site_url), services.random)
    mounts: dict[str, WSGIApplication] = {API: create_app(services, engine), MOUNT: create_review_app(review, settings)}
    site = read_site(content, today(), site_url)
    env = RenderEnvironment(site, theme=theme_beside(content)) if site else None

    @responder
    def beside(environ: WSGIEnvironment, _start: StartResponse) -> WSGIApplication:
        """The pages that a query fills in, and that there is nothing elsewhere."""
        page = None
        if env and environ["REQUEST_METHOD"] in ("GET", "HEAD"):
            query = query_of(environ.get("QUERY_STRING", ""))
            page = query_page(env, out, engine, services, environ.get("PATH_INFO", ""), query)
        nothing = problem_details(site_url, NOT_FOUND, NOT_FOUND.advice)
        return page or Response(nothing, 404, content_type=PROBLEM_JSON)

    told = environment.get("PLAYBOOKS_THREADS", "")  # gunicorn's settings look at it, and say it where it is not set
    threads = int(told) if told.isdecimal() else 0
    budgets = Budgets(site_url, settings.budgets, settings.trusted_proxies)
    return with_headers(budgets.within(_spelled_plainly(DispatcherMiddleware(beside, mounts)), threads), hsts)


def _spelled_plainly(app: WSGIApplication) -> WSGIApplication:
    """Lead a read of run reports, whose query a proxy could not tell apart, to the spelling that it can.

    What no playbook can be called leads to the reports of none.
    """

    @responder
    def answer(environ: WSGIEnvironment, _start: StartResponse) -> WSGIApplication:
        query = environ.get("QUERY_STRING", "")
        asked = query_of(query).get("playbook")  # without an encoding; no playbook has a name that needs one
        named = asked if asked and re.fullmatch(SLUG, asked) else ""
        plain = "" if asked is None else f"playbook={named}"
        if environ.get("PATH_INFO") != RUNS or environ["REQUEST_METHOD"] not in ("GET", "HEAD") or plain == query:
            return app
        there = {"Location": f"?{plain}" if plain else "runs", "Cache-Control": "no-store"}
        return Response(status=308, headers=there)

    return answer
