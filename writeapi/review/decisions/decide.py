"""Decisions of editors: each checks all that it rests on, then changes the store in one transaction, or not at all.

Everything raises `Unavailable` and `ContentError` beside what is named. What was refused changed nothing.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Literal

from library.content.formatting import changed
from library.content.yamlfile import Value, parse
from library.problems import Problem
from library.records.collection import Library
from library.records.naming import name_problem, slug_of
from library.records.vocabulary import Decision, RunState, Status, SubmissionState
from library.rules.judgment import trial
from writeapi.keys import is_id, make_id
from writeapi.store.engine import Conflict, NotFound
from writeapi.store.records import DraftFile, Member, NewSubmission, RunRecord, SubmissionRecord

from ..publishing.targets import run_file
from ..screening.matching import agent_of, present_slug
from ..services import ReviewServices, editor_name, record_of
from .items import Item, files_of, fresh, item, lesson_of, new_file
from .texts import (
    EditRefused,
    base_problems,
    digest,
    ready,
    reason_problems,
    refuse,
    size_problems,
    text_problems,
    unix,
)

__all__ = ["EditRefused", "Item", "item"]
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
            raise _faster(review, subject, version) from error
        editors = {editor_name(editor): editor.handle for editor in review.store.contributors()}
        who = editors.get(draft.by, draft.by)
        raise Conflict(f"editor {who} was faster: a draft was saved at {draft.at}.") from error


def _faster(review: ReviewServices, subject: str, version: int) -> Conflict:
    """Who did something to a subject after this version of it, when, and what it became; or why it cannot be done."""
    last = review.store.steps(subject)[-1]
    if last.version > version:
        return Conflict(f"{last.by} was faster: it is {last.became} since {last.at}.")
    if last.version < version:
        return Conflict(f"It was changed since you looked (now version {last.version}).")
    return Conflict(f"It is {last.became} since {last.at}, by {last.by}; that cannot be done with it now.")


def _refused(code: str, message: str, file: str = "", field: str = "") -> EditRefused:
    return EditRefused([Problem(file, (field,) if field else (), code, message)])


def _note_on_own(review: ReviewServices, editor: Member, sender: int | None) -> str | None:
    """What to note beside an acceptance or approval: that the only editor decides about their own; None for others'.

    `sender` is the number of the contributor who sent it. Raises `EditRefused` where another editor could decide.
    """
    if sender != editor.id:
        return None
    if any(other.editor and other.revoked is None and other.id != editor.id for other in review.store.contributors()):
        raise _refused("own", "somebody else has to decide about what you sent")
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
) -> int:
    """Keep these texts as the draft of a submission at this version of it, whole or not; says its revision.

    `bases` are the digests of the files that they were made from; without it, those of the draft. Raises `EditRefused`
    for a name or a character that no file can have, for a file that is not any more what its text was made from, or too
    much; `Conflict` when another editor saved, or it was decided or answered; `NotFound`.
    """
    submission = _submission(review, subject)
    if submission.state not in (SubmissionState.QUEUED, SubmissionState.SCREENED) or submission.version != version:
        raise _faster(review, subject, version)
    refuse(size_problems(texts))
    files = _made_from(review, submission, texts, bases)
    problems = [problem for problem in base_problems(review, files) if problem.code == "base-changed"]
    problems += filter(None, map(name_problem, texts))
    odd = "holds a character that no text file can hold; delete it"
    problems += [Problem(file, (), "character", odd) for file in texts if re.search("[\0\ud800-\udfff]", texts[file])]
    refuse(problems)
    present = {file: review.shelf.text(file) for file in texts}
    kept = [replace(file, base=digest(now) if (now := present[file.file]) is not None else None) for file in files]
    with naming_who(review, subject, version, revision):
        return review.store.save_draft(subject, kept, revision, by=editor_name(editor), version=version)


def _made_from(
    review: ReviewServices, submission: SubmissionRecord, texts: Mapping[str, str], bases: Mapping[str, str] | None
) -> list[DraftFile]:
    if bases is None:
        bases = {file.file: file.base for file in files_of(review, submission)[0] if file.base}
    return [DraftFile(file, unix(text), bases.get(file)) for file, text in texts.items()]


def accept(
    review: ReviewServices,
    editor: Member,
    subject: str,
    version: int,
    texts: Mapping[str, str],
    note: str | None = None,
    bases: Mapping[str, str] | None = None,
    revision: int = 0,
) -> None:
    """Accept a submission as these texts, by file name; the outbox has them in canonical form from then on.

    `bases` are the digests of the files that they were made from; without it, those of the draft. `revision` is that of
    the saved draft that the editor saw (0: there was none): what another one saved since is not lost without a word.
    Raises `EditRefused` with every problem of every file, or for what the editor sent, `Conflict` or `NotFound`.
    """
    submission = _submission(review, subject)
    if submission.state is not SubmissionState.SCREENED or submission.version != version:
        raise _faster(review, subject, version)
    note = _note(note)
    refuse(text_problems(note=note))
    notes = filter(None, (note, _note_on_own(review, editor, submission.contributor_id)))
    sent = ready(review, _made_from(review, submission, texts, bases))
    by, kept = editor_name(editor), "\n\n".join(notes)
    with naming_who(review, subject, version, revision):
        review.store.accept(subject, sent, by=by, version=version, revision=revision, note=kept)


def begin_again(review: ReviewServices, editor: Member, subject: str, version: int, revision: int) -> int:
    """Put the file as it is in the place of each text of a draft that was made from an older one; says its revision.

    Texts whose file is there no more are dropped. Raises as `save` does.
    """
    now = item(review, subject)
    texts = {file: text for file, text in now.texts.items() if file not in now.stale}
    again = {file: text for file, text in now.olds.items() if file in now.stale}
    bases = {file: digest(text) for file, text in now.olds.items()}
    return save(review, editor, subject, texts | again, revision, bases, version=version)


def begin_with(review: ReviewServices, editor: Member, subject: str, file: str, version: int, revision: int) -> int:
    """Put a file of the content, as it is, beside the draft's; says its revision. Raises as `save` does."""
    refuse(filter(None, [name_problem(file)]))
    text = review.shelf.text(file)
    if text is None:
        raise _refused("unknown-file", "there is no such file; look its name up on the site", file)
    texts = {entry.file: entry.text for entry in files_of(review, _submission(review, subject))[0]}
    return save(review, editor, subject, {**texts, file: text}, revision, version=version)


def approve(review: ReviewServices, editor: Member, chosen: Sequence[tuple[str, int]]) -> dict[str, str]:
    """Approve run reports as they were looked at, (id, version) each; says of each that was not why not.

    A report is approved only where its file passes every check of the content, and it is not the editor's own.
    """
    refused: dict[str, str] = {}
    notes: dict[str, str | None] = {}
    files: dict[str, tuple[str, bytes]] = {}
    for name, _ in chosen:
        run = review.store.run(name) if is_id(name) else None
        if run is None:
            known = name.startswith("sub_")
            refused[name] = "It is a submission; use accept." if known else "There is no such report."
            continue
        try:
            notes[name], files[name] = _approvable(review, editor, run)
        except EditRefused as error:
            refused[name] = str(error)
    names = {file: name for name, (file, _) in files.items()}
    for problem in trial(review.shelf.library(), dict(files.values())).problems:
        if problem.file in names:
            refused[names[problem.file]] = str(problem)
    fine = {name: version for name, version in chosen if name not in refused}
    for name in review.store.approve_runs([*fine.items()], by=editor_name(editor), notes=notes) if fine else {}:
        refused[name] = str(_faster(review, name, fine[name]))
    return refused


def _approvable(review: ReviewServices, editor: Member, run: RunRecord) -> tuple[str | None, tuple[str, bytes]]:
    """What is noted beside the approval of a report, and the file that it becomes. Raises `EditRefused`."""
    library = review.shelf.library()
    book = library.playbook(run.playbook)
    if book is None or book.status is Status.WITHDRAWN:
        why = "was withdrawn: no run of it counts" if book else "is not in the library any more"
        raise _refused("unknown-playbook", f"Its playbook {why}.")
    return _note_on_own(review, editor, run.contributor_id), run_file(run, book.slug)


_BECOMES: Mapping[Decision, tuple[RunState | None, SubmissionState | None]] = {
    Decision.REJECT: (RunState.REJECTED, SubmissionState.REJECTED),
    Decision.REQUEST_CHANGES: (None, SubmissionState.CHANGES_REQUESTED),
    Decision.SEND_BACK: (None, SubmissionState.SCREENED),
    Decision.WITHDRAW: (RunState.WITHDRAWN, None),
}
"""What a report and a submission become by a decision against them; None where it is not for such."""


def conclude(
    review: ReviewServices,
    editor: Member,
    decision: Decision,
    subject: str,
    version: int | None,
    reasons: Sequence[str],
    note: str | None,
) -> None:
    """Decide against a report or a submission, for reasons; without a `version`, as it stands.

    Raises `EditRefused`, `Conflict` or `NotFound`.
    """
    note = _note(note)
    refuse(reason_problems(decision, reasons, note))
    record = record_of(review.store, subject)
    to = _BECOMES[decision][0 if isinstance(record, RunRecord) else 1]
    if to is None and decision is Decision.WITHDRAW:
        message = "only run reports and playbooks are withdrawn; its sender can take a submission back"
        raise _refused("not-withdrawable", message)
    if to is None:
        raise NotFound(_NO_SUBMISSION)
    if to is RunState.WITHDRAWN and record.state is RunState.PENDING:
        raise Conflict("It is pending: reject a pending report instead of withdrawing it.")
    seen, by = record.version if version is None else version, editor_name(editor)
    with naming_who(review, subject, seen):
        review.store.move(subject, to, by=by, reasons=list(reasons), note=note, version=seen)


_NO_SUBMISSION = "There is no submission with this id; a run report is approved or rejected."


def _submission(review: ReviewServices, subject: str) -> SubmissionRecord:
    record = record_of(review.store, subject)
    if isinstance(record, RunRecord):
        raise NotFound(_NO_SUBMISSION)
    return record


def _note(note: str | None) -> str | None:
    return unix(note).strip() or None if note is not None else None


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
        raise _faster(review, run_id, version)
    if made := review.store.promoted(run_id):
        raise _refused("promoted", f"This report was promoted already, to {made}.")
    own = _note_on_own(review, editor, run.contributor_id)
    refuse(text_problems(title=title, problem=problem, fix=fix))
    library, lesson = review.shelf.library(), lesson_of(run)
    book = present_slug(library, run.playbook)
    if book is None or lesson is None:
        why = "its playbook is not in the library any more" if book is None else "it says nothing that could be taught"
        raise _refused("not-promotable", f"This report cannot be promoted: {why}.")
    if run.state is RunState.PENDING:  # it is approved with its promotion, so its own file must pass the checks too
        _, (file, body) = _approvable(review, editor, run)
        refuse(trial(library, {file: body}).problems)
    subject = make_id("sub", review.random)
    told: dict[str, Value] = {"problem": problem, "fix": fix}
    if to == "lesson":
        wanted = f"lessons/{slug_of(title, f'lesson-{subject[4:10]}')}.yaml"
        file = f"lessons/{slug}.yaml" if slug else fresh(review, subject)(wanted)
        draft = _lesson(library, run, book, file, {"title": title, **told})
    else:
        draft = _failure(review, run, book, told)
    files = ready(review, [draft])
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
    page = f"{library.site.site_url.rstrip('/')}/playbooks/{book}/"
    values: dict[str, Value] = {
        **told,
        "playbooks": [book],
        "agents": [found] if (found := agent_of(library, run.agent)) else [],
        "updated": f"{library.today}",
        "contributors": [{"handle": run.contributor}] if run.contributor else [],
        # A lesson says who told it: the report itself, which the playbook's page shows.
        "sources": [] if run.contributor else [{"title": f"Run report {run.id}", "url": page}],
    }
    return new_file(file, values)


def _failure(review: ReviewServices, run: RunRecord, book: str, told: dict[str, Value]) -> DraftFile:
    """The playbook's file with one failure more; its contributors get the report's, who had a key."""
    library = review.shelf.library()
    file = f"playbooks/{book}.yaml"
    known = parse(review.shelf.text(file) or "", file).value
    if isinstance(known, dict) and told in known.get("failures", []):
        raise _refused("duplicate", "the playbook knows this failure already", file, "failures")
    items: dict[str, list[Value]] = {"failures": [told]}
    if run.contributor and run.contributor not in library.playbooks[book].contributors:
        items["contributors"] = [{"handle": run.contributor}]
    return _changed(review, file, {"updated": f"{library.today}"}, items)


def _changed(
    review: ReviewServices, file: str, fields: Mapping[str, Value | None], items: Mapping[str, list[Value]]
) -> DraftFile:
    old = review.shelf.text(file) or ""
    body = changed(old.encode(), file, fields=fields, items=items)
    if isinstance(body, list):
        raise EditRefused(body)
    return DraftFile(file, body.decode(), digest(old))


def withdraw_playbook(
    review: ReviewServices,
    editor: Member,
    slug: str,
    reasons: Sequence[str],
    note: str | None,
    replaced_by: str | None = None,
) -> None:
    """Withdraw a playbook; the note is what readers are told. Raises `EditRefused`, `Conflict` or `NotFound`."""
    note = _note(note)
    refuse(reason_problems(Decision.WITHDRAW, reasons, note))
    library = review.shelf.library()
    book = library.playbooks.get(slug)
    if book is None:
        raise NotFound("There is no playbook of this slug, and no report with this id.")
    if book.status is Status.WITHDRAWN:
        raise Conflict("It is withdrawn already.")
    if note is None:
        raise _refused("missing-field", "say why: readers of its page are told", field="note")
    told: dict[str, Value | None] = {"status": Status.WITHDRAWN, "status_reason": note, "updated": f"{library.today}"}
    files = ready(review, [_changed(review, book.file, {**told, "replaced_by": replaced_by or None}, {})])
    by = editor_name(editor)
    review.store.withdraw_playbook(f"playbook:{slug}", files, by=by, reasons=list(reasons), note=note)
