"""Whether the service can work: every reason at once, by its code; and what is only told."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from library.interface.errors import UNAVAILABLE
from library.interface.resolving import Unresolved
from library.search.index import IndexUnusable
from library.search.query import Question, SearchEngine, TooLong
from tests.waiting import PATIENCE
from tests.writeapi.store.builders import START, StandingClock, a_run, standing_store
from writeapi.api.live import answer_in_time, check_ready, remembered
from writeapi.api.wire import ApiError
from writeapi.services import Services
from writeapi.settings import ServiceSettings
from writeapi.store.queue import WORKER


@pytest.fixture
def services(tmp_path: Path, clock: StandingClock) -> Iterator[Services]:
    settings = ServiceSettings("http://playbooks.test", "", tmp_path / "limits.db", least_free_mib=0)
    with standing_store(tmp_path, clock) as store:
        yield Services(settings, store, lambda _size: b"", lambda _text: Unresolved(()), lambda _id: False)


def search() -> SearchEngine:
    return object.__new__(SearchEngine)


def no_search() -> SearchEngine:
    raise IndexUnusable("It is damaged.")


def reasons(services: Services, engine: Any = search) -> tuple[str, dict[str, str], str, list[tuple[str, str, str]]]:
    with pytest.raises(ApiError) as error:
        check_ready(services, engine, lambda: "")
    found = error.value
    return (
        found.kind.slug,
        found.headers,
        found.detail,
        [(item.pointer, item.code, item.detail) for item in found.errors],
    )


def test_what_is_well_is_ready_and_passes_on_what_the_limits_say(services: Services) -> None:
    assert check_ready(services, search, lambda: "") == ()
    assert check_ready(services, search, lambda: "Redis is away.") == ("Redis is away.",)


def test_a_damaged_index_alone_is_a_search_that_is_away(services: Services) -> None:
    kind, headers, detail, found = reasons(services, no_search)
    assert (kind, headers) == ("search-unavailable", {"Retry-After": "5"})
    assert detail == "The search index is missing or damaged."
    assert found == [("", "search-index", "the search index is missing or damaged.")]


def test_all_reasons_are_told_in_one_answer(services: Services, tmp_path: Path) -> None:
    full = replace(services, settings=replace(services.settings, least_free_mib=10**9))
    told = "less than 1000000000 MiB are free where the queue is kept."
    assert reasons(full) == (
        "unavailable",
        {"Retry-After": "5"},
        told.capitalize().replace("mib", "MiB"),
        [("", "disk-full", told)],
    )
    services.store.close()
    (tmp_path / "queue.db").unlink()
    kind, _, detail, found = reasons(full, no_search)
    assert (kind, [code for _, code, _ in found]) == ("unavailable", ["search-index", "disk-full", "database"])
    assert all(sentence[0].islower() for _, _, sentence in found)
    assert detail.startswith("The search index is missing or damaged. Less than ")


def test_a_disk_that_cannot_be_asked_is_no_reason(services: Services) -> None:
    away = replace(services.settings, limits_path=Path("/nowhere/at/all/limits.db"), least_free_mib=0)
    assert check_ready(replace(services, settings=away), search, lambda: "") == ()


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(24 * 3_600, ()), (25 * 3_600, ("1 decisions wait to be published, the oldest for 25 hours.",))],
)
def test_decisions_that_wait_for_more_than_a_day_are_told(
    services: Services, clock: StandingClock, seconds: int, told: tuple[str, ...]
) -> None:
    services.store.add(a_run(), None)
    services.store.move(a_run().id, "approved", by="editor:c:1")
    clock.now = START + timedelta(seconds=seconds)
    assert services.store.lease(WORKER, "somebody", 60)
    assert services.settings.outbox_hours == 24
    assert check_ready(services, search, lambda: "") == told


def test_a_job_that_fails_and_a_worker_that_is_missing_are_told(services: Services) -> None:
    assert check_ready(services, search, lambda: "") == ()
    services.store.add(a_run(), None)
    assert check_ready(services, search, lambda: "") == (
        "Something waits, and no worker runs: start `playbooks work`.",
    )
    assert services.store.lease(WORKER, "somebody", 60)
    assert check_ready(services, search, lambda: "") == ()
    services.store.job_ended("publish", "secret words", failed=True)
    assert check_ready(services, search, lambda: "") == ("The job publish fails; `playbooks status` says why.",)


def test_whoever_asks_within_a_second_is_told_the_same() -> None:
    now, looks = [0.0], list[float]()

    def look() -> tuple[str, ...]:
        looks.append(now[0])
        if len(looks) == 2:
            raise ApiError(UNAVAILABLE, "Not now.")
        return (f"look {len(looks)}",)

    ready = remembered(look, lambda: now[0])
    assert [ready(), ready()] == [("look 1",), ("look 1",)]
    now[0] = 1.5
    for _ in range(2):
        with pytest.raises(ApiError, match="Not now"):
            ready()
    now[0] = 3.0
    assert ready() == ("look 3",)
    assert looks == [0.0, 1.5, 3.0]


def test_many_that_ask_wait_for_no_look_of_another() -> None:
    now, looking, done = [0.0], threading.Event(), threading.Event()

    def look() -> tuple[str, ...]:
        if now[0]:
            looking.set()
            assert done.wait(PATIENCE)
        return (f"{now[0]}",)

    ready = remembered(look, lambda: now[0])
    assert ready() == ("0.0",)
    now[0] = 2.0
    slow = threading.Thread(target=ready)
    slow.start()
    assert looking.wait(PATIENCE)
    assert ready() == ("0.0",), "what was found before, at once"
    done.set()
    slow.join(30)
    assert ready() == ("2.0",)


def test_a_search_that_takes_too_long_is_told_when_to_ask_again() -> None:
    def slow() -> SearchEngine:
        raise TooLong("The search took more than 2 seconds; ask again in a moment, or ask for less.")

    with pytest.raises(ApiError) as error:
        answer_in_time(slow, Question("flaky"))
    assert (error.value.kind, error.value.headers) == (UNAVAILABLE, {"Retry-After": "5"})
    assert "ask for less" in error.value.detail
