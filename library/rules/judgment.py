"""The one judgment of what comes into a library: pre-commit, CI, `new`, the editor's desk and publishing all ask it.

Beside the rules that every library keeps it asks those of `checks.merging` and the canonical form, and a warning counts
as an error. `judged` looks at a whole folder, `trial` at files that are not in it yet.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from ..content.formatting import format_bytes
from ..content.loading import check, is_typed, loaded, placed, read, read_bytes, scan, some_bytes
from ..problems import FORM, Problem, as_errors, in_order
from ..records.collection import Library, PlaybookEntry, newest_first
from ..records.models import Agent, Filed, Lesson, Run, Task
from . import checks
from .trust import Verdict, counted_runs, verdict_of


@dataclass(frozen=True)
class Trial:
    """A library as it is and as it would be. `problems` are those that the change brings, with line and column."""

    before: Library
    after: Library
    problems: tuple[Problem, ...]
    records: Mapping[str, Filed]

    @property
    def verdicts(self) -> dict[str, tuple[Verdict | None, Verdict]]:
        """Trust before and after, of every playbook that the files are or belong to."""
        touched = {record.playbook for record in self.records.values() if isinstance(record, Run)}
        touched |= {file[10:-5] for file in self.records if file.startswith("playbooks/")}
        return {
            slug: (_verdict(self.before, slug), after)
            for slug in sorted(touched)
            if (after := _verdict(self.after, slug))
        }


def trial(
    library: Library, files: Mapping[str, bytes], present: Callable[[str], bytes | None] = lambda _file: None
) -> Trial:
    """Try these files (name in the content to bytes) in place of, or beside, the library's own.

    `present` gives what stands in the content under a name. What was short there already is not the change's: whoever
    mends a word in a playbook of four steps is not asked for the fifth.
    """
    records: dict[str, Filed] = {}
    problems: list[Problem] = []
    for file, body in files.items():
        reading = read_bytes(body, file, library.today, for_merge=True)
        former = read_bytes(old, file, library.today, for_merge=True) if (old := present(file)) else None
        faults = former.problems if former and former.record else ()  # a broken one excuses nothing
        stood = {(problem.code, problem.pointer) for problem in faults}
        found = [*reading.problems, *reading.left]
        problems.extend(problem for problem in found if (problem.code, problem.pointer) not in stood)
        if reading.draft:
            problems.append(Problem(file, ("status",), "draft", "is draft; remove it, so that this is published"))
        if reading.record is not None:
            records[file] = reading.record
    after = with_records(library, records.values())
    after = replace(after, unreadable=library.unreadable | (files.keys() - records.keys()))  # there, but broken
    known = set(checks.across(library, for_merge=True))
    fresh = [problem for problem in checks.across(after, for_merge=True) if problem not in known]
    problems.extend(placed(fresh, files))
    return Trial(library, after, tuple(in_order(as_errors(problems))), records)


_FOLDERS: Mapping[type, str] = {PlaybookEntry: "playbooks", Lesson: "lessons", Agent: "agents", Task: "tasks"}


def with_records(library: Library, records: Iterable[Filed]) -> Library:
    """The library with these records in place of those of the same name."""
    changed: dict[str, Any] = {folder: dict(getattr(library, folder)) for folder in (*_FOLDERS.values(), "runs")}
    for record in map(loaded, records):
        if isinstance(record, Run):
            folder = record.file.split("/")[1]
            others = [run for run in changed["runs"].get(folder, ()) if run.file != record.file]
            changed["runs"][folder] = tuple(sorted([*others, record], key=newest_first))
        elif folder := _FOLDERS.get(type(record), ""):
            changed[folder][record.slug] = record
    return replace(library, **changed)


def _verdict(library: Library, slug: str) -> Verdict | None:
    if slug not in library.playbooks:
        return None
    return verdict_of(library, slug, counted_runs(run for runs in library.runs.values() for run in runs))


def judged(
    content: Path, today: date, *, progress: Callable[[int, int], None] | None = None
) -> tuple[Library, list[Problem]]:
    """The library, where it can stand, and every problem that keeps the content from being merged, in order."""
    library, problems = check(content, today, for_merge=True, progress=progress)
    return library, in_order([*problems, *misshapen(content, (item.file for item in scan(content)[0]))])


def judged_files(content: Path, files: Collection[str], library: Library) -> list[Problem]:
    """As `judged`, of some files of a library that stands."""
    within = (problem for file in files for problem in read(content, file, library.today, for_merge=True).problems)
    across = (problem for problem in checks.across(library, for_merge=True) if problem.file in files)
    return in_order(as_errors([*within, *placed(across, content), *misshapen(content, files)]))


def misshapen(content: Path, files: Iterable[str]) -> Iterator[Problem]:
    """The files that are not as `fmt` would write them, each at its first line that differs."""
    for file in filter(is_typed, files):
        try:
            raw = some_bytes(content / file)
        except OSError:
            continue  # `check` says so
        shaped = format_bytes(raw, file)
        if isinstance(shaped, list):
            yield from (problem for problem in shaped if problem.code == "not-formatted")
        elif shaped != raw:
            message = "is not in the canonical form; `playbooks fmt` writes it, and keeps values and comments"
            pairs = zip(raw.splitlines(keepends=True), shaped.splitlines(keepends=True), strict=False)
            line = next((number for number, (one, other) in enumerate(pairs, 1) if one != other), 1)
            yield Problem(file, (), "canonical-form", message, line=line, mend=FORM)
