"""What senders are told of what they sent, by `reasons.yaml`: why something was decided, and what each state means."""

from collections.abc import Iterable
from pathlib import Path

import msgspec
import msgspec.yaml

from ..records.vocabulary import Decision, RunStatusWord, SubmissionState


class Reason(msgspec.Struct, frozen=True):
    """A reason: its code, what its sender is told, and the decisions that it may be given for."""

    code: str
    sentence: str
    decisions: tuple[Decision, ...]


class _SenderWords(msgspec.Struct):
    reasons: tuple[Reason, ...]
    submissions: dict[SubmissionState, str]
    runs: dict[RunStatusWord, str]


_TABLE = msgspec.yaml.decode(Path(__file__).with_suffix(".yaml").read_bytes(), type=_SenderWords)
REASONS, MEANINGS, RUN_MEANINGS = _TABLE.reasons, _TABLE.submissions, _TABLE.runs
_SENTENCES = {reason.code: reason.sentence for reason in REASONS}


def sentences(codes: Iterable[str]) -> tuple[str, ...]:
    """What a sender is told of these codes; one that is unknown says itself."""
    return tuple(_SENTENCES.get(code, code) for code in codes)


def codes_for(decision: Decision) -> tuple[str, ...]:
    """The codes that a decision may be given, in the order of the table."""
    return tuple(reason.code for reason in REASONS if decision in reason.decisions)
