"""What is sent in: bounds, folds and refusals of the intake models."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from library.interface.intake import NewContributor, PlaybookPayload, RunReport, Submission

REPORT = {"playbook": "fix-flaky-tests", "agent": "claude-code", "outcome": "worked"}
PAYLOAD = {"title": "T", "agents": ["a"], "summary": "S", "prompt": "P", "steps": ["one"]}


def refused(model: Any, value: Any) -> set[str]:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(value)
    return {".".join(str(part) for part in error["loc"]) for error in caught.value.errors()}


@pytest.mark.parametrize(
    ("given", "minutes"), [(5, 5), (5.0, 5), ("5", 5), (" 30.0 ", 30), (0, 0), (525_600, 525_600), (None, None)]
)
def test_minutes_are_whole_numbers(given: Any, minutes: int | None) -> None:
    assert RunReport.model_validate({**REPORT, "duration_minutes": given}).duration_minutes == minutes


@pytest.mark.parametrize("given", ["5 minutes", "", True, 5.5, -1, 525_601, [], {}, 1e300])
def test_what_is_no_whole_number_of_minutes_is_refused(given: Any) -> None:
    assert any(
        place.startswith("duration_minutes") for place in refused(RunReport, {**REPORT, "duration_minutes": given})
    )


def test_a_report_needs_playbook_agent_and_outcome_and_knows_nothing_else() -> None:
    assert refused(RunReport, {"foo": 1}) == {"playbook", "agent", "outcome", "foo"}
    assert refused(RunReport, {**REPORT, "outcome": "great", "playbook": "x" * 201}) == {"outcome", "playbook"}
    assert refused(RunReport, {**REPORT, "agent": 5, "model": ["x"]}) == {"agent", "model"}
    assert refused(RunReport, {**REPORT, "agent": "x" * 129, "lesson": "x" * 8_193}) == {"agent", "lesson"}
    assert refused(RunReport, {**REPORT, "playbook_version": "123456789abg"}) == {"playbook_version"}


def test_line_ends_of_windows_are_folded() -> None:
    assert RunReport.model_validate({**REPORT, "lesson": "a\r\nb\rc"}).lesson == "a\nb\nc"


@pytest.mark.parametrize(
    "text",
    [
        *("a\0b", "a\x1bb", "a\u200bb", "a\u202eb", "a\u200fb", "a\ufeffb", "a\u200db", "\U000e0041"),
        *("\u3164", "a\u206a", "a\U0001d173b", "😊\ufe04\ufe09\ufe06\ufe07 a word in selectors"),
    ],
)
def test_what_a_reviewer_cannot_see_is_refused(text: str) -> None:
    assert refused(RunReport, {**REPORT, "lesson": text}) == {"lesson"}


@pytest.mark.parametrize(
    "text",
    ["می‌خواهم", "שלום!\u200f hello", "👩‍💻 worked", "☎\ufe0e ❤\ufe0f 1\ufe0f\u20e3", "naïve café", "हिन्दी", "日本語"],
)
def test_real_writing_is_taken(text: str) -> None:
    assert RunReport.model_validate({**REPORT, "lesson": text}).lesson == text


@pytest.mark.parametrize("handle", ["maintainers", "Publisher", "by-hand", "unnamed-ai-agent", "playbook-library"])
def test_nobody_takes_a_name_that_content_gives_somebody_else(handle: str) -> None:
    with pytest.raises(ValidationError, match="is reserved"):
        NewContributor.model_validate({"handle": handle})


@pytest.mark.parametrize("handle", ["ada", "Ada-L", "a1", "x" * 39, "a-b-c"])
def test_handles(handle: str) -> None:
    assert NewContributor.model_validate({"handle": handle}).handle == handle.lower()


@pytest.mark.parametrize(
    "handle", ["a", "x" * 40, "-a", "a-", "a--b", "a_b", "ädä", "İstanbul", "ａｄａ", "a b", "Admin", "me", 5, None, ""]
)
def test_what_is_no_handle(handle: Any) -> None:
    assert refused(NewContributor, {"handle": handle}) == {"handle"}


def test_mail_is_optional_and_looks_like_mail() -> None:
    assert NewContributor.model_validate({"handle": "ada", "email": "ada@example.com"}).email == "ada@example.com"
    for mail in ("ada", "ada@", "@x.y", "a b@c.de", "x" * 250 + "@example.com"):
        assert refused(NewContributor, {"handle": "ada", "email": mail}) == {"email"}


def test_a_submission_of_a_playbook_needs_its_payload() -> None:
    assert Submission.model_validate({"title": "T", "body": "B"}).kind == "use_case"
    assert refused(Submission, {"kind": "playbook", "title": "T", "body": "B"}) == {"payload"}
    sent = Submission.model_validate({"kind": "playbook", "title": "T", "body": "B", "payload": PAYLOAD})
    assert sent.payload == PlaybookPayload.model_validate(PAYLOAD)
    assert refused(Submission, {"title": "T", "body": "B", "payload": {**PAYLOAD, "steps": []}}) == {"payload.steps"}
    assert refused(Submission, {"title": "T", "body": "B", "source_url": "javascript:alert(1)"}) == {"source_url"}


def test_a_payload_needs_what_the_specification_says() -> None:
    assert refused(PlaybookPayload, {}) == {"title", "agents", "summary", "prompt", "steps"}
    whole = {
        **PAYLOAD,
        "job": "Fix flaky tests",
        "category": "software",
        "what_went_wrong": ["x"],
        "human_checkpoints": ["y"],
        "sources": ["https://example.com/"],
        "outcome": "O",
        "agent_version": "2",
        "time_taken": "1 h",
    }
    assert PlaybookPayload.model_validate(whole).model_dump(mode="json") == whole
