"""Every version that a playbook ever had, with the texts of former ones: read leniently, for forms change. Pure."""

from collections.abc import Iterator, Mapping, Sequence

from library.content.history import EMPTY
from library.interface.answers import FormerStep, FormerText, FormerVariant, VersionAnswer, VersionList
from library.records.collection import version_of
from library.records.vocabulary import Status

from .changes import DescribedChange, record_of
from .pages import PlaybookPage
from .rendering import RenderEnvironment


def versions_json(env: RenderEnvironment, page: PlaybookPage) -> bytes:
    """`GET /playbooks/{slug}/versions`; of a withdrawn playbook what was taken away stays away."""
    answer = page.answer
    gone = answer.status is Status.WITHDRAWN
    items = () if gone else tuple(_versions(env, answer.version, page.changes))
    whole = answer.known_versions is not None
    reason = answer.status_reason if gone else None
    found = VersionList(
        slug=answer.slug, present=answer.version, whole=whole, total=len(items), items=items, withdrawn=reason
    )
    return found.json_bytes()


def _versions(env: RenderEnvironment, present: str, changes: Sequence[DescribedChange]) -> Iterator[VersionAnswer]:
    """The latest first: each by the last change that left it."""
    version, told = present, set[str]()
    for item in changes:
        change = item.change
        if version and version not in told and change.after != EMPTY:
            told.add(version)
            record = None if version == present else record_of(env.texts(change.after))
            text = _text(record) if record else None
            yield VersionAnswer(version=version, commit=change.commit, at=change.time, title=change.title, text=text)
        version = item.former_version
        if item.unreadable and (before := record_of(env.texts(change.before))):
            version = version_of(before)


def _text(record: Mapping[str, object]) -> FormerText:
    """What an agent was told to do, out of whatever form the file had then."""
    steps = (
        FormerStep(title=_words(step, "title"), detail=_words(step, "detail"), check=_words(step, "check"))
        for step in _items(record, "steps")
    )
    variants = _items(record, "variants")
    return FormerText(
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
