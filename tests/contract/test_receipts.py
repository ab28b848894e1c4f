"""Every answer of the write API has the fields, types and order of the tables in `docs/interface.md`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from build.views.routes import API
from library.interface import answers
from library.interface.answers import Answer
from library.records.vocabulary import SubmissionKind, SubmissionState
from server.app import Service
from tests.builders import BOOK
from tests.contract.fields import TABLES, breaches
from tests.service import HERE, Client, a_service

PAYLOAD = {
    "title": "Add licence headers",
    "agents": ["claude-code"],
    "summary": "Puts a header on every file.",
    "prompt": "Add the header in {{header}} to every file.",
    "steps": ["List the files.", "Add the header."],
}
SUBMISSIONS: dict[SubmissionKind, dict[str, Any]] = {
    SubmissionKind.USE_CASE: {},
    SubmissionKind.LESSON: {"agent": "Claude Code"},
    SubmissionKind.CORRECTION: {"playbook": BOOK, "source_url": "https://example.com/changelog"},
    SubmissionKind.PLAYBOOK: {"payload": PAYLOAD},
}
MODELS: dict[str, type[Answer]] = {
    "Run receipt": answers.RunReceipt,
    "Run status": answers.RunStatus,
    "Run step": answers.RunStep,
    "Own runs": answers.OwnRuns,
    "Own submissions": answers.OwnSubmissions,
    "Contributor receipt": answers.ContributorReceipt,
    "Own record": answers.Me,
    "Key": answers.KeyRow,
    "Key receipt": answers.KeyReceipt,
    "Submission receipt": answers.SubmissionReceipt,
    "Submission status": answers.SubmissionStatus,
    "History step": answers.HistoryStep,
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = a_service(
        tmp_path_factory.mktemp("receipts"), write_limits="1000 per day", contributor_limits="9 per day"
    )
    yield service
    service.close()


@pytest.fixture
def ask(service: Service) -> Client:
    return Client(service)


def is_a(table: str, response: httpx.Response, status: int = 200) -> dict[str, Any]:
    """The answer, which has this status and the shape of this table and is kept by no cache."""
    assert response.status_code == status, response.text
    assert (response.headers["content-type"], response.headers["cache-control"]) == ("application/json", "no-store")
    value: dict[str, Any] = response.json()
    assert list(breaches(value, table)) == []
    return value


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def submitted(ask: Client, kind: SubmissionKind, **headers: str) -> dict[str, Any]:
    body = {"kind": kind, "title": "What it says", "body": "The whole of it.", **SUBMISSIONS[kind]}
    return is_a("Submission receipt", ask(f"{API}/submissions", "POST", json=body, headers=headers), 201)


def changes_requested(service: Service, name: str) -> None:
    store = service.services.store
    store.move(name, "screened", by="review-agent")
    store.move(name, "changes_requested", by="editor", reasons=["unclear"], note="Which version?")


@pytest.mark.parametrize("table", MODELS)
def test_the_models_and_the_document_name_the_same_fields(table: str) -> None:
    model = MODELS[table]
    assert [field.name for field in TABLES[table]] == list(model.model_fields)
    left_out = [name for name, info in model.model_fields.items() if info.exclude_if]
    assert [field.name for field in TABLES[table] if field.optional] == left_out


def test_the_document_names_every_state_and_kind() -> None:
    types = {field.name: field.type for field in TABLES["Submission status"]}
    assert types["status"] == f"one of {', '.join(SubmissionState)}"
    assert types["kind"] == f"one of {', '.join(SubmissionKind)}"
    assert {field.name: field.type for field in TABLES["History step"]}["status"] == types["status"]


@pytest.mark.parametrize("more", [{}, {"playbook_version": "0a1b2c3d4e5f", "duration_minutes": 5.0, "model": None}])
def test_a_run_receipt(ask: Client, more: dict[str, Any]) -> None:
    report = {"playbook": BOOK, "agent": "claude-code", "outcome": "worked", **more}
    receipt = is_a("Run receipt", ask(f"{API}/runs", "POST", json=report), 201)
    current = ask(f"{API}/playbooks/{BOOK}").json()["version"]
    assert receipt["playbook"] == BOOK
    assert receipt["playbook_version"] == more.get("playbook_version", current)


def test_a_contributor_and_its_keys(ask: Client) -> None:
    made = is_a("Contributor receipt", ask(f"{API}/contributors", "POST", json={"handle": "Key-Owner"}), 201)
    first = bearer(made["api_key"])
    assert made["handle"] == "key-owner"
    further = is_a("Key receipt", ask(f"{API}/contributors/me/keys", "POST", headers=first), 201)
    second = bearer(further["api_key"])
    revoked = ask(f"{API}/contributors/me/keys/{made['api_key'][:12]}", "DELETE", headers=second)
    assert (revoked.status_code, revoked.content) == (204, b"")
    assert ask(f"{API}/contributors/me", headers=first).status_code == 401
    me = is_a("Own record", ask(f"{API}/contributors/me", headers=second))
    assert (me["handle"], me["role"], me["created"]) == ("key-owner", "contributor", made["created"])
    assert [key["prefix"] for key in me["keys"]] == [made["api_key"][:12], further["prefix"]]
    assert ["revoked" in key for key in me["keys"]] == [True, False]
    twice = is_a("Key receipt", ask(f"{API}/contributors/me/keys?scopes=report,report", "POST", headers=second), 201)
    assert twice["scopes"] == ["report"]


@pytest.mark.parametrize("kind", SubmissionKind)
def test_a_submission_from_receipt_to_withdrawal(service: Service, ask: Client, kind: SubmissionKind) -> None:
    receipt = submitted(ask, kind)
    path = receipt["status_url"].removeprefix(HERE)
    waiting = is_a("Submission status", ask(path))
    assert (waiting["id"], waiting["kind"], waiting["status"]) == (receipt["id"], kind, "queued")
    changes_requested(service, receipt["id"])
    asked = is_a("Submission status", ask(path))
    assert asked["what_to_change"] == [*asked["history"][-1]["sentences"], "Which version?"]
    mine = bearer(receipt["edit_token"])
    body = {"kind": kind, "title": "What it says now", "body": "All of it.", **SUBMISSIONS[kind]}
    answered = is_a("Submission status", ask(path, "PUT", json=body, headers=mine))
    assert (answered["title"], answered["status"]) == ("What it says now", "queued")
    assert "what_to_change" not in answered
    gone = is_a("Submission status", ask(path, "DELETE", headers=mine))
    steps = [(step["status"], step["by"], step["reasons"], step.get("note")) for step in gone["history"]]
    assert steps == [
        ("queued", "sender", [], None),
        ("screened", "review-agent", [], None),
        ("changes_requested", "editor", ["unclear"], "Which version?"),
        ("queued", "sender", [], None),
        ("withdrawn", "sender", [], None),
    ]
    assert "All of it." not in ask(path).text


def test_what_is_published_says_where(service: Service, ask: Client) -> None:
    receipt = submitted(ask, SubmissionKind.LESSON)
    store = service.services.store
    for state, by in (("screened", "review-agent"), ("accepted", "editor")):
        store.move(receipt["id"], state, by=by)
    place = f"{HERE}/lessons/some-lesson/"
    store.move(receipt["id"], "published", by="publisher", place=place)
    status = is_a("Submission status", ask(f"{API}/submissions/{receipt['id']}"))
    assert (status["status"], status["place"]) == ("published", place)
    assert status["history"][-1]["by"] == "publisher"


def test_a_retry_gets_the_same_receipt(ask: Client) -> None:
    once = {"Idempotency-Key": "0d6f3c9e-2f4e-4b0a-9d1c-5a6b7c8d9e0f"}
    assert submitted(ask, SubmissionKind.LESSON, **once) == submitted(ask, SubmissionKind.LESSON, **once)


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
@pytest.mark.parametrize("secret", ["", "edt_" + "0" * 43])
def test_a_submission_of_somebody_else_is_403(ask: Client, method: str, secret: str) -> None:
    receipt = submitted(ask, SubmissionKind.LESSON)
    body = {"kind": "lesson", "title": "What it says now", "body": "All of it."}
    headers = bearer(secret) if secret else {}
    response = ask(f"{API}/submissions/{receipt['id']}", method, json=body, headers=headers)
    assert response.status_code == 403
    assert list(breaches(response.json(), "Error")) == []
    assert response.json()["type"].endswith("#not-yours")


@pytest.mark.parametrize(("path", "status"), [("/healthz", "ok"), ("/readyz", "ready")])
def test_health(ask: Client, path: str, status: str) -> None:
    assert is_a("Health", ask(f"{API}{path}"))["status"] == status
