"""What the sender of a run report sees and may do: every state, every caller, every method, and lists of it all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from build.output.generations import MANIFEST, write_manifest
from build.views.routes import API
from library.interface.errors import RUN_MEANINGS
from library.records.vocabulary import RunStatusWord
from server.app import Service
from server.queue import BuiltRuns
from tests.builders import BOOK
from tests.contract.fields import breaches
from tests.service import HERE, Client, a_service
from tests.writeapi.store.builders import an_id
from writeapi.store import Store
from writeapi.store.records import Review, RunRecord

PROJECT = Path(__file__).resolve().parents[2]
REPORT: dict[str, Any] = {
    "playbook": BOOK,
    "agent": "claude-code",
    "outcome": "failed",
    "what_changed": "Marker 4711.",
    "lesson": "Marker 4712.",
    "reporter": "somebody",
}
SUBMISSION = {"title": "What it says", "body": "The whole of it."}
SENDER = {
    "pending": {"GET": (200, "pending"), "DELETE": (200, "withdrawn")},
    "approved": {"GET": (200, "approved"), "DELETE": (200, "withdrawn")},
    "published": {"GET": (200, "published"), "DELETE": (200, "withdrawn")},
    "rejected": {"GET": (200, "rejected"), "DELETE": (409, "rejected")},
    "withdrawn": {"GET": (200, "withdrawn"), "DELETE": (409, "withdrawn")},
}
"""What the sender gets in each state by each method, and the state that follows."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    many = "100000 per minute"
    made = a_service(tmp_path_factory.mktemp("runs"), write_limits=many, contributor_limits=many)
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


def reported(ask: Client, key: str | None = None, **headers: str) -> dict[str, Any]:
    """The receipt of a report."""
    answer = ask(f"{API}/runs", "POST", json=REPORT, headers=bearer(key) | headers)
    assert answer.status_code == 201, answer.text
    receipt: dict[str, Any] = answer.json()
    assert answer.headers["location"] == receipt["status_url"] == f"{HERE}{API}/runs/{receipt['id']}"
    return receipt


def brought(store: Store, name: str, state: str) -> None:
    """Bring a fresh report into a state, by the methods that review and publishing use."""
    if state == "rejected":
        store.move(name, state, by="editor:c:7", reasons=["unclear"], note="Which step?")
    elif state == "withdrawn":
        store.move(name, state, by="sender")
    elif state != "pending":
        assert store.approve_runs([(name, 1)], by="editor:c:7") == {}
    if state == "published":
        assert store.written(store.outbox(subject=name), f"content runs/{BOOK}/{name}.yaml")


def test_a_withdrawn_report_keeps_that_it_was_published(service: Service, ask: Client) -> None:
    receipt = reported(ask)
    brought(service.services.store, receipt["id"], "published")
    published = ask(f"{API}/runs/{receipt['id']}").json()["history"]
    answer = ask(f"{API}/runs/{receipt['id']}", "DELETE", headers=bearer(receipt["edit_token"])).json()
    assert answer["history"][:-1] == published
    assert [step["status"] for step in answer["history"]] == ["pending", "approved", "published", "withdrawn"]
    assert (answer["status"], answer["updated"]) == ("withdrawn", answer["history"][-1]["at"])


def stands(store: Store, name: str) -> RunRecord:
    found = store.run(name)
    assert found is not None
    return found


@pytest.mark.slow
@pytest.mark.parametrize("method", ["GET", "DELETE"])
@pytest.mark.parametrize("caller", ["sender by key", "sender by token", "another contributor", "nobody"])
@pytest.mark.parametrize("state", SENDER)
def test_who_may_do_what_in_which_state(
    service: Service, ask: Client, keys: dict[str, str], state: str, caller: str, method: str
) -> None:
    receipt = reported(ask, keys["ann"])
    name, store = receipt["id"], service.services.store
    brought(store, name, state)
    by = {"sender by key": keys["ann"], "sender by token": receipt["edit_token"], "another contributor": keys["bea"]}
    answer = ask(f"{API}/runs/{name}", method, headers=bearer(by.get(caller)))
    its_sender = caller.startswith("sender")
    status, after = SENDER[state][method] if its_sender or method == "GET" else (403, state)
    assert answer.status_code == status, answer.text
    assert ask(f"{API}/runs/{name}").json()["status"] == after
    assert list(breaches(answer.json(), "Run status" if status == 200 else "Error")) == []


def test_the_table_and_the_meanings_name_every_state() -> None:
    assert set(SENDER) == set(RUN_MEANINGS) == set(RunStatusWord)
    text = (PROJECT / "docs/interface.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\d{3}) \| (\d{3})([^|]*) \|$", text, re.MULTILINE)
    assert {state: (get, delete, "withdrawn" in end) for state, get, delete, end in rows} == {
        state: (str(row["GET"][0]), str(row["DELETE"][0]), row["DELETE"][0] == 200) for state, row in SENDER.items()
    }


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("pending", [("pending", "sender", [], None)]),
        ("approved", [("pending", "sender", [], None), ("approved", "editor", [], None)]),
        (
            "published",
            [("pending", "sender", [], None), ("approved", "editor", [], None), ("published", "publisher", [], None)],
        ),
        ("rejected", [("pending", "sender", [], None), ("rejected", "editor", ["unclear"], "Which step?")]),
        ("withdrawn", [("pending", "sender", [], None), ("withdrawn", "sender", [], None)]),
    ],
)
def test_the_history_says_what_happened_and_why(
    service: Service, ask: Client, state: str, expected: list[tuple[Any, ...]]
) -> None:
    receipt = reported(ask)
    brought(service.services.store, receipt["id"], state)
    status = ask(f"{API}/runs/{receipt['id']}").json()
    steps = [(step["status"], step["by"], step["reasons"], step.get("note")) for step in status["history"]]
    assert steps == expected
    assert status["updated"] == status["history"][-1]["at"]


def test_the_review_agents_rejection_shows_its_reasons_and_not_its_findings(service: Service, ask: Client) -> None:
    name = reported(ask)["id"]
    service.services.store.screened(Review(name, 1, "reject", ()), reject=True, reasons=["spam"])
    last = ask(f"{API}/runs/{name}").json()["history"][-1]
    assert (last["status"], last["by"], last["reasons"]) == ("rejected", "review-agent", ["spam"])


def test_nothing_of_what_it_says_or_who_sent_it_is_answered(service: Service, ask: Client) -> None:
    key = contributor(ask, "dora-q")
    receipt = reported(ask, key)
    brought(service.services.store, receipt["id"], "rejected")
    for address in (f"{API}/runs/{receipt['id']}", f"/submissions/?id={receipt['id']}"):
        text = ask(address).text
        assert "Which step?" in text
        for hidden in ("Marker", "dora", "somebody", "c:7", "claude-code", "failed", receipt["edit_token"], key):
            assert hidden not in text, hidden


def test_what_lies_on_a_branch_is_published_once_the_site_has_it(service: Service, ask: Client) -> None:
    name, store = reported(ask)["id"], service.services.store
    brought(store, name, "approved")
    assert store.written(store.outbox(subject=name), "branch accepted/x at 0123456789ab")
    assert ask(f"{API}/runs/{name}").json()["status"] == "approved"
    assert service.services.has_run(name) is False


def test_the_site_knows_the_reports_that_it_was_made_from(service: Service, ask: Client) -> None:
    there = ask(f"{API}/runs").json()["items"][0]["id"]
    assert service.services.has_run(there) is True


def test_every_report_of_the_record_leads_to_where_it_stands_though_the_queue_never_had_it(ask: Client) -> None:
    page, found = ask(f"{API}/runs").json()["next"], dict[str, str]()
    while page:
        month = ask(page.removeprefix(HERE)).json()
        for item in month["items"]:
            told = ask(item["links"]["self"].removeprefix(HERE)).json()
            assert (told["id"], told["playbook"], told["received"]) == (item["id"], item["playbook"], item["reported"])
            assert told.get("playbook_version") == item.get("playbook_version")
            found[item["id"]] = told["status"]
        page = month["next"]
    assert set(found.values()) == {"published", "withdrawn"}
    assert ask(f"{API}/runs/run_{'a' * 26}").status_code == 404


def test_the_list_of_built_reports_is_kept_while_a_build_is_at_work(tmp_path: Path) -> None:
    folder, out = tmp_path / ".site/1", tmp_path / "site"
    (folder / "public").mkdir(parents=True)
    out.symlink_to(folder / "public")
    write_manifest(folder, {"runs/x/run_a.yaml": b"", "playbooks/run_b.yaml": b""})
    built = BuiltRuns(out)
    assert ("run_a" in built, "run_b" in built) == (True, False)
    (folder / MANIFEST).unlink()
    assert "run_a" in built
    write_manifest(folder, {})
    assert "run_a" not in built


def test_what_was_approved_and_is_withdrawn_never_becomes_a_file(service: Service, ask: Client) -> None:
    receipt, store = reported(ask), service.services.store
    brought(store, receipt["id"], "approved")
    ask(f"{API}/runs/{receipt['id']}", "DELETE", headers=bearer(receipt["edit_token"]))
    assert [entry.state for entry in store.outbox(subject=receipt["id"])] == ["cancelled"]


def test_what_was_written_and_is_withdrawn_is_sent_to_the_content_as_a_tombstone(service: Service, ask: Client) -> None:
    receipt, store = reported(ask), service.services.store
    brought(store, receipt["id"], "published")
    ask(f"{API}/runs/{receipt['id']}", "DELETE", headers=bearer(receipt["edit_token"]))
    entries = store.outbox(subject=receipt["id"])
    assert [(entry.state, entry.version) for entry in entries] == [("written", 2), ("waiting", 3)]


def test_a_withdrawn_report_waits_for_nobody(service: Service, ask: Client) -> None:
    receipt, store = reported(ask), service.services.store
    assert receipt["id"] in store.unscreened(1_000)
    ask(f"{API}/runs/{receipt['id']}", "DELETE", headers=bearer(receipt["edit_token"]))
    assert receipt["id"] not in store.unscreened(1_000)
    assert stands(store, receipt["id"]).state == "withdrawn"


def test_a_retry_gets_the_same_receipt_and_only_a_hash_is_kept(service: Service, ask: Client) -> None:
    once = {"Idempotency-Key": "0d6f3c9e-2f4e-4b0a-9d1c-5a6b7c8d9e0f"}
    first = reported(ask, **once)
    assert reported(ask, **once) == first
    kept = repr(service.services.store.run(first["id"]))
    assert first["edit_token"] not in kept
    assert ask(f"{API}/runs/{first['id']}", "DELETE", headers=bearer(first["edit_token"])).status_code == 200


def test_one_edit_token_opens_nothing_else(ask: Client) -> None:
    mine, other = reported(ask), reported(ask)
    assert ask(f"{API}/runs/{other['id']}", "DELETE", headers=bearer(mine["edit_token"])).status_code == 403


def test_a_revoked_contributors_edit_token_is_over_too(service: Service, ask: Client) -> None:
    receipt = reported(ask, contributor(ask, "carl"))
    service.services.store.revoke_contributor("carl", by="operator", withdraw_runs=False)
    answer = ask(f"{API}/runs/{receipt['id']}", "DELETE", headers=bearer(receipt["edit_token"]))
    assert (answer.status_code, "revoked" in answer.json()["detail"]) == (403, True)


@pytest.mark.parametrize("name", ["x", "by-playbook", an_id("run", "nobody"), an_id("sub", "nobody"), "%00", "run_é"])
@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_an_unknown_id_is_404(ask: Client, name: str, method: str) -> None:
    answer = ask(f"{API}/runs/{name}", method)
    assert (answer.status_code, answer.json()["type"].partition("#")[2]) == (404, "not-found")


def test_the_addresses_of_files_are_still_files(ask: Client) -> None:
    for path in ("/runs", f"/runs?playbook={BOOK}", f"/runs/by-playbook/{BOOK}"):
        answer = ask(f"{API}{path}")
        assert (answer.status_code, "etag" in answer.headers) == (200, True), path


# Changes while it is queued


def test_a_queued_submission_is_changed_and_screened_as_it_is_then(service: Service, ask: Client) -> None:
    receipt = ask(f"{API}/submissions", "POST", json=SUBMISSION).json()
    name, mine, store = receipt["id"], bearer(receipt["edit_token"]), service.services.store
    changed = {**SUBMISSION, "title": "What it says now"}
    answer = ask(f"{API}/submissions/{name}", "PUT", json=changed, headers=mine)
    assert (answer.status_code, answer.json()["title"], answer.json()["status"]) == (200, changed["title"], "queued")
    assert [step["status"] for step in answer.json()["history"]] == ["queued", "queued"]
    assert "Changed</h3>" in ask(f"/submissions/?id={name}").text
    assert name in store.unscreened(1_000)
    store.screened(Review(name, 2, "editor", ()), reject=False)
    late = ask(f"{API}/submissions/{name}", "PUT", json=changed, headers=mine)
    assert late.status_code == 409
    assert "screened now; only what is queued or changes_requested can become que" in late.json()["detail"]


# Lists of what was sent


def test_a_contributor_lists_what_came_with_its_keys_newest_first(ask: Client) -> None:
    key = contributor(ask, "lister")
    runs = [reported(ask, key)["id"] for _ in range(5)]
    subs = [ask(f"{API}/submissions", "POST", json=SUBMISSION, headers=bearer(key)).json()["id"] for _ in range(2)]
    reported(ask)  # somebody else's
    for path, sent, table in (("runs", runs, "Own runs"), ("submissions", subs, "Own submissions")):
        found: list[str] = []
        query: dict[str, str] = {"limit": "2"}
        while True:
            page = ask(f"{API}/contributors/me/{path}", params=query, headers=bearer(key)).json()
            assert list(breaches(page, table)) == []
            assert page["total"] == len(sent)
            found += [item["id"] for item in page["items"]]
            if page["next"] is None:
                break
            query["after"] = page["next"]
        assert found == sorted(found, key=sent.index, reverse=True)
        assert set(found) == set(sent)
        whole = ask(f"{API}/contributors/me/{path}?after=", headers=bearer(key)).json()
        assert [item["id"] for item in whole["items"]] == found
        assert whole["items"][0] == ask(f"{API}/{path}/{found[0]}").json()


@pytest.mark.parametrize("path", ["runs", "submissions"])
def test_a_list_wants_a_key(ask: Client, path: str) -> None:
    assert ask(f"{API}/contributors/me/{path}").status_code == 401
    assert ask(f"{API}/contributors/me/{path}", headers=bearer("edt_" + "0" * 43)).status_code == 401


@pytest.mark.parametrize(
    ("query", "errors"),
    [
        ("limit=0", [("/limit", "greater-than-equal")]),
        ("limit=101", [("/limit", "less-than-equal")]),
        ("limit=x", [("/limit", "int-parsing")]),
        ("after=x", [("/after", "not-allowed")]),
        (f"after={an_id('sub', 1)}", [("/after", "unknown-id")]),
        (f"after={an_id('run', 'nobody')}", [("/after", "unknown-id")]),
        ("page=2", [("/page", "unknown-key")]),
        ("limit=1&limit=2", [("/limit", "repeated")]),
        (
            "limit=0&after=x&page=2",
            [("/limit", "greater-than-equal"), ("/after", "not-allowed"), ("/page", "unknown-key")],
        ),
    ],
)
def test_a_page_that_no_list_has_is_422_with_every_place(
    ask: Client, keys: dict[str, str], query: str, errors: list[tuple[str, str]]
) -> None:
    answer = ask(f"{API}/contributors/me/runs?{query}", headers=bearer(keys["bea"]))
    assert answer.status_code == 422
    assert [(error["pointer"], error["code"]) for error in answer.json()["errors"]] == errors


def test_anothers_id_begins_no_page(ask: Client, keys: dict[str, str]) -> None:
    theirs = reported(ask, keys["ann"])["id"]
    answer = ask(f"{API}/contributors/me/runs?after={theirs}", headers=bearer(keys["bea"]))
    assert (answer.status_code, theirs in answer.text) == (422, False)
