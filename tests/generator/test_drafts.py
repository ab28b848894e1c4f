"""Drafts in a build: nothing of them is anywhere, and a record that becomes one, or is none any more, is followed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from build.views.draft import draft_page
from build.views.rendering import RenderEnvironment
from library.content.loading import load, read_bytes
from library.content.new import KINDS
from library.content.new import body as begun
from library.problems import Problem
from library.records.collection import Library
from library.records.models import Site
from tests.builders import BOOK, LESSON, PLAYBOOK, TODAY, put, titled, write_content
from tests.generator.edits import World
from tests.rich import write_rich_content
from tests.trees import built, tree

DRAFT = "status: draft\n"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return load(write_content(tmp_path_factory.mktemp("known")), TODAY)


@cache
def env(site: Site) -> RenderEnvironment:
    return RenderEnvironment(site)


def page_of(library: Library, file: str, body: str | bytes, problems: list[Problem] | None = None) -> str:
    raw = body.encode() if isinstance(body, str) else body
    reading = read_bytes(raw, file, TODAY)
    told = [*reading.problems, *reading.left] if problems is None else problems
    page = draft_page(env(library.site), library, file, raw, told)
    assert page is not None
    return page.decode()


@pytest.mark.slow
def test_a_build_with_drafts_is_the_same_as_one_without(tmp_path: Path) -> None:
    content = write_rich_content(tmp_path)
    built(content, tmp_path / "without", release=True)
    book = next((content / "playbooks").glob("*.yaml")).read_text()
    for kind in ("playbooks", "lessons", "tasks", "agents"):
        put(content, f"{kind}/zz-later.yaml", f'title: "TODO: zebra"\n{DRAFT}')
    put(content, "playbooks/zz-done.yaml", f"{titled(book, 'Zebra')}{DRAFT}" if "status:" not in book else DRAFT)
    built(content, tmp_path / "with", release=True)
    assert tree(tmp_path / "with") == tree(tmp_path / "without")
    built(content, tmp_path / "without", release=True)
    assert tree(tmp_path / "with") == tree(tmp_path / "without"), "built on what was there before"


@pytest.mark.slow
def test_a_record_that_becomes_a_draft_leaves_every_page_and_comes_back(tmp_path: Path) -> None:
    other = titled(PLAYBOOK, "Tune a piano")
    files = {
        "playbooks/tune.yaml": other,
        f"playbooks/{BOOK}.yaml": f"{PLAYBOOK}related:\n  - tune\n",
        "lessons/a.yaml": LESSON.replace("  - fix", "  - tune\n  - fix"),
    }
    world = World(tmp_path, write_content(tmp_path, files))
    whole = world.edit("site")
    assert whole.playbooks == 2
    for body, count in ((f"{other}{DRAFT}", 1), (other, 2), (f"{other}{DRAFT}", 1)):
        put(world.content, "playbooks/tune.yaml", body)
        assert world.edit("site").playbooks == count
        world.build("cold")
        assert world.differences("site", "cold") == []
        text = (tmp_path / "site" / "playbooks" / BOOK / "index.html").read_text()
        assert ("/playbooks/tune/" in text) == (count == 2)
    assert "tune" not in (tmp_path / "site" / "api/v1/lessons/a.json").read_text().replace("tuned", "")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_what_new_writes_is_shown_at_once(library: Library, kind: str) -> None:
    file = f"{kind}s/later.yaml"
    text = page_of(
        library, file, begun(kind, file, {"name" if kind in ("task", "agent") else "title": "Tune it"}, TODAY)
    )
    assert "Tune it</h1>" in text or "Tune it</span>" in text
    assert "<strong>Draft.</strong>" in text
    assert 'name="robots" content="noindex"' in text
    assert text.count("is still to be written") >= 2
    assert "Still to be written" in text


@pytest.mark.parametrize(
    "body",
    ["", "- a\n", "just text\n", b"\xff\xfe\0a", "title: [\n", "title: {a: b}\n", "steps: none\n", "steps: [1, {}]\n",
     "steps:\n  - title: One\n", "agents: []\n", "prompt: {{repository}}\n", "a: &a [*a]\n", "\t", "variants: [{}]\n",
     "needs:\n  - name: x\n    kind: nothing\n", "updated: never\n", "evidence: [{url: x}]\n", "tested: [{}]\n",
     f"related: [{BOOK}, nobody]\nreplaced_by: nobody\nfailures: [{{problem: p, fix: f, lesson: nobody}}]\n",
     "related: [nobody]\ntask: nothing\nagents: [nobody]\n", "status: [draft]\n", "status: gone\n"],
)  # fmt: skip
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_a_file_holds_there_is_a_page(library: Library, kind: str, body: str | bytes) -> None:
    assert "<strong>Draft.</strong>" in page_of(library, f"{kind}s/later.yaml", body)


def test_what_can_be_read_of_a_broken_file_is_shown(library: Library) -> None:
    body = PLAYBOOK.replace("risk: low", 'risk: "low').replace("title: Fix", "title: Mend")
    text = page_of(library, f"playbooks/{BOOK}.yaml", body)
    assert "Mend flaky tests</h1>" in text
    assert "Run the test a hundred times." in text
    assert "Low risk" not in text, "a risk that nobody chose is none"


def test_nothing_of_a_broken_file_is_markup(library: Library) -> None:
    bad = "<script>alert(1)</script>"
    body = (
        f'title: {bad}\nsummary: "{bad}"\n{bad}: x\nrisk: {bad}\nsteps:\n  - {bad}: {bad}\n    title: "</pre>{bad}"\n'
    )
    problem = Problem(f"{bad}.yaml", (bad,), "x", f"{bad}\x1b[31m")
    for problems in (None, [problem]):
        text = page_of(library, "playbooks/later.yaml", body, problems)
        assert bad not in text
        assert "&lt;script&gt;" in text
        assert "\x1b" not in text
