"""What is sent in and what happened to it, as pages show them: fields with their findings, sentences, ages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from markupsafe import Markup, escape

from library.interface.bodies import Json
from library.interface.reasons import sentences
from library.problems import Problem
from library.records.collection import Library
from library.records.vocabulary import OutboxState, RunState, SubmissionState
from library.rules.statistics import run_statistics
from writeapi.store import REVIEW_AGENT, Finding, ReviewStep, RunRecord, SubmissionRecord

from ..decisions.decide import Item
from ..decisions.texts import said

_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60))
_RUN_FIELDS = (
    "playbook", "playbook_version", "agent", "agent_version", "model", "outcome", "what_changed", "lesson",
    "duration_minutes", "reporter",
)  # fmt: skip
_SUBMISSION_FIELDS = ("title", "body", "agent", "playbook", "source_url", "reporter", "payload")
STATE_WORDS: Mapping[str, str] = {
    RunState.PENDING: "waits for an editor",
    SubmissionState.QUEUED: "waits for the review agent",
    SubmissionState.SCREENED: "waits for an editor",
    SubmissionState.CHANGES_REQUESTED: "waits for its sender's changes",
}
STEP_WORDS: Mapping[str, str] = {
    RunState.PENDING: "sent",
    SubmissionState.QUEUED: "sent",
    SubmissionState.CHANGES_REQUESTED: "changes requested",
}
KIND_WORDS: Mapping[str, str] = {
    "run": "run report",
    "use_case": "use case",
    "lesson": "lesson",
    "correction": "correction",
    "playbook": "playbook",
}
OUTCOME_WORDS: Mapping[str, str] = {
    "worked": "worked",
    "worked_with_changes": "worked with changes",
    "failed": "failed",
}
ADVICE_WORDS: Mapping[str, str] = {"accept": "accept", "editor": "needs an editor", "reject": "reject"}
WAY_WORDS: Mapping[str, str] = {
    OutboxState.WAITING: "waits for publishing",
    OutboxState.CANCELLED: "taken back before it was written",
}


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that was sent: its name, its place in the body, its text, and what was found in it."""

    name: str
    pointer: str
    text: str
    findings: tuple[Finding, ...]


def fields_of(item: Item) -> tuple[tuple[Field, ...], tuple[Finding, ...]]:
    """Everything that was sent, in order, and the findings that belong to no field of it."""
    findings = item.review.findings if item.review else ()
    names = _RUN_FIELDS if item.run else _SUBMISSION_FIELDS
    sent: RunRecord | SubmissionRecord | None = item.run or item.submission
    leaves = [leaf for name in names for leaf in _leaves(f"/{name}", getattr(sent, name))]
    fields = tuple(
        Field(_name(pointer), pointer, text, tuple(found for found in findings if _place(found, leaves) == pointer))
        for pointer, text in leaves
    )
    return fields, tuple(found for found in findings if _place(found, leaves) is None)


def _leaves(pointer: str, value: Json) -> Iterator[tuple[str, str]]:
    """The texts in a value with their places; what is absent is not there."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _leaves(f"{pointer}/{name}", inner)
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from _leaves(f"{pointer}/{number}", inner)
    elif value is not None:
        yield pointer, str(value)


def _place(found: Finding, leaves: Iterable[tuple[str, str]]) -> str | None:
    """The field that a finding stands beside: its own, or the first part of the one that it names."""
    places = [pointer for pointer, _ in leaves]
    own = next((place for place in places if found.pointer == place), None)
    return own or next((place for place in places if found.pointer and place.startswith(f"{found.pointer}/")), None)


def _name(pointer: str) -> str:
    """A place as people call it: `/payload/steps/0` is `steps 1`."""
    parts = pointer.removeprefix("/payload").strip("/").split("/")
    return " ".join(str(int(part) + 1) if part.isdigit() else part.replace("_", " ") for part in parts)


def statistics(before: Library, after: Library, slug: str) -> list[tuple[str, int, int]]:
    """The counts of a playbook's runs as they are and as they would be."""
    was, will = (
        run_statistics(library.runs.get(slug, ()), library.pending.get(slug, 0)) for library in (before, after)
    )
    names = ("approved", "worked", "with_changes", "failed", "reporters")
    return [(name.replace("_", " "), getattr(was, name), getattr(will, name)) for name in names]


def plain(text: object) -> Markup:
    """Text as it is, escaped; each character that a reader would not see is named, so that nothing hides."""
    safe = str(escape(str(text)))
    return Markup("".join(_shown(char) for char in safe))  # noqa: S704 - escaped in the line before


def _shown(char: str) -> str:
    if char in "\n\t" or unicodedata.category(char) not in _HIDDEN:
        return char
    return f'<span class="odd">U+{ord(char):04X}</span>'


def age(since: str, now: datetime) -> str:
    """How long ago a time of the store was, in its largest unit: `3 days`."""
    seconds = (now - datetime.fromisoformat(since)).total_seconds()
    for unit, length in _UNITS:
        if seconds >= length:
            return counted(int(seconds // length), unit)
    return "under a minute"


def counted(number: int, noun: str) -> str:
    """A number with its noun: 1 run, 2 runs."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def step_words(step: ReviewStep) -> str:
    """What a step did, in the past tense."""
    if step.became == SubmissionState.SCREENED:
        return step.became if step.by == REVIEW_AGENT else "with the editors"
    return STEP_WORDS.get(step.became, step.became)


def asked_for(problem: Problem) -> str:
    """What a decision lacks, beside the fields that it is asked for in; the reasons stand there as they are."""
    if problem.code == "missing-field" and problem.field == "reasons":
        return "Nothing was changed: choose at least one reason."
    return said(problem) if problem.file else f"Nothing was changed: {problem.message}."


def moment(at: str) -> str:
    """A time of the store as people read it: 20 Nov 2026, 12:05."""
    when = datetime.fromisoformat(at)
    return f"{when.day} {when:%b %Y, %H:%M}"


def summary(text: str, longest: int = 90) -> str:
    """The beginning of a text in one line."""
    line = re.sub(r"\s+", " ", text).strip()
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


FILTERS: Mapping[str, Callable[..., Any]] = {
    "plain": plain,
    "moment": moment,
    "counted": counted,
    "summary": summary,
    "said": said,
    "asked_for": asked_for,
    "reasons": sentences,
    "state_words": lambda state: STATE_WORDS.get(state, state),
    "step_words": step_words,
    "kind_words": lambda kind: KIND_WORDS.get(kind, kind),
    "outcome_words": lambda outcome: OUTCOME_WORDS.get(outcome, outcome),
    "advice_words": lambda advice: ADVICE_WORDS.get(advice or "", "not screened yet"),
    "way_words": lambda state: WAY_WORDS.get(state, state),
}
