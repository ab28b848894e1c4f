"""The machine-readable answers: what is shown, as JSON bytes. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from library.interface.answers import (
    PROVENANCE_NOTE,
    ChangeAnswer,
    FailureAnswer,
    Index,
    PlaybookAnswer,
    answer_of,
)
from library.records.models import Playbook, Site
from library.records.vocabulary import Status

from .addresses import Addresses
from .changes import DescribedChange
from .page_contexts import PlaybookContext, Summaries

API_VERSION = "0.1.0"


def playbook_answer(
    book: Playbook, shown: PlaybookContext, addresses: Addresses, changes: Sequence[DescribedChange] = ()
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
        history=tuple(_change(item) for item in changes),
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


def index(site: Site, paths: list[tuple[str, str]]) -> bytes:
    """`GET /`: where everything is; `paths` are (name, path below the base address)."""
    links = {name: f"{site.base_url}{path}" for name, path in paths}
    return Index(title=site.title, version=API_VERSION, links=links).json_bytes()
