"""Every static answer has the fields, types and order of the tables in `docs/interface.md`, which are read here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from library.interface.answers import PlaybookAnswer
from library.records.fields import SLUG
from tests.contract.fields import TABLES, breaches

SPECIFIED = (
    "slug title task category agents summary outcome difficulty time cost risk risk_note human_checkpoints prompt"
    " variants needs steps failures evidence references tested related relatedComputed tags updated contributors trust"
    " lessonSlugs runs url markdown_url skill_url report_url provenance_note"
).split()
"""The fields of the user's specification, in its order: the one list that the document must not lose."""


def answer(api: Path, name: str) -> dict[str, Any]:
    value: dict[str, Any] = orjson.loads((api / f"{name}.json").read_bytes())
    return value


def test_the_document_holds_every_specified_field() -> None:
    named = [field.name for field in TABLES["Playbook"] if not field.ours or field.name in ("failures", "evidence")]
    assert named == SPECIFIED
    assert [
        field.name for field in TABLES["Run statistics"]
    ] == "approved worked withChanges failed pending reporters lastReport versions withdrawn_count more".split()
    assert not [field.name for field in TABLES["Playbook"] if field.optional and field.name in SPECIFIED]


def test_every_playbook_is_what_the_document_says(api: Path) -> None:
    names = [path.stem for path in (api / "playbooks").glob("*.json")]
    assert names
    for name in names:
        book = answer(api, f"playbooks/{name}")
        assert list(breaches(book, "Playbook", name)) == []
        assert book["slug"] == name


@pytest.mark.parametrize(
    ("path", "table"),
    [
        ("playbooks", "Playbook summary"),
        ("agents", "Agent"),
        ("tasks", "Task"),
        ("lessons", "Lesson"),
        ("runs", "Run report (read)"),
    ],
)
def test_every_list_is_what_the_document_says(api: Path, path: str, table: str) -> None:
    value = answer(api, path)
    assert set(value) == {"total", "items"} | {{"tasks": "categories", "runs": "next"}.get(path, "total")}
    assert value["total"] == len(value["items"])
    for index, item in enumerate(value["items"]):
        assert list(breaches(item, table, f"{path}[{index}]")) == []
    if path == "runs":
        assert [item["reported"] for item in value["items"]] == sorted(
            (item["reported"] for item in value["items"]), reverse=True
        )
    else:
        slugs = [item["slug"] for item in value["items"]]
        assert slugs == sorted(slugs)
        assert all(SLUG.fullmatch(slug) for slug in slugs)


def test_categories_and_stats_are_what_the_document_says(api: Path) -> None:
    for item in answer(api, "tasks")["categories"]:
        assert list(breaches(item, "Category")) == []
    stats = answer(api, "stats")
    assert list(breaches(stats, "Stats")) == []
    assert stats["playbook_count"] == answer(api, "playbooks")["total"] == sum(stats["by_trust"].values())
    assert stats["runs"]["approved"] == stats["runs"]["worked"] + stats["runs"]["withChanges"] + stats["runs"]["failed"]
    books = [answer(api, f"playbooks/{item['slug']}") for item in answer(api, "playbooks")["items"]]
    assert stats["evidence_count"] == sum(len(book["evidence"]) for book in books)


def test_a_comparison_is_what_the_document_says(api: Path) -> None:
    compared = [answer(api, f"compare/{path.stem}") for path in sorted((api / "compare").iterdir())]
    assert compared
    for job in compared:
        assert list(breaches(job, "Comparison")) == []
        for row in job["agents"]:
            assert row["worked"] == sum(ends["worked"] for ends in row["by_source"].values())


def test_single_records_are_the_items_of_their_lists(api: Path) -> None:
    for kind in ("agents", "lessons", "tasks", "categories"):
        for item in answer(api, kind)["items"]:
            assert answer(api, f"{kind}/{item['slug']}") == item
    for item in answer(api, "playbooks")["items"]:
        book = answer(api, f"playbooks/{item['slug']}")
        counts = {name: book["runs"][name] for name in item["runs"]}
        assert {**item, "runs": counts} == {name: book[name] for name in item if name != "runs"} | {
            "runs": item["runs"]
        }
        runs = answer(api, f"runs/by-playbook/{item['slug']}")
        assert runs["total"] == book["runs"]["approved"]
        for run in runs["items"]:
            assert list(breaches(run, "Run report (read)")) == []
        told = answer(api, f"playbooks/{item['slug']}/trust")
        assert list(breaches(told, "Trust")) == []
        assert (told["trust"], told["version"]) == (book["trust"], book["version"])
        assert book["trust_url"].endswith(f"/playbooks/{item['slug']}/trust")


def test_lists_by_agent_category_task_and_trust_have_the_playbooks_that_they_name(api: Path) -> None:
    books = answer(api, "playbooks")["items"]
    stats = answer(api, "stats")
    kinds = {"agent": "agents", "category": "categories", "task": "tasks"}
    known = {what: [item["slug"] for item in answer(api, kind)["items"]] for what, kind in kinds.items()}
    known["trust"] = list(stats["by_trust"])
    names = {"agent": lambda book: book["agents"], "task": lambda book: [book["task"]["slug"]]}
    for what, slugs in known.items():
        for slug in slugs:
            named = names.get(what, lambda book, what=what: [book[what]])
            told = answer(api, f"playbooks/by-{what}/{slug}")
            wanted = [book for book in books if slug in named(book)]
            assert told == {"total": len(wanted), "items": wanted[:100], "prev": None, "next": None}


def test_every_link_of_a_record_is_a_file(api: Path) -> None:
    top = answer(api, "index")["links"]["playbooks"].removesuffix("/api/v1/playbooks")
    items = [item for kind in ("playbooks", "agents", "lessons", "tasks") for item in answer(api, kind)["items"]]
    for item in [*items, *answer(api, "categories")["items"]]:
        assert item["url"] == item["links"]["page"]
        for name, address in item["links"].items():
            file = address.removeprefix(f"{top}/")
            file += "index.html" if name == "page" else ".json" if name in ("self", "playbooks") else ""
            assert (api.parents[1] / file).is_file(), address


def test_what_names_others_names_what_is_there(api: Path) -> None:
    slugs = {
        kind: {item["slug"] for item in answer(api, kind)["items"]}
        for kind in ("playbooks", "agents", "tasks", "lessons")
    }
    for slug in slugs["playbooks"]:
        book = answer(api, f"playbooks/{slug}")
        assert book["task"]["slug"] in slugs["tasks"]
        assert set(book["agents"]) <= slugs["agents"]
        assert set(book["related"]) | set(book["relatedComputed"]) <= slugs["playbooks"] - {slug}
        assert set(book["lessonSlugs"]) <= slugs["lessons"]


def test_the_model_and_the_document_name_the_same_fields() -> None:
    fields = [info.alias or name for name, info in PlaybookAnswer.model_fields.items()]
    assert fields == [field.name for field in TABLES["Playbook"]]


def test_the_index_names_paths_that_are_there(api: Path) -> None:
    links = answer(api, "index")["links"]
    assert {"playbooks", "agents", "tasks", "lessons", "stats", "runs", "search"} <= links.keys()
    for link in links.values():
        path = link.partition("/api/v1/")[2]
        if not {"{", "?"} & set(path):
            assert (api / f"{path.removesuffix('.json')}.json").is_file()
