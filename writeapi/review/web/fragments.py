"""Words and numbers as pages and commands say them: states, steps, times, counts, and texts that hide nothing."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import datetime

from markupsafe import Markup, escape

from library.interface.reasons import sentences
from library.problems import Problem
from library.records.collection import Library
from library.records.vocabulary import OutboxState, RunState, SubmissionState
from library.rules.statistics import run_statistics
from writeapi.store import REVIEW_AGENT, ReviewStep

from ..decisions.texts import sentence

_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60))
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
ADVICE_WORDS: Mapping[str, str] = {"accept": "accept", "editor": "needs an editor", "reject": "reject"}
WAY_WORDS: Mapping[str, str] = {
    OutboxState.WAITING: "waits for publishing",
    OutboxState.CANCELLED: "taken back before it was written",
}


def in_words(name: str) -> str:
    """A name of the interface as words: `worked_with_changes` is `worked with changes`."""
    return name.replace("_", " ")


def statistics(before: Library, after: Library, slug: str) -> list[tuple[str, int, int]]:
    """The counts of a playbook's runs as they are and as they would be."""
    was, will = (
        run_statistics(library.runs.get(slug, ()), library.pending.get(slug, 0)) for library in (before, after)
    )
    names = ("approved", "worked", "with_changes", "failed", "reporters")
    return [(in_words(name), getattr(was, name), getattr(will, name)) for name in names]


def plain(text: object) -> Markup:
    """Text as it is, escaped; each character that a reader would not see is named, so that nothing hides."""
    safe = str(escape(str(text)))
    return Markup("".join(map(_visible, safe)))  # noqa: S704 - escaped in the line before


def _visible(char: str) -> str:
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
    return sentence(problem) if problem.file else f"Nothing was changed: {problem.message}."


def moment(at: str) -> str:
    """A time of the store as people read it: 20 Nov 2026, 12:05."""
    when = datetime.fromisoformat(at)
    return f"{when.day} {when:%b %Y, %H:%M}"


def summary(text: str, longest: int = 90) -> str:
    """The beginning of a text in one line."""
    line = re.sub(r"\s+", " ", text).strip()
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


FILTERS: Mapping[str, Callable[..., object]] = {
    "plain": plain,
    "moment": moment,
    "counted": counted,
    "summary": summary,
    "sentence": sentence,
    "asked_for": asked_for,
    "reasons": sentences,
    "state_words": lambda state: STATE_WORDS.get(state, state),
    "step_words": step_words,
    "kind_words": lambda kind: "run report" if kind == "run" else in_words(kind),
    "outcome_words": in_words,
    "advice_words": lambda advice: ADVICE_WORDS.get(advice or "", "not screened yet"),
    "way_words": lambda state: WAY_WORDS.get(state, state),
}
