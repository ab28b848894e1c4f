"""What the sender of a submission sees and may do: every state, every caller, every method."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from build.views.routes import API
from library.interface.errors import MEANINGS, sentences
from library.interface.intake import Submission
from library.records.validating import validate
from library.records.vocabulary import SubmissionState
from server.app import Service
from tests.builders import BOOK
from tests.contract.fields import breaches
from tests.contract.writes_table import PAYLOAD
from tests.service import Client, a_service
from tests.writeapi.store.builders import an_id
from writeapi.api.submissions import status_of
from writeapi.store import Store
from writeapi.store.records import DraftFile, Finding, Review, ReviewStep, SubmissionRecord
from writeapi.store.reviews import PUBLISHER, REVIEW_AGENT

PROJECT = Path(__file__).resolve().parents[2]
BODY: dict[str, Any] = {"kind": "lesson", "title": "What it says", "body": "The whole of it."}
CHANGED = {**BODY, "body": "All of it, step by step."}
FILE = DraftFile("lessons/what-it-says.yaml", "title: What it says\n", None)

SENDER = {
    "queued": {"GET": (200, "queued"), "PUT": (200, "queued"), "DELETE": (200, "withdrawn")},
    "screened": {"GET": (200, "screened"), "PUT": (409, "screened"), "DELETE": (200, "withdrawn")},
    "changes_requested": {
        "GET": (200, "changes_requested"),
        "PUT": (200, "queued"),
        "DELETE": (200, "withdrawn"),
    },
    "accepted": {"GET": (200, "accepted"), "PUT": (409, "accepted"), "DELETE": (200, "withdrawn")},
    "published": {"GET": (200, "published"), "PUT": (409, "published"), "DELETE": (409, "published")},
    "rejected": {"GET": (200, "rejected"), "PUT": (409, "rejected"), "DELETE": (409, "rejected")},
    "withdrawn": {"GET": (200, "withdrawn"), "PUT": (409, "withdrawn"), "DELETE": (409, "withdrawn")},
}
"""What the sender gets in each state by each method, and the state that follows."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    many = "100000 per minute"
    made = a_service(tmp_path_factory.mktemp("status"), write_limits=many, contributor_limits=many)
    yield made
    made.close()


@pytest.fixture(scope="module")
def ask(service: Service) -> Client:
    return Client(service)


@pytest.fixture(scope="module")
def keys(ask: Client) -> dict[str, str]:
    """The keys of two contributors."""
    return {name: contributor(ask, name) for name in ("ann", "bea")}


def contributor(ask: Client, handle: str) -> str:
    return str(ask(f"{API}/contributors", "POST", json={"handle": handle}).json()["api_key"])


def bearer(secret: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"} if secret else {}


def submitted(ask: Client, key: str | None = None, **changes: Any) -> tuple[str, str]:
    """A submission's id and its edit token."""
    receipt = ask(f"{API}/submissions", "POST", json={**BODY, **changes}, headers=bearer(key)).json()
    return receipt["id"], receipt["edit_token"]


def screened(store: Store, name: str) -> int:
    """What the review agent does with a submission that it takes for honest; the version that an editor sees."""
    finding = Finding("unknown-agent", "/agent", "Some other agent.")
    store.screened(Review(name, stands(store, name).version, "editor", (finding,)), reject=False)
    return stands(store, name).version


def brought(store: Store, name: str, state: str) -> None:
    """Bring a fresh submission into a state, by the methods that review uses."""
    if state == "rejected":
        store.screened(Review(name, 1, "reject", ()), reject=True, reasons=["spam"])
    elif state == "withdrawn":
        store.move(name, "withdrawn", by="sender")
    elif state != "queued":
        version = screened(store, name)
        if state == "changes_requested":
            store.move(name, state, by="editor:c:7", reasons=["unclear"], note="Which one?", version=version)
        elif state in ("accepted", "published"):
            store.accept(name, [FILE], by="editor:c:7", version=version)
    if state == "published":
        store.move(
            name,
            "published",
            version=stands(store, name).version,
            by="publisher",
            place="https://playbooks.example/lessons/what-it-says/",
        )


def stands(store: Store, name: str) -> SubmissionRecord:
    found = store.submission(name)
    assert found is not None
    return found


def test_the_table_names_every_state() -> None:
    assert list(SENDER) == [state for state in SENDER if state in set(SubmissionState)]
    assert set(SENDER) == set(SubmissionState)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
@pytest.mark.parametrize("caller", ["sender by key", "sender by token", "another contributor", "nobody"])
@pytest.mark.parametrize("state", SENDER)
def test_who_may_do_what_in_which_state(
    service: Service, ask: Client, keys: dict[str, str], state: str, caller: str, method: str
) -> None:
    name, token = submitted(ask, keys["ann"])
    store = service.services.store
    brought(store, name, state)
    before = stands(store, name)
    secret = {"sender by key": keys["ann"], "sender by token": token, "another contributor": keys["bea"]}.get(caller)
    options = {"json": CHANGED} if method == "PUT" else {}
    answer = ask(f"{API}/submissions/{name}", method, headers=bearer(secret), **options)
    its_sender = caller.startswith("sender")
    expected = SENDER[state][method] if its_sender or method == "GET" else (403, state)
    after = stands(store, name)
    assert (answer.status_code, after.state) == expected, answer.text
    moved = method != "GET" and answer.status_code == 200
    assert after.version == before.version + moved
    assert after.body == (CHANGED["body"] if moved and method == "PUT" else BODY["body"])
    if answer.status_code == 200:
        assert list(breaches(answer.json(), "Submission status")) == []
        assert answer.json()["status"] == after.state
        assert ("what_to_change" in answer.json()) == (after.state == "changes_requested")
        assert ("place" in answer.json()) == (after.state == "published")
    else:
        assert list(breaches(answer.json(), "Error")) == []


def test_the_interface_has_the_same_table() -> None:
    text = (PROJECT / "docs/interface.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\d{3}) \| (\d{3})([^|]*) \| (\d{3})([^|]*) \|$", text, re.MULTILINE)
    written = {
        state: (get, put, "queued" in then, delete, "withdrawn" in end) for state, get, put, then, delete, end in rows
    }
    assert written == {
        state: (
            str(row["GET"][0]),
            str(row["PUT"][0]),
            row["PUT"] == (200, "queued"),
            str(row["DELETE"][0]),
            row["DELETE"] == (200, "withdrawn"),
        )
        for state, row in SENDER.items()
    }


def test_what_was_accepted_and_is_withdrawn_never_becomes_a_file(service: Service, ask: Client) -> None:
    name, token = submitted(ask)
    store = service.services.store
    brought(store, name, "accepted")
    assert [entry.state for entry in store.outbox(subject=name)] == ["waiting"]
    assert ask(f"{API}/submissions/{name}", "DELETE", headers=bearer(token)).status_code == 200
    assert [entry.state for entry in store.outbox(subject=name)] == ["cancelled"]


def test_an_answer_is_screened_again_and_the_history_shows_it(service: Service, ask: Client) -> None:
    name, token = submitted(ask)
    store = service.services.store
    brought(store, name, "changes_requested")
    assert name not in store.unscreened(1_000)
    assert ask(f"{API}/submissions/{name}", "PUT", headers=bearer(token), json=CHANGED).status_code == 200
    assert name in store.unscreened(1_000)
    version = screened(store, name)
    review = store.review(name)
    assert review is not None
    assert review.version == version - 1
    history = ask(f"{API}/submissions/{name}").json()["history"]
    assert [(step["status"], step["by"]) for step in history] == [
        ("queued", "sender"),
        ("screened", "review-agent"),
        ("changes_requested", "editor"),
        ("queued", "sender"),
        ("screened", "review-agent"),
    ]


# What is shown


def told(*history: ReviewStep, **changes: Any) -> dict[str, Any]:
    """The status of a record with this history, as it is answered."""
    values: dict[str, Any] = dict.fromkeys(field.name for field in fields(SubmissionRecord))
    values |= {"id": an_id("sub", 1), "kind": "lesson", "title": "T", "created": "2026-11-20T12:00:00Z"}
    values |= {"updated": "2026-11-20T12:00:00Z", "state": history[-1].became, "history": history}
    return status_of(SubmissionRecord(**{**values, **changes})).model_dump(mode="json")


@pytest.mark.parametrize(
    ("by", "state", "role", "reasons", "note"),
    [
        ("anonymous", "queued", "sender", True, False),
        ("c:12", "queued", "sender", True, False),
        ("sender", "withdrawn", "sender", True, False),
        (REVIEW_AGENT, "screened", "review-agent", False, False),
        (REVIEW_AGENT, "rejected", "review-agent", True, False),
        ("editor:c:7", "changes_requested", "editor", True, True),
        ("editor:c:7", "rejected", "editor", True, True),
        ("editor:c:7", "screened", "editor", True, True),
        (PUBLISHER, "screened", "publisher", True, False),
        (PUBLISHER, "published", "publisher", True, False),
    ],
)
def test_whose_reasons_and_notes_are_shown(by: str, state: str, role: str, reasons: bool, note: bool) -> None:
    row = ReviewStep(state, "2026-11-20T12:00:00Z", by, ("other",), "playbooks/x.yaml:3:1: error of c:9", 1)
    step = told(row)["history"][0]
    assert (step["by"], step["reasons"], step.get("note") is not None) == (role, ["other"] if reasons else [], note)
    assert step["sentences"] == list(sentences(step["reasons"]))


def test_what_to_change_is_what_the_last_step_says() -> None:
    asked = ReviewStep(
        "changes_requested", "2026-11-20T12:00:00Z", "editor:c:7", ("unclear", "needs-fix"), "Which one?", 5
    )
    older = ReviewStep("changes_requested", "2026-11-19T12:00:00Z", "editor:c:7", ("rights",), "Older.", 3)
    assert told(older, asked)["what_to_change"] == [*sentences(("unclear", "needs-fix")), "Which one?"]
    without = ReviewStep("changes_requested", "2026-11-20T12:00:00Z", "editor:c:7", ("unclear",), None, 3)
    assert told(without)["what_to_change"] == list(sentences(("unclear",)))
    assert "what_to_change" not in told(asked, ReviewStep("queued", "2026-11-21T12:00:00Z", "sender", (), None, 6))


def test_a_place_is_told_only_once_it_is_published() -> None:
    back = ReviewStep("screened", "2026-11-20T12:00:00Z", PUBLISHER, ("base-changed",), None, 4)
    assert "place" not in told(back, place="https://playbooks.example/lessons/x/")
    there = ReviewStep("published", "2026-11-20T12:00:00Z", PUBLISHER, (), None, 4)
    assert told(there, place="https://playbooks.example/lessons/x/")["place"]


@pytest.mark.slow
def test_nothing_of_sender_editor_or_findings_is_answered(service: Service, ask: Client) -> None:
    key = str(
        ask(f"{API}/contributors", "POST", json={"handle": "dora-q", "email": "dora@mail.example"}).json()["api_key"]
    )
    name, token = submitted(ask, key, body="Marker 4711.", reporter="somebody")
    brought(service.services.store, name, "changes_requested")
    for address in (f"{API}/submissions/{name}", f"/submissions/?id={name}"):
        text = ask(address).text
        assert "Which one?" in text
        for hidden in ("Marker 4711.", "dora", "mail.example", "somebody", "c:7", "Some other agent", token, key):
            assert hidden not in text, hidden


def test_the_meanings_are_those_of_the_document() -> None:
    text = (PROJECT / "docs/api.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \| [^|]*\|$", text, re.MULTILINE))
    assert {state: rows[state] for state in SubmissionState} == dict(MEANINGS)


# Edit tokens and words


def test_a_revoked_contributors_edit_token_is_over_too(service: Service, ask: Client) -> None:
    name, token = submitted(ask, contributor(ask, "carl"))
    unsigned, own = submitted(ask)
    store = service.services.store
    brought(store, name, "changes_requested")
    store.revoke_contributor("carl", by="operator", withdraw_runs=False)
    for method, options in (("PUT", {"json": CHANGED}), ("DELETE", {})):
        answer = ask(f"{API}/submissions/{name}", method, headers=bearer(token), **options)
        assert (answer.status_code, answer.json()["type"].partition("#")[2]) == (403, "not-yours")
        assert "revoked" in answer.json()["detail"]
    assert stands(store, name).state == "changes_requested"
    assert ask(f"{API}/submissions/{unsigned}", "DELETE", headers=bearer(own)).status_code == 200


def test_errors_speak_of_json_not_of_yaml(ask: Client) -> None:
    wrong = {"kind": "playbook", "title": "a\nb", "body": "x", "payload": {"agents": "x", "steps": {}, "title": "t"}}
    answers = [
        ask(f"{API}/submissions", "POST", json=wrong),
        ask(f"{API}/submissions", "POST", json=[]),
        ask(f"{API}/submissions", "POST", json={**wrong, "payload": []}),
    ]
    details = {error["pointer"]: error["detail"] for answer in answers for error in answer.json()["errors"]}
    assert details["/payload/agents"] == "must be an array"
    assert (details[""], details["/payload"]) == ("must be an object", "must be an object")
    assert details["/title"] == "must be one line; join the lines"
    assert not [detail for detail in details.values() if "`" in detail or "mapping" in detail]


def test_errors_in_files_still_speak_of_yaml() -> None:
    found = validate(Submission, {"title": "a\nb", "body": "x", "payload": {"agents": "x"}}, "f")
    assert isinstance(found, list)
    told = {problem.field: problem.message for problem in found}
    assert told["title"] == "must be one line; join the lines (a `>-` block does it)"
    assert told["payload.agents"] == "must be a list: one item a line, each after `- `"


def test_what_an_answer_leaves_out_is_gone(service: Service, ask: Client) -> None:
    more: dict[str, Any] = {
        "playbook": BOOK,
        "agent": "Cursor",
        "source_url": "https://example.com/a",
        "payload": PAYLOAD,
    }
    name, token = submitted(ask, **more)
    store = service.services.store
    assert all(getattr(stands(store, name), field) for field in more)
    brought(store, name, "changes_requested")
    assert ask(f"{API}/submissions/{name}", "PUT", headers=bearer(token), json=CHANGED).status_code == 200
    assert [field for field in more if getattr(stands(store, name), field) is not None] == []
