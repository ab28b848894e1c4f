"""Every write over HTTP, on both engines: the table of statuses, and what a sender may do with what was sent."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from build.views.routes import API
from library.interface.errors import KINDS
from server.app import Service
from server.queue import published_runs
from tests.builders import BOOK, TODAY
from tests.contract.fields import breaches
from tests.contract.writes_table import JSON, PAYLOAD, RUN, SUBMISSION, WHOLE_PAYLOAD, WHOLE_RUN, Case, cases
from tests.postgres import needs_postgres, shared_server
from tests.rich import write_rich_content
from tests.service import HERE, Client, a_library, a_service, fronts
from tests.trees import built
from tests.waiting import until
from tests.writeapi.store.builders import rows
from writeapi.api.wire import RETRY_SECONDS
from writeapi.keys import make_token

POSTGRES = [pytest.mark.system, needs_postgres]
ENGINES = ["sqlite", pytest.param("postgresql", marks=POSTGRES)]
MANY: dict[str, Any] = {"write_limits": "100000 per minute", "contributor_limits": "100000 per minute"}
PRIVATE = {
    "an e-mail address": "grace.hopper@navy.mil",
    "a payment card number": "4111 1111 1111 1111",
    "a bank account number (IBAN)": "DE89 3704 0044 0532 0130 00",
    "an API key or token": "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
}


@pytest.fixture(params=ENGINES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of either engine; SQLite's is in the test's folder."""
    return f"sqlite:///{tmp_path / 'queue.db'}" if request.param == "sqlite" else shared_server().fresh()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return a_library(tmp_path_factory.mktemp("library"))


@pytest.fixture
def service(url: str, tmp_path: Path, library: tuple[Path, Path]) -> Iterator[Service]:
    content, out = library
    made = a_service(tmp_path, content=content, out=out, database_url=url, **MANY)
    yield made
    made.close()


@pytest.fixture
def ask(service: Service) -> Client:
    return Client(service)


def send(ask: Client, path: str, body: Any, method: str = "POST", key: str = "", **headers: str) -> httpx.Response:
    """One write; a key or token goes as the bearer."""
    told = {"Content-Type": JSON, **({"Authorization": f"Bearer {key}"} if key else {}), **headers}
    return ask(f"{API}{path}", method, content=json.dumps(body).encode(), headers=told)


def ask_case(ask: Client, case: Case) -> httpx.Response:
    headers = [
        (name.encode(), value.encode("latin-1")) for name, value in {"Content-Type": JSON, **case.headers}.items()
    ]

    async def chunks() -> Any:
        yield case.body

    content = chunks() if case.chunked else case.body
    return ask(f"{API}{case.path}", case.method, content=content, headers=headers)


def masked(response: httpx.Response) -> tuple[int, dict[str, str], str]:
    """An answer without what differs each time: ids, secrets and times."""
    text = re.sub(r"(run|sub|edt|pbl)_[0-9A-Za-z]+", r"\1_…", response.text)
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:]+Z", "…", text)
    names = ("content-type", "cache-control", "ratelimit-policy", "allow", "www-authenticate", "retry-after")
    return response.status_code, {name: response.headers[name] for name in names if name in response.headers}, text


def assert_problem(response: httpx.Response, status: int, kind: str) -> dict[str, Any]:
    problem: dict[str, Any] = response.json()
    assert (response.status_code, problem["status"]) == (status, status), problem
    assert response.headers["content-type"] == "application/problem+json"
    assert response.headers["cache-control"] == "no-store"
    assert list(breaches(problem, "Error")) == []
    assert problem["type"] == f"{HERE}/docs/errors/#{kind}"
    assert problem["title"] == next(known.title for known in KINDS if known.slug == kind)
    return problem


def contributor(ask: Client, handle: str, **fields: str) -> str:
    answer = send(ask, "/contributors", {"handle": handle, **fields})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["api_key"])


# The table


def known_cases() -> list[Case]:
    """The table; nginx takes a path with NUL for none, and says so itself."""
    return [case for case in cases() if not (fronts and "%00" in case.path)]


def wrong_with(case: Case, response: httpx.Response) -> str | None:
    """In what an answer differs from the table."""
    found = response.json() if response.content else {}
    errors = tuple(sorted((error["pointer"], error["code"]) for error in found.get("errors", ())))
    kind = found.get("type", "#").rpartition("#")[2] if response.status_code >= 400 else ""
    expected = (case.status, case.kind, tuple(sorted(case.errors)))
    return None if (response.status_code, kind, errors) == expected else f"{case.name}: {response.text[:300]}"


def test_every_write_of_the_table_is_answered_as_it_says(ask: Client) -> None:
    table = known_cases()
    names = [case.name for case in table]
    assert [name for name in names if names.count(name) > 1] == []
    assert [line for case in table if (line := wrong_with(case, ask_case(ask, case)))] == []


def test_a_coded_body_is_refused_and_what_is_taken_is_said(ask: Client) -> None:
    coded = send(ask, "/runs", RUN, **{"Content-Encoding": "br"})
    assert_problem(coded, 415, "coded")
    assert coded.headers["accept-encoding"] == "identity"
    other = send(ask, "/runs", RUN, **{"Content-Type": "text/plain", "Content-Encoding": "br"})
    assert_problem(other, 415, "not-json-by-type")
    assert "accept-encoding" not in other.headers


@pytest.mark.inside
@pytest.mark.system
@needs_postgres
def test_both_engines_give_the_same_answers(tmp_path: Path, library: tuple[Path, Path]) -> None:
    content, out = library
    given = []
    for number, address in enumerate((f"sqlite:///{tmp_path / 'queue.db'}", shared_server().fresh())):
        folder = tmp_path / str(number)
        folder.mkdir()
        service = a_service(folder, content=content, out=out, database_url=address, **MANY)
        given.append([masked(ask_case(Client(service), case)) for case in cases()])
        service.close()
    assert given[0] == given[1]


@pytest.mark.slow
def test_every_answer_to_a_write_has_its_manners(ask: Client) -> None:
    for case in known_cases():
        response = ask_case(ask, case)
        if response.status_code >= 400:
            assert_problem(response, case.status, case.kind)
        if case.method != "GET" and response.status_code not in (404, 405):
            creates = ', "create-minute";q=100000;w=60' if case.path == "/contributors" else ""
            assert response.headers["ratelimit-policy"] == f'"minute";q=100000;w=60{creates}', case.name
            assert re.fullmatch(r'"(create-)?minute";r=\d+;t=\d+', response.headers["ratelimit"]), case.name
            assert "access-control-allow-origin" not in response.headers
        assert "retry-after" not in response.headers
        assert response.headers["x-content-type-options"] == "nosniff"


# Receipts


def test_a_run_report_waits_for_review(service: Service, ask: Client) -> None:
    receipt = send(ask, "/runs", WHOLE_RUN).json()
    assert list(receipt) == ["id", "status", "playbook", "playbook_version", "received", "status_url", "edit_token"]
    assert (receipt["status"], receipt["playbook"]) == ("pending", BOOK)
    assert receipt["playbook_version"] == ask(f"{API}/playbooks/{BOOK}").json()["version"]
    assert re.fullmatch(r"run_[a-z2-7]{26}", receipt["id"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", receipt["received"])
    record = service.services.store.run(receipt["id"])
    assert record is not None
    assert {name: getattr(record, name) for name in WHOLE_RUN} == WHOLE_RUN
    assert (record.contributor_id, record.state, record.created) == (None, "pending", receipt["received"])
    assert receipt["id"] not in ask(f"{API}/runs").text


def test_a_submission_is_queued(service: Service, ask: Client) -> None:
    response = send(ask, "/submissions", {**SUBMISSION, "kind": "playbook", "payload": WHOLE_PAYLOAD})
    receipt = response.json()
    assert list(receipt) == ["id", "status", "status_url", "edit_token"]
    assert receipt["status"] == "queued"
    assert re.fullmatch(r"sub_[a-z2-7]{26}", receipt["id"])
    assert response.headers["location"] == receipt["status_url"] == f"{HERE}{API}/submissions/{receipt['id']}"
    status = ask(f"{API}/submissions/{receipt['id']}")
    assert (status.status_code, status.headers["cache-control"]) == (200, "no-store")
    told = status.json()
    assert list(told) == ["id", "kind", "title", "status", "created", "updated", "history"]
    assert (told["kind"], told["title"], told["status"]) == ("playbook", "Tune a piano", "queued")
    first = {"status": "queued", "at": told["created"], "by": "sender", "reasons": [], "sentences": []}
    assert told["history"] == [first]
    assert ask(f"{API}/submissions/{receipt['id']}", "HEAD").status_code == 200
    record = service.services.store.submission(receipt["id"])
    assert record is not None
    assert record.payload == WHOLE_PAYLOAD


def test_a_key_is_shown_once_and_signs_what_is_sent(service: Service, ask: Client) -> None:
    response = send(ask, "/contributors", {"handle": "Grace-H", "email": "grace@mail.example"})
    receipt = response.json()
    assert list(receipt) == ["handle", "api_key", "created"]
    assert receipt["handle"] == "grace-h"
    key = receipt["api_key"]
    assert re.fullmatch(r"pbl_[0-9A-Za-z]{49}", key)
    store = service.services.store
    signed = send(ask, "/runs", {**RUN, "reporter": "somebody else"}, key=key).json()["id"]
    record = store.run(signed)
    assert record is not None
    assert (record.reporter, record.contributor) == ("grace-h", "grace-h")
    submitted = send(ask, "/submissions", {**SUBMISSION, "reporter": "somebody else"}, key=key).json()["id"]
    sent = store.submission(submitted)
    assert sent is not None
    assert (sent.reporter, sent.contributor) == ("grace-h", "grace-h")
    anonymous = store.run(send(ask, "/runs", {**RUN, "reporter": "somebody else"}).json()["id"])
    assert anonymous is not None
    assert (anonymous.reporter, anonymous.contributor) == ("somebody else", None)
    wrong = key[:-1] + ("A" if key[-1] != "A" else "B")
    assert_problem(send(ask, "/runs", RUN, key=wrong), 401, "bad-key")
    assert send(ask, "/runs", RUN, key=wrong).headers["www-authenticate"] == "Bearer"
    assert send(ask, "/runs", RUN, Authorization=f"bEaReR   {key}").status_code == 201


def test_a_contributor_looks_after_its_keys(ask: Client) -> None:
    first, stranger = contributor(ask, "grace-h", email="grace@mail.example"), contributor(ask, "ada-k")
    me = send(ask, "/contributors/me", None, "GET", first)
    assert list(me.json()) == ["handle", "role", "created", "keys"]
    assert (me.json()["handle"], me.json()["role"], me.headers["cache-control"]) == (
        "grace-h",
        "contributor",
        "no-store",
    )
    assert "mail.example" not in me.text
    made = send(ask, "/contributors/me/keys", None, key=first)
    assert (made.status_code, list(made.json())) == (201, ["prefix", "api_key", "created", "scopes"])
    second = made.json()["api_key"]
    assert second.startswith(made.json()["prefix"])
    keys = send(ask, "/contributors/me", None, "GET", second).json()["keys"]
    assert [row["prefix"] for row in keys] == [first[:12], second[:12]]
    for prefix in (first[:12], "pbl_", first, "%25", *(() if fronts else ("a%00b",))):  # nginx takes that for no path
        assert_problem(send(ask, f"/contributors/me/keys/{prefix}", None, "DELETE", stranger), 404, "not-found")
    gone = send(ask, f"/contributors/me/keys/{first[:12]}", None, "DELETE", second)
    assert (gone.status_code, gone.content) == (204, b"")
    assert_problem(send(ask, f"/contributors/me/keys/{first[:12]}", None, "DELETE", second), 404, "not-found")
    assert_problem(send(ask, "/runs", RUN, key=first), 401, "bad-key")
    assert [("revoked" in row) for row in send(ask, "/contributors/me", None, "GET", second).json()["keys"]] == [
        True,
        False,
    ]


@pytest.mark.slow
def test_a_key_does_what_its_scopes_say_and_makes_none_that_may_do_more(ask: Client) -> None:
    first = contributor(ask, "kit")
    path = "/contributors/me/keys"
    one = send(ask, f"{path}?scopes=report&until=2999-12-31", None, "POST", first).json()
    assert (one["scopes"], one["until"]) == (["report"], "2999-12-31")
    key = one["api_key"]
    assert send(ask, "/runs", RUN, key=key).status_code == 201
    assert "submit" in assert_problem(send(ask, "/submissions", SUBMISSION, key=key), 403, "not-yours")["detail"]
    assert_problem(send(ask, f"{path}?scopes=report,review", None, "POST", first), 403, "not-yours")
    assert_problem(send(ask, f"{path}?scopes=submit", None, "POST", key), 403, "not-yours")
    below = send(ask, f"{path}?until=", None, "POST", key).json()
    assert (below["scopes"], below["until"]) == (["report"], "2999-12-31"), "no more, and no longer"
    assert_problem(send(ask, f"{path}?until=2000-01-01", None, "POST", first), 409, "state")
    for wrong in ("scopes=all", "scopes=report,", "until=tomorrow", "scope=report"):
        assert_problem(send(ask, f"{path}?{wrong}", None, "POST", first), 422, "invalid")
    assert_problem(send(ask, f"{path}/{first[:12]}", None, "DELETE", key), 403, "not-yours")
    assert send(ask, "/contributors/me", None, "GET", first).status_code == 200, "a lesser key does not end it"
    assert send(ask, f"{path}/{key[:12]}", None, "DELETE", first).status_code == 204
    for ended in (key, below["api_key"]):
        assert_problem(send(ask, "/runs", RUN, key=ended), 401, "bad-key")


@pytest.mark.slow
@pytest.mark.parametrize("other", ["grace-h", "GRACE-H", "Grace-H", "gra-ce-h", "graceh"])
def test_a_handle_is_taken_in_every_spelling(ask: Client, other: str) -> None:
    contributor(ask, "grace-h")
    answer = send(ask, "/contributors", {"handle": other})
    assert "api_key" not in assert_problem(answer, 409, "handle-taken")


# Idempotency


@pytest.mark.parametrize(("path", "body"), [("/runs", WHOLE_RUN), ("/submissions", SUBMISSION)])
def test_the_same_idempotency_key_gives_the_same_answer(ask: Client, path: str, body: dict[str, Any]) -> None:
    once = {"Idempotency-Key": "0b7e-1"}
    first, again = (send(ask, path, body, **once) for _ in range(2))
    assert (first.status_code, first.content) == (201, again.content)
    assert first.headers.get("location") == again.headers.get("location")
    spelt = dict(reversed(list(body.items())))
    assert send(ask, path, spelt, **once).content == first.content
    refused = assert_problem(send(ask, path, {**body, "agent": "cursor"}, **once), 422, "idempotency")
    assert [error["code"] for error in refused["errors"]] == ["idempotency-key"]
    other = SUBMISSION if path == "/runs" else RUN
    assert_problem(send(ask, "/submissions" if path == "/runs" else "/runs", other, **once), 422, "idempotency")
    assert send(ask, path, body, **once).content == first.content
    assert send(ask, path, body, **{"Idempotency-Key": "0b7e-2"}).json()["id"] != first.json()["id"]
    assert send(ask, path, body).json()["id"] != first.json()["id"]


def test_what_the_caller_wrote_as_a_key_is_not_kept(ask: Client, url: str) -> None:
    send(ask, "/runs", RUN, **{"Idempotency-Key": "my-secret"})
    assert "secret" not in str(rows(url, "SELECT caller, key_hash, subject FROM answers"))


def test_callers_do_not_see_each_others_idempotency_keys(service: Service, ask: Client) -> None:
    once = {"Idempotency-Key": "1"}
    grace, ada, elsewhere = contributor(ask, "grace-h"), contributor(ask, "ada-k"), Client(service, "192.0.2.2")
    answers = [
        send(ask, "/submissions", SUBMISSION, **once),
        send(ask, "/submissions", SUBMISSION, key=grace, **once),
        send(ask, "/submissions", SUBMISSION, key=ada, **once),
        send(elsewhere, "/submissions", SUBMISSION, **once),
    ]
    assert [answer.status_code for answer in answers] == [201] * 4
    assert (
        len({answer.json()["id"] for answer in answers})
        == len({answer.json()["edit_token"] for answer in answers})
        == 4
    )
    assert send(elsewhere, "/submissions", SUBMISSION, key=grace, **once).content == answers[1].content


@pytest.mark.slow
def test_a_retried_submission_is_edited_by_the_token_of_either_answer(ask: Client) -> None:
    once = {"Idempotency-Key": "a-1"}
    first, again = (send(ask, "/submissions", SUBMISSION, **once).json() for _ in range(2))
    assert first["edit_token"] == again["edit_token"]
    assert send(ask, f"/submissions/{first['id']}", None, "DELETE", again["edit_token"]).status_code == 200


def test_who_knows_an_id_and_guesses_its_idempotency_key_has_no_token(ask: Client) -> None:
    receipt = send(ask, "/submissions", SUBMISSION, **{"Idempotency-Key": "1"}).json()
    guessed = hmac.new(b"1", receipt["id"].encode(), hashlib.sha256).digest()
    assert receipt["edit_token"] != make_token(lambda _length: guessed)


def test_what_was_refused_leaves_its_idempotency_key_free(ask: Client) -> None:
    once = {"Idempotency-Key": "a-2"}
    assert send(ask, "/runs", {**RUN, "outcome": "?"}, **once).status_code == 422
    assert send(ask, "/runs", RUN, **once).status_code == 201


# A submission's sender


def changes_requested(service: Service, name: str) -> None:
    """What a reviewer and an editor do until a submission comes back to its sender."""
    store = service.services.store
    store.move(name, "screened", by="review-agent", reasons=["unclear"])
    store.move(name, "changes_requested", by="editor:c:7", reasons=["unclear"], note="Which piano?")


def test_requested_changes_are_answered_by_the_token_or_the_key(service: Service, ask: Client) -> None:
    key = contributor(ask, "grace-h")
    for signed in ("", key):
        receipt = send(ask, "/submissions", SUBMISSION, key=signed).json()
        path, secret = f"/submissions/{receipt['id']}", signed or receipt["edit_token"]
        changed = {**SUBMISSION, "body": "An upright piano."}
        assert send(ask, path, changed, "PUT", secret).json()["status"] == "queued", "nobody looked at it yet"
        changes_requested(service, receipt["id"])
        for nobody in ("", "edt_" + "x" * 43, contributor(ask, f"stranger-{len(signed)}")):
            assert_problem(send(ask, path, changed, "PUT", nobody), 403, "not-yours")
        refused = assert_problem(
            send(ask, path, {**changed, "kind": "lesson", "title": ""}, "PUT", secret), 422, "invalid"
        )
        assert [error["pointer"] for error in refused["errors"]] == ["/title"]
        refused = assert_problem(send(ask, path, {**changed, "kind": "lesson"}, "PUT", secret), 422, "invalid")
        assert [error["pointer"] for error in refused["errors"]] == ["/kind"]
        answer = send(ask, path, changed, "PUT", secret)
        assert (answer.status_code, answer.json()["status"]) == (200, "queued")
        steps = [(step["status"], step["by"], step["reasons"], step.get("note")) for step in answer.json()["history"]]
        assert steps == [
            ("queued", "sender", [], None),
            ("queued", "sender", [], None),
            ("screened", "review-agent", [], None),
            ("changes_requested", "editor", ["unclear"], "Which piano?"),
            ("queued", "sender", [], None),
        ]
        record = service.services.store.submission(receipt["id"])
        assert record is not None
        assert (record.body, record.reporter) == ("An upright piano.", "grace-h" if signed else None)
        service.services.store.move(receipt["id"], "screened", by="review-agent")
        assert_problem(send(ask, path, changed, "PUT", secret), 409, "state")


def test_a_submission_is_withdrawn_once(service: Service, ask: Client) -> None:
    receipt = send(ask, "/submissions", SUBMISSION).json()
    path = f"/submissions/{receipt['id']}"
    assert_problem(send(ask, path, None, "DELETE"), 403, "not-yours")
    assert_problem(send(ask, path, None, "DELETE", "edt_short"), 401, "bad-key")
    answer = send(ask, path, None, "DELETE", receipt["edit_token"])
    assert (answer.status_code, answer.json()["status"]) == (200, "withdrawn")
    assert [step["status"] for step in answer.json()["history"]] == ["queued", "withdrawn"]
    assert_problem(send(ask, path, None, "DELETE", receipt["edit_token"]), 409, "state")
    decided = send(ask, "/submissions", SUBMISSION).json()
    service.services.store.move(decided["id"], "rejected", by="review-agent", reasons=["spam"])
    assert_problem(send(ask, f"/submissions/{decided['id']}", None, "DELETE", decided["edit_token"]), 409, "state")


def test_a_status_never_says_who_sent_it_or_what(service: Service, ask: Client) -> None:
    key = contributor(ask, "grace-h", email="grace@mail.example")
    receipt = send(ask, "/submissions", {**SUBMISSION, "reporter": "somebody"}, key=key).json()
    changes_requested(service, receipt["id"])
    shown = ask(f"{API}/submissions/{receipt['id']}").text
    for hidden in ("grace", "somebody", "c:1", "c:7", SUBMISSION["body"], receipt["edit_token"]):
        assert hidden not in shown


# What must stay private


def kept(url: str, folder: Path) -> bytes:
    """Every byte that is on the disk of the database and of the limits."""
    files = [path for path in folder.iterdir() if ".db" in path.name]
    if url.startswith("postgresql"):
        server = shared_server()
        with psycopg.connect(server.dsn("postgres"), autocommit=True) as connection:
            connection.execute("CHECKPOINT")
        files += [Path(top, name) for top, _, names in os.walk(server.folder) for name in names]
    return b"\0".join(map(still_there, files))


def still_there(path: Path) -> bytes:
    """A file's bytes; none where a running server took it away between the look and the reading, as PostgreSQL does."""
    try:
        return path.read_bytes() if path.is_file() else b""
    except FileNotFoundError:
        return b""


def test_private_values_are_named_by_kind_and_never_kept(
    ask: Client, url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for kind, value in PRIVATE.items():
        text = f"Ask {value} about it."
        payload = {**PAYLOAD, "steps": ["Listen.", text], "summary": text}
        bodies: list[tuple[str, dict[str, Any], list[str]]] = [
            ("/runs", {**RUN, "lesson": text, "reporter": value, "agent": value}, ["/agent", "/lesson", "/reporter"]),
            ("/runs", {**RUN, value: 1}, ["/(private data)", "/(private data)"]),
            (
                "/submissions",
                {**SUBMISSION, "title": text, "payload": payload},
                ["/payload/steps/1", "/payload/summary", "/title"],
            ),
            ("/contributors", {"handle": "grace-h", "reporter": text}, ["/reporter", "/reporter"]),
            (
                "/runs",
                {**RUN, "outcome": value, "playbook": value},
                ["/outcome", "/outcome", "/playbook", "/playbook"],
            ),
        ]
        for path, body, pointers in bodies:
            answer = send(ask, path, body, **{"Idempotency-Key": f"k-{len(kind)}"} if path != "/contributors" else {})
            problem = assert_problem(answer, 422, "invalid")
            assert value not in answer.text
            assert sorted(error["pointer"] for error in problem["errors"]) == sorted(pointers)
            told = [error["detail"] for error in problem["errors"] if error["code"] == "private-data"]
            assert set(told) == {f"holds {kind}; take it out"}, told
        twice = ask(
            f"{API}/runs", "POST", content=f'{{"{value}":1,"{value}":2}}'.encode(), headers={"Content-Type": JSON}
        )
        assert value not in assert_problem(twice, 400, "not-json")["detail"]
        assert value not in caplog.text
        assert value.encode() not in kept(url, tmp_path)


@pytest.mark.inside
def test_keys_and_tokens_are_nowhere(ask: Client, url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    key, once = contributor(ask, "grace-h", email="grace@mail.example"), "idem-5f1c2b7e"
    other = send(ask, "/contributors/me/keys", None, key=key).json()["api_key"]
    receipt = send(
        ask, "/submissions", {**SUBMISSION, "body": "Marker 8d41."}, key=other, **{"Idempotency-Key": once}
    ).json()
    anonymous = send(ask, "/submissions", SUBMISSION).json()
    send(ask, "/runs", RUN, key=key, **{"Idempotency-Key": once})
    send(ask, "/runs", RUN, key=key[:-1])
    send(ask, f"/submissions/{anonymous['id']}", None, "DELETE", anonymous["edit_token"])
    send(ask, f"/contributors/me/keys/{other[:12]}", None, "DELETE", key)
    here, logs = kept(url, tmp_path), caplog.text
    assert (b"Marker 8d41." in here, receipt["id"] in here.decode("latin-1")) == (True, True)
    assert '"caller": "key"' in logs
    for secret in (key[12:], other[12:], receipt["edit_token"][12:], anonymous["edit_token"][12:], once):
        assert secret.encode() not in here
        assert secret not in logs
    for private in ("grace@mail.example", "192.0.2.1", "Marker 8d41."):
        assert private not in logs
    assert b"192.0.2.1" not in here


@pytest.mark.inside
def test_what_is_shown_in_logs(ask: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "playbooks.access")
    answer = send(ask, "/runs", RUN)
    line = json.loads(caplog.messages[-1])
    assert line["id"] == answer.headers["x-request-id"]
    assert {name: line[name] for name in ("method", "route", "status", "caller")} == {
        "method": "POST", "route": "/runs", "status": 201, "caller": "anonymous",
    }  # fmt: skip


# Limits, and a store that is away


@pytest.mark.slow
def test_a_limit_is_told_on_every_answer_and_then_429(url: str, tmp_path: Path) -> None:
    service = a_service(
        tmp_path, database_url=url, write_limits="3 per minute; 1000 per day", contributor_limits="1 per hour"
    )
    ask, elsewhere = Client(service), Client(service, "192.0.2.2")
    left = [send(ask, "/runs", body).headers["ratelimit"] for body in (RUN, {}, RUN)]
    assert [re.sub("t=.*", "", value) for value in left] == ['"minute";r=2;', '"minute";r=1;', '"minute";r=0;']
    for path, body in (("/runs", RUN), ("/submissions", SUBMISSION), ("/contributors", {"handle": "grace-h"})):
        refused = send(ask, path, body)
        assert_problem(refused, 429, "rate-limited")
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        assert refused.headers["ratelimit"].startswith('"minute";r=0;t=')
    assert ask(f"{API}/playbooks").status_code == ask(f"{API}/submissions/x").status_code - 204 == 200
    key = contributor(elsewhere, "grace-h")
    refused = send(elsewhere, "/contributors", {"handle": "ada-k"})
    assert_problem(refused, 429, "rate-limited")
    assert refused.headers["ratelimit"].startswith('"create-hour";r=0;t=')
    assert send(ask, "/runs", RUN, key=key).status_code == 201
    service.close()


@pytest.mark.inside
@pytest.mark.slow
def test_a_store_that_is_away_is_503_and_everything_else_goes_on(tmp_path: Path) -> None:
    service = a_service(tmp_path, **MANY)
    ask = Client(service)
    key = contributor(ask, "grace-h")
    service.close()
    for file in tmp_path.glob("queue.db*"):
        file.rename(tmp_path / f"away-{file.name}")
    for path, body in (("/runs", RUN), ("/submissions", SUBMISSION), ("/contributors", {"handle": "ada-k"})):
        answers = [send(ask, path, body), *([] if path == "/contributors" else [send(ask, path, body, key=key)])]
        for answer in answers:
            assert_problem(answer, 503, "unavailable")
            assert answer.headers["retry-after"] == str(RETRY_SECONDS)
    for away in (f"{API}/submissions/sub_{'a' * 26}", f"{API}/readyz"):
        assert_problem(ask(away), 503, "unavailable")
    assert [ask(path).status_code for path in ("/", f"{API}/healthz", f"{API}/playbooks", f"{API}/search?q=x")] == [
        200
    ] * 4
    for file in tmp_path.glob("away-*"):
        file.rename(tmp_path / file.name.removeprefix("away-"))
    assert send(ask, "/runs", RUN, key=key).status_code == 201
    until(lambda: ask(f"{API}/readyz").status_code == 200, "it is ready again")  # what it found holds for a second
    service.close()


def test_health_is_told(ask: Client) -> None:
    for path, status in (("healthz", "ok"), ("readyz", "ready")):
        answer = ask(f"{API}/{path}")
        assert (answer.status_code, answer.json(), answer.headers["cache-control"]) == (
            200,
            {"status": status},
            "no-store",
        )
        assert ask(f"{API}/{path}", "HEAD").status_code == 200


# What waits is counted by the next build


@pytest.mark.inside
@pytest.mark.slow
def test_what_waits_is_counted_by_the_next_build(url: str, tmp_path: Path) -> None:
    content = write_rich_content(tmp_path)
    service = a_service(tmp_path, content=content, database_url=url)
    ask, store = Client(service), service.services.store
    ids = [send(ask, "/runs", {**RUN, "lesson": f"Number {number}."}).json()["id"] for number in range(3)]
    before = ask(f"{API}/stats").json()["runs"]

    def rebuilt() -> tuple[int, int, int]:
        pending = store.pending_runs(published_runs(content))
        built(content, tmp_path / "site", TODAY, site_url=HERE, pending=pending)
        return (
            ask(f"{API}/stats").json()["runs"]["pending"],
            ask(f"{API}/playbooks/{BOOK}").json()["runs"]["pending"],
            next(book for book in ask(f"{API}/playbooks").json()["items"] if book["slug"] == BOOK)["runs"]["pending"],
        )

    assert rebuilt() == (3, 3, 3)
    store.move(ids[0], "rejected", by="editor:c:1", reasons=["spam"])
    store.move(ids[1], "approved", by="editor:c:1")
    assert rebuilt() == (2, 2, 2)
    assert ask(f"{API}/stats").json()["runs"] == {**before, "pending": 2}
    service.close()
