"""`playbooks sent`: what was sent, where it stands, and taking it back, asked of the real service."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import cli
from tests import calls
from tests.builders import BOOK
from tests.faults.http_server import playbooks_serve
from tests.rich import write_rich_content

RUN = {"playbook": BOOK, "agent": "claude-code", "outcome": "worked"}
SUBMISSION = {"title": "Tune a piano", "body": "Somebody asked for this job."}
UNKNOWN = "run_" + "a" * 26
TOKEN = "edt_" + "0" * 43


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("sent")
    with playbooks_serve(write_rich_content(folder), folder) as served:
        yield f"http://127.0.0.1:{served.address.port}/api/v1"


@pytest.fixture
def ann(api: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """The key of a new contributor, who runs the commands of a test."""
    monkeypatch.setenv("PLAYBOOKS_URL", api)
    handle = f"ann-{tmp_path.name.replace('_', '-')[:30].rstrip('-')}"
    key = str(calls.post(f"{api}/contributors", json={"handle": handle}).json()["api_key"])
    monkeypatch.setenv("PLAYBOOKS_KEY", key)
    return key


def sent(*arguments: str) -> Result:
    result = CliRunner().invoke(cli.main, ["sent", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def posted(api: str, path: str, body: Any, key: str = "") -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    receipt: dict[str, Any] = calls.post(f"{api}/{path}", json=body, headers=headers).json()
    return receipt


@pytest.mark.slow
def test_what_was_sent_with_a_key_is_listed_and_one_is_shown(api: str, ann: str) -> None:
    assert "Nothing was sent" in sent().output
    run, submission = posted(api, "runs", RUN, ann), posted(api, "submissions", SUBMISSION, ann)
    listed = sent().output.splitlines()
    assert {line.split()[0] for line in listed} == {run["id"], submission["id"]}
    told = json.loads(sent("--format", "json").output)
    assert [item["id"] for item in told["runs"]] == [run["id"]]
    assert [item["id"] for item in told["submissions"]] == [submission["id"]]
    one = sent(run["id"]).output
    assert f"run of {BOOK}" in one
    assert "pending by sender" in one


@pytest.mark.slow
def test_it_is_taken_back_by_the_key_or_the_edit_token(api: str, ann: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run, submission = posted(api, "runs", RUN, ann), posted(api, "submissions", SUBMISSION)
    assert "withdrawn by sender" in sent(run["id"], "--withdraw").output
    again = sent(run["id"], "--withdraw")
    assert (again.exit_code, "is withdrawn now" in again.output) == (1, True)
    refused = sent(submission["id"], "--withdraw")
    assert (refused.exit_code, "edit token" in refused.output) == (1, True)
    monkeypatch.delenv("PLAYBOOKS_KEY")
    assert sent(submission["id"], "--withdraw", "--token", submission["edit_token"]).exit_code == 0
    assert "withdrawn" in sent(submission["id"]).output


@pytest.mark.slow
@pytest.mark.usefixtures("ann")
def test_an_id_that_nothing_has_is_told() -> None:
    result = sent(UNKNOWN)
    assert (result.exit_code, "There is no run report with this id; the receipt" in result.output) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "mend"),
    [
        (["x"], "it is run_ or sub_ and 26"),
        (["--withdraw"], "playbooks sent ID --withdraw"),
        ([UNKNOWN, "--token", TOKEN], "--token only goes with --withdraw"),
        ([UNKNOWN, "--withdraw", "--token", "pbl_x"], "it is edt_ and 43"),
        ([], "a key in PLAYBOOKS_KEY or --key-file"),
        ([UNKNOWN, "--withdraw", "--token", TOKEN, "--base-url", "http://library.test"], "https only"),
    ],
)
def test_what_cannot_be_asked_is_told_with_its_mend(
    arguments: list[str], mend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PLAYBOOKS_KEY", raising=False)
    monkeypatch.setenv("PLAYBOOKS_URL", "http://127.0.0.1:9")
    result = sent(*arguments)
    assert (result.exit_code, mend in result.output) == (2, True), result.output
