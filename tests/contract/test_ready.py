"""`/readyz` means it: each reason by its code, all at once; what only an operator can mend is a warning."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from build.views.routes import API
from tests.service import Client, a_service
from tests.writeapi.store.builders import a_run, rows
from writeapi.api.live import READY_SECONDS
from writeapi.store import Store
from writeapi.store.queue import WORKER

pytestmark = [pytest.mark.inside, pytest.mark.slow]


def codes(ask: Client) -> set[str]:
    answer = ask(f"{API}/readyz")
    assert answer.status_code == 503
    assert answer.headers["cache-control"] == "no-store"
    assert int(answer.headers["retry-after"]) > 0
    return {problem["code"] for problem in answer.json()["errors"]}


def test_a_full_disk_is_a_reason(tmp_path: Path) -> None:
    service = a_service(tmp_path, least_free_mib=1_000_000_000)
    assert codes(Client(service)) == {"disk-full"}
    service.close()


def test_a_schema_of_another_time_is_a_reason(tmp_path: Path) -> None:
    service = a_service(tmp_path)
    with service.services.store._database.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")
    answer = Client(service)(f"{API}/readyz")
    assert answer.json()["errors"][0]["code"] == "database"
    assert "migration 0001" in answer.json()["detail"]
    service.close()


def test_all_reasons_are_told_at_once(tmp_path: Path) -> None:
    service = a_service(tmp_path, least_free_mib=1_000_000_000)
    for path in ((tmp_path / "site").resolve().parent / "index").resolve().glob("*.trm"):
        path.write_bytes(b"x" + path.read_bytes()[1:])
    service.close()
    for file in tmp_path.glob("queue.db*"):
        file.rename(tmp_path / f"away-{file.name}")
    told = Client(service)(f"{API}/readyz").text
    assert codes(Client(service)) == {"disk-full", "search-index", "database"}
    assert str(tmp_path) not in told, "who asks learns nothing of the machine"
    service.close()


def test_decisions_that_wait_for_long_are_a_warning(tmp_path: Path) -> None:
    service = a_service(tmp_path)
    ask = Client(service)
    store: Store = service.services.store
    store.add(a_run(), None)
    store.move(a_run().id, "approved", by="editor:1")
    assert store.lease(WORKER, "somebody", 600)
    assert ask(f"{API}/readyz").json() == {"status": "ready"}, "it has not waited for long"
    url = str(service.services.settings.database_url)
    assert rows(url, "SELECT state FROM outbox") == [("waiting",)]
    with store._database.write() as connection:
        connection.exec_driver_sql("UPDATE outbox SET created = '2026-01-01T00:00:00.000000Z'")
    time.sleep(READY_SECONDS)
    answer = ask(f"{API}/readyz")
    assert answer.status_code == 200, "another machine could do no better"
    (warning,) = answer.json()["warnings"]
    assert warning.startswith("1 decisions wait to be published, the oldest for ")
    service.close()


@pytest.mark.parametrize(
    ("gone", "follows"),
    [("refuse", "writes are refused"), ("fall-back", "the limits are counted on this machine alone")],
)
def test_a_redis_that_does_not_answer_is_a_warning(tmp_path: Path, gone: str, follows: str) -> None:
    service = a_service(tmp_path, limits_url="redis://127.0.0.1:1/0", redis_gone=gone)
    answer = Client(service)(f"{API}/readyz")
    assert (answer.status_code, answer.json()["warnings"]) == (200, [f"Redis does not answer: {follows}."])
    service.close()
