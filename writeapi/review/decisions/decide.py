"""Decisions of editors: each checks all that it rests on, then changes the store in one transaction, or not at all.

Everything raises `Unavailable` and `ContentError` beside what is named. What was refused changed nothing.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Literal

from library.content.formatting import canonical, changed
from library.content.yamlfile import Value, parse
from library.problems import Problem
from library.records.collection import Library
from library.records.naming import name_problem, slug_of
from library.records.vocabulary import Decision, RunState, Status, SubmissionState
from library.rules.judgment import trial
from writeapi.keys import is_id, make_id
from writeapi.store.engine import Conflict, NotFound
from writeapi.store.records import DraftFile, Member, NewSubmission, RunRecord, SubmissionRecord

from ..publishing.parcels import WITHDRAWAL_FIELDS, run_file
from ..screening.matching import WITHDRAWN, agents_known, is_withdrawn, present_slug
from ..services import ReviewServices, editor_name, record_of
from .items import Item, files_of, fresh, item, lesson_of
from .texts import (
    OLDER,
    EditRefused,
    digest,
    field_problems,
    note_problems,
    ready,
    reason_problems,
    refuse,
    size_problems,
    try_texts,
    unix,
)

__all__ = ["EditRefused", "Item", "item", "try_texts"]
Goal = Literal["lesson", "failure"]


@contextmanager
def naming_who(review: ReviewServices, subject: str, version: int, revision: int | None = None) -> Iterator[None]:
    """Turn the store's conflict into one that says who was faster, when, and what it became.

    `revision` is that of the draft that was looked at, where the draft matters: then it may be who saved another.
    """
    try:
        yield
    except Conflict as error:
        draft = None if revision is None else review.store.draft(subject)
        if draft is None or draft.revision == revision:
            raise Conflict(_who_was_faster(review, subject, version)) from error
        editors = {editor_name(editor): editor.handle for editor in review.store.contributors()}
        who = editors.get(draft.by, draft.by)
        raise Conflict(f"editor {who} was faster: a draft was saved at {draft.at}.") from error


def _who_was_faster(review: ReviewServices, subject: str, version: int) -> str:
    """Who did something to a subject after this version of it, when, and what it became; or why it cannot be done."""
    last = review.store.steps(subject)[-1]
    if last.version > version:
        return f"{last.by} was faster: it is {last.became} since {last.at}."
    if last.version < version:
        return f"It was changed since you looked (now version {last.version})."
    return f"It is {last.became} since {last.at}, by {last.by}; that cannot be done with it now."


def _note_on_own(review: ReviewServices, editor: Member, sender: int | None) -> str | None:
    """What to note beside an acceptance or approval: that the only editor decides about their own; None for others'.

    `sender` is the number of the contributor who sent it. Raises `EditRefused` where another editor could decide.
    """
    if sender != editor.id:
        return None
    if any(other.editor and other.revoked is None and other.id != editor.id for other in review.store.contributors()):
        raise EditRefused([Problem("", (), "own", "somebody else has to decide about what you sent")])
    return "Decided by its sender, the only editor."


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
        raise Conflict(_who_was_faster(review, subject, version))
    refuse(size_problems(texts))
    drafted = {file.file: file.base for file in files_of(review, submission)[0]}
    files = tuple(DraftFile(file, unix(text), _base_now(review, file)) for file, text in texts.items())
    older = [file for file in files if file.file not in over and drafted.get(file.file) not in (None, file.base)]
    refuse(Problem(file.file, (), "base-changed", OLDER) for file in older)
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
        raise Conflict(_who_was_faster(review, subject, version))
    drafted = {file.file: file.base for file in files_of(review, submission)[0]}
    shown = bases or {}
    for file in over:
        drafted[file] = _base_now(review, file) if file not in shown else None
    files: list[DraftFile] = []
    for file, text in texts.items():  # made from what the draft and the page say, whatever the file is not any more
        said, now = [base for base in (drafted.get(file), shown.get(file)) if base], _base_now(review, file)
        files.append(DraftFile(file, text, next((base for base in said if base != now), said[0] if said else None)))
    refuse(note_problems(_note(note)))
    notes = filter(None, (_note(note), _note_on_own(review, editor, submission.contributor_id)))
    sent, by, kept = ready(review, files, subject), editor_name(editor), "\n\n".join(notes)
    with naming_who(review, subject, version, revision):
        review.store.accept(subject, sent, by=by, version=version, revision=revision, note=kept)


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
    refuse(filter(None, [name_problem(file)]))
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
    files: dict[str, tuple[str, bytes]] = {}
    library = review.shelf.library()
    for name, _ in chosen:
        run = review.store.run(name) if is_id(name) else None
        book = present_slug(library, run.playbook) if run else None
        if run is None:
            known = name.startswith("sub_")
            refused[name] = "It is a submission; use accept." if known else "There is no such report."
            continue
        if book is None or is_withdrawn(library, book):
            refused[name] = WITHDRAWN if book else "Its playbook is not in the library any more."
            continue
        try:
            notes[name] = _note_on_own(review, editor, run.contributor_id)
        except EditRefused as own:
            refused[name] = str(own)
            continue
        files[name] = run_file(run, book)
    names = {file: name for name, (file, _) in files.items()}
    for problem in trial(library, dict(files.values())).problems:
        if problem.file in names:
            refused[names[problem.file]] = str(problem)
    fine = [(name, version) for name, version in dict(chosen).items() if name not in refused]
    for name in review.store.approve_runs(fine, by=editor_name(editor), notes=notes) if fine else {}:
        refused[name] = _who_was_faster(review, name, dict(fine)[name])
    return refused


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
    return unix(note).strip() or None if note is not None else None


def _base_now(review: ReviewServices, file: str) -> str | None:
    now = None if name_problem(file) else review.shelf.text(file)
    return None if now is None else digest(now)


def _unkeepable(item: DraftFile, shown: str | None) -> Iterator[Problem]:
    """What keeps a text from being kept as a draft: all else can be mended later."""
    if problem := name_problem(item.file):
        yield problem
    if re.search("[\0\ud800-\udfff]", item.text):
        yield Problem(item.file, (), "character", "holds a character that no text file can hold; delete it")
    if shown is not None and shown != item.base:
        message = "the file was changed while you edited; compare with it as it is now, and save this again"
        yield Problem(item.file, (), "base-changed", message)


def promote(
    review: ReviewServices,
    editor: Member,
    run_id: str,
    version: int,
    to: Goal,
    title: str,
    problem: str,
    fix: str,
    slug: str = "",
) -> str:
    """Make a lesson, or a known failure of its playbook, of a report that taught something; says the submission's id.

    The report is approved with it where it waits; the submission is its sender's, accepted at once. All of it
    happens or nothing. `slug` names a new lesson; empty, its title does. Raises `EditRefused`,
    `Conflict` or `NotFound`.
    """
    run = review.store.run(run_id)
    if run is None:
        raise NotFound("There is no report with this id.")
    if run.version != version or run.state not in (RunState.PENDING, RunState.APPROVED):
        raise Conflict(_who_was_faster(review, run_id, version))
    if made := review.store.promoted(run_id):
        raise EditRefused([Problem("", (), "promoted", f"This report was promoted already, to {made}.")])
    own = _note_on_own(review, editor, run.contributor_id)
    refuse(field_problems(title=("line", title), problem=("text", problem), fix=("text", fix)))
    book = present_slug(review.shelf.library(), run.playbook)
    lesson = lesson_of(run)
    if book is None or lesson is None:
        why = "its playbook is not in the library any more" if book is None else "it says nothing that could be taught"
        raise EditRefused([Problem("", (), "not-promotable", f"This report cannot be promoted: {why}.")])
    if run.state is RunState.PENDING:  # it is approved with its promotion, so its own file must pass the checks too
        if is_withdrawn(review.shelf.library(), book):
            raise EditRefused([Problem("", (), "unknown-playbook", WITHDRAWN)])
        file, body = run_file(run, book)
        refuse(trial(review.shelf.library(), {file: body}).problems)
    subject = make_id("sub", review.random)
    told: dict[str, Value] = {"problem": problem, "fix": fix}
    if to == "lesson":
        wanted = f"lessons/{slug_of(title, f'lesson-{subject[4:10]}')}.yaml"
        file = f"lessons/{slug}.yaml" if slug else fresh(review, subject)(wanted)
        draft = _lesson(review.shelf.library(), run, book, file, {"title": title, **told})
    else:
        draft = _failure(review, run, book, told)
    files = ready(review, [draft], subject)
    new = NewSubmission(
        id=subject,
        kind="lesson" if to == "lesson" else "correction",
        title=title,
        body=lesson,
        origin=run.origin,
        agent=run.agent,
        playbook=book,
        reporter=run.reporter,
        contributor_id=run.contributor_id,
    )
    note = f"From the run report {run_id}." + (f" {own}" if own else "")
    with naming_who(review, run_id, version):
        review.store.promote_run(run_id, version, new, files, by=editor_name(editor), note=note)
    return subject


def _lesson(library: Library, run: RunRecord, book: str, file: str, told: Mapping[str, Value]) -> DraftFile:
    values: dict[str, Value] = {**told, "playbooks": [book]}
    if agents := agents_known(library, [run.agent]):
        values["agents"] = [*agents]
    values["updated"] = f"{library.today}"
    if run.contributor:
        values["contributors"] = [{"handle": run.contributor}]
    else:  # a lesson says who told it: the report itself, which the playbook's page shows
        page = f"{library.site.site_url.rstrip('/')}/playbooks/{book}/"
        values["sources"] = [{"title": f"Run report {run.id}", "url": page}]
    return DraftFile(file, canonical(values, file).decode())


def _failure(review: ReviewServices, run: RunRecord, book: str, told: dict[str, Value]) -> DraftFile:
    """The playbook's file with one failure more; its contributors get the report's, who had a key."""
    library = review.shelf.library()
    file = f"playbooks/{book}.yaml"
    old = review.shelf.text(file) or ""
    known = parse(old, file).value
    if isinstance(known, dict) and told in known.get("failures", []):
        raise EditRefused([Problem(file, ("failures",), "duplicate", "the playbook knows this failure already")])
    items: dict[str, list[Value]] = {"failures": [told]}
    if run.contributor and run.contributor not in library.playbooks[book].contributors:
        items["contributors"] = [{"handle": run.contributor}]
    body = changed(old.encode(), file, fields={"updated": f"{library.today}"}, items=items)
    if isinstance(body, list):
        raise EditRefused(body)
    return DraftFile(file, body.decode(), digest(old))


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
            message = "only run reports and playbooks are withdrawn; its sender can take a submission back"
            raise EditRefused([Problem("", (), "not-withdrawable", message)])
        if run and run.state is RunState.PENDING:
            raise Conflict("It is pending: reject a pending report instead of withdrawing it.")
        seen = (run.version if run else 0) if version is None else version
        with naming_who(review, subject, seen):
            by = editor_name(editor)
            review.store.move(subject, RunState.WITHDRAWN, by=by, reasons=list(reasons), note=note, version=seen)
    else:
        _withdraw_playbook(review, editor, subject, reasons, note, replaced_by)


def _withdraw_playbook(
    review: ReviewServices, editor: Member, slug: str, reasons: Sequence[str], note: str | None, replaced_by: str | None
) -> None:
    library = review.shelf.library()
    book = library.playbooks.get(slug)
    if book is None:
        raise NotFound("There is no playbook of this slug, and no report with this id.")
    if book.status is Status.WITHDRAWN:
        raise Conflict("It is withdrawn already.")
    if note is None:
        raise EditRefused([Problem("", ("note",), "missing-field", "say why: readers of its page are told")])
    told = dict(zip(WITHDRAWAL_FIELDS, (Status.WITHDRAWN, note, f"{library.today}", replaced_by or None), strict=True))
    old = review.shelf.text(book.file) or ""
    body = changed(old.encode(), book.file, fields=told)
    if isinstance(body, list):
        raise EditRefused(body)
    subject = f"playbook:{slug}"
    files = ready(review, [DraftFile(book.file, body.decode(), digest(old))], subject)
    review.store.withdraw_playbook(subject, files, by=editor_name(editor), reasons=list(reasons), note=note)
