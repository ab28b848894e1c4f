"""What changed files would make of a library, tried in memory: their problems, and trust before and after.

The problems are those that `check --for-merge` would find: what passes here passes as a pull request too.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..content.loading import Reading, loaded, placed_in, read_bytes
from ..content.yamlfile import decode
from ..problems import Pointer, Problem, as_errors, in_order
from ..records.collection import Library, newest_first
from ..records.entries import PlaybookEntry
from ..records.models import Agent, Filed, Lesson, Run, Task
from . import checks
from .proofs import is_proven, proof_of
from .trust import Verdict, counted_runs, judge


@dataclass(frozen=True)
class Trial:
    """A library as it is and as it would be. `problems` are those that the change brings, with line and column."""

    before: Library
    after: Library
    problems: tuple[Problem, ...] = ()
    records: Mapping[str, Filed] = field(default_factory=dict)

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


def _none(_file: str) -> bytes | None:
    return None


def trial(library: Library, files: Mapping[str, bytes], present: Callable[[str], bytes | None] = _none) -> Trial:
    """Try these files (name in the content to bytes) in place of, or beside, the library's own.

    `present` gives what stands in the content under a name. What was short there already is not the change's: whoever
    mends a word in a playbook of four steps is not asked for the fifth.
    """
    records: dict[str, Filed] = {}
    problems: list[Problem] = []
    for file, body in files.items():
        reading = read_bytes(body, file, library.today, for_merge=True)
        stood = _faults(read_bytes(old, file, library.today, for_merge=True)) if (old := present(file)) else set()
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
    problems.extend(_placed(fresh, files))
    return Trial(library, after, tuple(in_order(as_errors(problems))), records)


def _faults(reading: Reading) -> set[tuple[str, Pointer]]:
    """What a file is short of, and where; a broken one excuses nothing."""
    return {(problem.code, problem.pointer) for problem in reading.problems} if reading.record else set()


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


def _placed(problems: Iterable[Problem], files: Mapping[str, bytes]) -> list[Problem]:
    """Problems of cross-file rules with line and column, where they lie in one of the files."""
    found: list[Problem] = []
    for problem in problems:
        text = decode(files[problem.file], problem.file) if problem.file in files else None
        found.extend(placed_in(text, problem.file, [problem]) if isinstance(text, str) else [problem])
    return found


def _verdict(library: Library, slug: str) -> Verdict | None:
    book = library.playbooks.get(slug)
    if book is None:
        return None
    counted = counted_runs(run for runs in library.runs.values() for run in runs)
    proven = is_proven(proof_of(library, slug))
    return judge(book, library.runs.get(slug, ()), counted, library.today, proven=proven)
