"""Why something was decided: one vocabulary of reason codes, each with the sentence that its sender reads."""

from collections.abc import Iterable
from dataclasses import dataclass

from ..records.vocabulary import Decision


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason: its code, what its sender is told, and the decisions that it may be given for."""

    code: str
    sentence: str
    decisions: tuple[Decision, ...]


_REJECT, _CHANGE, _BACK, _WITHDRAW = Decision.REJECT, Decision.REQUEST_CHANGES, Decision.SEND_BACK, Decision.WITHDRAW

REASONS: tuple[Reason, ...] = (
    Reason("malformed", "A part of it breaks the form that the interface asks for.", (_REJECT,)),
    Reason("private-data", "It holds private data or a secret; take it out.", (_REJECT, _CHANGE, _WITHDRAW)),
    Reason("spam", "It advertises instead of telling of a job done with an agent.", (_REJECT, _WITHDRAW)),
    Reason("injection", "It speaks to reviewers or their tools instead of to readers.", (_REJECT, _CHANGE)),
    Reason("duplicate", "The library has it already; say what is different, or report a run.", (_REJECT, _CHANGE)),
    Reason("off-topic", "It is not about a job done with an agent.", (_REJECT,)),
    Reason("unclear", "It is not clear what was done or seen; say it step by step.", (_REJECT, _CHANGE)),
    Reason("needs-source", "It needs an address where others can read it.", (_CHANGE,)),
    Reason("needs-checks", "Steps need checks: what can be seen when each is done.", (_CHANGE,)),
    Reason("needs-fix", "It tells what went wrong and not yet what mends it.", (_CHANGE,)),
    Reason("unknown-agent", "It names an agent unknown to the library; say what it is and who makes it.", (_CHANGE,)),
    Reason("not-credible", "It does not fit what else is known; say how it was seen.", (_REJECT, _CHANGE, _WITHDRAW)),
    Reason("unsafe", "Following it could do harm that it does not warn of.", (_REJECT, _CHANGE, _WITHDRAW)),
    Reason("rights", "Its text belongs to somebody else; put it in your own words.", (_REJECT, _CHANGE, _WITHDRAW)),
    Reason("takedown", "Somebody with a right to ask had it taken out.", (_WITHDRAW,)),
    Reason("outdated", "It no longer holds, or something better took its place.", (_REJECT, _WITHDRAW)),
    Reason("contributor-revoked", "Its contributor was revoked.", (_REJECT, _WITHDRAW)),
    Reason("check-failed", "The library changed and passes the checks no more; an editor looks at it again.", (_BACK,)),
    Reason("base-changed", "The file that it changes was changed meanwhile; an editor looks at it again.", (_BACK,)),
    Reason("place-taken", "Another record took its name meanwhile; an editor looks at it again.", (_BACK,)),
    Reason("pull-request-closed", "Its pull request was closed; an editor looks at it again.", (_BACK,)),
    Reason("other", "The note says why.", (_REJECT, _CHANGE, _BACK, _WITHDRAW)),
)  # fmt: skip

_BY_CODE = {reason.code: reason for reason in REASONS}


def sentences(codes: Iterable[str]) -> tuple[str, ...]:
    """What a sender is told of these codes; one that is unknown says itself."""
    return tuple(_BY_CODE[code].sentence if code in _BY_CODE else code for code in codes)


def codes_for(decision: Decision) -> tuple[str, ...]:
    """The codes that a decision may be given, in the order of the table."""
    return tuple(reason.code for reason in REASONS if decision in reason.decisions)
