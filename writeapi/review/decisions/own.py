"""Nobody decides in favour of what they sent themselves, except where there is no other editor."""

from __future__ import annotations

from library.problems import Problem
from writeapi.store import Member

from ..services import ReviewServices
from .texts import EditRefused

SOMEBODY_ELSE = "somebody else has to decide about what you sent"
ONLY_EDITOR = "Decided by its sender, the only editor."


def note_on_own(review: ReviewServices, editor: Member, sender: int | None) -> str | None:
    """What to note beside an acceptance or approval: that the only editor decides about their own; None for others'.

    `sender` is the number of the contributor who sent it. Raises `EditRefused` where another editor could decide.
    """
    if sender != editor.id:
        return None
    if any(other.editor and other.revoked is None and other.id != editor.id for other in review.store.contributors()):
        raise EditRefused([Problem("", (), "own", SOMEBODY_ELSE)])
    return ONLY_EDITOR


def notes(*parts: str | None) -> str | None:
    """One note of those that there are."""
    return "\n\n".join(part for part in parts if part) or None
