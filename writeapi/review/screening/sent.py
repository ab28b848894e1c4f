"""One view of a run report or a submission for every rule of the review agent: what its sender sent, as data."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from library.interface.bodies import pointer
from library.problems import Pointer
from library.records.vocabulary import SubmissionKind
from writeapi.store.records import RunRecord, SubmissionRecord

RUN = "run"


@dataclass(frozen=True)
class Sent:
    """Something that was sent. `kind` is `run` or a submission's kind; `values` is what was sent, as JSON.

    Keys of `texts`, and the first of each pair elsewhere, are JSON pointers.
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
    def agents(self) -> tuple[tuple[str, str], ...]:
        """The agents that it names."""
        return self._at("/agent", "/payload/agents/")

    @property
    def addresses(self) -> tuple[tuple[str, str], ...]:
        """The addresses that it gives as sources; those within running text are not among them."""
        given = self._at("/source_url", "/payload/sources/")
        return tuple(
            (place, text) for place, text in given if place == "/source_url" or text.lower().startswith("http")
        )

    def _at(self, place: str, inside: str) -> tuple[tuple[str, str], ...]:
        return tuple(item for item in self.texts.items() if item[0] == place or item[0].startswith(inside))

    @property
    def prose(self) -> Mapping[str, str]:
        """Every text but the addresses."""
        return {name: text for name, text in self.texts.items() if (name, text) not in self.addresses}

    @property
    def name(self) -> str | None:
        """What it would be called in the library; a run report is called nothing."""
        if self.kind == RUN:
            return None
        return str((self.payload if self.kind == SubmissionKind.PLAYBOOK else self.values).get("title", ""))


_OF_RUNS = (
    "playbook", "playbook_version", "agent", "agent_version", "model", "outcome", "what_changed", "lesson",
    "duration_minutes", "reporter",
)  # fmt: skip
_OF_SUBMISSIONS = ("kind", "title", "body", "agent", "playbook", "source_url", "reporter", "payload")


def sent(record: RunRecord | SubmissionRecord) -> Sent:
    """The view of a stored record. Nothing is in it that its sender did not send, but the handle of its key."""
    names, kind = (_OF_RUNS, RUN) if isinstance(record, RunRecord) else (_OF_SUBMISSIONS, record.kind)
    given = {name: getattr(record, name) for name in names}
    return Sent(record.id, record.version, kind, {name: value for name, value in given.items() if value is not None})


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
