"""The one judgment of what comes into a library: pre-commit, CI, `new`, the editor's desk and publishing all ask it.

Beside the rules that every library keeps it asks those of `checks.merging` and the canonical form, and a warning counts
as an error. `judged` looks at a whole folder, `trial.trial` at files that are not in it yet.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import date
from pathlib import Path

from ..content.formatting import format_bytes
from ..content.loading import check, is_typed, placed, read, scan, some_bytes
from ..problems import FORM, Problem, as_errors, in_order
from ..records.collection import Library
from . import checks


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
    return in_order(as_errors([*within, *placed(content, across), *misshapen(content, files)]))


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
            yield Problem(file, (), "canonical-form", message, line=_differs(raw, shaped), mend=FORM)


def _differs(raw: bytes, shaped: bytes) -> int:
    """The first line, from 1, in which two texts differ."""
    pairs = zip(raw.splitlines(keepends=True), shaped.splitlines(keepends=True), strict=False)
    return next((number for number, (one, other) in enumerate(pairs, 1) if one != other), 1)
