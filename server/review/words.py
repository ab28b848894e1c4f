"""What the commands of editors print: what was sent, without anything that a terminal would obey."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from difflib import unified_diff

from library.problems import Problem, printable
from library.records.vocabulary import SubmissionState
from writeapi.review.decisions.decide import Item
from writeapi.review.web.site import age
from writeapi.store.records import DraftFile, Finding, QueueSize, RunRecord, SubmissionRecord, Waiting


def size_line(size: QueueSize, now: datetime) -> str:
    """How much waits, of what kinds, and for how long the oldest."""
    if size.oldest is None:
        return "nothing waits"
    kinds = ", ".join(f"{count} {kind}" for kind, count in size.kinds.items())
    return f"{size.total} wait ({kinds}); the oldest since {size.oldest}, {age(size.oldest, now)}"


def waiting_line(row: Waiting) -> str:
    """One row of the queue."""
    advice = f"{row.advice} ({row.findings})" if row.advice else "written by an editor"
    if row.state == SubmissionState.QUEUED or (row.kind == "run" and not row.advice):
        advice = "not screened yet"
    parts = (row.id, row.kind, advice, row.created, row.contributor or "-", row.playbook or "-", row.title)
    return printable("  ".join(parts))


def queue_json(size: QueueSize, rows: Sequence[Waiting]) -> str:
    """The queue as JSON."""
    items = [asdict(row) for row in rows]
    return json.dumps({"total": size.total, "kinds": dict(size.kinds), "oldest": size.oldest, "items": items}, indent=2)


def item_lines(item: Item, *, diff: bool) -> Iterator[str]:
    """All of one subject as lines: what was sent with its findings, its history, its files and what they change."""
    yield f"{item.subject}  {item.kind}  {item.state}  version {item.version}"
    yield f"sent {item.record.created} by {printable(_sender(item.record))}"
    yield from _fields(item)
    yield from ("", "history")
    for step in item.steps:
        why = " ".join((f" ({', '.join(step.reasons)})" if step.reasons else "", *lines_of(step.note or "")))
        yield f"  {step.at}  {step.became}  {step.by}{why.rstrip()}"
    if item.revision:
        yield from ("", f"draft: kept, revision {item.revision}")
    for file in item.files:
        yield from ("", *_file(item, file, diff=diff))
    yield from _rest(item)
    yield from ("", f"what may be done: {', '.join(item.actions) or 'nothing'}")


def lines_of(text: str) -> list[str]:
    """A text's lines, each without anything that a terminal would obey."""
    return [printable(line) for line in text.split("\n")]


def problem_lines(problems: Sequence[Problem]) -> list[str]:
    """A line for each problem."""
    return [str(problem) for problem in problems]


def item_json(item: Item) -> str:
    """All of one subject as JSON; where it came from and its token's hash are left out."""
    record = asdict(item.record)
    left = {name: record[name] for name in record.keys() - {"origin", "edit_hash", "contributor_id", "history"}}
    answer: dict[str, object] = {
        **left,
        "kind": item.kind,
        "review": asdict(item.review) if item.review else None,
        "steps": [asdict(step) for step in item.steps],
        "revision": item.revision,
        "stale": sorted(item.stale),
        "files": [{**asdict(file), "problems": problem_lines(_problems(item, file))} for file in item.files],
        "trust": {
            slug: [before and before.level, after.level] for slug, (before, after) in item.tried.verdicts.items()
        },
        "actions": item.actions,
        "outbox": [asdict(entry) for entry in item.entries],
    }
    return json.dumps(answer, indent=2, sort_keys=True)


def _sender(record: RunRecord | SubmissionRecord) -> str:
    if record.contributor:
        return f"{record.contributor} (with a key)"
    return f"{record.reporter!r} (nobody verified it)" if record.reporter else "somebody without a key"


def _fields(item: Item) -> Iterator[str]:
    """Each field with its findings below it; findings of no field come last."""
    for field in item.fields:
        yield f"{printable(field.pointer[1:])}:"
        yield from (f"  {line}" for line in lines_of(field.text))
        yield from map(_finding, field.findings)
    yield from map(_finding, item.elsewhere)
    unscreened = "written by an editor" if item.by_editor else "not screened yet"
    yield f"advice: {item.review.advice if item.review else unscreened}"


def _finding(finding: Finding) -> str:
    return printable(f"  ! {finding.code} {finding.pointer}: {finding.detail}")


def _problems(item: Item, file: DraftFile) -> list[Problem]:
    return [problem for problem in item.tried.problems if problem.file == file.file]


def _file(item: Item, file: DraftFile, *, diff: bool) -> Iterator[str]:
    """A file with its problems under their lines, or its difference and then its problems."""
    old = item.olds.get(file.file)
    what = "new" if old is None else "changed"
    yield f"{printable(file.file)}  {what}  {f'revision {item.revision}' if item.revision else 'not saved'}"
    if file.file in item.stale:
        yield "     ! this text was made from an older file; `edit --begin-again`, or compare with --diff"
    problems = _problems(item, file)
    if diff and old is not None:
        changes = unified_diff(
            old.splitlines(), file.text.splitlines(), f"{file.file} now", f"{file.file} then", lineterm=""
        )
        yield from (f"  {line}" for line in (*map(printable, changes), *problem_lines(problems)))
        return
    for number, line in enumerate(lines_of(file.text.rstrip("\n")), 1):
        yield f"{number:4} | {line}"
        yield from (f"     ! {problem}" for problem in problems if problem.line == number)
    known = file.text.count("\n") + 1
    yield from (f"     ! {problem}" for problem in problems if problem.line > known)


def _rest(item: Item) -> Iterator[str]:
    """Problems of other files, trust before and after, and how far it is on its way."""
    files = {file.file for file in item.files}
    yield from (f"! {problem}" for problem in item.tried.problems if problem.file not in files)
    for slug, (before, after) in item.tried.verdicts.items():
        yield f"trust of {slug}: {before.level if before else 'none'} -> {after.level}"
    for entry in item.entries:
        yield printable(f"outbox: {entry.file} {entry.state} {entry.went or ''}").rstrip()
