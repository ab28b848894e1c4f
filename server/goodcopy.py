"""What is built while people write: a copy of the content, each file as it was when it last went with the others."""

import shutil
from collections import defaultdict
from dataclasses import replace
from itertools import chain
from pathlib import Path
from threading import Lock

import click

from build.pipeline import Resident
from build.settings import BuildReport, BuildSettings
from library.content.loading import REQUIRED, errors_in, read_bytes, scan, some_bytes
from library.content.trialfiles import PROOF
from library.problems import ContentError, Problem, UsageError, in_order, printable
from library.records.collection import Library
from library.records.drafts import DRAFT
from library.records.naming import EDITED
from library.reports import as_text, below
from library.rules.judgment import judged_files

FEW = 64
"""So many changed files are looked at before a build tries them; of more, the build says itself what is wrong."""
_MARK = ".playbooks-copy"
_HOLDER = f"status: {DRAFT}\n".encode()
"""Stands for a record that was never in order: others may name it, and it is in nothing."""


class GoodCopy:
    """The copy beside `out`, and what of the content is not in it: drafts, and files with problems.

    A build tries what was saved since; files with problems are put back as they were, so that all others go through.
    """

    def __init__(self, content: Path, out: Path) -> None:
        self.content = content
        self.out = out
        self.folder = out.absolute().parent / f".{out.name}.content"
        self.drafts: dict[str, list[Problem]] = {}
        self.aside: dict[str, list[Problem]] = {}
        self._stray: list[Problem] = []
        self._seen: dict[str, tuple[int, int]] = {}
        self._copied: set[str] = set()
        self._saved: set[str] = set()
        self._written: set[str] = set()  # into the copy, since it was last built
        self._said_drafts: set[str] = set()
        self._said: list[Problem] = []
        self._resident = Resident()
        self._lock = Lock()
        if self.folder.is_dir() and not (self.folder / _MARK).exists():
            raise UsageError(f"{self.folder} is there and is no copy of the content; name another place with --out")

    @property
    def pages(self) -> dict[str, list[Problem]]:
        """The files that are shown as drafts, each with its problems."""
        shown = {**self.drafts, **self.aside}
        return {file: shown[file] for file in sorted(shown) if file in self._seen and file.split("/")[0] in EDITED}

    @property
    def others(self) -> list[Problem]:
        """Problems of files that have no page to show them on."""
        pages = self.pages
        found = (problem for file, problems in self.aside.items() if file not in pages for problem in problems)
        return in_order([*self._stray, *found])

    @property
    def state(self) -> object:
        """What tells one state of drafts and problems from another."""
        return {file: (self._seen[file], problems) for file, problems in self.pages.items()}, self.others

    def build(self, settings: BuildSettings) -> BuildReport:
        """Build the site of all that is in order. Raises `ContentError` where without what is broken there is none."""
        with self._lock:
            settings = replace(settings, content=self.folder, source=self.content)
            tried = self._take_over(settings)
            while True:
                try:
                    report = self._resident.build(settings, self._written)
                    self._written = set()
                    return report
                except ContentError as error:
                    self._put_back(tried, error)

    def merge_problems(self) -> list[Problem]:
        """What keeps the files that were saved since the start, and are built, from being merged."""
        files = (self._saved & self._copied) - self.drafts.keys() - self.aside.keys()
        return judged_files(self.content, files, self.library) if files and self.library else []

    def say(self) -> None:
        """Say in the terminal which drafts there are that were not before, and which problems."""
        pages = self.pages
        for file in pages.keys() - self._said_drafts:
            click.echo(f"shown as a draft: {printable(str(self.content / file))}")
        kept = in_order([*self.others, *chain.from_iterable(self.aside.get(file, ()) for file in pages)])
        if kept and kept != self._said:
            click.echo(as_text(below(self.content, kept)), err=True)
        self._said_drafts, self._said = set(pages), kept

    @property
    def library(self) -> Library | None:
        """The library that was built last; None before the first."""
        return self._resident.library

    def _take_over(self, settings: BuildSettings) -> dict[str, bytes | None]:
        """Copy what was saved since and has no problem of its own; what each file held before."""
        found, self._stray = scan(self.content)
        if not self._copied and not self._seen:
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / _MARK).touch()
            self._copied = {item.file for item in scan(self.folder)[0]}
        before, self._seen = self._seen, {item.file: (item.changed_ns, item.size) for item in found}
        waiting, self.aside = self.aside, {}
        self.drafts = {file: left for file, left in self.drafts.items() if before.get(file) == self._seen.get(file)}
        fresh = [file for file, stat in self._seen.items() if before.get(file) != stat or file in waiting]
        self._saved |= set(fresh) if before else set()
        tried: dict[str, bytes | None] = {}
        for file in fresh:
            if file.endswith("/trial.yaml"):
                self._mirror(Path(file).parent)
            self._try(file, settings, tried, look=len(fresh) <= FEW)
        for file in sorted(self._copied - self._seen.keys() - {problem.file for problem in self._stray}):
            tried[file] = self._set(file, None)
        for folder in self.folder.glob("trials/*"):
            if not (folder / "trial.yaml").exists():
                shutil.rmtree(folder)
                self._copied.discard(f"trials/{folder.name}/{PROOF}")
        return tried

    def _try(self, file: str, settings: BuildSettings, tried: dict[str, bytes | None], *, look: bool) -> None:
        try:
            raw = some_bytes(self.content / file)
        except OSError as error:
            self.aside[file] = [Problem(file, (), "unreadable", f"cannot be read: {error.strerror}")]
            return
        if look or DRAFT.encode() in raw:
            reading = read_bytes(raw, file, settings.today)
            if reading.draft:
                self.drafts[file] = in_order([*reading.problems, *reading.left])
            if errors := list(errors_in(reading.problems)):
                self.aside[file] = in_order([*errors, *reading.left])
                if file not in self._copied:
                    self._hold(file)
                return
        before = some_bytes(self.folder / file) if file in self._copied else None
        if before != raw:
            tried[file] = before
            self._set(file, raw)

    def _put_back(self, tried: dict[str, bytes | None], error: ContentError) -> None:
        """Put back what the problems lie in; else all that was tried; else what was there before leaves the copy."""
        told: dict[str, list[Problem]] = defaultdict(list)
        for problem in error.problems:
            told[problem.file].append(problem)
        back = (told.keys() & tried.keys()) or set(tried) or told.keys()
        if any(file in REQUIRED and tried.get(file) is None for file in back):
            self._seen.clear()  # so that everything is tried again
            told_already = chain.from_iterable(self.aside.values())
            others = (problem for problem in error.problems if problem.file not in self.aside)
            raise ContentError([*told_already, *others]) from error
        for file in sorted(back):
            self.aside[file] = told.get(file) or error.problems
            if (before := tried.pop(file, None)) is not None:
                self._set(file, before)
            else:
                self._hold(file)

    def _mirror(self, folder: Path) -> None:
        """A trial is known by the digest of all that lies in its folder: the files that are no records, as they are."""
        records = [file for file in self._copied if file.startswith(f"{folder.as_posix()}/")]
        kept = {file: some_bytes(self.folder / file) for file in records}
        self._written.add(f"{folder.as_posix()}/trial.yaml")
        shutil.rmtree(self.folder / folder, ignore_errors=True)
        shutil.copytree(self.content / folder, self.folder / folder, symlinks=True)
        for file in (f"{folder.as_posix()}/{name}" for name in ("trial.yaml", PROOF)):
            (self.folder / file).unlink(missing_ok=True)
        for file, body in kept.items():
            (self.folder / file).write_bytes(body)

    def _hold(self, file: str) -> None:
        """Let a record be known of that is in nothing; what is no record of its own is not there."""
        self._set(file, _HOLDER if file.split("/", maxsplit=1)[0] in EDITED else None)

    def _set(self, file: str, body: bytes | None) -> bytes | None:
        """Write a file of the copy, or remove it: what it held before."""
        self._written.add(file)
        path = self.folder / file
        before = some_bytes(path) if file in self._copied else None
        if body is None:
            path.unlink(missing_ok=True)
            self._copied.discard(file)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(body)
            self._copied.add(file)
        return before
