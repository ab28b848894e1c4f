"""One run report or submission: its page, the preview of what it would become, and every decision about it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import partial

from flask import Response, request

from library.interface.reasons import codes_for
from library.problems import Problem, UsageError
from library.records.naming import name_problem
from library.records.vocabulary import Decision, RunState, SubmissionState
from writeapi.keys import is_id
from writeapi.store.engine import Conflict, NotFound
from writeapi.store.records import RunRecord

from ..decisions import decide
from ..decisions.decide import Item
from ..decisions.items import ACTIONS, BY_NAME, OF_DECISION, Action
from ..decisions.texts import digest
from .site import Form, editor, moved, page, site, statistics, summary

CONTEXT = 3
MOST_LINES = 4_000
"""Longer files are shown without a difference: working it out takes time that grows with the square."""


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a difference: `mark` is `+`, `-`, empty for context or `…` for what is left out."""

    mark: str
    old: int | None
    new: int | None
    text: str


@dataclass(frozen=True, slots=True)
class FileView:
    """One file of a draft. `base` is the digest of the file that its text was made from, `now` of the file as it is.

    Both are empty, and `diff` None, for a new one.
    """

    number: int
    name: str
    text: str
    base: str
    now: str
    problems: tuple[Problem, ...]
    diff: tuple[DiffLine, ...] | None
    ours: tuple[DiffLine, ...] = ()
    """What the text changes in the file that it was made from; empty where that is the file as it is."""
    theirs: tuple[DiffLine, ...] = ()
    """What others changed in that file since."""

    @property
    def older(self) -> bool:
        """Whether the file was changed since the text was made from it."""
        return bool(self.base) and self.base != self.now

    @property
    def rows(self) -> int:
        """How many lines the place to type in has."""
        return min(max(self.text.count("\n") + 2, 8), 40)

    def line_of(self, problem: Problem) -> str:
        """The line of the text that a problem speaks of; empty where there is none."""
        lines = self.text.split("\n")
        return lines[problem.line - 1].strip() if 0 < problem.line <= len(lines) else ""


def file_views(
    item: Item,
    typed: Sequence[tuple[str, str]] | None,
    problems: Iterable[Problem],
    present: Callable[[str], str | None],
    bases: Mapping[str, str] | None = None,
) -> tuple[list[FileView], list[Problem]]:
    """The files, as they were typed just now or else as they stand, and the problems that lie in none of them.

    `present` gives the text that a file of the content has now; `bases` are the digests of the files that typed texts
    were made from.
    """
    made = {file.file: file.base or "" for file in item.files} | dict(bases or {})
    befores = {file.file: file.original for file in item.files}
    found = list(problems)
    given = [(file.file, file.text) for file in item.files] if typed is None else list(typed)
    views: list[FileView] = []
    for number, (name, text) in enumerate(given):
        old = item.olds.get(name)
        if old is None and not name_problem(name):  # what was typed is no path before its name is found good
            old = present(name)
        now, diff = ("", None) if old is None else (digest(old), difference(old, text))
        mine = tuple(problem for problem in found if problem.file == name)
        view = FileView(number, name, text, made.get(name) or now, now, mine, diff)
        before = befores.get(name)
        if view.older and old is not None and before is not None:
            view = replace(view, ours=difference(before, text), theirs=difference(before, old))
        views.append(view)
    names = {name for name, _ in given}
    return views, [problem for problem in found if problem.file not in names]


def difference(old: str, new: str) -> tuple[DiffLine, ...]:
    """What changed, line by line, with a little of what stands round it; nothing when nothing changed."""
    before, after = old.splitlines(), new.splitlines()
    if max(len(before), len(after)) > MOST_LINES:
        return (DiffLine("…", None, None, "The file is too long to be compared here."),)
    lines: list[DiffLine] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for group in matcher.get_grouped_opcodes(CONTEXT):
        if lines or group[0][1] > 0:
            lines.append(DiffLine("…", None, None, ""))
        for kind, was, was_end, now, now_end in group:
            if kind == "equal":
                lines += [DiffLine("", was + at + 1, now + at + 1, text) for at, text in enumerate(before[was:was_end])]
                continue
            lines += [DiffLine("-", was + at + 1, None, text) for at, text in enumerate(before[was:was_end])]
            lines += [DiffLine("+", None, now + at + 1, text) for at, text in enumerate(after[now:now_end])]
    return tuple(lines)


Post = Callable[[str, Form], Response]
"""What a form does about a subject, and the page that answers. May raise `EditRefused`, `UsageError`, `Conflict`."""

PREVIEW_CSP = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none';"
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
    found = decide.item(site().review, subject)
    looked, anew = found.review.version if found.review else 0, (RunState.PENDING, SubmissionState.QUEUED)
    slug = next((file.file.split("/")[1] for file in found.files if file.file.startswith("runs/")), "")
    stated = found.tried.problems if problems is None else problems
    present = site().review.shelf.text
    given, bases = (None, None) if typed is None else (typed.files(), typed.bases())
    files, elsewhere = file_views(found, given, stated, present, bases)
    tried = BY_NAME.get(request.path.rpartition("/")[2].replace("-", "_")) if typed is not None else None
    inside = elsewhere if tried and tried.decision else []
    store = site().review.store
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
    told, fix = run.lesson or run.what_changed or "", (run.what_changed or "") if run.lesson else ""
    return {"title": summary(told, _TITLE_LENGTH), "problem": told, "fix": fix, "slug": "", "to": "lesson"}


def preview(subject: str, number: int) -> Response:
    """The page that a file of the saved draft would give; it can run nothing and leads nowhere."""
    found = decide.item(site().review, _known(subject))
    if number >= len(found.files):
        raise NotFound("There is no such file.")
    bodies = {file.file: file.text.encode() for file in found.files}
    body = site().review.shelf.page(bodies, found.files[number].file)
    answer = page("no-preview.html") if body is None else Response(body, content_type="text/html; charset=utf-8")
    answer.headers["Content-Security-Policy"] = PREVIEW_CSP
    return answer


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


def check(subject: str, form: Form) -> Response:
    """Try what was typed, and change nothing. It is the first button of the form: what the Enter key presses."""
    texts = form.texts()
    problems = decide.try_texts(site().review, texts).problems if texts else ()
    return _page(subject, said="Nothing was changed.", problems=problems, typed=form)


def save(subject: str, form: Form) -> Response:
    """Keep the draft."""
    version, revision, over = form.number("version"), form.number("revision"), form.getlist("over")
    texts, bases = form.texts(), form.bases()
    decide.save(site().review, editor(), subject, texts, revision, bases, version=version, over=over)
    return moved(f"/{subject}?done=save")


def begin_again(subject: str, form: Form) -> Response:
    """Put files as they are in the place of the draft's texts that were made from older ones."""
    version, revision = form.number("version"), form.number("revision")
    decide.begin_again(site().review, editor(), subject, version, revision)
    return moved(f"/{subject}?done=begin-again")


def choose(subject: str, form: Form) -> Response:
    """Begin the draft with a file of the content, where what was sent names none."""
    version, revision = form.number("version"), form.number("revision")
    decide.begin_with(site().review, editor(), subject, form.line("choose"), version, revision)
    return moved(f"/{subject}?done=save")


def accept(subject: str, form: Form) -> Response:
    """Accept a submission as the files that were typed.

    A file rests on what its text was made from, or on what this page showed beside it where the editor says so.
    """
    version, texts, note = form.number("version"), form.texts(), form.note("accept")
    revision, bases, over = form.number("revision"), form.bases(), form.getlist("over")
    decide.accept(site().review, editor(), subject, version, texts, note, bases, revision, over)
    return moved(f"/{subject}?done=accept")


def approve(subject: str, form: Form) -> Response:
    """Approve a run report."""
    refused = decide.approve(site().review, editor(), [(subject, form.number("version"))])
    if subject in refused:
        raise Conflict(refused[subject])
    return moved(f"/{subject}?done=approve")


def _conclude(action: Action, decision: Decision, subject: str, form: Form) -> Response:
    version, reasons, note = form.number("version"), form.reasons(action.name), form.note(action.name)
    decide.conclude(site().review, editor(), decision, subject, version, reasons, note)
    return moved(f"/{subject}?done={action.key}")


def promote(subject: str, form: Form) -> Response:
    """Make a lesson, or a failure of its playbook, of what a report tells."""
    to: decide.Goal = "failure" if form.get("promote-to") == "failure" else "lesson"
    title, problem, fix, slug = (form.line(f"promote-{name}") for name in ("title", "problem", "fix", "slug"))
    version = form.number("version")
    made = decide.promote(site().review, editor(), subject, version, to, title, problem, fix, slug=slug)
    return moved(f"/{made}?done=promote")


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
