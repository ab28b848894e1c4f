"""Hostile texts all the way: sent, screened, shown to editors, accepted, published, built; and nobody obeys them."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import feedparser
import pytest
import yaml
from markdown_it import MarkdownIt

from library.content.formatting import format_files
from library.content.loading import check
from library.problems import Severity
from server.queue import ContentShelf
from tests.builders import BOOK, MINIMAL, PROMPT, TODAY, write_content
from tests.generator.told import outline, renditions_of
from tests.lengths import many
from tests.service import HERE
from tests.trees import tree
from tests.writeapi.review.hostile import MARK, Page, a_run, a_submission, obeyed
from tests.writeapi.review.hostile_desk import FIRST, NOT_IN_FILES, TEXTS, Desk
from tests.writeapi.review.outgoing import a_repository, branches, git
from tests.writeapi.store.builders import wall_clock
from writeapi.review.publishing.publish import publish
from writeapi.review.publishing.targets import is_place
from writeapi.review.services import ReviewServices
from writeapi.store import Store

pytestmark = pytest.mark.slow
COMMIT = re.compile(
    r"(?:Add|Change) (?:run report run_[a-z2-7]{26} for|playbook|lesson|task) [a-z0-9-]{1,64}(?: and \d more)?\n\n"
    r"Contributed-by: anonymous\nReviewed-by: ann\nSubmission: (?:run|sub)_[a-z2-7]{26}"
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Everything sent, screened, accepted and published, in three rounds: the last two are about the new playbooks."""
    made = Desk(tmp_path_factory.mktemp("hostile"))
    for name, (line, passage) in TEXTS.items():
        for kind in FIRST:
            made.send(kind, name, a_submission(kind, line, passage))
        made.send("run", name, a_run(line, passage, BOOK))
    made.decide(FIRST)
    made.keep_a_copy()
    made.publish()
    for number, (name, slug) in enumerate(made.books.items()):
        line, passage = TEXTS[name]
        made.send("correction", name, a_submission("correction", line, passage, playbook=slug))
        address = f"https://example.org/{number}"
        made.send("account", name, a_submission("use_case", line, passage, playbook=slug, source_url=address))
    for kind in ("correction", "account"):
        made.decide((kind,))
        made.publish()
    yield made
    made.service.close()


def pages_of(site: Path) -> dict[str, str]:
    """Every page of the site."""
    return {str(path.relative_to(site)): path.read_text() for path in site.rglob("*.html")}


def test_what_no_file_may_hold_is_refused_and_all_else_is_published(desk: Desk) -> None:
    assert {name for (_, name) in desk.refused} == NOT_IN_FILES
    assert {kind for (kind, _) in desk.refused} == {"playbook", "lesson", "use_case"}
    assert set(desk.books) == set(TEXTS) - NOT_IN_FILES
    for subject in desk.refused.values():
        assert desk.store.outbox(subject=subject) == []
    _, problems = check(desk.content, TODAY)
    assert [str(problem) for problem in problems if problem.severity is Severity.ERROR] == []
    assert {
        path.relative_to(desk.content).as_posix() for path in format_files((), desk.content, write=False)[0]
    } <= set(MINIMAL)


def test_files_have_names_of_the_fixed_forms_only(desk: Desk) -> None:
    before = set(tree(write_content(desk.folder / "before")))
    fresh = set(tree(desk.content)) - before
    assert len(fresh) > 4 * len(desk.books)
    assert [name for name in fresh if not is_place(name)] == []


def test_the_desk_shows_them_as_text(desk: Desk) -> None:
    for path in ("", "?kind=playbook", "on-its-way", "withdraw-playbook", *desk.ids.values()):
        desk.pages[path] = desk.ask(f"/review/{path}").text
    assert len(desk.pages) > 8 * len(desk.books)
    assert {path: obeyed(html) for path, html in desk.pages.items() if obeyed(html)} == {}
    for (kind, name), subject in desk.ids.items():
        if kind != "run":
            line, _ = TEXTS[name]
            assert line in Page(desk.ask(f"/submissions/?id={subject}").text).words
            assert desk.ask(f"/api/v1/submissions/{subject}").json()["title"].endswith(line)
            assert line.replace("\u200d", "U+200D") in Page(desk.pages[subject]).words, (kind, name)


def test_every_page_shows_them_as_text(desk: Desk) -> None:
    site = pages_of(desk.folder / "site")
    assert len(site) > 3 * len(desk.books)
    assert {path: obeyed(html) for path, html in site.items() if obeyed(html)} == {}
    for name, slug in desk.books.items():
        line, passage = TEXTS[name]
        page = Page(site[f"playbooks/{slug}/index.html"])
        assert line in page.words, name
        assert " ".join(passage.split()) in " ".join(page.words.split()), name
    shown = Page(site[f"playbooks/{BOOK}/index.html"]).words
    assert "1337" not in shown


def test_the_interface_answers_what_was_sent(desk: Desk) -> None:
    site = desk.folder / "site"
    for path in site.rglob("*.json"):
        json.loads(path.read_bytes())
    for name, slug in desk.books.items():
        line, passage = TEXTS[name]
        book = desk.ask(f"/api/v1/playbooks/{slug}").json()
        assert (book["title"], book["time"], book["cost"]) == (line, line, line)
        assert book["prompt"] in (passage, f"{passage}\n\n{PROMPT}")
        assert (book["risk_note"], book["human_checkpoints"][0]) == (passage, passage)
        assert (book["summary"], book["outcome"]) == (passage[:400], passage[:600])
        assert book["steps"][0]["detail"] == passage
        assert book["failures"][0] == {"problem": passage, "fix": passage}
        account = book["evidence"][-1]
        assert (account["title"], account["agent"], account["reported_outcome"]) == (line, line, passage)
    lessons = {item["title"] for item in desk.ask("/api/v1/lessons").json()["items"]}
    promoted = {f"{name}: {TEXTS[name][0]}" for kind, name in desk.ids if kind == "promoted"}
    assert len(promoted) > many(5, 10)
    assert lessons == {TEXTS[name][0] for name in desk.books} | promoted
    names = {item["name"] for item in desk.ask("/api/v1/tasks").json()["items"]}
    assert names >= {TEXTS[name][0] for name in desk.books}


def test_reports_answer_what_was_sent(desk: Desk) -> None:
    listed = {item["id"]: item for item in desk.ask(f"/api/v1/runs?playbook={BOOK}").json()["items"]}
    assert len(listed) == len(TEXTS)
    for name, (line, passage) in TEXTS.items():
        run = listed[desk.ids["run", name]]
        assert {run[field] for field in ("agent", "agent_version", "model", "reporter")} == {line}
        assert (run["what_changed"], run["lesson"], run["verified"]) == (passage, passage, False)


def test_feeds_and_the_site_map_are_whole(desk: Desk) -> None:
    site = desk.folder / "site"
    titles: set[str] = set()
    for path in site.rglob("*.xml"):
        ElementTree.fromstring(path.read_bytes())
    for path in site.rglob("feed.xml"):
        feed = feedparser.parse(path.read_bytes())
        assert feed.bozo is False
        assert all(entry.link.startswith(f"{HERE}/") for entry in feed.entries)
        root = ElementTree.fromstring(path.read_bytes())
        titles |= {node.text or "" for node in root.iter("{http://www.w3.org/2005/Atom}title")}
        assert all(node.attrib.keys() <= {"type"} and not len(node) for node in root.iter() if "summary" in node.tag)
    assert titles >= {TEXTS[name][0] for name in desk.books if not TEXTS[name][0].startswith("Text ")}


def test_prompts_stay_in_their_fences(desk: Desk) -> None:
    markdown = MarkdownIt("commonmark")
    for name, slug in desk.books.items():
        _, passage = TEXTS[name]
        skill = desk.ask(f"/skills/{slug}/SKILL.md").text
        head, body = skill.removeprefix("---\n").split("\n---\n", 1)
        values = yaml.safe_load(head)
        keys = ["name", "description", "license", "compatibility", "metadata"]
        assert (list(values), values["name"]) == (keys, slug), name
        assert {type(value) for value in (values["description"], *values["metadata"].values())} == {str}
        assert body.startswith("# "), name
        text = desk.ask(f"/playbooks/{slug}.md").text  # the skill has the prompt's steps as its own
        fences = [token.content for token in markdown.parse(text) if token.type == "fence" and token.info == "text"]
        assert any(" ".join(fence.split()).startswith(" ".join(passage.split())) for fence in fences), name


def test_commits_say_nothing_that_was_sent(desk: Desk) -> None:
    store = Store(f"sqlite:///{desk.folder / 'copy/queue.db'}", clock=wall_clock)
    top = a_repository(desk.folder / "copy/content")
    shelf = ContentShelf(top / "content", lambda: TODAY, HERE)
    review = ReviewServices(store, shelf, secrets.token_bytes)
    outcomes = list(publish(review, top / "content", branches(top)))
    store.close()
    assert {outcome.result for outcome in outcomes} == {"written"}
    published = {entry.file: entry for entry in desk.store.outbox("written")}
    first = git(top, "rev-parse", "main")
    for ref in git(top, "for-each-ref", "--format=%(refname)", "refs/heads/accepted").splitlines():
        assert re.fullmatch(r"refs/heads/accepted/(?:run|sub)_[a-z2-7]{26}", ref)
        assert COMMIT.fullmatch(git(top, "log", "-1", "--format=%B", ref)), ref
        assert git(top, "rev-parse", f"{ref}^") == first
        for file in git(top, "diff", "--name-only", first, ref).splitlines():
            assert is_place(file.removeprefix("content/"))
            assert file.removeprefix("content/") in published
    assert git(top, "status", "--porcelain") == ""
    assert not list(Path("/tmp").glob(f"{MARK}*"))


OPEN = {
    "tildes": "~~~ a",
    "ticks": "```\na",
    "a comment": "<!-- a",
    "HTML": "<pre>a",
    "a heading": "a\n\n## Prompt\n\nb",
}
"""Beginnings that have no end, and what looks like a part of ours."""


def test_a_reader_of_markdown_sees_our_headings() -> None:
    found = [heading for text in renditions_of("a").values() for heading in outline(text)]
    assert [found.count(name) for name in ("Prompt", "Report back", "What mends it")] == [1, 1, 1]


@pytest.mark.parametrize("text", OPEN.values(), ids=OPEN)
def test_a_text_does_not_reach_beyond_its_place_in_markdown(text: str) -> None:
    plain = renditions_of("a")
    for name, rendition in renditions_of(text).items():
        assert outline(rendition) == outline(plain[name]), name
