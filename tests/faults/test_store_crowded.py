"""Many at once, in several processes: one row for one key, one owner for one handle, one winner of a transition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.forks import Forked
from tests.lengths import many
from tests.postgres import needs_postgres, shared_server
from tests.writeapi.store.builders import a_run, a_store, a_submission, count, rows, sqlite_url
from tests.writeapi.store.worker import said, start
from writeapi.store import Store
from writeapi.store.engine import Conflict

ENGINES = ["sqlite", pytest.param("postgresql", marks=[pytest.mark.system, needs_postgres])]
ROUNDS = many(8, 20)


@pytest.fixture(params=ENGINES)
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return sqlite_url(tmp_path / "queue.db") if request.param == "sqlite" else shared_server().fresh()


@pytest.fixture
def url(empty: str) -> str:
    store = a_store(empty)
    store.migrate()
    store.close()
    return empty


def together(*workers: Forked) -> list[str]:
    """Let workers go when all of them are ready; all lines that they said."""
    for worker in workers:
        assert said(worker) == "ready"
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    lines = []
    for worker in workers:
        output, errors = worker.communicate(timeout=60)
        assert worker.returncode == 0, errors
        lines += output.splitlines()
    return lines


@pytest.mark.slow
def test_24_at_once_with_one_key_are_one_row_and_one_answer(url: str) -> None:
    answers = together(*(start("same-key", url, 6) for _ in range(4)))
    assert len(answers) == 24
    assert len({answer.rpartition(" ")[0] for answer in answers}) == 1
    assert Counter(answer.rpartition(" ")[2] for answer in answers) == {"True": 1, "False": 23}
    for table in ("runs", "answers", "audit"):
        assert count(url, table) == 1


@pytest.mark.slow
def test_24_at_once_of_one_handle_are_one_contributor(url: str) -> None:
    spellings = [
        "".join(letter.upper() if number >> place & 1 else letter for place, letter in enumerate("annas"))
        for number in range(24)
    ]
    said_all = together(*(start("same-handle", url, *spellings[worker::4]) for worker in range(4)))
    assert Counter(line.split()[0] for line in said_all) == {"created": 1, "taken": 23}
    for table in ("contributors", "keys", "audit"):
        assert count(url, table) == 1


@pytest.mark.slow
def test_four_workers_migrate_at_once(empty: str) -> None:
    assert together(*(start("migrate", empty) for _ in range(4))) == ["migrated"] * 4
    assert count(empty, "alembic_version") == 1


@pytest.fixture
def stores(url: str) -> Iterator[tuple[Store, Store]]:
    """Two stores, as two workers have them."""
    pair = (a_store(url), a_store(url))
    yield pair
    for store in pair:
        store.close()


def both(stores: tuple[Store, Store], *decisions: tuple[str, str]) -> list[str]:
    """Two decisions about one subject at once: the state that each brought about, or `conflict`."""

    def decide(store: Store, subject: str, to: str) -> str:
        try:
            store.move(subject, to, by="editor")
        except Conflict:
            return "conflict"
        return to

    with ThreadPoolExecutor(2) as crew:
        return list(crew.map(decide, stores, *zip(*decisions, strict=True)))


def test_two_editors_at_once_are_one_winner_and_one_conflict(url: str, stores: tuple[Store, Store]) -> None:
    for number in range(ROUNDS):
        run = stores[0].add(a_run(number), None).id
        outcome = both(stores, (run, "approved"), (run, "rejected"))
        assert outcome.count("conflict") == 1
        found = stores[1].run(run)
        assert found is not None
        assert found.state in outcome
        assert len(rows(url, f"SELECT id FROM audit WHERE subject = '{run}'")) == found.version == 2


def test_a_sender_who_withdraws_while_an_editor_decides_gets_one_outcome(stores: tuple[Store, Store]) -> None:
    for number in range(ROUNDS):
        name = stores[0].add(a_submission(number), None).id
        stores[0].move(name, "screened", by="review-agent")
        outcome = both(stores, (name, "withdrawn"), (name, "rejected"))
        assert outcome.count("conflict") == 1
        found = stores[1].submission(name)
        assert found is not None
        assert found.state in outcome
        assert [step.became for step in found.history] == ["queued", "screened", found.state]
