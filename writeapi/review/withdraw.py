"""Taking out again what was published: an approved run report, or a whole playbook, which leaves a tombstone."""

from __future__ import annotations

from collections.abc import Sequence

from library.changing import changed
from library.problems import Problem
from library.vocabulary import Decision, Status
from library.yamlfile import Value
from writeapi.keys import is_id
from writeapi.store import Conflict, Contributor, DraftFile, NotFound

from .conflicts import naming_who
from .services import ReviewServices, editor_name
from .texts import Refused, digest, ready, reason_problems, refuse


def withdraw(
    review: ReviewServices,
    editor: Contributor,
    subject: str,
    reasons: Sequence[str],
    note: str | None,
    replaced_by: str | None = None,
) -> None:
    """Withdraw an approved report, by its id, or a playbook, by its slug; a playbook's note is what readers are told.

    Raises `Refused`, `Conflict` or `NotFound`.
    """
    note = note.strip() or None if note is not None else None
    refuse(reason_problems(Decision.WITHDRAW, reasons, note))
    if is_id(subject):
        run = review.store.run(subject)
        with naming_who(review, subject, run.version if run else 0):
            review.store.move_run(subject, "withdrawn", by=editor_name(editor), reasons=list(reasons), note=note)
    else:
        _withdraw_playbook(review, editor, subject, reasons, note, replaced_by)


def _withdraw_playbook(
    review: ReviewServices,
    editor: Contributor,
    slug: str,
    reasons: Sequence[str],
    note: str | None,
    replaced_by: str | None,
) -> None:
    library = review.shelf.library()
    book = library.playbooks.get(slug)
    if book is None:
        raise NotFound("There is no playbook of this slug, and no report with this id.")
    if book.status is Status.WITHDRAWN:
        raise Conflict("It is withdrawn already.")
    if note is None:
        raise Refused([Problem("", ("note",), "missing-field", "say why: readers of its page are told")])
    told: dict[str, Value | None] = {"status": "withdrawn", "status_reason": note, "updated": f"{library.today}"}
    old = review.shelf.text(book.file) or ""
    body = changed(old.encode(), book.file, fields={**told, "replaced_by": replaced_by or None})
    if isinstance(body, list):
        raise Refused(body)
    subject = f"playbook:{slug}"
    files = ready(review, [DraftFile(book.file, body.decode(), digest(old))], subject)
    review.store.withdraw_playbook(subject, files, by=editor_name(editor), reasons=list(reasons), note=note)
