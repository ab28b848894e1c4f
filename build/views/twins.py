"""The markdown twins of pages that list records, and of the documents. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from library.interface.answers import AgentAnswer, CategoryAnswer, TaskAnswer

from .project_docs import DOCS, DocShown
from .rendering import Desk
from .renditions import bullets, document, heading, line
from .structs import ListShown, Row

_TO_DOC = re.compile(r"\]\(/docs/([a-z-]+)/(#[^)\s]*)?")


def listing(desk: Desk, shown: ListShown) -> bytes:
    """The markdown twin of a category's, a job's or an agent's page."""
    return document(_listing(desk, shown)).encode()


def _listing(desk: Desk, shown: ListShown) -> Iterator[str]:
    subject = shown.subject
    if not isinstance(subject, CategoryAnswer | TaskAnswer | AgentAnswer):
        raise TypeError(subject)
    yield f"# {heading(subject.name)}"
    yield line(subject.summary)
    if isinstance(subject, AgentAnswer):
        yield bullets([f"Made by: {subject.vendor}", f"Its own page: {subject.url}", f"Approved runs: {subject.runs}"])
    if isinstance(subject, TaskAnswer) and shown.parent:
        top = desk.addresses.markdown("categories", shown.parent.slug)
        yield f"Category: [{heading(shown.parent.title)}]({top})"
    yield "## Playbooks"
    yield bullets(entry(desk, row) for row in shown.rows) or "There is none yet."
    if shown.tasks:
        yield "## Jobs"
        yield bullets(
            f"[{heading(task.name)}]({desk.addresses.markdown('tasks', task.slug)}): {line(task.summary)}"
            for task in sorted(shown.tasks, key=lambda task: task.name)
        )


def entry(desk: Desk, row: Row) -> str:
    """A playbook as one item of a list: a link to its markdown, what it does, its trust and its risk."""
    state = "" if row.status == "active" else f" {row.status.capitalize()}."
    link = f"[{heading(row.title)}]({desk.addresses.markdown('playbooks', row.slug)})"
    return f"{link}:{state} {line(row.summary)} Trust: {row.trust}; risk: {row.risk}."


def doc(desk: Desk, shown: DocShown) -> bytes:
    """A document as it is written; its links within the site are whole addresses, of markdown where there is some."""
    text = _TO_DOC.sub(
        lambda found: f"](/docs/{found[1]}.md{found[2] or ''}" if found[1] in DOCS else found[0], shown.text
    )
    text = text.replace("](/", f"]({desk.addresses.site_url}/")
    return document([f"# {shown.title}", text]).encode()
