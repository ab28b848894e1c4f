"""The pages that a query fills in, for readers without scripts: results of a search, where a submission stands."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from werkzeug.wrappers import Response

from build.views import pages
from build.views.page_contexts import Names
from build.views.rendering import RenderEnvironment
from build.views.routes import API, HTML
from writeapi.api.live import PARAMETERS, SearchSource, opened, read_question
from writeapi.api.submissions import run_status_of, status_of
from writeapi.api.wire import RETRY_SECONDS, ApiError
from writeapi.keys import is_id
from writeapi.store import Store
from writeapi.store.engine import Unavailable

from .files import picked
from .response_headers import CSP

SEARCH, SUBMISSIONS = "/search/", "/submissions/"
QUERY_PARAMETERS: Mapping[str, tuple[str, ...]] = {SEARCH: PARAMETERS, SUBMISSIONS: ("id",)}
"""The pages, each with the parameters of which any fills it in; without one they are files."""


class QueryPages:
    """The pages, by the engine in use, the queue, and what the built library calls its agents and categories.

    `has_run` says whether the built library has the run report of an id.
    """

    def __init__(
        self, env: RenderEnvironment, out: Path, search: SearchSource, store: Store, has_run: Callable[[str], bool]
    ) -> None:
        self.env = env
        self.folder = out / API[1:]
        self.search = search
        self.store = store
        self.has_run = has_run

    def find(self, path: str, query: Mapping[str, str]) -> Response | None:
        """The page for an address; None where a file answers, or nothing does."""
        if path == SEARCH and not query.keys().isdisjoint(QUERY_PARAMETERS[SEARCH]):
            return self.results(query)
        if path == SUBMISSIONS and (name := query.get("id", "").strip()):
            return self.submission(name)
        return None

    def results(self, query: Mapping[str, str]) -> Response:
        """The search page with its results."""
        answer, problem, status = None, None, 200
        query = {name: value for name, value in query.items() if name in PARAMETERS}  # links come with more than ours
        try:
            if query.get("q", "").strip():
                answer = opened(self.search).answer(read_question({name: [value] for name, value in query.items()}))
        except ApiError as error:
            problem = " ".join(f"{item.pointer.lstrip('/')}: {item.detail}." for item in error.errors) or error.detail
            status = error.kind.status
        agents = picked(self.folder / "agents.json", _agents) or {}  # nothing of what cannot be read
        names = Names(agents, picked(self.folder / "tasks.json", _categories) or {})
        body = pages.search_results(self.env, names, query.get("q", ""), answer, problem, query)
        headers = {"Content-Type": HTML, "Cache-Control": "no-cache", "Content-Security-Policy": CSP}
        return Response(body, status, headers)

    def submission(self, name: str) -> Response:
        """Where a submission stands."""
        record, run, problem, status, more = None, None, None, 200, {}
        try:
            if is_id(name):
                record, run = self.store.submission(name), self.store.run(name)
            if record is None and run is None:
                problem, status = "There is no submission with this id.", 404
        except Unavailable:
            problem, status = "The queue cannot be asked now; try again in a moment.", 503
            more = {"Retry-After": str(RETRY_SECONDS)}
        standing = run_status_of(run, self.has_run) if run else None
        body = pages.submission_status(self.env, name[:64], status_of(record) if record else None, problem, standing)
        headers = {"Content-Type": HTML, "Cache-Control": "no-store", "Content-Security-Policy": CSP}
        return Response(body, status, headers | more)


def _agents(answer: Mapping[str, Any]) -> dict[str, str]:
    return {item["slug"]: item["name"] for item in answer["items"]}


def _categories(answer: Mapping[str, Any]) -> dict[str, str]:
    return {item["slug"]: item["name"] for item in answer["categories"]}


def query_of(text: str) -> dict[str, str]:
    """A query's parameters; of a repeated one the last."""
    return dict(parse_qsl(text, keep_blank_values=True))
