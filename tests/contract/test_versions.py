"""Every version that a playbook ever had can be read again, whatever form its file had then."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from build.views.routes import API
from library.interface.finding import ASK_FIRST
from server.app import Service
from tests.builders import BOOK, TODAY, put
from tests.generator.test_history import NAME, Repository
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
