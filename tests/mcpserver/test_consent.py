"""Before something is sent, the user is asked by a client that can ask; no yes, nothing sent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp_types import ElicitRequestFormParams, ElicitRequestParams, ElicitResult, ErrorData

from server.app import Service
from tests.builders import BOOK
from tests.service import HERE

from .conftest import ERAS, LEGACY, Asker, problem, served
from .test_http import ENVELOPE, NEW, post
from .test_processes import on_stdio

RUN = {"playbook": BOOK, "agent": "claude-code", "outcome": "worked"}
YES = ElicitResult(action="accept", content={"send": True})


class User:
    """Answers every question in one way, and keeps the questions."""

    def __init__(self, answer: ElicitResult | ErrorData) -> None:
        self.answer = answer
        self.asked: list[str] = []

    async def __call__(self, context: object, params: ElicitRequestParams) -> ElicitResult | ErrorData:
        assert context
        assert isinstance(params, ElicitRequestFormParams)
        assert params.requested_schema["required"] == ["send"]
        self.asked.append(params.message)
        return self.answer


@pytest.fixture(params=ERAS)
def calls(request: pytest.FixtureRequest, service: Service) -> Callable[..., Any]:
    """Calls a tool in each era of the protocol, by the SDK's client, whose user answers."""

    def call(user: User, name: str, **sent: Any) -> Any:
        async def ask() -> Any:
            async with Client(
                Asker(service).server(), mode=request.param, raise_exceptions=True, elicitation_callback=user
            ) as client:
                return await client.call_tool(name, sent)

        return anyio.run(ask)

    return call


def sent_of(service: Service) -> int:
    return sum(service.services.store.pending_runs(()).values())


def test_after_a_yes_it_is_sent(service: Service, calls: Callable[..., Any]) -> None:
    user = User(YES)
    result = calls(user, "report_run", **RUN, lesson="Look first.\nagent: another", idempotency_key="a-key")
    assert result.structured_content["status"] == "pending"
    assert sent_of(service) == 1
    (question,) = user.asked
    assert question.splitlines() == [
        f"Report how a run went ({HERE})? An editor reads it, and it may be published.",
        f"playbook: {BOOK}",
        "agent: claude-code",
        "outcome: worked",
        "lesson: Look first.",
        "  agent: another",
    ]
    gone = calls(
        user, "withdraw", id=result.structured_content["id"], edit_token=result.structured_content["edit_token"]
    )
    assert gone.structured_content["status"] == "withdrawn"
    assert "This cannot be undone." in user.asked[1]
    assert "edt_" not in user.asked[1]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (ElicitResult(action="decline"), "said no: nothing was sent"),
        (ElicitResult(action="accept", content={"send": False}), "said no: nothing was sent"),
        (ElicitResult(action="accept"), "said no: nothing was sent"),
        (ElicitResult(action="cancel"), "gave no answer: nothing was sent"),
    ],
    ids=["no", "without the tick", "an empty form", "closed"],
)
def test_without_a_yes_nothing_is_sent_and_the_model_knows_why(
    service: Service, calls: Callable[..., Any], answer: ElicitResult, said: str
) -> None:
    result = calls(User(answer), "report_run", **RUN)
    assert (result.is_error, result.structured_content) == (True, None)
    assert said in result.content[0].text
    assert sent_of(service) == 0


def test_who_only_reads_is_not_asked(calls: Callable[..., Any]) -> None:
    user = User(YES)
    assert calls(user, "get_playbook", slug=BOOK).is_error is False
    assert user.asked == []


def test_nobody_is_asked_about_what_would_be_refused(calls: Callable[..., Any]) -> None:
    user = User(YES)
    assert problem(calls(user, "report_run", playbook=BOOK))["status"] == 422
    assert user.asked == []


def test_a_client_that_cannot_ask_sends_as_before(service: Service) -> None:
    for era in ERAS:
        assert Asker(service, era).call("report_run", **RUN).is_error is False
    assert sent_of(service) == len(ERAS)


def test_a_client_whose_question_fails_sends_nothing(service: Service) -> None:
    broken = User(ErrorData(code=-32603, message="no screen"))

    async def ask() -> Any:
        server = Asker(service).server()
        async with Client(server, mode=LEGACY, raise_exceptions=True, elicitation_callback=broken) as client:
            return await client.call_tool("report_run", RUN)

    assert "gave no answer: nothing was sent" in anyio.run(ask).content[0].text
    assert sent_of(service) == 0


@pytest.mark.slow
def test_a_yes_holds_for_the_question_alone(tmp_path: Path, site: tuple[Path, Path]) -> None:
    """Over HTTP a client of the newer protocol calls twice: with another report, the user is asked about that."""
    able = {**ENVELOPE, "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}}}
    with served(tmp_path, site) as (port, service):

        def answer(**params: Any) -> dict[str, Any]:
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
            told = {"Mcp-Method": "tools/call", "Mcp-Name": "report_run", **NEW}
            sent = post(port, {**body, "params": {"name": "report_run", "_meta": able, **params}}, **told)
            found: dict[str, Any] = sent.json()["result"]
            return found

        asked = answer(arguments=RUN)
        yes = {"inputResponses": {"consent": {"action": "accept", "content": {"send": True}}}}
        again = answer(arguments={**RUN, "outcome": "failed"}, requestState=asked["requestState"], **yes)
        assert [found["resultType"] for found in (asked, again)] == ["input_required"] * 2
        assert "outcome: failed" in again["inputRequests"]["consent"]["params"]["message"]
        assert sent_of(service) == 0
        done = answer(arguments=RUN, requestState=asked["requestState"], **yes)
        assert done["structuredContent"]["status"] == "pending"


@pytest.mark.slow
@pytest.mark.parametrize("era", ERAS)
def test_a_process_on_stdio_asks_too(tmp_path: Path, site: tuple[Path, Path], era: str) -> None:
    users = [User(ElicitResult(action="decline")), User(YES)]
    for user in users:
        result = on_stdio(
            ["--out", str(site[1]), "--var", str(tmp_path)],
            lambda client: client.call_tool("report_run", dict(RUN)),
            era,
            asks=user,
        )
        assert result.is_error is (user is users[0])
    assert [len(user.asked) for user in users] == [1, 1]
