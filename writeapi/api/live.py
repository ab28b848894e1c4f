"""Reads that need a server: `GET /search`, submissions' status and health."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import TypeVar

from flask import Blueprint, Response, request

from library.interface.answers import Health
from library.interface.errors import INVALID, SEARCH_AWAY, FieldProblem
from library.records.vocabulary import Profile, ResultType, Trust
from library.search.index import IndexUnusable
from library.search.query import DEFAULT_LIMIT, MAX_LIMIT, MAX_QUERY, Question, SearchEngine

from .problem_details import ApiError
from .wire import JSON, reply

SearchSource = Callable[[], SearchEngine]
PARAMETERS = ("q", "type", "agent", "category", "min_trust", "proven", "limit", "profile")
E_ = TypeVar("E_", bound=StrEnum)


def live_blueprint(search: SearchSource, readiness: Callable[[], Sequence[str]]) -> Blueprint:
    """The routes that read something live; `readiness` raises when this cannot work, and says what is not well."""
    live = Blueprint("live", __name__)

    @live.get("/search")
    def get_search() -> Response:
        question = read_question(request.args.to_dict(flat=False))
        response = Response(opened(search).answer(question).json_bytes(), content_type=JSON)
        response.set_etag(hashlib.blake2b(response.data, digest_size=12).hexdigest())
        response.headers["Cache-Control"] = "public, max-age=60"
        response.make_conditional(request)
        response.headers.remove("Date")  # the server that sends it writes its own
        return response

    @live.get("/healthz")
    def get_healthz() -> Response:
        return reply(Health(status="ok").json_bytes())

    @live.get("/readyz")
    def get_readyz() -> Response:
        return reply(Health(status="ready", warnings=tuple(readiness()) or None).json_bytes())

    return live


def opened(search: SearchSource) -> SearchEngine:
    """The engine in use. Raises `ApiError` 503 when there is none."""
    try:
        return search()
    except IndexUnusable as error:
        raise ApiError(SEARCH_AWAY, "The search index is missing or damaged; everything else works.") from error


def read_question(arguments: dict[str, list[str]]) -> Question:
    """The question in a query string. Raises `ApiError` 422 with everything that is wrong with it."""
    problems: list[FieldProblem] = list(_unknown_or_repeated(arguments))
    values = {name: values[0] for name, values in arguments.items()}
    text = values.get("q", "").strip()
    if not text:
        problems.append(_problem("q", "missing", "say what job you want to get done: ?q=fix+flaky+tests"))
    elif len(text) > MAX_QUERY:
        problems.append(_problem("q", "too-long", f"at most {MAX_QUERY} characters, and here are {len(text)}"))
    kind = _one_of(ResultType, "type", values, problems)
    floor = _one_of(Trust, "min_trust", values, problems)
    if (proven := values.get("proven", "")) not in ("", "true", "false"):
        problems.append(_problem("proven", "not-allowed", "must be one of true, false"))
    profile = _one_of(Profile, "profile", values, problems)
    limit = _limit(values.get("limit"), problems)
    if problems:
        raise ApiError(INVALID, "The query cannot be answered as it is.", problems)
    agent, category = values.get("agent") or None, values.get("category") or None
    return Question(text, kind, agent, category, floor, limit, profile or Profile.BEST, proven == "true")


def _problem(name: str, code: str, detail: str) -> FieldProblem:
    return FieldProblem(pointer=f"/{name}", code=code, detail=detail)


def _unknown_or_repeated(arguments: dict[str, list[str]]) -> Iterator[FieldProblem]:
    for name, values in arguments.items():
        if name not in PARAMETERS:
            shown = name[:40].replace("~", "~0").replace("/", "~1")
            yield _problem(shown, "unknown-parameter", f"is not known; known are {', '.join(PARAMETERS)}")
        elif len(values) > 1:
            yield _problem(name, "repeated", "stands more than once; give it once")


def _one_of(enum: type[E_], name: str, values: dict[str, str], problems: list[FieldProblem]) -> E_ | None:
    value = values.get(name)
    if not value:
        return None
    try:
        return enum(value)
    except ValueError:
        problems.append(_problem(name, "not-allowed", f"must be one of {', '.join(enum)}"))
        return None


def _limit(value: str | None, problems: list[FieldProblem]) -> int:
    if not value:
        return DEFAULT_LIMIT
    if value.isascii() and value.isdigit() and len(value) < 6 and 1 <= int(value) <= MAX_LIMIT:
        return int(value)
    problems.append(_problem("limit", "not-allowed", f"must be a whole number from 1 to {MAX_LIMIT}"))
    return DEFAULT_LIMIT
