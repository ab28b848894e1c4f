"""Taking out again what was published: an approved run report, or a whole playbook, which leaves a tombstone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from library.content.formatting import changed
from library.content.yamlfile import Value, parse
from library.problems import Problem
from library.records.vocabulary import Decision, RunState, Status
from writeapi.keys import is_id
from writeapi.store import Conflict, DraftFile, Member, NotFound

from ..publishing.parcels import Parcel
from ..publishing.places import CannotWrite
from ..services import ReviewServices, editor_name
from .conflicts import naming_who
from .texts import EditRefused, digest, ready, reason_problems, refuse

NOT_A_SUBMISSION = "only run reports and playbooks are withdrawn; its sender can take a submission back"
_TOLD = ("status", "status_reason", "updated", "replaced_by")
"""The fields that a withdrawal sets: it is a change of these, whatever else becomes of the file on its way."""


def withdraw(
    review: ReviewServices,
    editor: Member,
    subject: str,
    reasons: Sequence[str],
    note: str | None,
    replaced_by: str | None = None,
    *,
    version: int | None = None,
) -> None:
    """Withdraw an approved report, by its id, or a playbook, by its slug; a playbook's note is what readers are told.

    `version` is that of the report that was looked at; without it, it is withdrawn as it stands.

    Raises `EditRefused`, `Conflict` or `NotFound`.
    """
    note = note.strip() or None if note is not None else None
    refuse(reason_problems(Decision.WITHDRAW, reasons, note))
    if is_id(subject):
        run = review.store.run(subject)
        if subject.startswith("sub_"):
            raise EditRefused([Problem("", (), "not-withdrawable", NOT_A_SUBMISSION)])
        if run and run.state is RunState.PENDING:
            raise Conflict("It is pending: reject a pending report instead of withdrawing it.")
        seen = (run.version if run else 0) if version is None else version
        with naming_who(review, subject, seen):
            by = editor_name(editor)
            review.store.move(subject, RunState.WITHDRAWN, by=by, reasons=list(reasons), note=note, version=seen)
    else:
        _withdraw_playbook(review, editor, subject, reasons, note, replaced_by)


def _withdraw_playbook(
    review: ReviewServices,
    editor: Member,
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
        raise EditRefused([Problem("", ("note",), "missing-field", "say why: readers of its page are told")])
    told = dict(zip(_TOLD, (Status.WITHDRAWN, note, f"{library.today}", replaced_by or None), strict=True))
    old = review.shelf.text(book.file) or ""
    body = changed(old.encode(), book.file, fields=told)
    if isinstance(body, list):
        raise EditRefused(body)
    subject = f"playbook:{slug}"
    files = ready(review, [DraftFile(book.file, body.decode(), digest(old))], subject)
    review.store.withdraw_playbook(subject, files, by=editor_name(editor), reasons=list(reasons), note=note)


def set_on(parcel: Parcel, present: Callable[[str], bytes | None]) -> Parcel:
    """A playbook's withdrawal set on its file as it is now; every other parcel, and one of no file, as it was.

    Raises `CannotWrite` where the file as it is cannot be changed.
    """
    if not parcel.subject.startswith("playbook:"):
        return parcel
    files, bases = dict(parcel.files), {}
    for file, sent in parcel.files.items():
        here = present(file)
        if here is None or here == sent:
            continue
        bases[file] = digest(here)
        files[file] = _changed(here, file, parse(sent.decode(), file).value)
    entries = tuple(replace(entry, base=bases.get(entry.file, entry.base)) for entry in parcel.entries)
    return replace(parcel, files=files, entries=entries)


def _changed(here: bytes, file: str, sent: object) -> bytes:
    """A file with the fields that a withdrawal sets as they were sent."""
    told: Mapping[str, Value] = sent if isinstance(sent, dict) else {}
    body = changed(here, file, fields={name: told.get(name) for name in _TOLD})
    if isinstance(body, list):
        raise CannotWrite(f"{file} cannot be changed as it is: {body[0]}")
    return body
