"""An edit touches what shows it, and nothing else is looked at."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from build import cache
from build.facts import Facts
from build.history import NO_HISTORY
from build.memory import Memory
from build.pipeline import Settings, build
from build.reading import library_of, read_site, read_sources
from build.settings import TEMPLATES
from build.touched import Touched, touched
from build.unchanged import content_stats
from library.problems import ContentError
from tests.builders import BOOK, TODAY
from tests.rich import write_rich_content
from tests.trees import built, tree


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """The rich library, built once."""
    content = write_rich_content(tmp_path)
    built(content, tmp_path / "site")
    return content


def looked_at(content: Path) -> Touched | None:
    """Whom the edits since that build touch."""
    state = cache.load((content.parent / "site").resolve().parent / "state")
    assert state is not None
    sources = read_sources(content, TODAY, state, 1, None, content_stats(content))
    library, _ = library_of(sources, read_site(content, TODAY, None), {})
    facts = Facts(library, sources.digests, NO_HISTORY, state.near, sources.changed_books)
    return touched(state, facts, sources)


def _that_name(slug: str, out: Path) -> set[str]:
    """The playbooks whose pages name another one."""
    answers = [json.loads(path.read_bytes()) for path in (out / "api/v1/playbooks").glob("*.json")]
    named = {item["slug"]: [*item["related"], *item["relatedComputed"], item.get("replaced_by")] for item in answers}
    return {name for name, others in named.items() if slug in others}


def replaced(content: Path, name: str, old: str, new: str) -> None:
    path = content / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_nothing_is_touched_where_nothing_changed(content: Path) -> None:
    found = looked_at(content)
    assert found is not None
    assert not {*found.listed, *found.playbooks, *found.lessons}


def test_a_cost_touches_its_playbook_and_those_that_name_it(content: Path) -> None:
    replaced(content, f"playbooks/{BOOK}.yaml", "cost: ", "cost: Now ")
    found = looked_at(content)
    assert found is not None
    assert set(found.listed) == {BOOK}
    assert set(found.playbooks) == {BOOK, *_that_name(BOOK, content.parent / "site")}


def test_a_lesson_touches_the_pages_that_name_it_and_no_list_of_playbooks(content: Path) -> None:
    lesson = next(path for path in sorted((content / "lessons").iterdir()) if f"- {BOOK}" in path.read_text())
    replaced(content, f"lessons/{lesson.name}", "title: ", "title: Again ")
    found = looked_at(content)
    assert found is not None
    assert not found.listed
    assert BOOK in found.playbooks
    assert set(found.lessons) == {lesson.stem}


@pytest.mark.parametrize("name", ["agents/claude-code.yaml", "categories.yaml", f"tasks/{BOOK}.yaml"])
def test_what_may_show_anywhere_touches_everything(content: Path, name: str) -> None:
    replaced(content, name, "name: ", "name: Another ")
    assert looked_at(content) is None


def test_another_process_that_built_meanwhile_is_noticed(content: Path) -> None:
    out, memory = content.parent / "site", Memory()
    told = Settings(content, out, TODAY, jobs=1, memory=memory)
    replaced(content, f"playbooks/{BOOK}.yaml", "cost: ", "cost: First ")
    build(told)
    replaced(content, f"playbooks/{BOOK}.yaml", "cost: First ", "cost: Second ")
    built(content, out)
    replaced(content, f"playbooks/{BOOK}.yaml", "time: ", "time: Third ")
    build(told)
    built(content, content.parent / "cold", fresh=True)
    assert tree(out) == tree(content.parent / "cold")


def test_templates_of_a_build_that_failed_are_not_used_once_they_are_taken_back(content: Path) -> None:
    templates = Path(shutil.copytree(TEMPLATES, content.parent / "templates"))
    told = Settings(content, content.parent / "site", TODAY, jobs=2, templates=templates, memory=Memory())
    build(told)
    base = (templates / "base.html").read_text(encoding="utf-8")
    (templates / "base.html").write_text(base.replace("<footer", "<footer data-tried", 1), encoding="utf-8")
    replaced(content, f"playbooks/{BOOK}.yaml", "cost: ", "odd: x\ncost: ")
    with pytest.raises(ContentError):
        build(told)
    (templates / "base.html").write_text(base, encoding="utf-8")
    replaced(content, f"playbooks/{BOOK}.yaml", "odd: x\ncost: ", "cost: Again ")
    build(told)
    assert b"data-tried" not in (told.out / f"playbooks/{BOOK}/index.html").read_bytes()
