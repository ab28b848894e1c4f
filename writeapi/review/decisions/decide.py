"""Decisions of editors: each checks all that it rests on, then changes the store in one transaction, or not at all.

Everything raises `Unavailable` and `ContentError` beside what is named. What was refused changed nothing.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from library.problems import Problem
from library.records.naming import name_problem
from library.records.vocabulary import Decision, RunState, SubmissionState
from library.rules.judgment import trial
from writeapi.keys import is_id
from writeapi.store import Conflict, DraftFile, Member, NotFound, RunRecord, SubmissionRecord

from ..publishing.parcels import run_file
from ..screening.matching import WITHDRAWN, is_withdrawn, present_slug
from ..services import ReviewServices, editor_name, record_of
from .conflicts import naming_who, note_on_own, who_was_faster
from .items import Item, files_of, item
from .promote import promote
from .texts import (
    OLDER,
    EditRefused,
    digest,
    note_problems,
    ready,
    reason_problems,
    refuse,
    size_problems,
    try_texts,
    unix,
)
from .withdraw import withdraw

__all__ = [
    "EditRefused",
    "Item",
    "accept",
    "approve",
    "begin_again",
    "begin_with",
    "conclude",
    "item",
    "promote",
    "save",
    "try_texts",
    "withdraw",
]


def save(
    review: ReviewServices,
    editor: Member,
    subject: str,
    texts: Mapping[str, str],
    revision: int,
    bases: Mapping[str, str] | None = None,
    *,
    version: int,
    over: Collection[str] = (),
) -> int:
    """Keep these texts as the draft of a submission at this version of it, whole or not; says its revision.

    `bases` are the digests (`DraftFile.base` or `digest(olds[file])`) of the files that were shown beside them;
    without it, the files as they are now. Raises `EditRefused` for a name or a character that no file can have, and
    for a file that is not as it was shown or as the draft was made from, unless it is one of `over` (an editor
    compared, and the text takes its place), or too much; `Conflict` when another editor saved, or it was decided or
    answered; `NotFound`.
    """
    submission = _submission(review, subject)
    if submission.state not in (SubmissionState.QUEUED, SubmissionState.SCREENED) or submission.version != version:
        raise Conflict(who_was_faster(review, subject, version))
    refuse(size_problems(texts))
    drafted = {file.file: file.base for file in files_of(review, submission)[0]}
    files = tuple(DraftFile(file, unix(text), _base_now(review, file)) for file, text in texts.items())
    refuse(
        Problem(entry.file, (), "base-changed", OLDER)
        for entry in files
        if entry.file not in over and drafted.get(entry.file) not in (None, entry.base)
    )
    refuse(problem for entry in files for problem in _unkeepable(entry, (bases or {}).get(entry.file)))
    with naming_who(review, subject, version, revision):
        return review.store.save_draft(subject, files, revision, by=editor_name(editor), version=version)


def accept(
    review: ReviewServices,
    editor: Member,
    subject: str,
    version: int,
    texts: Mapping[str, str],
    note: str | None = None,
    bases: Mapping[str, str] | None = None,
    revision: int = 0,
    over: Collection[str] = (),
) -> None:
    """Accept a submission as these texts, by file name; the outbox has them in canonical form from then on.

    `revision` is that of the saved draft that the editor saw (0: there was none): what another one saved since is not
    lost without a word.
    A file that exists may be changed when it is in the draft, or when `bases` says of which digest it was shown; where
    both are known, it has to be as both say. A file in `over` was compared by the editor: it has to be as it was
    shown, whatever the draft was made from. Raises `EditRefused` with every problem of every file, or for what
    the editor sent, `Conflict` or `NotFound`.
    """
    submission = _submission(review, subject)
    if submission.state is not SubmissionState.SCREENED or submission.version != version:
        raise Conflict(who_was_faster(review, subject, version))
    drafted = {file.file: file.base for file in files_of(review, submission)[0]}
    shown = bases or {}
    for file in over:
        drafted[file] = _base_now(review, file) if file not in shown else None
    files = [
        DraftFile(file, text, _rests_on(review, file, drafted.get(file), shown.get(file)))
        for file, text in texts.items()
    ]
    refuse(note_problems(_note(note)))
    notes = filter(None, (_note(note), note_on_own(review, editor, submission.contributor_id)))
    sent = ready(review, files, subject)
    with naming_who(review, subject, version, revision):
        kept = "\n\n".join(notes) or None
        review.store.accept(subject, sent, by=editor_name(editor), version=version, revision=revision, note=kept)


def begin_again(review: ReviewServices, editor: Member, subject: str, version: int, revision: int) -> int:
    """Put the file as it is in the place of each text of a draft that was made from an older one; says its revision.

    Texts whose file is there no more are dropped. Raises as `save` does.
    """
    now = item(review, subject)
    texts = {file.file: file.text for file in now.files if file.file not in now.stale}
    again = {file: text for file, text in now.olds.items() if file in now.stale}
    return save(review, editor, subject, texts | again, revision, version=version, over=now.stale)


def begin_with(review: ReviewServices, editor: Member, subject: str, file: str, version: int, revision: int) -> int:
    """Put a file of the content, as it is, beside the draft's; says its revision. Raises as `save` does."""
    refuse(problem for problem in [name_problem(file)] if problem)
    text = review.shelf.text(file)
    if text is None:
        raise EditRefused([Problem(file, (), "unknown-file", "there is no such file; look its name up on the site")])
    texts = {entry.file: entry.text for entry in files_of(review, _submission(review, subject))[0]}
    return save(review, editor, subject, {**texts, file: text}, revision, {file: digest(text)}, version=version)


def approve(review: ReviewServices, editor: Member, chosen: Sequence[tuple[str, int]]) -> dict[str, str]:
    """Approve run reports as they were looked at, (id, version) each; says of each that was not why not.

    A report is approved only where its file passes every check of the content, and it is not the editor's own.
    """
    refused: dict[str, str] = {}
    notes: dict[str, str | None] = {}
    names: dict[str, str] = {}
    bodies: dict[str, bytes] = {}
    library = review.shelf.library()
    for name, _ in chosen:
        run = review.store.run(name) if is_id(name) else None
        book = present_slug(library, run.playbook) if run else None
        if run is None or book is None or is_withdrawn(library, book):
            refused[name] = _no_report(name, run, book)
            continue
        try:
            notes[name] = note_on_own(review, editor, run.contributor_id)
        except EditRefused as own:
            refused[name] = str(own)
            continue
        file, body = run_file(run, book)
        bodies[file] = body
        names[file] = name
    for problem in trial(library, bodies).problems:
        if problem.file in names:
            refused[names[problem.file]] = str(problem)
    fine = [(name, version) for name, version in dict(chosen).items() if name not in refused]
    for name in review.store.approve_runs(fine, by=editor_name(editor), notes=notes) if fine else {}:
        refused[name] = who_was_faster(review, name, dict(fine)[name])
    return refused


def _no_report(name: str, run: RunRecord | None, book: str | None) -> str:
    """Why there is no report of this id that could count."""
    if run is None:
        return "It is a submission; use accept." if name.startswith("sub_") else "There is no such report."
    return WITHDRAWN if book else "Its playbook is not in the library any more."


def conclude(
    review: ReviewServices,
    editor: Member,
    decision: Decision,
    subject: str,
    version: int,
    reasons: Sequence[str],
    note: str | None,
) -> None:
    """Decide against a report or a submission, for reasons. Raises `EditRefused`, `Conflict` or `NotFound`."""
    if decision is Decision.WITHDRAW:
        withdraw(review, editor, subject, reasons, note, version=version)
        return
    refuse(reason_problems(decision, reasons, _note(note)))
    record = record_of(review.store, subject) if decision is Decision.REJECT else _submission(review, subject)
    to: RunState | SubmissionState = {
        Decision.SEND_BACK: SubmissionState.SCREENED,
        Decision.REQUEST_CHANGES: SubmissionState.CHANGES_REQUESTED,
    }.get(decision, RunState.REJECTED if isinstance(record, RunRecord) else SubmissionState.REJECTED)
    with naming_who(review, subject, version):
        review.store.move(subject, to, by=editor_name(editor), reasons=list(reasons), note=_note(note), version=version)


def _submission(review: ReviewServices, subject: str) -> SubmissionRecord:
    record = record_of(review.store, subject)
    if isinstance(record, RunRecord):
        raise NotFound("There is no submission with this id; a run report is approved or rejected.")
    return record


def _note(note: str | None) -> str | None:
    """A note as it is kept: none where it is blank."""
    return unix(note).strip() or None if note is not None else None


def _base_now(review: ReviewServices, file: str) -> str | None:
    if name_problem(file):
        return None
    now = review.shelf.text(file)
    return None if now is None else digest(now)


def _rests_on(review: ReviewServices, file: str, drafted: str | None, shown: str | None) -> str | None:
    """What a text was made from: of what the draft and the page say, whatever the file is not any more."""
    said = [base for base in (drafted, shown) if base]
    now = _base_now(review, file)
    return next((base for base in said if base != now), said[0] if said else None)


def _unkeepable(item: DraftFile, shown: str | None) -> Iterator[Problem]:
    """What keeps a text from being kept as a draft: all else can be mended later."""
    if problem := name_problem(item.file):
        yield problem
    try:
        item.text.encode()
        fine = "\0" not in item.text
    except UnicodeEncodeError:
        fine = False
    if not fine:
        yield Problem(item.file, (), "character", "holds a character that no text file can hold; delete it")
    if shown is not None and shown != item.base:
        message = "the file was changed while you edited; compare with it as it is now, and save this again"
        yield Problem(item.file, (), "base-changed", message)
