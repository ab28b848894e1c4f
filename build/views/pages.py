"""A playbook and its versions as they are answered, and the pages for people that are more than a template. Pure."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType

from markupsafe import Markup

from library.content.changes import DescribedChange, Difference, described, record_of, versions_of
from library.content.history import EMPTY
from library.interface import answers
from library.interface.answers import FormerVariant, VersionAnswer, answer_of
from library.interface.errors import MEANINGS, RUN_MEANINGS
from library.interface.versions import text_differences
from library.records.models import Playbook, version_of
from library.records.trials import SkillScript
from library.records.vocabulary import NeedKind, Status
from library.rules.markdown import code_in
from library.rules.trust import is_proven

from ..facts import Addresses
from . import lists, page_contexts
from .rendering import PROSE, RenderEnvironment

MOST_CHANGES = 20  # so many of its latest changes a playbook shows; every version is in the list of its versions


def playbook_answer(
    book: Playbook,
    context: page_contexts.PlaybookContext,
    addresses: Addresses,
    changes: Sequence[DescribedChange] = (),
) -> answers.PlaybookAnswer:
    """One playbook as it is answered.

    A withdrawn one is a tombstone: its prompt and steps are gone, its reason stays.
    """
    scripts = {script.path: _script(script, addresses) for script in context.scripts}
    links = addresses.links("playbooks", context.slug)
    named = [*(item.playbook_version for item in context.runs.versions), *(item.version for item in book.tested)]
    told: dict[str, object] = {
        "steps": _steps(book, context, scripts),
        "human_checkpoints": book.checkpoints,
        "scripts": tuple(scripts.values()),
        "proof": context.proof,
    }
    told |= {"proven": is_proven(context.proof) or None, "trial_runs": context.trial_runs}
    if book.status is Status.WITHDRAWN:
        told = {"prompt": "", "inputs": (), "variants": (), "steps": (), "scripts": (), "proof": None}
    return answer_of(
        answers.PlaybookAnswer,
        book,
        **told,
        slug=context.slug,
        task=context.task,
        category=context.category.slug,
        related_computed=tuple(link.slug for link in context.related_computed),
        trust=context.verdict.level,
        lesson_slugs=tuple(link.slug for link in context.lessons),
        runs=context.runs,
        url=links.page,
        markdown_url=links.markdown,
        skill_url=links.skill or "",
        report_url=addresses.reports,
        links=links,
        provenance_note=answers.PROVENANCE_NOTE,
        verdict=context.verdict.sentence,
        trust_reasons=context.verdict.reasons,
        trust_next=context.verdict.missing,
        trust_url=addresses.api(f"/playbooks/{context.slug}/trust"),
        version=context.version,
        known_versions=versions_of(context.version, changes, named),
        history=tuple(change_answer(item) for item in changes[:MOST_CHANGES]),
    )


def _steps(
    book: Playbook, context: page_contexts.PlaybookContext, scripts: Mapping[str, answers.ScriptAnswer]
) -> tuple[answers.StepAnswer, ...]:
    """The steps, each with the script that it names first, its check before its detail."""
    proven = {item.step for item in context.proof.checks} if context.proof and is_proven(context.proof) else ()
    found = []
    for number, step in enumerate(book.steps, 1):
        spans = (*code_in(step.check), *code_in(step.detail)) if scripts else ()
        script = next((answer_of(answers.CheckScript, scripts[span]) for span in spans if span in scripts), None)
        found.append(answer_of(answers.StepAnswer, step, check_script=script, proven=number in proven or None))
    return tuple(found)


def _script(script: SkillScript, addresses: Addresses) -> answers.ScriptAnswer:
    body, url = script.text.encode(), f"{addresses.site_url}/skills/{script.playbook}/{script.path}"
    return answers.ScriptAnswer(path=script.path, url=url, digest=f"sha256:{sha256(body).hexdigest()}", size=len(body))


def matters(item: DescribedChange) -> bool:
    """Whether a change says something to a reader: one of form, day or the search's wordings alone does not."""
    return bool(item.matters) or item.unreadable or item.change.kind != "changed"


def change_answer(item: DescribedChange) -> answers.ChangeAnswer:
    """A change as it is answered."""
    change = item.change
    return answers.ChangeAnswer(
        commit=change.commit,
        at=change.time,
        kind=change.kind,
        title=change.title,
        by=change.by or None,
        former=change.former or None,
        fields=item.fields,
        words=item.words,
    )


_FILTERS = ("type", "category", "agent", "min_trust", "proven")
_HEADING = re.compile(r'<h2 id="([^"]+)">(.*?)</h2>')
_BEFORE_STEP = re.compile(r"^Before step (\d+)\b", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class PlaybookPage:
    """A whole playbook, ready for every rendition of it."""

    answer: answers.PlaybookAnswer
    context: page_contexts.PlaybookContext
    asked: tuple[str, ...] = ()
    changes: tuple[DescribedChange, ...] = ()
    versions: tuple[VersionAnswer, ...] = ()

    @cached_property
    def changed(self) -> bool:
        """Whether there are differences to show: not of a withdrawn one, where what was taken away stays away."""
        gone = self.answer.status is Status.WITHDRAWN
        return not gone and any(item.matters or item.unreadable for item in self.changes)

    @cached_property
    def compared(self) -> list[tuple[VersionAnswer, list[Difference]]]:
        """Every version, each with what the present one says otherwise."""
        present = answers.FormerText.model_validate(self.answer)
        return [(item, text_differences(item.text, present)) for item in self.versions]

    @cached_property
    def stops(self) -> dict[int, list[str]]:
        """The human checkpoints by the number of the step that they stand before."""
        found: dict[int, list[str]] = defaultdict(list)
        for text in self.answer.human_checkpoints:
            if (match := _BEFORE_STEP.match(text)) and (number := int(match[1])) <= len(self.answer.steps):
                title = f" ({self.answer.steps[number - 1].title})"
                rest = text[match.end() :].removeprefix(title).lstrip(" :,")
                found[number].append(rest[:1].upper() + rest[1:])
        return dict(found)

    @cached_property
    def spoken_minutes(self) -> str:
        """Its minutes as lists say them."""
        found = self.answer.minutes
        return lists.spoken(found.least, found.most) if found else ""

    @cached_property
    def names(self) -> dict[str, str]:
        """The names of the playbook's agents, of those of its variants and of those of its reports, by their slugs."""
        context = self.context
        return {link.slug: link.title for link in (*context.agents, *context.variants, *context.reported_by)}

    @cached_property
    def needs(self) -> dict[str, list[object]]:
        """The needs by kind, in the order of the kinds."""
        kinds = {kind: [need for need in self.answer.needs if need.kind is kind] for kind in NeedKind}
        return {kind: list(needs) for kind, needs in kinds.items() if needs}


def playbook_page(env: RenderEnvironment, context: page_contexts.PlaybookContext, book: Playbook) -> PlaybookPage:
    """A playbook as its renditions take it; of a withdrawn one what changed is not told."""
    gone = book.status is Status.WITHDRAWN
    changes = described(context.history, None if gone else env.texts)
    versions = () if gone else tuple(_versions(env, context.version, changes))
    answer = playbook_answer(book, context, env.addresses, changes)
    told = tuple(item for item in changes[:MOST_CHANGES] if gone or matters(item))
    return PlaybookPage(answer, context, book.asked, told, versions)


def versions_json(page: PlaybookPage) -> bytes:
    """`GET /playbooks/{slug}/versions`; of a withdrawn playbook what was taken away stays away."""
    answer, items = page.answer, page.versions
    whole = answer.known_versions is not None
    reason = answer.status_reason if answer.status is Status.WITHDRAWN else None
    found = answers.VersionList(
        slug=answer.slug, present=answer.version, whole=whole, total=len(items), items=items, withdrawn=reason
    )
    return found.json_bytes()


def _versions(env: RenderEnvironment, present: str, changes: Sequence[DescribedChange]) -> Iterator[VersionAnswer]:
    """The latest first: each by the last change that left it."""
    version, told, following = present, set[str](), None
    for item in changes:
        change = item.change
        if version and version not in told and change.after != EMPTY:
            told.add(version)
            record = None if version == present else record_of(env.texts(change.after))
            text = _text(record) if record else None
            found = VersionAnswer(version=version, commit=change.commit, at=change.time, title=change.title, text=text)
            yield found.model_copy(update={"next_version": following})
        former = item.former_version
        if item.unreadable and (before := record_of(env.texts(change.before))):
            former = version_of(before)
        if version and former != version:
            following = answers.NextVersion(version=version, changed=item.matters)
        version = former


def _text(record: Mapping[str, object]) -> answers.FormerText:
    """What an agent was told to do, out of whatever form the file had then."""
    steps = (
        answers.FormerStep(title=_words(step, "title"), detail=_words(step, "detail"), check=_words(step, "check"))
        for step in _items(record, "steps")
    )
    variants = _items(record, "variants")
    return answers.FormerText(
        title=_words(record, "title"),
        prompt=_words(record, "prompt"),
        variants=tuple(FormerVariant(agent=_words(one, "agent"), prompt=_words(one, "prompt")) for one in variants),
        steps=tuple(steps),
        human_checkpoints=tuple(text for text in _list(record, "human_checkpoints") if isinstance(text, str)),
    )


def _words(record: Mapping[str, object], name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""


def _list(record: Mapping[str, object], name: str) -> list[object]:
    value = record.get(name)
    return value if isinstance(value, list) else []


def _items(record: Mapping[str, object], name: str) -> list[Mapping[str, object]]:
    """The mappings of a list; a text in it, as a step once was, counts as its title."""
    found = ({"title": item} if isinstance(item, str) else item for item in _list(record, name))
    return [item for item in found if isinstance(item, dict)]


def of_playbook(
    template: str, shown: Callable[[PlaybookPage], object] = lambda _page: True
) -> Callable[[RenderEnvironment, PlaybookPage], bytes | None]:
    """A view of a playbook by a template; there is no page of one that has nothing to be `shown`."""

    def view(env: RenderEnvironment, page: PlaybookPage) -> bytes | None:
        return env.page(template, page=page, book=page.answer, context=page.context) if shown(page) else None

    return view


def submission_status(
    env: RenderEnvironment,
    name: str = "",
    status: answers.SubmissionStatus | None = None,
    problem: str | None = None,
    run: answers.RunStatus | None = None,
) -> bytes:
    """Where the submission `name`, or the run report of this name, stands; why it cannot be said; or the form alone."""
    address = env.addresses.submissions
    told = {"name": name, "status": status, "problem": problem, "meanings": MEANINGS, "address": address}
    runs = {"run": run, "run_meanings": RUN_MEANINGS, "runs_address": env.addresses.reports}
    return env.page("submissions.html", **told, **runs)


def search_results(
    env: RenderEnvironment,
    names: Mapping[str, Mapping[str, str]],
    query: str = "",
    answer: answers.SearchAnswer | None = None,
    problem: str | None = None,
    filters: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    """The search page with the results of a query, or with what was wrong with it; without a query the form alone.

    `names` are what its values are called, `filters` the query string's other parameters: type, category, agent,
    min_trust, proven.
    """
    known = {name: filters[name] for name in _FILTERS if filters.get(name)}
    called = {**names, "proven": {"true": "Proven"}}
    return env.page(
        "search.html",
        query=query,
        answer=answer,
        problem=problem,
        filters=known,
        called=called,
        listed={name: value for name, value in known.items() if name not in ("type", "proven")},  # as lists filter too
    )


def doc_page(env: RenderEnvironment, context: page_contexts.ProjectDocument) -> bytes:
    """One document of the project."""
    body = PROSE.document(context.text, root=env.site.root)
    headings = [(place, Markup(words).striptags()) for place, words in _HEADING.findall(body)]  # noqa: S704 - from Prose
    return env.page("doc.html", context=context, body=body, headings=headings)
