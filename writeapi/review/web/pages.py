"""The pages: the queue, one subject with every decision about it, what is on its way, a playbook's withdrawal."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from flask import Response, request

from library.interface.errors import codes_for
from library.problems import Problem, UsageError
from library.records.fields import SLUG
from library.records.naming import name_problem
from library.records.vocabulary import Decision, OutboxState, RunState, SubmissionKind, SubmissionState
from writeapi.keys import is_id
from writeapi.store.engine import Conflict, NotFound
from writeapi.store.records import Member, RunRecord

from ..decisions import decide
from ..decisions.decide import Item
from ..decisions.items import ACTIONS, BY_NAME, OF_DECISION, Action, lesson_of
from ..decisions.texts import digest
from ..services import ReviewServices
from .site import Form, age, asked_for, counted, difference, editor, moved, page, site, statistics, summary

PER_PAGE = 100
KINDS = ("run", *SubmissionKind)
_MOST = 10_000


def waiting() -> Response:
    """The queue: oldest first, with the size of all of it on top."""
    approved = request.args.get("done") == "approve"
    return _queue(request.args, said="The reports are approved and on their way." if approved else "")


def _queue(
    asked: Mapping[str, str], status: int = 200, *, said: str = "", refused: Mapping[str, str] | None = None
) -> Response:
    store, now = site().review.store, site().clock()
    kind = asked.get("kind", "") if asked.get("kind") in KINDS else ""
    playbook = asked.get("playbook", "").strip()
    start = int(text) if (text := asked.get("from", "")).isascii() and text.isdigit() and len(text) < 6 else 0
    known = not playbook or SLUG.fullmatch(playbook)
    rows = store.waiting(kind=kind, playbook=playbook, limit=PER_PAGE + 1, offset=min(start, _MOST)) if known else []
    size = store.queue_size()
    batch = bool(playbook) and any(row.kind == "run" for row in rows)
    return page(
        "queue.html",
        status,
        rows=rows[:PER_PAGE],
        ages={row.id: age(row.created, now) for row in rows},
        more=start + PER_PAGE if len(rows) > PER_PAGE else None,
        size=size,
        oldest=age(size.oldest, now) if size.oldest else "",
        kind=kind,
        kinds=KINDS,
        playbook=playbook,
        batch=batch,
        told=store.lessons([row.id for row in rows if row.kind == "run"]) if batch else {},
        said=said,
        bad=status != 200,
        refused=refused or {},
    )


def approve_runs() -> Response:
    """Approve the reports that were ticked; those that could not be are named, the others are approved."""
    asked = {"playbook": Form(request.form).line("playbook")}
    pairs = [text.partition(":") for text in request.form.getlist("run")]
    versions = {subject: version for subject, _, version in pairs if is_id(subject)}
    if not pairs:
        return _queue(asked, 422, said="Tick the reports to approve; nothing was changed.")
    if len(versions) < len(pairs) or not all(re.fullmatch("[0-9]{1,8}", text) for text in versions.values()):
        return _queue(asked, 422, said="The form does not name reports, each once: nothing was changed. Open it again.")
    chosen = [(subject, int(version)) for subject, version in versions.items()]
    refused = decide.approve(site().review, editor(), chosen)
    if refused:
        told = f"{counted(len(chosen) - len(refused), 'report')} approved. Not approved:"
        return _queue(asked, 409, said=told, refused=refused)
    return moved("/?done=approve")


def on_its_way() -> Response:
    """What was decided and is not published yet, and how far it is."""
    store = site().review.store
    accepted = store.accepted()
    shown = {entry.id for _, entries in accepted for entry in entries}
    others = [entry for entry in store.outbox(OutboxState.WAITING) if entry.id not in shown]
    by_subject = [(subject, list(entries)) for subject, entries in groupby(others, key=lambda entry: entry.subject)]
    return page("on-its-way.html", accepted=accepted, others=by_subject)


def ask_withdrawal() -> Response:
    """The form that takes a playbook back."""
    return _withdrawal({"playbook": request.args.get("playbook", "")}, (), "")


def _withdrawal(typed: Mapping[str, str], ticked: Sequence[str], said: str, status: int = 200) -> Response:
    return page("withdraw.html", status, typed=typed, ticked=ticked, said=said, codes=codes_for(Decision.WITHDRAW))


def withdraw_playbook() -> Response:
    """Take a playbook back: its page becomes a tombstone when that is published."""
    form = Form(request.form)
    reasons, note, instead = form.reasons("withdraw"), form.note("withdraw"), form.line("replaced-by") or None
    try:
        decide.withdraw_playbook(site().review, editor(), form.line("playbook"), reasons, note, instead)
    except decide.EditRefused as error:
        return _withdrawal(form, reasons, "\n".join(map(asked_for, error.problems)), 422)
    except NotFound:
        return _withdrawal(form, reasons, "The library has no playbook of this name.", 422)
    return moved("/on-its-way")


@dataclass(frozen=True, slots=True)
class FileView:
    """One file of a draft. `base` is the digest of the file that its text was made from, `now` of the file as it is.

    Both are empty, and `diff` None, for a new one. Of a text that was made from an older file `ours` is what it changes
    there, and `theirs` what others changed in it since.
    """

    name: str
    text: str
    base: str
    now: str
    problems: tuple[Problem, ...]
    diff: Sequence[str] | None
    ours: Sequence[str] = ()
    theirs: Sequence[str] = ()

    @property
    def older(self) -> bool:
        """Whether the file was changed since the text was made from it."""
        return bool(self.base) and self.base != self.now

    def line_of(self, problem: Problem) -> str:
        """The line of the text that a problem speaks of; empty where there is none."""
        lines = self.text.split("\n")
        return lines[problem.line - 1].strip() if 0 < problem.line <= len(lines) else ""


def file_views(
    item: Item, typed: Form | None, problems: Iterable[Problem], present: Callable[[str], str | None]
) -> list[FileView]:
    """The files, as they were typed just now or else as they stand; `present` gives a content file's text."""
    made = {file.file: file.base or "" for file in item.files} | (typed.bases() if typed is not None else {})
    befores = {file.file: file.original for file in item.files}
    views: list[FileView] = []
    for name, text in item.texts.items() if typed is None else typed.files():
        # What was typed is no path before its name is found good.
        old = None if name_problem(name) else present(name)
        now = "" if old is None else digest(old)
        mine = tuple(problem for problem in problems if problem.file == name)
        view = FileView(name, text, made.get(name) or now, now, mine, None if old is None else difference(old, text))
        before = befores.get(name)
        if view.older and old is not None and before is not None:
            view = replace(view, ours=difference(before, text), theirs=difference(before, old))
        views.append(view)
    return views


PREVIEW_CSP = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none';"
    " frame-ancestors 'self'; sandbox"
)
NOTICES = {action.key: action.notice for action in ACTIONS} | {
    "save": BY_NAME["edit"].notice,
    "begin-again": "The draft begins again from the file as it is.",
}
_TITLE_LENGTH = 80


def show(subject: str) -> Response:
    """The page of one subject. Raises `NotFound`."""
    return _page(_known(subject), said=NOTICES.get(request.args.get("done", ""), ""))


def _known(subject: str) -> str:
    if not is_id(subject):
        raise NotFound("There is no such record.")
    return subject


def _page(
    subject: str,
    status: int = 200,
    *,
    said: str = "",
    wrong: str = "",
    problems: Sequence[Problem] | None = None,
    typed: Form | None = None,
) -> Response:
    """The page, with what was typed where that could not be taken, and the problems of it."""
    found, store = decide.item(site().review, subject), site().review.store
    looked, anew = found.review.version if found.review else 0, (RunState.PENDING, SubmissionState.QUEUED)
    slug = next((file.file.split("/")[1] for file in found.files if file.file.startswith("runs/")), "")
    stated = found.tried.problems if problems is None else problems
    files = file_views(found, typed, stated, site().review.shelf.text)
    elsewhere = [problem for problem in stated if problem.file not in {file.name for file in files}]
    tried = BY_NAME.get(request.path.rpartition("/")[2].replace("-", "_")) if typed is not None else None
    inside = elsewhere if tried and tried.decision else []
    later = store.waiting(limit=1, after=subject) or store.waiting(limit=1)
    return page(
        "item.html",
        status,
        item=found,
        record=found.record,
        files=files,
        elsewhere=[] if inside else elsewhere,
        inside=inside,
        tried=tried.name if tried else "",
        actions=BY_NAME,
        stated=stated,
        statistics=statistics(found.tried.before, found.tried.after, slug) if slug else [],
        verdicts=found.tried.verdicts if found.files else {},
        codes={name: codes_for(action.decision) for name, action in BY_NAME.items() if action.decision},
        suspected={finding.code for finding in found.review.findings} if found.review else set(),
        promoted=_promotion(found.run) if found.run and "promote" in found.actions else {},
        typed=typed,
        stale=any(step.became in anew and step.version > looked for step in found.steps),
        said=said,
        wrong=wrong,
        then=next((row for row in later if row.id != subject), None),
    )


def _promotion(run: RunRecord) -> dict[str, str]:
    """What the form begins with that makes a lesson of a report: the sender's words, for the editor to mend."""
    told, fix = lesson_of(run) or "", (run.what_changed or "") if run.lesson else ""
    return {"title": summary(told, _TITLE_LENGTH), "problem": told, "fix": fix, "slug": "", "to": "lesson"}


def preview(subject: str, number: int) -> Response:
    """The page that a file of the saved draft would give; it can run nothing and leads nowhere."""
    found = decide.item(site().review, _known(subject))
    if number >= len(found.files):
        raise NotFound("There is no such file.")
    bodies = {file: text.encode() for file, text in found.texts.items()}
    body = site().review.shelf.page(bodies, found.files[number].file)
    answer = page("no-preview.html") if body is None else Response(body, content_type="text/html; charset=utf-8")
    answer.headers["Content-Security-Policy"] = PREVIEW_CSP
    return answer


Post = Callable[[str, Form], Response]
"""What a form does about a subject, and the page that answers. May raise `EditRefused`, `UsageError`, `Conflict`."""


def act(post: Post, subject: str) -> Response:
    """Do what a form asks for. What cannot be done keeps what was typed, and says why."""
    form = Form(request.form)
    try:
        return post(_known(subject), form)
    except decide.EditRefused as error:
        return _page(subject, 422, problems=error.problems, typed=form)
    except UsageError as error:
        return _page(subject, 422, wrong=str(error), typed=form)
    except Conflict as error:
        steps = site().review.store.steps(subject)
        return page("conflict.html", 409, why=str(error), subject=subject, steps=steps, typed=form.written())


def _who() -> tuple[ReviewServices, Member]:
    return site().review, editor()


def _seen(form: Form) -> tuple[int, int]:
    """The version of the subject and the revision of its draft that the form was made of."""
    return form.number("version"), form.number("revision")


def _done(subject: str, what: str) -> Response:
    return moved(f"/{subject}?done={what}")


def check(subject: str, form: Form) -> Response:
    """Try what was typed, and change nothing. It is the first button of the form: what the Enter key presses."""
    texts = form.texts()
    problems = decide.try_texts(site().review, texts).problems if texts else ()
    return _page(subject, said="Nothing was changed.", problems=problems, typed=form)


def save(subject: str, form: Form) -> Response:
    """Keep the draft."""
    version, revision = _seen(form)
    decide.save(*_who(), subject, form.texts(), revision, form.bases(), version=version)
    return _done(subject, "save")


def begin_again(subject: str, form: Form) -> Response:
    """Put files as they are in the place of the draft's texts that were made from older ones."""
    decide.begin_again(*_who(), subject, *_seen(form))
    return _done(subject, "begin-again")


def choose(subject: str, form: Form) -> Response:
    """Begin the draft with a file of the content, where what was sent names none."""
    decide.begin_with(*_who(), subject, form.line("choose"), *_seen(form))
    return _done(subject, "save")


def accept(subject: str, form: Form) -> Response:
    """Accept a submission as the files that were typed.

    A file rests on what its text was made from, or on what this page showed beside it where the editor says so.
    """
    version, revision = _seen(form)
    decide.accept(*_who(), subject, version, form.texts(), form.note("accept"), form.bases(), revision)
    return _done(subject, "accept")


def approve(subject: str, form: Form) -> Response:
    """Approve a run report."""
    refused = decide.approve(*_who(), [(subject, form.number("version"))])
    if subject in refused:
        raise Conflict(refused[subject])
    return _done(subject, "approve")


def _conclude(action: Action, decision: Decision, subject: str, form: Form) -> Response:
    reasons, note = form.reasons(action.name), form.note(action.name)
    decide.conclude(*_who(), decision, subject, form.number("version"), reasons, note)
    return _done(subject, action.key)


def promote(subject: str, form: Form) -> Response:
    """Make a lesson, or a failure of its playbook, of what a report tells."""
    to: decide.Goal = "failure" if form.get("promote-to") == "failure" else "lesson"
    words = (form.line(f"promote-{name}") for name in ("title", "problem", "fix", "slug"))
    return _done(decide.promote(*_who(), subject, form.number("version"), to, *words), "promote")


POSTS: dict[str, Post] = {
    "check": check,
    "save": save,
    "begin-again": begin_again,
    "choose": choose,
    "accept": accept,
    "approve": approve,
    **{action.key: partial(_conclude, action, decision) for decision, action in OF_DECISION.items()},
    "promote": promote,
}
"""What forms do, by the last part of their address."""
