"""Reads that need a server: search, the playbook for a task, a version of one, and whether this process can work."""

import hashlib
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Annotated

from flask import Blueprint, Response, request
from pydantic import BeforeValidator, StrictBool

from library.interface import finding, versions
from library.interface.answers import Answer, Health, SearchAnswer, VersionAnswer
from library.interface.errors import NOT_FOUND, SEARCH_AWAY, UNAVAILABLE, FieldProblem
from library.interface.finding import FindTask
from library.interface.intake import LongSearch
from library.records.fields import SLUG
from library.records.vocabulary import Profile, ResultType
from library.search.index import IndexUnusable
from library.search.query import Question, SearchEngine, TooLong

from ..services import Services, services
from ..store.engine import Unavailable
from ..store.queue import WORKER
from .wire import JSON, RETRY_SECONDS, ApiError, read_model, read_query, reply

READY_SECONDS = 1.0
MARKDOWN = "text/markdown"
_LONGEST_SLUG = 64
SearchSource = Callable[[], SearchEngine]


class SearchQuery(LongSearch):
    """The same in a query string."""

    proven: Annotated[StrictBool, BeforeValidator(lambda value: {"true": True, "false": False}.get(value, value))] = (
        False
    )
    profile: Profile = Profile.BEST


PARAMETERS = tuple(SearchQuery.model_fields)


def remembered(look: Callable[[], Sequence[str]], clock: Callable[[], float]) -> Callable[[], Sequence[str]]:
    """What a look finds, an error too, for a second; one looks at a time, and the others take what was found before."""
    looking, until = threading.Lock(), 0.0
    found: Sequence[str] | ApiError | None = None

    def ask() -> Sequence[str]:
        nonlocal found, until
        if clock() >= until and looking.acquire(blocking=found is None):
            try:
                if clock() >= until:
                    found = look()
            except ApiError as error:
                found = error
            finally:
                until = clock() + READY_SECONDS
                looking.release()
        if isinstance(found, ApiError):
            raise found.with_traceback(None)
        return found or ()

    return ask


def live_blueprint(
    search: SearchSource, readiness: Callable[[], Sequence[str]], clock: Callable[[], float] = time.monotonic
) -> Blueprint:
    """The routes that read something live; `readiness` raises when this cannot work, and says what is not well.

    Anybody may ask for it, and it tries a write: whoever asks within a second of another is told the same.
    """
    live, ready = Blueprint("live", __name__), remembered(readiness, clock)

    @live.get("/search")
    def get_search() -> Response:
        question = read_question(request.args.to_dict(flat=False))
        response = Response(answer_in_time(search, question).json_bytes(), content_type=JSON)
        response.set_etag(hashlib.blake2b(response.data, digest_size=12).hexdigest(), weak=True)
        response.headers["Cache-Control"] = "public, max-age=60"
        response.make_conditional(request)
        response.headers.remove("Date")  # the server that sends it writes its own
        return response

    @live.post("/search")
    def post_search() -> Response:
        asked, _ = read_model(request, LongSearch, private=frozenset({"q"}))
        return reply(answer_in_time(search, question_of(asked)).json_bytes())

    def found_for(asked: FindTask) -> Response:
        question = Question(asked.task.strip(), ResultType.PLAYBOOK, limit=finding.NEAREST + 1)
        hits = answer_in_time(search, question).model_dump(mode="json")
        slug, here = finding.best(hits), services()
        book = here.playbook(slug) if slug else None
        answer = finding.answer_to(asked.task, asked.agent or "", hits, book, here.settings.site_url, here.has_agent)
        return _in_json_or_words(answer, lambda: finding.words(answer))

    @live.get("/find")
    def get_find() -> Response:
        return found_for(read_query(FindTask, request.args.to_dict(flat=False)))

    @live.post("/find")
    def post_find() -> Response:
        return found_for(read_model(request, FindTask, private=frozenset({"task"}))[0])

    @live.get("/playbooks/<slug>/versions/<version>")
    def get_version(slug: str, version: str) -> Response:
        since = read_query(versions.VersionQuery, request.args.to_dict(flat=False)).since
        item = version_of(slug, version.lower(), since)
        return _in_json_or_words(item, lambda: versions.words(slug, item))

    @live.get("/healthz")
    def get_healthz() -> Response:
        return reply(Health(status="ok").json_bytes())

    @live.get("/readyz")
    def get_readyz() -> Response:
        return reply(Health(status="ready", warnings=tuple(ready()) or None).json_bytes())

    return live


def answer_in_time(search: SearchSource, question: Question) -> SearchAnswer:
    """What the engine in use answers. Raises `ApiError` 503 when there is none, or it takes too long."""
    try:
        return search().answer(question)
    except TooLong as error:
        raise ApiError(UNAVAILABLE, str(error), headers={"Retry-After": str(RETRY_SECONDS)}) from error
    except IndexUnusable as error:
        raise ApiError(SEARCH_AWAY, "The search index is missing or damaged; everything else works.") from error


def read_question(arguments: Mapping[str, Sequence[str]]) -> Question:
    """The question in a query string. Raises `ApiError` 422 with everything that is wrong with it."""
    return question_of(read_query(SearchQuery, arguments))


def question_of(asked: LongSearch) -> Question:
    """What the engine is asked by what was sent."""
    sent = asked.model_dump()
    return Question(sent.pop("q").strip(), **sent)


def _in_json_or_words(answer: Answer, words: Callable[[], str]) -> Response:
    """An answer as the caller likes it best: JSON, or markdown."""
    if request.accept_mimetypes.best_match([JSON, MARKDOWN]) == MARKDOWN:
        response = Response(words(), content_type=f"{MARKDOWN}; charset=utf-8")
    else:
        response = reply(answer.json_bytes())
    response.headers |= {"Cache-Control": "no-store", "Vary": "Accept"}
    return response


def version_of(slug: str, version: str, since: str | None) -> VersionAnswer:
    """A version of a playbook with its text. Raises `ApiError` 404."""
    here = services()
    known = here.versions(slug) if len(slug) <= _LONGEST_SLUG and SLUG.fullmatch(slug) else None
    book = here.playbook(slug) if known else None
    if book is None or (item := versions.find_version(known, book, version, since)) is None:
        raise ApiError(NOT_FOUND, "It never had this version, or was withdrawn; see `/playbooks/{slug}/versions`.")
    return item


_MIB = 1024 * 1024


def check_ready(here: Services, search: SearchSource, limits: Callable[[], str]) -> tuple[str, ...]:
    """What is not well although this can work; `limits` says it of theirs.

    Raises `ApiError` 503 with all that keeps it from working.
    """
    wrong = list(_wrong(here, search))
    if wrong:
        reasons = [FieldProblem(pointer="", code=code, detail=detail) for code, detail in wrong]
        kind = SEARCH_AWAY if all(code == "search-index" for code, _ in wrong) else UNAVAILABLE
        detail = " ".join(f"{detail[0].upper()}{detail[1:]}" for _, detail in wrong)
        raise ApiError(kind, detail, reasons, headers={"Retry-After": str(RETRY_SECONDS)})
    # What an editor or an operator has to do is no reason to send callers elsewhere: they would find the same there.
    warnings = [limits()]
    number, age = here.store.outbox_waits()
    if age > here.settings.outbox_hours * 3_600:
        warnings.append(f"{number} decisions wait to be published, the oldest for {int(age // 3_600)} hours.")
    failing = (job for job in here.store.jobs().values() if job.failures)
    warnings += [f"The job {job.name} fails; `playbooks status` says why." for job in failing]
    if here.store.leased(WORKER) is None and (number or here.store.unscreened(1)):
        warnings.append("Something waits, and no worker runs: start `playbooks work`.")
    return tuple(filter(None, warnings))


def _wrong(here: Services, search: SearchSource) -> Iterator[tuple[str, str]]:
    settings = here.settings
    try:
        search()
    except IndexUnusable:
        yield "search-index", "the search index is missing or damaged."
    for place in {settings.limits_path.parent, here.store.folder or settings.limits_path.parent}:
        with suppress(OSError):
            if shutil.disk_usage(place).free < settings.least_free_mib * _MIB:
                yield "disk-full", f"less than {settings.least_free_mib} MiB are free where the queue is kept."
                break
    try:
        here.store.ready()
    except Unavailable as error:
        yield "database", f"{error}"[:1].lower() + f"{error}"[1:]
