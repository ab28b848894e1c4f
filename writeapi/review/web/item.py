"""One run report or submission: its page, the preview of what it would become, and every decision about it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

from flask import Response, request

from library.interface.reasons import codes_for
from library.problems import Problem, UsageError
from library.records.vocabulary import Decision, RunState, SubmissionState
from writeapi.keys import is_id
from writeapi.store import Conflict, NotFound

from ..decisions import decide
from ..decisions.actions import ACTIONS, BY_NAME, OF_DECISION, Action
from .files import file_views
from .forms import Form, bases_of, files_of, line_in, note_in, number_in, over_in, reasons_in, texts_of, typed_texts
from .fragments import statistics, summary
from .site import editor, moved, page, site

Post = Callable[[str, Form], str]
"""What a form does about a subject; says which page to go to. May raise `EditRefused`, `UsageError`, `Conflict`."""

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
    stated = found.tried.problems if problems is None else problems
    present = site().review.shelf.text
    given, bases = (None, None) if typed is None else (files_of(typed), bases_of(typed))
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
        statistics=_statistics(found),
        verdicts=found.tried.verdicts if found.files else {},
        codes={name: codes_for(action.decision) for name, action in BY_NAME.items() if action.decision},
        suspected={finding.code for finding in found.review.findings} if found.review else set(),
        promoted=_promotion(found) if "promote" in found.actions else {},
        typed=typed,
        stale=_stale(found),
        said=said,
        wrong=wrong,
        then=next((row for row in later if row.id != subject), None),
    )


def _stale(found: decide.Item) -> bool:
    """Whether it was sent anew after the review agent looked at it."""
    looked = found.review.version if found.review else 0
    return any(
        step.became in (RunState.PENDING, SubmissionState.QUEUED) and step.version > looked for step in found.steps
    )


def _statistics(found: decide.Item) -> list[tuple[str, int, int]]:
    """The counts that a report would change."""
    slug = next((file.file.split("/")[1] for file in found.files if file.file.startswith("runs/")), "")
    return statistics(found.tried.before, found.tried.after, slug) if slug else []


def _promotion(found: decide.Item) -> dict[str, str]:
    """What the form begins with that makes a lesson of a report: the sender's words, for the editor to mend."""
    run = found.run
    told = (run.lesson or run.what_changed or "") if run else ""
    fix = (run.what_changed or "") if run and run.lesson else ""
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
    form = request.form
    try:
        return moved(post(_known(subject), form))
    except _Tried as tried:
        return _page(subject, said="Nothing was changed.", problems=tried.problems, typed=form)
    except decide.EditRefused as error:
        wrong = "" if error.problems else str(error)
        return _page(subject, 422, wrong=wrong, problems=error.problems, typed=form)
    except UsageError as error:
        return _page(subject, 422, wrong=str(error), typed=form)
    except Conflict as error:
        steps = site().review.store.steps(subject)
        return page("conflict.html", 409, why=str(error), subject=subject, steps=steps, typed=typed_texts(form))


class _Tried(Exception):
    """What was typed was tried, and nothing was to be changed."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = problems


def check(_subject: str, form: Form) -> str:
    """Try what was typed, and change nothing. It is the first button of the form: what the Enter key presses."""
    texts = texts_of(form)
    raise _Tried(decide.try_texts(site().review, texts).problems if texts else ())


def save(subject: str, form: Form) -> str:
    """Keep the draft."""
    version, revision = number_in(form, "version"), number_in(form, "revision")
    decide.save(
        site().review, editor(), subject, texts_of(form), revision, bases_of(form), version=version, over=over_in(form)
    )
    return f"/{subject}?done=save"


def begin_again(subject: str, form: Form) -> str:
    """Put files as they are in the place of the draft's texts that were made from older ones."""
    version, revision = number_in(form, "version"), number_in(form, "revision")
    decide.begin_again(site().review, editor(), subject, version, revision)
    return f"/{subject}?done=begin-again"


def choose(subject: str, form: Form) -> str:
    """Begin the draft with a file of the content, where what was sent names none."""
    version, revision = number_in(form, "version"), number_in(form, "revision")
    decide.begin_with(site().review, editor(), subject, line_in(form, "choose"), version, revision)
    return f"/{subject}?done=save"


def accept(subject: str, form: Form) -> str:
    """Accept a submission as the files that were typed.

    A file rests on what its text was made from, or on what this page showed beside it where the editor says so.
    """
    version, texts, note = number_in(form, "version"), texts_of(form), note_in(form, "accept")
    revision, bases, over = number_in(form, "revision"), bases_of(form), over_in(form)
    decide.accept(site().review, editor(), subject, version, texts, note, bases, revision, over)
    return f"/{subject}?done=accept"


def approve(subject: str, form: Form) -> str:
    """Approve a run report."""
    refused = decide.approve(site().review, editor(), [(subject, number_in(form, "version"))])
    if subject in refused:
        raise Conflict(refused[subject])
    return f"/{subject}?done=approve"


def _conclude(action: Action, decision: Decision, subject: str, form: Form) -> str:
    """Decide against it, for the reasons that were ticked."""
    version, reasons, note = number_in(form, "version"), reasons_in(form, action.name), note_in(form, action.name)
    decide.conclude(site().review, editor(), decision, subject, version, reasons, note)
    return f"/{subject}?done={action.key}"


def promote(subject: str, form: Form) -> str:
    """Make a lesson, or a failure of its playbook, of what a report tells."""
    to: Literal["lesson", "failure"] = "failure" if form.get("promote-to") == "failure" else "lesson"
    title, problem, fix, slug = (line_in(form, f"promote-{name}") for name in ("title", "problem", "fix", "slug"))
    made = decide.promote(
        site().review, editor(), subject, number_in(form, "version"), to, title, problem, fix, slug=slug
    )
    return f"/{made}?done=promote"


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
