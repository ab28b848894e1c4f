"""All that an editor sees of one subject: what was sent and found, the files that it would become, what may be done.

An editor begins with empty places for what nobody said yet: an empty text, which `check` names and nothing publishes.
What is left empty is what a sender cannot know or must not decide: a step's check, a failure's fix, an input's meaning,
the essence, difficulty, cost, risk, the title of somebody's page.
"""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from library.content.formatting import canonical, changed
from library.content.loading import TYPED
from library.content.yamlfile import Value, parse
from library.problems import in_order
from library.records.collection import Library
from library.records.naming import free_name, slug_of
from library.records.vocabulary import Decision, OutboxState, RunState, SubmissionKind, SubmissionState
from library.rules.checks.within import variables_in
from library.rules.judgment import Trial, trial
from writeapi.store.records import DraftFile, Finding, OutboxEntry, Review, ReviewStep, RunRecord, SubmissionRecord

from ..publishing.targets import run_file
from ..screening.matching import agents_of, category_of, leaves, platform_of, present_slug, sent, task_of
from ..services import ReviewServices, record_of
from .texts import base_problems, digest, try_texts, unix

ReadText = Callable[[str], str | None]
Namer = Callable[[str], str]
Fields = dict[str, Value]

_SENTENCE = re.compile(r"(?<=[.!?])\s|[\n:;]")
_EDIT = re.compile(r"\s*Instead of:\n((?:>.*\n)+)\s*Write:\n((?:>.*(?:\n|\Z))+)")
"""What a correction begins with that names a passage and its new text, each line behind a `>`."""
_TITLE = 70


def first_draft(submission: SubmissionRecord, library: Library, text: ReadText, fresh: Namer) -> tuple[DraftFile, ...]:
    """The files that an editor begins with.

    `text` gives a content file's present text; `fresh` takes the file name that a new record would have and gives one
    that is free. Empty for a correction that names no playbook: the editor chooses the file.
    """
    if submission.kind == SubmissionKind.PLAYBOOK:
        return _playbook(submission, library, text, fresh)
    make = {SubmissionKind.LESSON: _lesson, SubmissionKind.CORRECTION: _corrected, SubmissionKind.USE_CASE: _use_case}
    draft = make[SubmissionKind(submission.kind)](submission, library, text, fresh)
    return (draft,) if draft else ()


def _corrected(sent: SubmissionRecord, library: Library, text: ReadText, _fresh: Namer) -> DraftFile | None:
    """The file that a correction is of, with its edit made, the day moved and its sender among those who wrote it."""
    book = library.playbook(sent.playbook or "")
    now = text(book.file) if book else None
    if book is None or now is None:
        return None
    new = sent.contributor if sent.contributor not in book.contributors else None
    items: dict[str, list[Value]] = {"contributors": [{"handle": new}]} if new else {}
    return _with(now, book.file, {"updated": f"{library.today}", **edited(sent.body, now)}, items)


def edited(body: str, text: str) -> Fields:
    """The top-level fields that a correction's edit changes; none where its passage does not stand there just once."""
    asked, values = _EDIT.match(unix(body)), parse(text, "", typed=TYPED).value
    if not asked or not isinstance(values, dict):
        return {}
    old, new = (re.sub(r"^> ?", "", part.rstrip("\n"), flags=re.MULTILINE) for part in asked.groups())
    held = [field for field, value in values.items() for _, leaf in leaves(value) for _ in range(f"{leaf}".count(old))]
    return {field: _replaced(values[field], old, new) for field in held} if old and len(held) == 1 else {}


def _replaced(value: Value, old: str, new: str) -> Value:
    if isinstance(value, str):
        return value.replace(old, new)
    if isinstance(value, list):
        return [_replaced(inner, old, new) for inner in value]
    return {name: _replaced(inner, old, new) for name, inner in value.items()}


def _playbook(sent: SubmissionRecord, library: Library, text: ReadText, fresh: Namer) -> tuple[DraftFile, ...]:
    """A new playbook, and its task: a new one where none fits, or the one that fits, not wanted any more.

    Sources become references: of one of those only the title is left to type (and whoever types it has seen the page
    today, which is what `checked` says), of evidence four fields. The editor moves what is an account of the job.
    """
    payload: Mapping[str, Any] = sent.payload or {}
    file = _file("playbook", payload["title"], sent, fresh)
    job = payload.get("job") or payload["title"]
    task = task_of(library, job)
    beside: tuple[DraftFile, ...] = ()
    if task is None:
        known = category_of(library, payload.get("category") or "") or ""
        beside = (new_file(_file("task", job, sent, fresh), {"name": job, "category": known, "summary": ""}),)
    elif library.tasks[task].wanted and (now := text(f"tasks/{task}.yaml")):
        beside = (_with(now, f"tasks/{task}.yaml", {"wanted": None}),)
    today, sources = f"{library.today}", dict.fromkeys(payload.get("sources", ()))
    version = payload.get("agent_version")
    values: Fields = {
        **dict.fromkeys(("essence", "difficulty", "cost", "risk", "risk_note", "no_trial"), ""),
        **{name: payload[name] for name in ("title", "summary", "prompt")},
        "task": task or beside[0].file.removeprefix("tasks/").removesuffix(".yaml"),
        "agents": [*agents_of(library, payload["agents"], _spare("agent", sent))],
        "outcome": payload.get("outcome", ""),
        "time": payload.get("time_taken", ""),
        "human_checkpoints": [*payload.get("human_checkpoints", ())],
        "inputs": [
            {"name": name, "meaning": "", "example": "", "where": ""} for name in variables_in(payload["prompt"])
        ],
        "steps": _steps(payload["steps"]),
        "failures": [{"problem": told, "fix": ""} for told in payload.get("what_went_wrong", ())],
        "references": [
            {"title": "", "url": url, "checked": today} for url in sources if url.lower().startswith("http")
        ],
        "tried_with": [{"tool": payload["agents"][0], "version": version}] if version else [],
        **_signed(sent, library),
    }
    return (new_file(file, values), *beside)


def _lesson(sent: SubmissionRecord, library: Library, _text: ReadText, fresh: Namer) -> DraftFile:
    """A new lesson, tied to its playbook; what was sent is the problem, and the fix is to be taken out of it."""
    book = present_slug(library, sent.playbook) or sent.playbook if sent.playbook else None
    values: Fields = {
        "title": sent.title,
        "problem": sent.body,
        "fix": "",
        "agents": [*agents_of(library, [sent.agent], _spare("agent", sent))] if sent.agent else [],
        "playbooks": [book] if book else [],
        "sources": [{"title": "", "url": sent.source_url or ""}] if sent.source_url or not sent.contributor else [],
        **_signed(sent, library),
    }
    return new_file(_file("lesson", sent.title, sent, fresh), values)


def _use_case(sent: SubmissionRecord, library: Library, text: ReadText, fresh: Namer) -> DraftFile:
    """An account of a playbook's job becomes a piece of its evidence; anything else a task that is wanted.

    A request for one that is wanted already is counted there.
    """
    book = library.playbook(sent.playbook) if sent.playbook else None
    now = text(book.file) if book else None
    if book is None or now is None or sent.source_url is None:
        summary = sent.body if "\n" not in sent.body and len(sent.body) <= 400 else ""
        job = library.tasks.get(task_of(library, sent.title) or "")
        if job and job.wanted and (held := text(job.file)):
            return _with(held, job.file, {"requests": f"{job.requests + 1}"})
        values: Fields = {"name": sent.title, "category": "", "summary": summary, "wanted": "true", "requests": "1"}
        return new_file(_file("task", sent.title, sent, fresh), values)
    account: Fields = {
        **dict.fromkeys(("title", "reported_outcome"), ""),
        "url": sent.source_url,
        "platform": platform_of(sent.source_url),
        "agent": sent.agent or "",
        "checked": f"{library.today}",
    }
    return _with(now, book.file, {}, {"evidence": [account]})


def _steps(told: Sequence[str]) -> list[Value]:
    """Each step under its first words, which are made different by a number where two begin alike."""
    steps: list[Value] = []
    seen: set[str] = set()
    for detail in told:
        wanted = _short(detail)
        titles = chain([wanted], (f"{wanted} ({number})" for number in count(2)))
        title = next(title for title in titles if title.casefold() not in seen)
        seen.add(title.casefold())
        steps.append({"title": title, "detail": detail, "check": ""})
    return steps


def _short(text: str) -> str:
    """The first sentence in one line, at most 70 characters, cut between words."""
    words = next((part for part in _SENTENCE.split(text) if part.strip()), text).split()
    line = " ".join(words).rstrip(".") or " ".join(text.split())
    if len(line) > _TITLE:
        line = line[:_TITLE].rpartition(" ")[0] or line[:_TITLE]
    return line.rstrip("\u200c\u200d")  # a joiner at the end would join nothing, and hides


def _signed(sent: SubmissionRecord, library: Library) -> Fields:
    """The day, and who wrote it: a handle that came with its key, never a label that nobody verified."""
    return {"updated": f"{library.today}", "contributors": [{"handle": sent.contributor}] if sent.contributor else []}


def new_file(file: str, values: Fields) -> DraftFile:
    """A new file: lists that hold nothing are left out, empty texts stay as places to fill."""
    return DraftFile(file, canonical({key: value for key, value in values.items() if value != []}, file).decode())


def _with(
    now: str, file: str, fields: Mapping[str, Value | None], items: Mapping[str, list[Value]] | None = None
) -> DraftFile:
    """A file with these fields and items; as it is where it cannot be changed, for an editor to mend."""
    body = changed(now.encode(), file, fields=fields, items=items or {})
    return DraftFile(file, now if isinstance(body, list) else body.decode(), digest(now))


def _file(kind: str, title: str, sent: SubmissionRecord, fresh: Namer) -> str:
    return fresh(f"{kind}s/{slug_of(title, _spare(kind, sent))}.yaml")


def _spare(word: str, sent: SubmissionRecord) -> str:
    """A name for what has no ASCII letter: the word and a piece of the submission's id."""
    return f"{word}-{sent.id[4:10]}"


class Action(BaseModel):
    """One row. `runs` and `submissions` are the states that it starts from.

    A `decision` needs reasons of its own list. Words: of the `summary` that unfolds its form, where it is not the
    button's, the `hint` below its note, the `notice` on the page when it is done; of its command, `help`, `example` and
    `receipt`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    runs: frozenset[RunState] = frozenset()
    submissions: frozenset[SubmissionState] = frozenset()
    decision: Decision | None = None
    summary: str = ""
    hint: str = ""
    notice: str
    help: str
    example: str
    receipt: str

    @property
    def key(self) -> str:
        """Its name in addresses and as a command."""
        return self.name.replace("_", "-")

    @property
    def button(self) -> str:
        """Its name as a button has it."""
        return self.name.replace("_", " ").capitalize()


_TABLE = tomllib.loads(Path(__file__).with_name("actions.toml").read_text(encoding="utf-8"))
WORDS: Mapping[str, Mapping[str, str]] = _TABLE["words"]
_HINTS = (row.get("hint", "").replace("{public}", _TABLE["public"]) for row in _TABLE["action"])
ACTIONS = tuple(Action(**row | {"hint": hint}) for row, hint in zip(_TABLE["action"], _HINTS, strict=True))
BY_NAME = {action.name: action for action in ACTIONS}
OF_DECISION = {action.decision: action for action in ACTIONS if action.decision}


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that was sent: its place in the body as a JSON pointer, its text, and what was found in it."""

    pointer: str
    text: str
    findings: tuple[Finding, ...]

    @property
    def name(self) -> str:
        """Its place as people call it: `/payload/steps/0` is `steps 1`."""
        parts = self.pointer.removeprefix("/payload").strip("/").split("/")
        return " ".join(str(int(part) + 1) if part.isdigit() else part.replace("_", " ") for part in parts)


@dataclass(frozen=True)
class Item:
    """All that an editor sees of one subject.

    `kind` is `run` or a submission's kind. `revision` is 0 while `files` are not a saved draft. `olds` holds the
    present text of each file that exists, for the difference. `entries` are its rows of the outbox; `elsewhere` are the
    findings of no field; `promoted` is the submission that was made of a report.
    """

    subject: str
    kind: str
    record: RunRecord | SubmissionRecord
    review: Review | None
    steps: tuple[ReviewStep, ...]
    files: tuple[DraftFile, ...]
    revision: int
    tried: Trial
    olds: Mapping[str, str]
    actions: tuple[str, ...]
    entries: tuple[OutboxEntry, ...]
    fields: tuple[Field, ...]
    elsewhere: tuple[Finding, ...]
    promoted: str | None = None

    @property
    def run(self) -> RunRecord | None:
        """The run report, where it is one."""
        return self.record if isinstance(self.record, RunRecord) else None

    @property
    def stale(self) -> frozenset[str]:
        """The files of its draft that were changed, or went, since their texts were made from them."""
        if self.record.state not in (SubmissionState.QUEUED, SubmissionState.SCREENED):
            return frozenset()
        now = {file: digest(text) for file, text in self.olds.items()}
        return frozenset(file.file for file in self.files if file.base is not None and now.get(file.file) != file.base)

    @property
    def texts(self) -> dict[str, str]:
        """The text of each of its files, by name."""
        return {file.file: file.text for file in self.files}

    @property
    def by_editor(self) -> bool:
        """Whether an editor wrote it, of a report's lesson: no review agent looks at it."""
        return self.run is None and bool(self.steps) and self.steps[0].became == SubmissionState.SCREENED


def fields_of(
    record: RunRecord | SubmissionRecord, review: Review | None
) -> tuple[tuple[Field, ...], tuple[Finding, ...]]:
    """Everything that was sent, in order, each with what was found in it or in a part of it; and all other findings."""
    told = {place: str(value) for place, value in leaves(sent(record).values) if place != "/kind"}
    beside: dict[str, list[Finding]] = {}
    for finding in review.findings if review else ():
        inside = (place for place in told if finding.pointer and f"{place}/".startswith(f"{finding.pointer}/"))
        beside.setdefault(next(inside, ""), []).append(finding)
    fields = tuple(Field(place, text, tuple(beside.get(place, ()))) for place, text in told.items())
    return fields, tuple(beside.get("", ()))


def item(review: ReviewServices, subject: str) -> Item:
    """All of one subject. Raises `NotFound`, or `ContentError` when the content has errors."""
    record = record_of(review.store, subject)
    files, revision = files_of(review, record)
    promoted = review.store.promoted(subject) if isinstance(record, RunRecord) else None
    if isinstance(record, RunRecord):
        tried = trial(review.shelf.library(), {file.file: file.text.encode() for file in files})
        offered = [action for action in ACTIONS if record.state in action.runs]
        if promoted or not lesson_of(record):
            offered = [action for action in offered if action.name != "promote"]
    else:
        tried = try_texts(review, {file.file: file.text for file in files})
        if record.state is SubmissionState.SCREENED:
            tried = replace(tried, problems=tuple(in_order([*tried.problems, *base_problems(review, files)])))
        offered = [action for action in ACTIONS if record.state in action.submissions]
    screened = review.store.review(subject)
    return Item(
        subject,
        sent(record).kind,
        record,
        screened,
        review.store.steps(subject),
        files,
        revision,
        tried,
        {file.file: old for file in files if (old := review.shelf.text(file.file)) is not None},
        tuple(action.name for action in offered),
        tuple(review.store.outbox(subject=subject)),
        *fields_of(record, screened),
        promoted,
    )


def lesson_of(run: RunRecord) -> str | None:
    """What a report teaches: its lesson, or else what had to be changed."""
    return run.lesson or run.what_changed


def files_of(review: ReviewServices, record: RunRecord | SubmissionRecord) -> tuple[tuple[DraftFile, ...], int]:
    """What a report or a submission became or would become, and the revision of the saved draft that this is (0: none).

    While a submission is accepted or published, what was accepted; else the saved draft; else, when it was sent back
    just now, what was accepted before; else the first draft.
    """
    if isinstance(record, RunRecord):
        book = present_slug(review.shelf.library(), record.playbook) or record.playbook
        name, body = run_file(record, book)
        return (DraftFile(name, body.decode()),), 0
    accepted = {SubmissionState.ACCEPTED: 0, SubmissionState.PUBLISHED: 1}.get(record.state)
    if accepted is None and (draft := review.store.draft(record.id)):
        return draft.files, draft.revision
    version = record.version - (1 if accepted is None else accepted)
    entries = [entry for entry in review.store.outbox(subject=record.id) if entry.version == version]
    if entries:
        return tuple(DraftFile(entry.file, entry.text or "", entry.base, entry.original) for entry in entries), 0
    if record.state in (SubmissionState.REJECTED, SubmissionState.WITHDRAWN):
        return (), 0
    return first_draft(record, review.shelf.library(), review.shelf.text, fresh(review, record.id)), 0


def fresh(review: ReviewServices, subject: str) -> Callable[[str], str]:
    """Gives a name that is free, for a new file: in the content, among former slugs, and in the outbox."""
    library = review.shelf.library()
    entries = review.store.outbox(OutboxState.WAITING, OutboxState.WRITTEN)
    waiting = {entry.file for entry in entries if entry.subject != subject}

    def taken(file: str) -> bool:
        folder, slug = file.removesuffix(".yaml").split("/")
        former = folder == "playbooks" and library.playbook(slug) is not None
        return former or file in waiting or review.shelf.text(file) is not None

    return lambda file: free_name(file, taken)
