"""`playbooks search`: the answers of `GET /search` for a terminal, every option, and no site to search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import cli
from library.content.formatting import canonical
from tests.builders import put
from tests.contract.fields import breaches
from tests.rich import HOSTILE, a_book, write_rich_content
from tests.service import Client, a_service
from tests.trees import built


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built site, and its content beside it."""
    folder = tmp_path_factory.mktemp("search")
    content = write_rich_content(folder)
    hostile = a_book(title="Zebras <b>and</b> `others`", summary=f"``{HOSTILE}``")
    put(content, "playbooks/zebras.yaml", canonical(hostile, "playbooks/zebras.yaml"))
    return folder


@pytest.fixture(scope="module")
def site(folder: Path) -> Path:
    built(folder / "content", folder / "site", site_url="http://playbooks.test")
    return folder / "site"


def run(site: Path, *arguments: str) -> Result:
    result = CliRunner().invoke(cli.main, ["search", "--out", str(site), *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


@pytest.mark.slow
def test_words_give_titles_slugs_and_what_they_are(site: Path) -> None:
    result = run(site, "flaky", "tests")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert "found, the best" in lines[0]
    assert lines[1] == "- `fix-flaky-tests`: Fix flaky tests (playbook, tested)"
    assert lines[2] == "  Find the cause of a flaky test, remove it."
    assert "- `older`: Rerun until green (playbook, reported, deprecated)" in result.output


@pytest.mark.slow
def test_a_filter_that_nothing_has_is_named(site: Path) -> None:
    lines = run(site, "flaky", "tests", "--agent", "curser").output.splitlines()
    assert lines == ["0 found", "Nothing here has the agent “curser”; did you mean 'cursor'?"]


@pytest.mark.parametrize(
    ("options", "slugs"),
    [
        (["--type", "lesson"], {"stress-run-is-green-without-the-fix-too"}),
        (["--agent", "cursor"], {"fix-flaky-tests"}),
        (["--category", "software", "--type", "playbook", "--min-trust", "tested"], {"fix-flaky-tests"}),
        (["--limit", "1"], {"fix-flaky-tests"}),
        (["--min-trust", "confirmed"], set()),
        (["--agent", "nobody"], set()),
        (["--category", "no such"], set()),
    ],
)
def test_each_option_narrows(site: Path, options: list[str], slugs: set[str]) -> None:
    words = ["stress", "run"] if "lesson" in options else ["flaky", "tests"]
    answer = json.loads(run(site, *words, *options, "--json").output)
    assert {item["slug"] for item in answer["items"]} == slugs


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked",
    [
        {"q": "flaky testz"},
        {"q": "tests", "type": "playbook", "agent": "claude-code", "category": "software", "min_trust": "reported"},
        {"q": "run", "limit": "1"},
        {"q": "zzzz"},
    ],
)
def test_json_is_what_the_service_answers(site: Path, folder: Path, asked: dict[str, str]) -> None:
    service = a_service(folder, content=folder / "content", out=site)
    live = Client(service)("/api/v1/search", params=asked)
    service.close()
    options = [part for name, value in asked.items() if name != "q" for part in (f"--{name.replace('_', '-')}", value)]
    told = run(site, asked["q"], *options, "--json").output
    assert told.encode() == live.content + b"\n"
    assert list(breaches(json.loads(told), "Search answer")) == []


def test_a_word_typed_wrong_is_said(site: Path) -> None:
    assert "Did you mean: flaky tests" in run(site, "flaky", "testz").output


@pytest.mark.parametrize("words", ['"', "*:*", "AND", "the of", "🎹", "كيف", "(.*)+$", "x" * 500, "../..", "%s{0}"])
def test_odd_words_are_only_words(site: Path, words: str) -> None:
    result = run(site, "--", words)
    assert result.exit_code == 0
    assert "found" in result.output.splitlines()[0]


def test_what_a_terminal_would_obey_is_not_printed(site: Path) -> None:
    output = run(site, "zebras").output
    assert "zebras" in output
    assert all(line.isprintable() for line in output.splitlines())


@pytest.mark.parametrize(
    "wrong", [[], [" "], ["x", "--limit", "51"], ["x", "--type", "book"], ["x", "--min-trust", "high"]]
)
def test_wrong_use_is_2_and_a_sentence(site: Path, wrong: list[str]) -> None:
    result = run(site, *wrong)
    assert result.exit_code == 2
    assert "Error" in result.output


def test_a_query_in_whooshs_language_says_what_may_be_found(site: Path) -> None:
    def slugs(*arguments: str) -> list[str]:
        return [item["slug"] for item in json.loads(run(site, *arguments, "--json").output)["items"]]

    assert slugs("--query", "type:playbook AND title:flaky") == ["fix-flaky-tests"]
    lessons = slugs("green", "--query", "type:lesson")
    assert lessons
    assert lessons == slugs("green", "--type", "lesson")
    assert slugs("flaky", "--query", "NOT (type:playbook OR type:lesson OR type:task)") == []
    assert run(site, "--query", "category:software").exit_code == 2


def test_a_task_gives_its_playbook_ready_to_use(site: Path) -> None:
    def found(*arguments: str, task: str = "") -> Result:
        return CliRunner().invoke(cli.main, ["find", "--out", str(site), *arguments], input=task)

    words = found("my tests are flaky", "--agent", "cursor").output
    assert words.startswith("# Fix flaky tests")
    assert "## Prompt for cursor" in words
    assert json.loads(found("-", "--json", task="flaky tests, again and again").output)["slug"] == "fix-flaky-tests"
    assert "No playbook here fits this task." in found("zyzzyva qwrtpsd").output
    assert found("-", task=" ").exit_code == 2


def test_without_a_site_it_says_what_to_do(tmp_path: Path) -> None:
    for out in (tmp_path / "none", tmp_path):
        result = run(out, "flaky")
        assert result.exit_code == 2
        assert "run `playbooks build`" in result.output
