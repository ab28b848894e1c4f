"""What was sent, as data, and what its words mean in this library: what they name, what says the same already."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from library.interface.bodies import pointer
from library.interface.intake import RunReport, Submission
from library.problems import Pointer
from library.records.collection import Library
from library.records.naming import slug_of
from library.records.vocabulary import ResultType, Status, SubmissionKind
from library.records.who import called, folded
from writeapi.store.records import RunRecord, SubmissionRecord

from .phrases import HOSTS

RUN = "run"


@dataclass(frozen=True)
class Sent:
    """Something that was sent. `kind` is `run` or a submission's kind; `values` is what was sent, as JSON.

    Keys of texts are JSON pointers.
    """

    subject: str
    version: int
    kind: str
    values: Mapping[str, Any]

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """Every text in it."""
        return {place: value for place, value in leaves(self.values) if isinstance(value, str)}

    @property
    def playbook(self) -> str | None:
        """The slug of the playbook that it refers to."""
        return self.values.get("playbook")

    @property
    def payload(self) -> Mapping[str, Any]:
        """The playbook in it; empty without one."""
        found = self.values.get("payload")
        return found if isinstance(found, Mapping) else {}

    @property
    def agents(self) -> Mapping[str, str]:
        """The agents that it names."""
        return {place: text for place, text in self.texts.items() if re.match("/agent$|/payload/agents/", place)}

    @cached_property
    def addresses(self) -> Mapping[str, str]:
        """The addresses that it gives as sources; those within running text are not among them."""
        sources = {place: text for place, text in self.texts.items() if place.startswith("/payload/sources/")}
        found = {place: text for place, text in sources.items() if text.lower().startswith("http")}
        return found | ({"/source_url": self.texts["/source_url"]} if "/source_url" in self.texts else {})

    @property
    def prose(self) -> list[tuple[str, str]]:
        """Every text but the addresses, with its place."""
        return [(place, text) for place, text in self.texts.items() if place not in self.addresses]


def sent(record: RunRecord | SubmissionRecord) -> Sent:
    """The view of a stored record. Nothing is in it that its sender did not send, but the handle of its key."""
    model, kind = (RunReport, RUN) if isinstance(record, RunRecord) else (Submission, record.kind)
    given = {name: value for name in model.model_fields if (value := getattr(record, name)) is not None}
    return Sent(record.id, record.version, kind, given)


def leaves(value: object, place: Pointer = ()) -> Iterator[tuple[str, object]]:
    """Every single value in something that was sent, with its JSON pointer; what is absent is not there."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from leaves(inner, (*place, str(name)))
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from leaves(inner, (*place, index))
    elif value is not None:
        yield pointer(place), value


WITHDRAWN = "Its playbook was withdrawn: no run of it counts."

_CLOSE = 0.86


def agents_of(library: Library, names: Iterable[str], spare: str) -> list[str]:
    """The slugs of the agents that a sender names, each once; of an unknown one a guess, which `check` then names."""
    named = ((_agent(library, name), name) for name in names)
    return list(dict.fromkeys(found or slug_of(name, spare) for found, name in named))


def agents_known(library: Library, names: Iterable[str]) -> list[str]:
    """The slugs of those agents that are known, each once."""
    return list(dict.fromkeys(found for name in names if (found := _agent(library, name))))


def present_slug(library: Library, slug: str) -> str | None:
    """The slug that a playbook has now, given that or a former one; None when no playbook has or had it."""
    return book.slug if (book := library.playbook(slug)) else None


def is_withdrawn(library: Library, slug: str) -> bool:
    """Whether the playbook that has or had this slug was withdrawn: no run of it counts from then on."""
    return (book := library.playbook(slug)) is not None and book.status is Status.WITHDRAWN


def task_of(library: Library, job: str) -> str | None:
    """The task that a job is: of the same slug, name or nearly the same words; None when there is none."""
    return _closest(job, {slug: task.name for slug, task in library.tasks.items()})


def category_of(library: Library, name: str) -> str | None:
    """The category that a sender names."""
    return _closest(name, {slug: category.name for slug, category in library.categories.items()})


def platform_of(url: str) -> str:
    """What sort of place an address is, where its host says so; else empty."""
    host = f".{urlsplit(url).hostname or ''}"
    platforms = HOSTS["platforms"].items()
    return next((name for name, hosts in platforms if host.endswith(tuple(f".{known}" for known in hosts))), "")


def _agent(library: Library, name: str) -> str | None:
    """By what it is called, else by what is typed nearly so."""
    names = {slug: agent.name for slug, agent in library.agents.items()}
    return called(name, library.agents_by_name) or _closest(name, names)


def _closest(text: str, names: Mapping[str, str]) -> str | None:
    """The slug whose own words, or whose name's, are those of the text, or nearly."""
    wanted = folded(text)[:200]
    spelled = {folded(slug): slug for slug in names} | {folded(name): slug for slug, name in names.items()}
    words = frozenset(re.findall(r"\w+", text.casefold()))
    same = (slug for slug, name in names.items() if words == frozenset(re.findall(r"\w+", name.casefold())))
    near = get_close_matches(wanted, spelled, n=1, cutoff=_CLOSE) if wanted else []
    return spelled.get(wanted) or next(same, None) or (spelled[near[0]] if near else None)


_TITLES = 0.85
_SUMMARIES = 0.7
_ENOUGH_WORDS = 8
_ENOUGH_LETTERS = 24
_SMALL = frozenset(
    "a an and as at by for from how in into is it of on or our that the then this to use with your".split()
)


def doubles(item: Sent, library: Library) -> Iterator[tuple[ResultType, str]]:
    """The records that say nearly what this does: their type and slug. A correction is a double of nothing."""
    named = item.kind == SubmissionKind.USE_CASE and item.playbook is not None
    title = "" if named else str((item.payload or item.values).get("title") or "")
    words, said = _words(title), _words(str(item.payload.get("summary") or item.values.get("body") or ""))
    for kind, slug, known, text in _records(item.kind, library) if title else ():
        same = words and words == _words(known)
        alike = get_close_matches(title.casefold(), [known.casefold()], cutoff=_TITLES)
        other = _words(text)
        long = min(len(said), len(other)) >= _ENOUGH_WORDS
        if same or alike or (long and len(said & other) >= _SUMMARIES * len(said | other)):
            yield kind, slug


def _records(kind: str, library: Library) -> Iterator[tuple[ResultType, str, str, str]]:
    """The type, slug, title and text of the records that a submission of this kind may be a double of."""
    if kind in (SubmissionKind.PLAYBOOK, SubmissionKind.USE_CASE):
        yield from ((ResultType.PLAYBOOK, book.slug, book.title, book.summary) for book in library.listed)
    if kind == SubmissionKind.LESSON:
        yield from ((ResultType.LESSON, one.slug, one.title, one.problem) for one in library.lessons.values())
    if kind == SubmissionKind.USE_CASE:
        yield from ((ResultType.TASK, slug, task.name, task.summary) for slug, task in library.tasks.items())


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold())) - _SMALL


def fingerprint(texts: Iterable[str | None]) -> str:
    """What two items have in common when they say the same; empty where they say little."""
    whole = folded("".join(text or "" for text in texts))
    return whole if len(whole) >= _ENOUGH_LETTERS else ""
