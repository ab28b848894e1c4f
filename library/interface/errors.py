"""How the service says no: its kinds of error and their one shape, by `errors.yaml`; and by `reasons.yaml` what senders
are told of what they sent: why something was decided, and what each state means."""

from collections.abc import Iterable
from pathlib import Path

import msgspec
import msgspec.yaml

from ..records.fields import optional
from ..records.vocabulary import Decision, RunStatusWord, SubmissionState
from .answers import Answer


class ErrorKind(msgspec.Struct, frozen=True):
    """One kind of error, after RFC 9457: `slug` is the fragment of its `type`."""

    slug: str
    status: int
    title: str
    advice: str


KINDS = msgspec.yaml.decode(Path(__file__).with_suffix(".yaml").read_bytes(), type=tuple[ErrorKind, ...])
"""All of them, in the order of the table."""
_BY_SLUG = {kind.slug: kind for kind in KINDS}
BAD_JSON = _BY_SLUG["not-json"]
NO_FILTER = _BY_SLUG["no-filter"]
UNAUTHORIZED = _BY_SLUG["bad-key"]
FORBIDDEN = _BY_SLUG["not-yours"]
NOT_FOUND = _BY_SLUG["not-found"]
METHOD_NOT_ALLOWED = _BY_SLUG["method-not-allowed"]
HANDLE_TAKEN = _BY_SLUG["handle-taken"]
STATE_CONFLICT = _BY_SLUG["state"]
TOO_SLOW = _BY_SLUG["too-slow"]
LENGTH_REQUIRED = _BY_SLUG["length-required"]
TOO_LARGE = _BY_SLUG["too-large"]
ADDRESS_TOO_LONG = _BY_SLUG["address-too-long"]
UNSUPPORTED_TYPE = _BY_SLUG["not-json-by-type"]
CODED_BODY = _BY_SLUG["coded"]
INVALID = _BY_SLUG["invalid"]
OTHER_BODY = _BY_SLUG["idempotency"]
RATE_LIMITED = _BY_SLUG["rate-limited"]
UNAVAILABLE = _BY_SLUG["unavailable"]
SEARCH_AWAY = _BY_SLUG["search-unavailable"]
BROKEN = _BY_SLUG["internal"]


class FieldProblem(Answer):
    """One thing wrong with a request."""

    pointer: str
    code: str
    detail: str


class ProblemDetails(Answer):
    """An error, after RFC 9457."""

    type: str
    title: str
    status: int
    detail: str
    errors: tuple[FieldProblem, ...] | None = optional()


class Reason(msgspec.Struct, frozen=True):
    """A reason: its code, what its sender is told, and the decisions that it may be given for."""

    code: str
    sentence: str
    decisions: tuple[Decision, ...]


class _SenderWords(msgspec.Struct):
    reasons: tuple[Reason, ...]
    submissions: dict[SubmissionState, str]
    runs: dict[RunStatusWord, str]


_WORDS = msgspec.yaml.decode(Path(__file__).with_name("reasons.yaml").read_bytes(), type=_SenderWords)
REASONS, MEANINGS, RUN_MEANINGS = _WORDS.reasons, _WORDS.submissions, _WORDS.runs
_SENTENCES = {reason.code: reason.sentence for reason in REASONS}


def sentences(codes: Iterable[str]) -> tuple[str, ...]:
    """What a sender is told of these codes; one that is unknown says itself."""
    return tuple(_SENTENCES.get(code, code) for code in codes)


def codes_for(decision: Decision) -> tuple[str, ...]:
    """The codes that a decision may be given, in the order of the table."""
    return tuple(reason.code for reason in REASONS if decision in reason.decisions)
