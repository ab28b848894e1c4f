"""Whether this process can do its work, and every reason why not: for load balancers, and for who looks after it."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress

from library.interface.errors import SEARCH_AWAY, UNAVAILABLE, FieldProblem
from library.search.index import IndexUnusable
from library.search.query import SearchEngine

from ..services import Services
from ..store import Unavailable
from .live import SearchSource
from .problem_details import ApiError

RETRY_SECONDS = 5
_MIB = 1024 * 1024


def check_ready(services: Services, search: SearchSource, limits: Callable[[], str]) -> tuple[str, ...]:
    """What is not well although this can work; `limits` says it of theirs.

    Raises `ApiError` 503 with all that keeps it from working.
    """
    reasons = [*_of_search(search), *_of_disk(services), *_of_store(services)]
    if reasons:
        kind = SEARCH_AWAY if all(reason.code == "search-index" for reason in reasons) else UNAVAILABLE
        detail = " ".join(f"{reason.detail[0].upper()}{reason.detail[1:]}" for reason in reasons)
        raise ApiError(kind, detail, reasons, headers={"Retry-After": str(RETRY_SECONDS)})
    return tuple(_warnings(services, limits()))


def _of_search(search: SearchSource) -> Iterator[FieldProblem]:
    try:
        _: SearchEngine = search()
    except IndexUnusable:
        yield _reason("search-index", "the search index is missing or damaged.")


def _of_disk(services: Services) -> Iterator[FieldProblem]:
    settings = services.settings
    for place in {settings.limits_path.parent, services.store.folder or settings.limits_path.parent}:
        with suppress(OSError):
            if shutil.disk_usage(place).free < settings.least_free_mib * _MIB:
                yield _reason("disk-full", f"less than {settings.least_free_mib} MiB are free where the queue is kept.")
                return


def _of_store(services: Services) -> Iterator[FieldProblem]:
    try:
        services.store.ready()
    except Unavailable as error:
        yield _reason("database", _small(str(error)))


def _warnings(services: Services, of_limits: str) -> Iterator[str]:
    """What an editor or an operator has to do: no reason to send callers elsewhere, they would find the same there."""
    if of_limits:
        yield of_limits
    number, age = services.store.outbox_waits()
    if age > services.settings.outbox_hours * 3_600:
        yield f"{number} decisions wait to be published, the oldest for {int(age // 3_600)} hours."


def _reason(code: str, detail: str) -> FieldProblem:
    return FieldProblem(pointer="", code=code, detail=detail)


def _small(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
