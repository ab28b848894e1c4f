"""Every version that a playbook ever had can be read again, whatever form its file had then."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from skills_ref import read_properties, validate

from build.views.pages import MOST_CHANGES
from build.views.routes import API
from library.interface.finding import ASK_FIRST
from server.app import Service
from tests.builders import BOOK, TODAY, put
from tests.generator.test_history import NAME, Repository
from tests.mcpserver.conftest import Asker
from tests.mcpserver.test_offers import to_read
from tests.rich import a_book
from tests.service import HERE, Client, a_service
from tests.trees import built, tree

OLD = """
title: Mend flaky tests
prompt: Look into it.
steps:
  - Look.
  - title: Mend
    detail: Quickly.
unknown: [1, {2: 3}]
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("versions")
    repository = Repository(folder / "repository")
    put(repository.content, NAME, OLD)
    repository.commit("An old form")
    put(repository.content, NAME, "title: [not, a, record")
    repository.commit("None at all")
    repository.put("Ask kindly", prompt="Please mend {{repository}}.")
    repository.put("Only the summary", prompt="Please mend {{repository}}.", summary="Another.")
    repository.put("As it is now")
    built(repository.content, folder / "site", TODAY, site_url=HERE)
    service = a_service(folder, content=repository.content, out=folder / "site")
    yield service
    service.close()


@pytest.fixture
def ask(service: Service) -> Client:
    return Client(service)


def test_every_version_is_listed_by_the_last_change_that_left_it(ask: Client) -> None:
    found = ask(f"{API}/playbooks/{BOOK}/versions").json()
    book = ask(f"{API}/playbooks/{BOOK}").json()
    assert (found["slug"], found["present"], found["total"]) == (BOOK, book["version"], 4)
    assert [item["title"] for item in found["items"]] == ["As it is now", "Only the summary", "An old form", "Begin"]
    assert [item.get("text", {}).get("prompt") for item in found["items"][:3]] == [
        None,
        "Please mend {{repository}}.",
        "Look into it.",
    ]
    old = found["items"][2]["text"]
    assert [step["title"] for step in old["steps"]] == ["Look.", "Mend"]
    assert (old["variants"], old["human_checkpoints"]) == ([], [])


def test_each_is_read_alone_in_json_and_in_words(ask: Client) -> None:
    found = ask(f"{API}/playbooks/{BOOK}/versions").json()
    for item in found["items"]:
        address = f"{API}/playbooks/{BOOK}/versions/{item['version']}"
        alone = ask(address).json()
        assert {**alone, "text": item.get("text", alone["text"])} == {**item, "text": alone["text"]}
        words = ask(address, headers={"Accept": "text/markdown"})
        assert words.headers["content-type"] == "text/markdown; charset=utf-8"
        assert alone["text"]["prompt"].strip() in words.text
        assert ASK_FIRST in words.text
    present = ask(f"{API}/playbooks/{BOOK}/versions/{found['present']}").json()
    assert present["text"]["prompt"] == a_book()["prompt"]


def test_each_says_what_the_next_one_changed(ask: Client) -> None:
    items = ask(f"{API}/playbooks/{BOOK}/versions").json()["items"]
    told = [item.get("next_version") for item in items]
    assert told[0] is None
    assert told[1] == {"version": items[0]["version"], "changed": ["Summary: changed", "Prompt: changed"]}
    assert told[2] == {"version": items[1]["version"], "changed": []}  # between the two the file was no record
    assert told[3] == {"version": items[2]["version"], "changed": told[3]["changed"]}
    assert "Prompt: changed" in told[3]["changed"]
    words = ask(f"{API}/playbooks/{BOOK}/versions/{items[1]['version']}", headers={"Accept": "text/markdown"}).text
    assert f"## What the next version changed, {items[0]['version']}\n- Summary: changed\n- Prompt: changed" in words


def test_each_in_words_is_an_instruction_file(ask: Client, tmp_path: Path) -> None:
    for number, item in enumerate(ask(f"{API}/playbooks/{BOOK}/versions").json()["items"]):
        words = ask(f"{API}/playbooks/{BOOK}/versions/{item['version']}", headers={"Accept": "text/markdown"}).text
        folder = tmp_path / str(number) / BOOK
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(words, encoding="utf-8")
        assert validate(folder) == []
        assert read_properties(folder).metadata == {"version": item["version"]}


def test_any_two_are_compared(ask: Client) -> None:
    present, summary, old, begin = ask(f"{API}/playbooks/{BOOK}/versions").json()["items"]
    one = ask(f"{API}/playbooks/{BOOK}/versions/{summary['version']}?since={old['version']}").json()["since"]
    assert one["version"] == old["version"]
    assert {"Title: changed", "Prompt: changed"} <= set(one["changed"])
    prompt = next(item for item in one["differences"] if item["field"] == "prompt")
    assert (prompt["done"], prompt["text"]) == (
        "changed",
        "[-Look-]{+Please+} [-into-]{+mend+} [-it.-]{+{{repository}}.+}",
    )
    back = ask(f"{API}/playbooks/{BOOK}/versions/{old['version']}?since={summary['version']}").json()["since"]
    assert next(item for item in back["differences"] if item["field"] == "prompt")["text"] == (
        "[-Please-]{+Look+} [-mend-]{+into+} [-{{repository}}.-]{+it.+}"
    )
    address = f"{API}/playbooks/{BOOK}/versions/{present['version']}?since={begin['version'].upper()}"
    words = ask(address, headers={"Accept": "text/markdown"}).text
    assert f"## What it says otherwise than {begin['version']}\n- " in words
    shouted = f"{API}/playbooks/{BOOK}/versions/{present['version'].upper()}"
    assert ask(shouted).json()["version"] == present["version"]
    same = ask(f"{API}/playbooks/{BOOK}/versions/{old['version']}?since={old['version']}").json()["since"]
    assert (same["changed"], same["differences"]) == ([], [])


@pytest.mark.parametrize(
    ("since", "status"), [("0" * 12, 404), ("x", 422), ("1 or 1", 422), ("<script>", 422), ("f" * 10_000, 422)]
)
def test_what_cannot_be_compared_is_refused(ask: Client, since: str, status: int) -> None:
    present = ask(f"{API}/playbooks/{BOOK}").json()["version"]
    assert ask(f"{API}/playbooks/{BOOK}/versions/{present}?since={since}").status_code == status


def test_the_page_shows_each_beside_the_present_one(ask: Client) -> None:
    page = ask(f"/playbooks/{BOOK}/versions/").text
    for number, item in enumerate(ask(f"{API}/playbooks/{BOOK}/versions").json()["items"]):
        assert f'<li id="v-{item["version"]}">' in page
        assert page.count(f'<option value="{item["version"]}"') == 2
        assert ("What the present version says otherwise" in page.split(f'id="v-{item["version"]}"')[1]) or number == 3
    assert "<del>Look</del>" in page
    assert f'href="/playbooks/{BOOK}/versions/"' in ask(f"/playbooks/{BOOK}/").text
    for without in ("write-tests", "gone"):
        assert ask(f"/playbooks/{without}/versions/").status_code == 404


def test_a_version_is_a_skill_over_mcp(service: Service, ask: Client) -> None:
    for item in ask(f"{API}/playbooks/{BOOK}/versions").json()["items"]:
        uri = f"skill://{BOOK}/versions/{item['version']}/SKILL.md"
        (read,) = Asker(service)(to_read(uri)).contents
        address = f"{API}/playbooks/{BOOK}/versions/{item['version']}"
        assert read.text == ask(address, headers={"Accept": "text/markdown"}).text
        assert read.mime_type == "text/markdown"


def test_two_versions_are_compared_over_mcp(service: Service, ask: Client) -> None:
    present, summary, *_ = ask(f"{API}/playbooks/{BOOK}/versions").json()["items"]
    result = Asker(service).call("get_playbook", slug=BOOK, since=summary["version"].upper())
    assert result.structured_content["version"] == present["version"]
    assert result.structured_content["since"]["changed"] == ["Prompt: changed"]
    assert "notes" not in result.structured_content
    assert f"## What it says otherwise than {summary['version']}" in result.content[0].text
    refused = Asker(service).call("get_playbook", slug=BOOK, since="0" * 12)
    assert refused.is_error
    assert "has no version '000000000000'. Known are " in refused.content[0].text


def test_a_version_is_read_over_mcp(service: Service) -> None:
    asker = Asker(service)
    items = Client(service)(f"{API}/playbooks/{BOOK}/versions").json()["items"]
    old = asker.call("get_playbook", slug=BOOK, version=items[2]["version"].upper())
    found, words = old.structured_content, old.content[0].text
    assert (found["version"], found["prompt"], found["slug"]) == (items[2]["version"], "Look into it.", BOOK)
    assert found["next_version"] == items[2]["next_version"]
    assert "## Steps\n1. **Look.**" in words
    assert items[0]["version"] in found["notes"][0]
    present = asker.call("get_playbook", slug=BOOK, version=items[0]["version"])
    assert present.structured_content == asker.call("get_playbook", slug=BOOK).structured_content


@pytest.mark.parametrize(("slug", "said"), [(BOOK, "Known are "), ("gone", "No version of it is kept.")])
def test_a_version_that_there_never_was_is_refused_over_mcp(service: Service, slug: str, said: str) -> None:
    result = Asker(service).call("get_playbook", slug=slug, version="0" * 12)
    assert result.is_error
    assert said in result.content[0].text


@pytest.mark.parametrize(
    "path", [f"{BOOK}/versions/{'0' * 12}", "gone/versions/x", "no-such/versions/x", "A/versions/1"]
)
def test_what_it_never_had_is_not_found(ask: Client, path: str) -> None:
    assert ask(f"{API}/playbooks/{path}").status_code == 404


def test_of_a_withdrawn_playbook_nothing_comes_back(ask: Client) -> None:
    found = ask(f"{API}/playbooks/gone/versions").json()
    assert (found["items"], found["withdrawn"]) == ([], "It was unsafe.")


def test_two_builds_say_the_same(service: Service, tmp_path: Path) -> None:
    first = tree(service.site.out)[f"api/v1/playbooks/{BOOK}/versions.json"]
    built(service.site.out.parent / "repository/content", tmp_path / "again", TODAY, site_url=HERE)
    assert tree(tmp_path / "again")[f"api/v1/playbooks/{BOOK}/versions.json"] == first


def test_the_first_of_many_versions_is_still_read(tmp_path: Path) -> None:
    """A playbook shows its twenty latest changes; what it said before each of them stays."""
    repository = Repository(tmp_path / "repository")
    for number in range(MOST_CHANGES + 2):
        repository.put(f"Once more {number}", prompt=f"Please mend {{{{repository}}}} in {number} ways.")
    built(repository.content, tmp_path / "site", TODAY, site_url=HERE)
    site = tree(tmp_path / "site")
    found = json.loads(site[f"api/v1/playbooks/{BOOK}/versions.json"])
    assert (found["total"], found["whole"]) == (MOST_CHANGES + 3, True)
    assert "in 0 ways" in found["items"][-2]["text"]["prompt"]
    book = json.loads(site[f"api/v1/playbooks/{BOOK}.json"])
    assert len(book["history"]) == MOST_CHANGES
    assert {item["version"] for item in found["items"]} <= set(book["known_versions"])


def test_a_version_that_no_report_can_name_is_one_error(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repository")
    repository.put("Again", prompt="Please mend {{repository}} again.")
    service = a_service(tmp_path, content=repository.content)
    ask = Client(service)
    report = {"playbook": BOOK, "agent": "claude-code", "outcome": "worked"}
    for sent, code in {"1.0": "version", "": "empty", "ffffffffffff": "unknown-version", 12: "string-type"}.items():
        answer = ask(f"{API}/runs", "POST", json={**report, "playbook_version": sent})
        found = [(one["pointer"], one["code"]) for one in answer.json()["errors"]]
        assert (answer.status_code, found) == (422, [("/playbook_version", code)])
    service.close()
