"""The machine-readable answers: a context, as JSON bytes. Pure."""

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
    book: Playbook, context: PlaybookContext, addresses: Addresses, changes: Sequence[DescribedChange] = ()
) -> PlaybookAnswer:
    """One playbook as it is answered.

    A withdrawn one is a tombstone: its prompt and steps are gone, its reason stays.
    """
    withdrawn = book.status is Status.WITHDRAWN
    return answer_of(
        PlaybookAnswer,
        book,
        **({"prompt": "", "variants": (), "steps": ()} if withdrawn else {}),
        slug=context.slug,
        task=context.task,
        category=context.category.slug,
        failures=tuple(answer_of(FailureAnswer, item) for item in book.failures),
        related_computed=tuple(link.slug for link in context.related_computed),
        trust=context.verdict.level,
        lesson_slugs=tuple(link.slug for link in context.lessons),
        runs=context.runs,
        url=addresses.page("playbooks", context.slug),
        markdown_url=addresses.markdown("playbooks", context.slug),
        skill_url=addresses.skill(context.slug),
        report_url=addresses.reports,
        provenance_note=PROVENANCE_NOTE,
        verdict=context.verdict.sentence,
        trust_reasons=context.verdict.reasons,
        trust_next=context.verdict.missing,
        version=context.version,
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


def playbooks(context: Summaries) -> bytes:
    """`GET /playbooks`: a `PlaybookList`, joined from its items."""
    return b'{"total":%d,"items":[%b]}' % (len(context.items), b",".join(context.items))


def index(site: Site, paths: list[tuple[str, str]]) -> bytes:
    """`GET /`: where everything is; `paths` are (name, path below the base address)."""
    links = {name: f"{site.base_url}{path}" for name, path in paths}
    return Index(title=site.title, version=API_VERSION, links=links).json_bytes()
