"""The tools: what each answers, in words and by its schema, and how errors are told."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from library.interface.answers import PROVENANCE_NOTE
from library.interface.finding import ASK_FIRST, BUDGET, tokens
from mcpserver.library import Peer
from mcpserver.server import INSTRUCTIONS
from mcpserver.tools import TOOLS
from server.app import Service
from tests.builders import BOOK, TODAY
from tests.rich import write_rich_content
from tests.service import HERE, a_service
from tests.service import Client as Http
from tests.trees import built

from .conftest import Asker, problem

WRITES = {"report_run", "submit", "withdraw"}
RUN = {"playbook": BOOK, "agent": "claude-code", "outcome": "worked"}
PAYLOAD = {"title": "Tune a piano", "agents": ["claude-code"], "summary": "By ear.", "prompt": "Do.", "steps": ["One."]}
PLAYBOOK = {"kind": "playbook", "title": "Tune a piano", "body": "How to.", "payload": PAYLOAD}


def pointers(result: Any) -> list[str]:
    return [item["pointer"] for item in problem(result)["errors"]]


def test_every_tool_says_what_it_is(asker: Asker) -> None:
    tools = asker(Client.list_tools).tools
    assert [tool.name for tool in tools] == [tool.name for tool in TOOLS]
    for tool in tools:
        assert tool.title
        assert tool.description
        assert tool.annotations
        assert tool.annotations.read_only_hint is (tool.name not in WRITES)
        assert (tool.annotations.destructive_hint is True) == (tool.name == "withdraw")
        assert tool.input_schema["type"] == "object"
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema
        assert tool.output_schema["type"] == "object"
        for stumbled_over in ('"$ref"', '"anyOf"', '"$defs"', '"null"'):
            assert stumbled_over not in tool.model_dump_json(), tool.name
    assert sum(len(tool.model_dump_json(exclude={"output_schema"}, by_alias=True)) for tool in tools) < 10_000
    report = next(tool for tool in tools if tool.name == "report_run")
    assert report.description
    assert "end user has agreed" in report.description
    assert "private data" in report.description
    assert ASK_FIRST in INSTRUCTIONS


def test_a_search_finds_playbooks_with_the_note(asker: Asker) -> None:
    result = asker.call("search_playbooks", q="flaky tests", type="playbook", limit=5)
    found = result.structured_content
    assert found["items"][0]["slug"] == BOOK
    assert found["provenance_note"] == PROVENANCE_NOTE
    assert BOOK in result.content[0].text
    assert PROVENANCE_NOTE in result.content[0].text
    assert not {"facets", "score", "highlights"} & {*found, *found["items"][0]}
    found = asker.call("search_playbooks", q="flaky tests", type="playbook", limit=5, detail="full").structured_content
    same = Http(asker.service)("/api/v1/search?q=flaky+tests&type=playbook&limit=5").json()
    assert {**same, "provenance_note": PROVENANCE_NOTE} == found


def test_a_task_finds_the_one_playbook_ready_to_use(asker: Asker) -> None:
    task = (
        "Job unit-tests is red again.\n" + "E   assert None\n" * 50 + "Our flaky tests fail only sometimes. Mend them."
    )
    result = asker.call("find_playbook", task=task, agent="Cursor")
    found, text = result.structured_content, result.content[0].text
    book = Http(asker.service)(f"/api/v1/playbooks/{BOOK}").json()
    assert (found["fits"], found["slug"], found["agent"]) == (True, BOOK, "cursor")
    assert found["prompt"] == book["variants"][0]["prompt"]
    assert found["then"]["arguments"] == {"playbook": BOOK, "playbook_version": book["version"], "agent": "cursor"}
    assert (found["then"]["tool"], found["then"]["still"]) == ("report_run", ["outcome"])
    for said in (book["title"], book["verdict"], found["prompt"].strip(), ASK_FIRST, *book["human_checkpoints"]):
        assert said in text
    assert tokens(text) <= BUDGET
    assert asker.call("find_playbook", task=task).structured_content["prompt"] == book["prompt"]


@pytest.mark.parametrize("name", ["find_playbook", "get_playbook"])
def test_an_agent_that_nobody_knows_is_said(asker: Asker, name: str) -> None:
    asked = {"find_playbook": {"task": "my tests are flaky"}, "get_playbook": {"slug": BOOK}}[name]
    result = asker.call(name, **asked, agent="Nobody's own")
    said = 'The library knows no agent named "Nobody\'s own"; this is the prompt for any agent.'
    assert said in result.structured_content["notes"]
    assert said in result.content[0].text
    assert "agent" not in result.structured_content
    for known in ("Claude Code", "cursor"):
        assert "knows no agent" not in asker.call(name, **asked, agent=known).content[0].text


def test_where_nothing_fits_the_answer_says_how_to_ask_for_it(asker: Asker) -> None:
    result = asker.call("find_playbook", task="Zyzzyva qwrtpsd")
    found, text = result.structured_content, result.content[0].text
    assert (found["fits"], found["nearest"]) == (False, [])
    assert found["then"]["arguments"] == {"kind": "use_case", "title": "Zyzzyva qwrtpsd"}
    assert "No playbook here fits this task." in text
    assert "Ask the user" in text


def test_a_playbook_is_read_by_its_sections(asker: Asker) -> None:
    usual = asker.call("get_playbook", slug=BOOK)
    assert {"prompt", "inputs", "steps", "failures", "human_checkpoints"} <= usual.structured_content.keys()
    assert not {"evidence", "history", "variants", "runs"} & usual.structured_content.keys()
    assert "## Steps" in usual.content[0].text
    assert "## Public accounts" not in usual.content[0].text
    some = asker.call("get_playbook", slug=BOOK, sections=["evidence"], agent="cursor")
    assert "prompt" not in some.structured_content
    assert some.structured_content["evidence"]
    assert "## Public accounts" in some.content[0].text
    assert "## Steps" not in some.content[0].text
    variant = asker.call("get_playbook", slug=BOOK, sections="prompt", agent="cursor")
    assert variant.structured_content["agent"] == "cursor"
    assert "## Prompt for cursor" in variant.content[0].text
    assert "## Prompt\n" not in variant.content[0].text


def test_a_list_is_ten_lines_unless_more_is_asked(asker: Asker) -> None:
    short = asker.call("list_lessons")
    assert all(item.keys() == {"slug", "title"} for item in short.structured_content["items"])
    assert len(short.content[0].text.splitlines()) == len(short.structured_content["items"]) + 1
    assert "Fix: " in asker.call("list_lessons", detail="full").content[0].text


def test_a_playbook_is_the_api_s_answer_and_the_markdown_twin(asker: Asker) -> None:
    result = asker.call("get_playbook", slug=BOOK, detail="full")
    http = Http(asker.service)
    assert result.structured_content == http(f"/api/v1/playbooks/{BOOK}").json()
    assert result.content[0].text == http(f"/playbooks/{BOOK}.md").text
    assert result.structured_content["provenance_note"] in result.content[0].text


def test_a_former_slug_leads_to_the_playbook(asker: Asker) -> None:
    assert asker.call("get_playbook", slug="old-flaky").structured_content["slug"] == BOOK


def test_a_filter_that_nothing_has_is_named(asker: Asker) -> None:
    found = asker.call("search_playbooks", q="flaky tests", agent="curser")
    note = "Nothing here has the agent “curser”; did you mean 'cursor'?"
    assert found.structured_content["notes"] == [note]
    assert note in found.content[0].text


def test_a_withdrawn_playbook_is_a_tombstone(asker: Asker) -> None:
    found = asker.call("get_playbook", slug="gone", detail="full").structured_content
    assert (found["status"], found["prompt"], found["steps"]) == ("withdrawn", "", [])


@pytest.mark.parametrize("kind", ["tasks", "agents", "lessons"])
def test_a_list_comes_in_pages_and_whole(asker: Asker, kind: str) -> None:
    whole = Http(asker.service)(f"/api/v1/{kind}").json()
    items: list[Any] = []
    cursor = None
    while True:
        found = asker.call(
            f"list_{kind}", limit=1, detail="full", **({"cursor": cursor} if cursor else {})
        ).structured_content
        assert found["total"] == whole["total"]
        assert len(found["items"]) == 1
        items += found["items"]
        cursor = found["next_cursor"]
        if cursor is None:
            break
    assert items == whole["items"]
    if kind == "tasks":
        assert found["categories"] == whole["categories"]


@pytest.mark.parametrize("cursor", ["x", "====", "YWdlbnRzCng=", "\x00", "é", "a" * 400])
def test_a_cursor_of_another_list_is_told(reading: Service, cursor: str) -> None:
    assert pointers(Asker(reading).call("list_tasks", cursor=cursor)) == ["/cursor"]


@pytest.mark.parametrize(
    ("name", "sent", "where"),
    [
        ("search_playbooks", {}, ["/q"]),
        ("search_playbooks", {"q": ""}, ["/q"]),
        ("search_playbooks", {"q": "  "}, ["/q"]),
        ("search_playbooks", {"q": "x", "type": "piano", "limit": "ten"}, ["/type", "/limit"]),
        ("search_playbooks", {"q": "x", "limit": [10], "nothing": 1}, ["/limit", "/nothing"]),
        ("search_playbooks", {"q": ["x"]}, ["/q"]),
        ("search_playbooks", {"q": "x", "min_trust": "high"}, ["/min_trust"]),
        ("get_playbook", {}, ["/slug"]),
        ("get_playbook", {"slug": ""}, ["/slug"]),
        ("get_playbook", {"slug": "x" * 301}, ["/slug"]),
        ("get_playbook", {"slug": {"a": 1}}, ["/slug"]),
        ("get_playbook", {"slug": None}, ["/slug"]),
        ("list_agents", {"limit": True}, ["/limit"]),
        ("report_run", {}, ["/playbook", "/agent", "/outcome"]),
        ("report_run", {**RUN, "outcome": "maybe", "what": 1}, ["/outcome", "/what"]),
        ("report_run", {**RUN, "playbook": "no-such"}, ["/playbook"]),
        ("report_run", {**RUN, "lesson": "write to grace.hopper@navy.mil"}, ["/lesson"]),
        ("report_run", {**RUN, "idempotency_key": "a b"}, ["/idempotency_key"]),
        ("report_run", {**RUN, "idempotency_key": "x\r\ny: z"}, ["/idempotency_key"]),
        ("submit", {"kind": "playbook", "title": "x", "body": "y"}, ["/payload"]),
        ("submit", {**PLAYBOOK, "payload": {**PAYLOAD, "steps": [1]}}, ["/payload/steps/0"]),
        ("submission_status", {"id": ""}, ["/id"]),
        ("withdraw", {"id": "run_/../x"}, ["/id"]),
        ("withdraw", {"id": "run_x", "edit_token": "x"}, ["/id", "/edit_token"]),
        ("submission_status", {"id": "../runs"}, ["/id"]),
        ("submission_status", {"id": "me?x=1"}, ["/id"]),
        ("submission_status", {"id": "\x00"}, ["/id"]),
        ("submission_status", {"id": "é"}, ["/id"]),
        ("withdraw", {"edit_token": "pbl_x"}, ["/id", "/edit_token"]),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    reading: Service, name: str, sent: dict[str, Any], where: list[str]
) -> None:
    result = Asker(reading).call(name, **sent)
    told = problem(result)
    assert sorted(pointers(result)) == sorted(where)
    assert told["status"] == 422
    assert told["type"].startswith(f"{HERE}/docs/errors/#")
    for item in told["errors"]:
        assert item["pointer"] in result.content[0].text
        assert item["detail"] in result.content[0].text


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("get_playbook", {"slug": "no-such-playbook"}),
        ("get_playbook", {"slug": "../x"}),
        ("get_playbook", {"slug": "..%2fx"}),
        ("get_playbook", {"slug": "a\x00b"}),
        ("get_playbook", {"slug": "x" * 65}),
        ("submission_status", {"id": "sub_" + "a" * 26}),
        ("submission_status", {"id": "run_" + "a" * 26}),
        ("withdraw", {"id": "sub_" + "a" * 26}),
        ("withdraw", {"id": "run_" + "a" * 26}),
    ],
)
def test_what_is_not_there_is_404(reading: Service, name: str, sent: dict[str, Any]) -> None:
    assert problem(Asker(reading).call(name, **sent))["status"] == 404


def test_an_unknown_tool_is_an_error_of_the_protocol(asker: Asker) -> None:
    with pytest.raises(MCPError, match=r"Unknown tool: nothing\. Known are find_playbook") as error:
        asker.call("nothing")
    assert error.value.code == -32602


def nested(depth: int) -> Any:
    value: Any = "x"
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "sent", [{"x": "y" * 2_000_000}, {"x": nested(200)}, {"x": [0] * 50_000}, {"\ud800": "x"}, {"x": 10**400}]
)
@pytest.mark.parametrize("name", ["search_playbooks", "report_run", "submit"])
def test_huge_and_odd_arguments_are_answered(reading: Service, name: str, sent: dict[str, Any]) -> None:
    result = Asker(reading).call(name, **sent)
    assert problem(result)["status"] in (400, 413, 422)
    assert len(result.model_dump_json()) < 20_000


@pytest.mark.parametrize(
    "q", ["\x00", "*:*", "AND", '"', "🎹", "بيانو", "(a OR", "a" * 500, "\ud7ff\uffff", "\ud800", "the of and", ".*"]
)
def test_odd_questions_are_answered(reading: Service, q: str) -> None:
    result = Asker(reading).call("search_playbooks", q=q)
    assert result.is_error or result.structured_content["total"] >= 0
    assert "internal" not in result.content[0].text


@pytest.mark.slow
def test_a_new_build_is_seen_at_once(tmp_path: Path) -> None:
    content = write_rich_content(tmp_path)
    with closing(a_service(tmp_path, content=content)) as service:
        asker = Asker(service)
        assert asker.call("get_playbook", slug=BOOK).structured_content["title"].startswith("Fix flaky")
        book = content / f"playbooks/{BOOK}.yaml"
        book.write_text(book.read_text().replace("title: Fix flaky tests", "title: Mend flaky tests", 1))
        built(content, service.site.out, TODAY, site_url=HERE)
        assert asker.call("get_playbook", slug=BOOK).structured_content["title"].startswith("Mend flaky")
        assert "Mend flaky" in asker(Client.list_resources).resources[0].title


@pytest.mark.slow
def test_without_an_index_everything_else_works(tmp_path: Path) -> None:
    with closing(a_service(tmp_path)) as service:
        (service.site.out.resolve().parent / "index").unlink()
        result = Asker(service).call("search_playbooks", q="x")
        assert problem(result)["status"] == 503
        assert Asker(service).call("get_playbook", slug=BOOK).is_error is False


def test_a_run_is_reported_by_the_contributor_whose_key_it_is(service: Service) -> None:
    key = Http(service)("/api/v1/contributors", "POST", json={"handle": "ann"}).json()["api_key"]
    caller = Peer(("192.0.2.1", 1), ((b"authorization", f"Bearer {key}".encode()),))
    asker = Asker(service, caller=caller)
    run = asker.call("report_run", **RUN, lesson="Look first.").structured_content
    sent = asker.call("submit", **PLAYBOOK).structured_content
    assert run["status"] == "pending"
    kept = service.services.store.run(run["id"])
    assert kept
    assert (kept.reporter, kept.lesson, kept.outcome) == ("ann", "Look first.", "worked")
    submission = service.services.store.submission(sent["id"])
    assert submission
    assert (submission.reporter, submission.kind, submission.title) == ("ann", "playbook", "Tune a piano")
    for name, state in ((sent["id"], "queued"), (run["id"], "pending")):
        status = asker.call("submission_status", id=name)
        assert status.structured_content["status"] == state
        assert state in status.content[0].text
        gone = asker.call("withdraw", id=name)
        assert gone.structured_content["status"] == "withdrawn"
        assert problem(asker.call("withdraw", id=name))["status"] == 409


@pytest.mark.parametrize(("tool", "sent"), [("report_run", RUN), ("submit", {"title": "A job", "body": "So."})])
def test_an_edit_token_withdraws_what_it_came_with(service: Service, tool: str, sent: dict[str, Any]) -> None:
    key = Http(service)("/api/v1/contributors", "POST", json={"handle": tool.replace("_", "-")}).json()["api_key"]
    asker = Asker(service, caller=Peer(("192.0.2.1", 1), ((b"authorization", f"Bearer {key}".encode()),)))
    receipt = Asker(service).call(tool, **sent).structured_content
    assert problem(asker.call("withdraw", id=receipt["id"]))["status"] == 403
    gone = asker.call("withdraw", id=receipt["id"], edit_token=receipt["edit_token"])
    assert (gone.is_error, gone.structured_content["status"]) == (False, "withdrawn")
    assert receipt["edit_token"] not in gone.content[0].text


def test_the_edit_token_is_shown_to_its_sender(service: Service) -> None:
    result = Asker(service).call("submit", title="A job", body="What I want.")
    token = result.structured_content["edit_token"]
    assert token in result.content[0].text
    gone = Http(service)(
        f"/api/v1/submissions/{result.structured_content['id']}", "DELETE", headers={"Authorization": f"Bearer {token}"}
    )
    assert gone.json()["status"] == "withdrawn"


def test_a_call_that_is_repeated_with_its_key_is_taken_once(service: Service) -> None:
    asker = Asker(service)
    one, other = (asker.call("report_run", **RUN, idempotency_key="a-key").structured_content for _ in range(2))
    assert one == other
    changed = asker.call("report_run", **{**RUN, "outcome": "failed"}, idempotency_key="a-key")
    assert problem(changed)["status"] == 422
    assert asker.call("report_run", **RUN).structured_content["id"] != one["id"]


@pytest.mark.parametrize("header", [b"Bearer pbl_nothing", b"Bearer \xe9\xff", b"Basic eDp5", b""])
def test_a_key_that_is_none_is_refused_never_anonymous(service: Service, header: bytes) -> None:
    caller = Peer(("192.0.2.1", 1), ((b"authorization", header),))
    assert problem(Asker(service, caller=caller).call("report_run", **RUN))["status"] == 401


def test_limits_are_those_of_the_caller(making: Any) -> None:
    with making(write_limits="2 per minute") as service:
        ann, bea = (Asker(service, caller=Peer((address, 1))) for address in ("192.0.2.1", "192.0.2.2"))
        assert [ann.call("report_run", **RUN).is_error for _ in range(3)] == [False, False, True]
        refused = ann.call("report_run", **RUN)
        assert problem(refused)["status"] == 429
        assert "try again in" in refused.content[0].text
        seconds = problem(refused)["retry_after"]
        assert 1 <= seconds <= 60
        assert f"Retry-After: {seconds} seconds." in refused.content[0].text
        assert bea.call("report_run", **RUN).is_error is False
        assert ann.call("get_playbook", slug=BOOK).is_error is False
