"""The machine-readable answers: a context, as JSON bytes. Pure."""

from collections.abc import Iterator, Sequence

from library.interface.answers import (
    PROVENANCE_NOTE,
    ChangeAnswer,
    CheckScript,
    FailureAnswer,
    Index,
    PlaybookAnswer,
    ScriptAnswer,
    StepAnswer,
    answer_of,
)
from library.records.models import Playbook, Site
from library.records.vocabulary import Status
from library.rules.markdown import code_in
from library.rules.proofs import is_proven

from ..output.artifacts import digest
from .addresses import Addresses
from .changes import DescribedChange
from .page_contexts import PlaybookContext, ShippedScript, Summaries

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
        **({"prompt": "", "inputs": (), "variants": ()} if withdrawn else {}),
        steps=() if withdrawn else tuple(_steps(book, context, addresses)),
        scripts=() if withdrawn else tuple(_script(script, addresses) for script in context.scripts),
        proven=(not withdrawn and is_proven(context.proof)) or None,
        proof=None if withdrawn else context.proof,
        trial_runs=None if withdrawn else context.trial_runs,
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


def _steps(book: Playbook, context: PlaybookContext, addresses: Addresses) -> Iterator[StepAnswer]:
    """The steps, each with the script that it names first, its check before its detail."""
    scripts = {script.path: _script(script, addresses) for script in context.scripts}
    proven = {item.step for item in context.proof.checks} if context.proof and is_proven(context.proof) else ()
    for number, step in enumerate(book.steps, 1):
        spans = (*code_in(step.check), *code_in(step.detail)) if scripts else ()
        named = next((span for span in spans if span in scripts), "")
        script = answer_of(CheckScript, scripts[named]) if named else None
        yield answer_of(StepAnswer, step, check_script=script, proven=number in proven or None)


def _script(script: ShippedScript, addresses: Addresses) -> ScriptAnswer:
    body = script.text.encode()
    return ScriptAnswer(
        path=script.path,
        url=addresses.script(script.playbook, script.name),
        digest=f"sha256:{digest(body).hex()}",
        size=len(body),
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
