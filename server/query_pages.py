"""The pages that a query fills in, for readers without scripts, and the engine of the build that is served now."""

import gc
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import Any
from urllib.parse import parse_qsl

from werkzeug.wrappers import Response

from build.views import pages
from build.views.rendering import RenderEnvironment
from build.views.routes import API, HTML
from library.search.index import IndexUnusable
from library.search.query import SearchEngine
from writeapi.api.live import PARAMETERS, SearchSource, answer_in_time, read_question
from writeapi.api.submissions import run_status_of, status_of
from writeapi.api.wire import RETRY_SECONDS, ApiError
from writeapi.keys import is_id
from writeapi.services import Services
from writeapi.store.engine import Unavailable

from .files import picked
from .response_headers import CSP


class CurrentEngine:
    """Gives the engine in use. Calls may come from several threads.

    Another build's index is opened and read in the background, and takes the place of the old one when no question
    would have to wait for it. One that cannot be used is left alone, and the old one stays.
    """

    def __init__(self, out: Path) -> None:
        self.out = out
        self._lock = Lock()
        self._engine: SearchEngine | None = None
        self._opened: Path | None = None

    def __call__(self) -> SearchEngine:
        """The engine. Raises `IndexUnusable` when there is no index, or a damaged one, and none was open before."""
        folder = self.out.resolve().parent
        place = (folder / "index").resolve()
        with self._lock:
            if self._engine is None:
                self._engine, self._opened = SearchEngine(folder), place
                Thread(target=_warm, args=(self._engine,), daemon=True).start()
            elif place != self._opened:
                self._opened = place
                Thread(target=self._open, args=(folder,), daemon=True).start()
            return self._engine

    def _open(self, folder: Path) -> None:
        """Open an index and take it into use, unless a still later one is there by then."""
        with suppress(IndexUnusable, OSError):  # damaged, or two builds later gone already
            engine = SearchEngine(folder)
            _warm(engine)
            if engine.place == self._opened:
                self._engine = engine


def _warm(engine: SearchEngine) -> None:
    """Read the whole index; then leave it out of what the collector walks through again and again.

    That walk stops every answer; with 10,000 playbooks it is long.
    """
    engine.warm()
    gc.unfreeze()
    gc.collect()
    gc.freeze()


SEARCH, SUBMISSIONS = "/search/", "/submissions/"
QUERY_PARAMETERS: Mapping[str, tuple[str, ...]] = {SEARCH: PARAMETERS, SUBMISSIONS: ("id",)}
"""The pages, each with the parameters of which any fills it in; without one they are files."""


def query_page(
    env: RenderEnvironment, out: Path, search: SearchSource, services: Services, path: str, query: Mapping[str, str]
) -> Response | None:
    """The page for an address, over the site behind `out`; None where a file answers, or nothing does."""
    if path == SEARCH and not query.keys().isdisjoint(PARAMETERS):
        return _results(env, out / API[1:], search, query)
    if path == SUBMISSIONS and (name := query.get("id", "").strip()):
        return _submission(env, services, name)
    return None


def _results(env: RenderEnvironment, folder: Path, search: SearchSource, query: Mapping[str, str]) -> Response:
    answer, problem, status = None, None, 200
    query = {name: value for name, value in query.items() if name in PARAMETERS}  # links come with more than ours
    try:
        if query.get("q", "").strip():
            answer = answer_in_time(search, read_question({name: [value] for name, value in query.items()}))
    except ApiError as error:
        problem = " ".join(f"{item.pointer.lstrip('/')}: {item.detail}." for item in error.errors) or error.detail
        status = error.kind.status
    # nothing of what cannot be read
    categories = picked(folder / "tasks.json", _categories) or {}
    names = {"agent": picked(folder / "agents.json", _agents) or {}, "category": categories}
    return _page(pages.search_results(env, names, query.get("q", ""), answer, problem, query), status, "no-cache")


def _submission(env: RenderEnvironment, services: Services, name: str) -> Response:
    record, run, problem, status = None, None, None, 200
    try:
        if is_id(name):
            record, run = services.store.submission(name), services.store.run(name)
        if record is None and run is None:
            problem, status = "There is no submission with this id.", 404
    except Unavailable:
        problem, status = "The queue cannot be asked now; try again in a moment.", 503
    standing = run_status_of(run, services.has_run) if run else None
    body = pages.submission_status(env, name[:64], status_of(record) if record else None, problem, standing)
    page = _page(body, status, "no-store")
    if status == 503:
        page.headers["Retry-After"] = str(RETRY_SECONDS)
    return page


def _page(body: bytes, status: int, kept: str) -> Response:
    return Response(body, status, {"Content-Type": HTML, "Cache-Control": kept, "Content-Security-Policy": CSP})


def _agents(answer: Mapping[str, Any]) -> dict[str, str]:
    return {item["slug"]: item["name"] for item in answer["items"]}


def _categories(answer: Mapping[str, Any]) -> dict[str, str]:
    return {item["slug"]: item["name"] for item in answer["categories"]}


def query_of(text: str) -> dict[str, str]:
    """A query's parameters; of a repeated one the last."""
    return dict(parse_qsl(text, keep_blank_values=True))
