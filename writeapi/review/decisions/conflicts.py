"""What stands against a decision: somebody was faster, or it would be in favour of what its editor sent."""

from collections.abc import Iterator
from contextlib import contextmanager

from library.problems import Problem
from writeapi.store import Conflict, Member

from ..services import ReviewServices, editor_name
from .texts import EditRefused

SOMEBODY_ELSE = "somebody else has to decide about what you sent"
ONLY_EDITOR = "Decided by its sender, the only editor."


@contextmanager
def naming_who(review: ReviewServices, subject: str, version: int, revision: int | None = None) -> Iterator[None]:
    """Turn the store's conflict into one that says who was faster, when, and what it became.

    `revision` is that of the draft that was looked at, where the draft matters: then it may be who saved another.
    """
    try:
        yield
    except Conflict as error:
        who = None if revision is None else _who_saved(review, subject, revision)
        raise Conflict(who or who_was_faster(review, subject, version)) from error


def who_was_faster(review: ReviewServices, subject: str, version: int) -> str:
    """Who did something to a subject after this version of it, when, and what it became; or why it cannot be done."""
    last = review.store.steps(subject)[-1]
    if last.version > version:
        return f"{last.by} was faster: it is {last.became} since {last.at}."
    if last.version < version:
        return f"It was changed since you looked (now version {last.version})."
    return f"It is {last.became} since {last.at}, by {last.by}; that cannot be done with it now."


def _who_saved(review: ReviewServices, subject: str, revision: int) -> str | None:
    draft = review.store.draft(subject)
    if draft is None or draft.revision == revision:
        return None
    editors = {editor_name(editor): editor.handle for editor in review.store.contributors()}
    return f"editor {editors.get(draft.by, draft.by)} was faster: a draft was saved at {draft.at}."


def note_on_own(review: ReviewServices, editor: Member, sender: int | None) -> str | None:
    """What to note beside an acceptance or approval: that the only editor decides about their own; None for others'.

    `sender` is the number of the contributor who sent it. Raises `EditRefused` where another editor could decide.
    """
    if sender != editor.id:
        return None
    if any(other.editor and other.revoked is None and other.id != editor.id for other in review.store.contributors()):
        raise EditRefused([Problem("", (), "own", SOMEBODY_ELSE)])
    return ONLY_EDITOR
