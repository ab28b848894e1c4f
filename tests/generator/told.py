"""Renditions of a playbook and a lesson with a text in every place that takes one, and which no check has seen."""

from __future__ import annotations

from itertools import pairwise

from markdown_it import MarkdownIt

from build.facts import Facts
from build.views import page_contexts
from build.views.pages import PlaybookPage, playbook_answer
from build.views.rendering import RenderEnvironment
from build.views.renditions import lesson_markdown, playbook_markdown, skill
from library.records.collection import Library, entry
from tests.builders import BOOK, a_lesson, a_library, a_playbook

STEPS = 11
"""So many that their numbers have two digits."""


def renditions_of(text: str) -> dict[str, str]:
    """The markdown of a playbook, of its instruction file (without its head) and of a lesson."""
    line = " ".join(text.split())
    account = {"title": line, "url": "https://example.com/a", "platform": "blog", "agent": line, "author": line}
    book = a_playbook(
        title=line,
        summary=text,
        outcome=text,
        time=line,
        cost=line,
        risk_note=text,
        human_checkpoints=[text],
        prompt=text,
        variants=[{"agent": "claude-code", "prompt": text, "note": text}],
        needs=[{"name": line, "kind": "tool", "note": text}, {"name": line, "kind": "data"}],
        steps=[{"title": f"{line} {number}", "detail": text, "check": text} for number in range(STEPS)],
        failures=[{"problem": text, "fix": text}, {"problem": "It hangs.", "fix": text}],
        evidence=[{**account, "reported_outcome": text}],
        references=[{"title": line, "url": "https://example.com/r", "checked": "2026-11-01"}],
    )
    library: Library = a_library([entry(book)], lessons=[a_lesson(title=line, problem=text, fix=text)])
    facts = Facts(library)
    shown = page_contexts.playbook(facts, BOOK)
    answer = playbook_answer(book, shown, facts.addresses)
    lesson = page_contexts.lesson(facts, next(iter(library.lessons)))
    page = PlaybookPage(answer, shown)
    whole = skill(RenderEnvironment(library.site), page).decode()
    found = {"markdown": playbook_markdown(page).decode(), "skill": whole.split("\n---\n", 1)[1]}
    return {**found, "lesson": lesson_markdown(lesson).decode()}


def outline(markdown: str) -> list[str]:
    """The headings of parts that a reader of markdown sees, the elements and the definitions, in their order."""
    known: dict[str, object] = {}
    tokens = MarkdownIt("commonmark").parse(markdown, known)
    found = [after.content for token, after in pairwise(tokens) if token.type == "heading_open" and token.tag != "h1"]
    inner = [part for token in tokens for part in (token, *(token.children or ()))]
    return [*found, *(part.content for part in inner if part.type.startswith("html")), *map(str, known.values())]
