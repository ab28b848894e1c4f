"""Reads that need a server: search, and whether this process can do its work, with every reason why not."""

import hashlib
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from flask import Blueprint, Response, request

from library.interface.answers import Health
from library.interface.errors import INVALID, SEARCH_AWAY, UNAVAILABLE, FieldProblem
from library.interface.intake import LongSearch
from library.records.vocabulary import Profile, ResultType, Trust
from library.search.index import IndexUnusable
from library.search.query import DEFAULT_LIMIT, MAX_LIMIT, Question, SearchEngine

from ..services import Services
from ..store.engine import Unavailable
from ..store.queue import WORKER
from .wire import JSON, RETRY_SECONDS, ApiError, read_model, reply

READY_SECONDS = 1.0
SearchSource = Callable[[], SearchEngine]
PARAMETERS = ("q", "type", "agent", "category", "min_trust", "proven", "limit", "profile")
CHOICES: Mapping[str, Iterable[str]] = {
    "type": ResultType,
    "min_trust": Trust,
    "proven": ("true", "false"),
    "profile": Profile,
}


class Remembered:
    """What a look found, an error too, for a second; one looks at a time, and the others take what was found before."""

    def __init__(self, look: Callable[[], Sequence[str]], clock: Callable[[], float]) -> None:
        self._look, self._clock, self._looking = look, clock, threading.Lock()
        self._found: Sequence[str] | ApiError | None = None
        self._until = 0.0

    def __call__(self) -> Sequence[str]:
        """What is not well. Raises `ApiError`."""
        if self._clock() >= self._until and self._looking.acquire(blocking=self._found is None):
            try:
                if self._clock() >= self._until:
                    self._found = self._seen()
                    self._until = self._clock() + READY_SECONDS
            finally:
                self._looking.release()
        if self._found is None or isinstance(self._found, ApiError):
            raise (self._found or ApiError(UNAVAILABLE, "Nobody knows yet.")).with_traceback(None)
        return self._found

    def _seen(self) -> Sequence[str] | ApiError:
        try:
            return self._look()
        except ApiError as error:
            return error


def live_blueprint(
    search: SearchSource, readiness: Callable[[], Sequence[str]], clock: Callable[[], float] = time.monotonic
) -> Blueprint:
    """The routes that read something live; `readiness` raises when this cannot work, and says what is not well.

    Anybody may ask for it, and it tries a write: whoever asks within a second of another is told the same.
    """
    live, ready = Blueprint("live", __name__), Remembered(readiness, clock)

    @live.get("/search")
    def get_search() -> Response:
        question = read_question(request.args.to_dict(flat=False))
        response = Response(opened(search).answer(question).json_bytes(), content_type=JSON)
        response.set_etag(hashlib.blake2b(response.data, digest_size=12).hexdigest())
        response.headers["Cache-Control"] = "public, max-age=60"
        response.make_conditional(request)
        response.headers.remove("Date")  # the server that sends it writes its own
        return response

    @live.post("/search")
    def post_search() -> Response:
        asked, _ = read_model(request, LongSearch, private=frozenset({"q"}))
        sent = asked.model_dump()
        question = Question(sent.pop("q").strip(), **sent)
        return reply(opened(search).answer(question).json_bytes())

    @live.get("/healthz")
    def get_healthz() -> Response:
        return reply(Health(status="ok").json_bytes())

    @live.get("/readyz")
    def get_readyz() -> Response:
        return reply(Health(status="ready", warnings=tuple(ready()) or None).json_bytes())

    return live


def opened(search: SearchSource) -> SearchEngine:
    """The engine in use. Raises `ApiError` 503 when there is none."""
    try:
        return search()
    except IndexUnusable as error:
        raise ApiError(SEARCH_AWAY, "The search index is missing or damaged; everything else works.") from error


def read_question(arguments: dict[str, list[str]]) -> Question:
    """The question in a query string. Raises `ApiError` 422 with everything that is wrong with it."""
    values = {name: given[0] for name, given in arguments.items()}
    wrong = (*unknown_or_repeated(arguments, PARAMETERS), *_not_allowed(values))
    if problems := [FieldProblem(pointer=f"/{name}", code=code, detail=detail) for name, code, detail in wrong]:
        raise ApiError(INVALID, "The query cannot be answered as it is.", problems)
    given = {name: value for name, value in values.items() if value}
    return Question(
        given["q"].strip(),
        ResultType(given["type"]) if "type" in given else None,
        given.get("agent"),
        given.get("category"),
        Trust(given["min_trust"]) if "min_trust" in given else None,
        int(given.get("limit", DEFAULT_LIMIT)),
        Profile(given.get("profile", Profile.BEST)),
        given.get("proven") == "true",
    )


def unknown_or_repeated(arguments: Mapping[str, Sequence[str]], known: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Of each parameter that an address does not have or that stands twice: its name, a code and a sentence."""
    for name, values in arguments.items():
        if name not in known:
            shown = name[:40].replace("~", "~0").replace("/", "~1")
            yield shown, "unknown-parameter", f"is not known; known are {', '.join(known)}"
        elif len(values) > 1:
            yield name, "repeated", "stands more than once; give it once"


def _not_allowed(values: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    text = values.get("q", "").strip()
    if not text:
        yield "q", "missing", "say what job you want to get done: ?q=fix+flaky+tests"
    for name, choices in CHOICES.items():
        words = [str(word) for word in choices]
        if values.get(name, "") not in ("", *words):
            yield name, "not-allowed", f"must be one of {', '.join(words)}"
    if not is_number(values.get("limit", str(DEFAULT_LIMIT)), MAX_LIMIT):
        yield "limit", "not-allowed", f"must be a whole number from 1 to {MAX_LIMIT}"


def is_number(text: str, most: int) -> bool:
    """Whether a text is a whole number from 1 to the most."""
    return text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= most


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
