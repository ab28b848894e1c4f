"""What an editor begins with: the files that a submission would become, with empty places for what nobody said yet.

An empty place is an empty text, which `check` names and nothing publishes. What is left empty is what a sender cannot
know or must not decide: a step's check, a failure's fix, an input's meaning, the essence, difficulty, cost, risk, the
title of somebody's page.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, count
from typing import Any

from library.content.formatting import canonical, changed
from library.content.yamlfile import Value
from library.records.collection import Library
from library.records.naming import slug_of
from library.records.vocabulary import SubmissionKind
from library.rules.checks.within import variables_in
from writeapi.store.records import DraftFile, SubmissionRecord

from ..screening.matching import agents_of, category_of, platform_of, present_slug, task_of
from .texts import digest

ReadText = Callable[[str], str | None]
Namer = Callable[[str], str]
Fields = dict[str, Value]

_SENTENCE = re.compile(r"(?<=[.!?])\s|[\n:;]")
_TITLE = 70


def first_draft(submission: SubmissionRecord, library: Library, text: ReadText, fresh: Namer) -> tuple[DraftFile, ...]:
    """The files that an editor begins with.

    `text` gives a content file's present text; `fresh` takes the file name that a new record would have and gives one
    that is free. Empty for a correction that names no playbook: the editor chooses the file.
    """
    match SubmissionKind(submission.kind):
        case SubmissionKind.PLAYBOOK:
            return _playbook(submission, library, text, fresh)
        case SubmissionKind.LESSON:
            return (_lesson(submission, library, fresh),)
        case SubmissionKind.CORRECTION:
            book = present_slug(library, submission.playbook) if submission.playbook else None
            file = f"playbooks/{book}.yaml"
            now = text(file) if book else None
            return () if now is None else (DraftFile(file, now, digest(now)),)
        case SubmissionKind.USE_CASE:
            return (_use_case(submission, library, text, fresh),)


def _playbook(sent: SubmissionRecord, library: Library, text: ReadText, fresh: Namer) -> tuple[DraftFile, ...]:
    """A new playbook, and its task: a new one where none fits, or the one that fits, not wanted any more.

    Sources become references: of one of those only the title is left to type (and whoever types it has seen the page
    today, which is what `checked` says), of evidence four fields. The editor moves what is an account of the job.
    """
    payload: Mapping[str, Any] = sent.payload or {}
    file = fresh(f"playbooks/{slug_of(payload['title'], _spare('playbook', sent))}.yaml")
    job = payload.get("job") or payload["title"]
    task = task_of(library, job)
    if task:
        beside = _wanted_task(library, task, text)
    else:
        known = category_of(library, payload.get("category") or "") or ""
        new = fresh(f"tasks/{slug_of(job, _spare('task', sent))}.yaml")
        beside = (_new(new, {"name": job, "category": known, "summary": ""}),)
    today, sources = f"{library.today}", dict.fromkeys(payload.get("sources", ()))
    values: Fields = {
        "title": payload["title"],
        "task": task or beside[0].file.removeprefix("tasks/").removesuffix(".yaml"),
        "agents": [*agents_of(library, payload["agents"], _spare("agent", sent))],
        "summary": payload["summary"],
        "essence": "",
        "outcome": payload.get("outcome", ""),
        "difficulty": "",
        "time": payload.get("time_taken", ""),
        "cost": "",
        "risk": "",
        "risk_note": "",
        "human_checkpoints": [*payload.get("human_checkpoints", ())],
        "prompt": payload["prompt"],
        "inputs": [
            {"name": name, "meaning": "", "example": "", "where": ""} for name in variables_in(payload["prompt"])
        ],
        "steps": _steps(payload["steps"]),
        "failures": [{"problem": told, "fix": ""} for told in payload.get("what_went_wrong", ())],
        "references": [{"title": "", "url": url, "checked": today} for url in sources],
        **_signed(sent, library),
    }
    return (_new(file, values), *beside)


def _lesson(sent: SubmissionRecord, library: Library, fresh: Namer) -> DraftFile:
    """A new lesson, tied to its playbook; what was sent is the problem, and the fix is to be taken out of it."""
    file = fresh(f"lessons/{slug_of(sent.title, _spare('lesson', sent))}.yaml")
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
    return _new(file, values)


def _use_case(sent: SubmissionRecord, library: Library, text: ReadText, fresh: Namer) -> DraftFile:
    """An account of a playbook's job becomes a piece of its evidence; anything else a task that is wanted."""
    book = present_slug(library, sent.playbook) if sent.playbook and sent.source_url else None
    now = text(f"playbooks/{book}.yaml") if book else None
    if book is None or now is None or sent.source_url is None:
        summary = sent.body if "\n" not in sent.body and len(sent.body) <= 400 else ""
        file = fresh(f"tasks/{slug_of(sent.title, _spare('task', sent))}.yaml")
        return _new(file, {"name": sent.title, "category": "", "summary": summary, "wanted": "true"})
    file = f"playbooks/{book}.yaml"
    account: Fields = {
        "title": "",
        "url": sent.source_url,
        "platform": platform_of(sent.source_url),
        "agent": sent.agent or "",
        "reported_outcome": "",
        "checked": f"{library.today}",
    }
    body = changed(now.encode(), file, items={"evidence": [account]})
    return DraftFile(file, now if isinstance(body, list) else body.decode(), digest(now))


def _wanted_task(library: Library, slug: str, text: ReadText) -> tuple[DraftFile, ...]:
    file = f"tasks/{slug}.yaml"
    now = text(file) if library.tasks[slug].wanted else None
    body = changed(now.encode(), file, fields={"wanted": None}) if now else []
    return () if now is None or isinstance(body, list) else (DraftFile(file, body.decode(), digest(now)),)


def _steps(told: Sequence[str]) -> list[Value]:
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


def _new(file: str, values: Fields) -> DraftFile:
    """A new file: lists that hold nothing are left out, empty texts stay as places to fill."""
    return DraftFile(file, canonical({key: value for key, value in values.items() if value != []}, file).decode())


def _spare(word: str, sent: SubmissionRecord) -> str:
    """A name for what has no ASCII letter: the word and a piece of the submission's id."""
    return f"{word}-{sent.id[4:10]}"
