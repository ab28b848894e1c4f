"""The pages, and how each is made of a template: the queue, a subject, what is on its way, a playbook's withdrawal."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import unified_diff
from functools import partial
from itertools import groupby, zip_longest
from pathlib import Path
from urllib.parse import urlsplit

from flask import Response, current_app, g, render_template, request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from werkzeug.datastructures import MultiDict

from library.interface.errors import codes_for, sentences
from library.problems import Problem, UsageError, count_of, printable
from library.records.collection import Library
from library.records.fields import SLUG
from library.records.naming import name_problem
from library.records.vocabulary import Decision, OutboxState, RunState, SubmissionKind, SubmissionState
from library.rules.statistics import run_statistics
from writeapi.keys import is_id
from writeapi.limits import Counters
from writeapi.review.services import ReviewServices
from writeapi.settings import ServiceSettings
from writeapi.store.engine import Conflict, NotFound
from writeapi.store.records import Member, ReviewStep, RunRecord, Session
from writeapi.store.reviews import REVIEW_AGENT

from ..decisions import decide
from ..decisions.items import ACTIONS, BY_NAME, OF_DECISION, WORDS, Action, Item, lesson_of
from ..decisions.texts import digest, sentence, try_texts, unix


class Form(MultiDict[str, str]):
    """What an editor typed: fields as the values that decisions take, and as text that can be copied again."""

    def files(self) -> list[tuple[str, str]]:
        """The names and texts of the files, in the form's order; a place left wholly empty is none.

        A text without a name has an empty one, so that nothing typed is dropped.
        """
        pairs = zip_longest(self.getlist("file"), self.getlist("text"), fillvalue="")
        named = [(name.strip(), unix(text)) for name, text in pairs]
        return [(name, text) for name, text in named if name or text.strip()]

    def texts(self) -> dict[str, str]:
        """The files by name. Raises `UsageError` where a name is missing or stands twice."""
        texts: dict[str, str] = {}
        for name, text in self.files():
            if not name:
                raise UsageError("A file has no name: give it one such as lessons/<slug>.yaml, or empty its text.")
            if name in texts:
                raise UsageError(f"Two files are named {name}: give each a name of its own.")
            texts[name] = text
        return texts

    def bases(self) -> dict[str, str]:
        """The digests of the files that the typed texts were made from, by name; new files have none.

        Of a file that the editor compared (`over`) it is that of the file as the page showed it.
        """
        names = [name.strip() for name in self.getlist("file")]
        made = dict(zip(names, self.getlist("base"), strict=False))
        now = dict(zip(names, self.getlist("now"), strict=False))
        told = made | {name: now.get(name, "") for name in self.getlist("over")}
        return {name: base for name, base in told.items() if base}

    def number(self, name: str) -> int:
        """A whole number that the page itself put in the form. Raises `UsageError`."""
        text = self.get(name, "")
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise UsageError(f"The form has no number {name}: open the page again.")
        return int(text)

    def line(self, name: str) -> str:
        """A text without blanks round it."""
        return unix(self.get(name, "")).strip()

    def note(self, action: str) -> str | None:
        """The note of an action; None when none was typed."""
        return self.line(f"{action}-note") or None

    def reasons(self, action: str) -> list[str]:
        """The reason codes that were ticked for an action, each once."""
        return list(dict.fromkeys(self.getlist(f"{action}-reason")))

    def written(self) -> list[tuple[str, str]]:
        """Everything that somebody wrote, with a name for each, to be copied."""
        labels = {"note": "Note", "title": "Title", "problem": "Problem", "fix": "Fix"}
        fields = [(field, text) for field, text in self.items() if "-" in field and text.strip()]
        named = ((labels.get(field.rpartition("-")[2]), unix(text)) for field, text in fields)
        files = [(name or "a file without a name", text) for name, text in self.files()]
        return files + [(label, text) for label, text in named if label]


MOUNT = "/review"
TEMPLATES = Path(__file__).resolve().parents[3] / "site_templates"


@dataclass(frozen=True, slots=True)
class ReviewSite:
    """Handed to every page; made once. `attempts` counts sign-ins, and forms of those who are not signed in."""

    review: ReviewServices
    settings: ServiceSettings
    attempts: Counters
    clock: Callable[[], datetime]

    @property
    def home(self) -> str:
        """The path of the pages as browsers see it, with the sub-path of the site."""
        return urlsplit(self.settings.site_url).path.rstrip("/") + MOUNT


def site() -> ReviewSite:
    """What the application that answers now works with."""
    found: ReviewSite = current_app.extensions["review"]
    return found


def signed() -> Session | None:
    """The session of the request, once the guard found it valid."""
    found: Session | None = g.get("signed")
    return found


def editor() -> Member:
    """The editor who asks; the guard lets nobody else come here."""
    session = signed()
    if session is None:
        raise LookupError("a page asked for the editor before the guard knew one")
    return session.editor


def page(template: str, status: int = 200, **values: object) -> Response:
    """A page in HTML."""
    return Response(render_template(template, **values), status, content_type="text/html; charset=utf-8")


def moved(path: str) -> Response:
    """The way to another of these pages, asked for with GET; `path` is relative to them."""
    return Response(status=303, headers={"Location": site().home + path})


MOST_LINES = 4_000  # longer files are shown without a difference: working it out takes time that grows with the square
_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
_BLANK = {*"\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0", *map(chr, range(0xFE00, 0xFE0F))}


def in_words(name: str) -> str:
    """A name of the interface as words: `worked_with_changes` is `worked with changes`."""
    return name.replace("_", " ")


def statistics(before: Library, after: Library, slug: str) -> list[tuple[str, int, int]]:
    """The counts of a playbook's runs as they are and as they would be."""
    was, will = run_statistics(before, slug), run_statistics(after, slug)
    names = ("approved", "worked", "with_changes", "failed", "reporters")
    return [(in_words(name), getattr(was, name), getattr(will, name)) for name in names]


def plain(text: object) -> Markup:
    """Text as it is, escaped; each character that a reader would not see is named, so that nothing hides."""
    safe = str(escape(str(text)))
    odd = {char for char in {*safe} - {*"\n\t"} if char in _BLANK or unicodedata.category(char) in _HIDDEN}
    named = {ord(char): f'<span class="odd">U+{ord(char):04X}</span>' for char in odd}
    return Markup(safe.translate(named))  # noqa: S704 - escaped two lines before


def age(since: str, now: datetime) -> str:
    """How long ago a time of the store was, in its largest unit: `3 days`."""
    seconds = (now - datetime.fromisoformat(since)).total_seconds()
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            return count_of(int(seconds // length), unit)
    return "under a minute"


def step_words(step: ReviewStep) -> str:
    """What a step did, in the past tense."""
    if step.became == SubmissionState.SCREENED:
        return step.became if step.by == REVIEW_AGENT else "with the editors"
    return WORDS["steps"].get(step.became, step.became)


def asked_for(problem: Problem) -> str:
    """What a decision lacks, beside the fields that it is asked for in."""
    return sentence(problem) if problem.file else f"Nothing was changed: {problem.message}."


def moment(at: str) -> str:
    """A time of the store as people read it: 20 Nov 2026, 12:05."""
    when = datetime.fromisoformat(at)
    return f"{when.day} {when:%b %Y, %H:%M}"


def summary(text: str, longest: int = 90) -> str:
    """The beginning of a text in one line."""
    line = re.sub(r"\s+", " ", text).strip()
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def difference(old: str, new: str) -> list[str]:
    """What changed, line by line as `diff -u` writes it, with a little around it; nothing when nothing changed."""
    before, after = old.splitlines(), new.splitlines()
    if max(len(before), len(after)) > MOST_LINES:
        return ["@@ The file is too long to be compared here. @@"]
    return list(unified_diff(before, after, lineterm=""))[2:]


def as_text(item: Item, *, diff: bool) -> str:
    """All of one subject as lines for a terminal, with nothing in them that it would obey."""
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES / "review"),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - no page: a terminal reads it
        trim_blocks=True,
        lstrip_blocks=True,
    )
    told = templates.get_template("item.txt").render(item=item, record=item.record, diff=diff, difference=difference)
    return "".join(f"{printable(line)}\n" for line in told.split("\n"))


FILTERS: Mapping[str, Callable[..., object]] = {
    "plain": plain,
    "moment": moment,
    "counted": count_of,
    "summary": summary,
    "sentence": sentence,
    "asked_for": asked_for,
    "reasons": sentences,
    "state_words": lambda state: WORDS["states"].get(state, state),
    "step_words": step_words,
    "kind_words": lambda kind: "run report" if kind == "run" else in_words(kind),
    "outcome_words": in_words,
    "advice_words": lambda advice: WORDS["advice"].get(advice or "", "not screened yet"),
    "way_words": lambda state: WORDS["outbox"].get(state, state),
}


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
        told = f"{count_of(len(chosen) - len(refused), 'report')} approved. Not approved:"
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
    "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'none';"
    " base-uri 'none'; frame-ancestors 'self'; sandbox"
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
    problems = try_texts(site().review, texts).problems if texts else ()
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
