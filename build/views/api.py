"""The machine-readable answers: what is shown, as JSON bytes. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from library.interface.answers import (
    PROVENANCE_NOTE,
    AgentAnswer,
    AgentList,
    ChangeAnswer,
    FailureAnswer,
    Index,
    LessonList,
    PlaybookAnswer,
    TaskList,
    answer_of,
)
from library.records.models import Playbook, Site
from library.records.vocabulary import Status

from .addresses import Addresses
from .changes import DescribedChange
from .figures import StatsShown
from .structs import Everything, LessonShown, ListShown, PlaybookShown, Summaries

API_VERSION = "0.1.0"


def playbook_answer(
    book: Playbook, shown: PlaybookShown, addresses: Addresses, told: Sequence[DescribedChange] = ()
) -> PlaybookAnswer:
    """One playbook as it is answered.

    A withdrawn one is a tombstone: its prompt and steps are gone, its reason stays.
    """
    withdrawn = book.status is Status.WITHDRAWN
    return answer_of(
        PlaybookAnswer,
        book,
        **({"prompt": "", "variants": (), "steps": ()} if withdrawn else {}),
        slug=shown.slug,
        task=shown.task,
        category=shown.category.slug,
        failures=tuple(answer_of(FailureAnswer, item) for item in book.failures),
        related_computed=tuple(link.slug for link in shown.related_computed),
        trust=shown.verdict.level,
        lesson_slugs=tuple(link.slug for link in shown.lessons),
        runs=shown.runs,
        url=addresses.page("playbooks", shown.slug),
        markdown_url=addresses.markdown("playbooks", shown.slug),
        skill_url=addresses.skill(shown.slug),
        report_url=addresses.reports,
        provenance_note=PROVENANCE_NOTE,
        verdict=shown.verdict.sentence,
        trust_reasons=shown.verdict.reasons,
        trust_next=shown.verdict.missing,
        version=shown.version,
        history=tuple(_change(item) for item in told),
    )


def _change(item: DescribedChange) -> ChangeAnswer:
    change = item.change
    return ChangeAnswer(
        commit=change.commit,
        at=change.time,
        kind=change.kind,
        title=change.title,
        by=change.by or None,
        former=change.former or None,
        fields=item.fields,
        words=item.words,
    )


def playbooks(shown: Summaries) -> bytes:
    """`GET /playbooks`: a `PlaybookList`, joined from its items."""
    return b'{"total":%d,"items":[%b]}' % (len(shown.items), b",".join(shown.items))


def agents(shown: Everything) -> bytes:
    """`GET /agents`."""
    return AgentList(total=len(shown.agents), items=shown.agents).json_bytes()


def tasks(shown: Everything) -> bytes:
    """`GET /tasks`."""
    return TaskList(total=len(shown.tasks), items=shown.tasks, categories=shown.categories).json_bytes()


def lessons(shown: Everything) -> bytes:
    """`GET /lessons`."""
    return LessonList(total=len(shown.lessons), items=tuple(shown.lessons)).json_bytes()


def stats(shown: StatsShown) -> bytes:
    """`GET /stats`."""
    return shown.stats.json_bytes()


def one_agent(shown: ListShown) -> bytes:
    """`GET /agents/{slug}`."""
    if not isinstance(shown.subject, AgentAnswer):
        raise TypeError(shown.subject)
    return shown.subject.json_bytes()


def one_lesson(shown: LessonShown) -> bytes:
    """`GET /lessons/{slug}`."""
    return shown.lesson.json_bytes()


def index(site: Site, paths: list[tuple[str, str]]) -> bytes:
    """`GET /`: where everything is; `paths` are (name, path below the base address)."""
    links = {name: f"{site.base_url}{path}" for name, path in paths}
    return Index(title=site.title, version=API_VERSION, links=links).json_bytes()
