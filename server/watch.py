"""`serve --watch`: builds anew at every save, commit and midnight, and tells open pages by server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import date
from itertools import chain
from pathlib import Path
from threading import Event, RLock, Thread
from time import sleep

import click
import orjson
from watchfiles import watch

from build.commands import summary_lines
from build.pipeline import LISTS, BuildReport, BuildSettings
from build.views.theme import ThemeBroken
from library.content.gitlog import head_of
from library.problems import ContentError, LibraryError
from library.records.schemas import keep_schemas
from library.reports import as_text, below

from .goodcopy import GoodCopy

STEP_MS = 20
"""How long nothing more must change before a build begins: an editor's save is several changes."""
FIRST = 0.15
"""Seconds that open pages have to load themselves anew before the lists are written, which takes the same processor."""
BREATH = 15.0
"""Seconds after which a silent stream sends a comment, so that a page that went away is noticed."""


class Watch:
    """What the last build came to, and who listens for the next. `day` says which day it is now."""

    def __init__(
        self,
        settings: BuildSettings,
        built: Callable[[], None],
        day: Callable[[], date],
        copy: GoodCopy | None = None,
    ) -> None:
        self._settings = replace(settings, jobs=1, progress=self._progress)  # forks and threads do not mix
        self._day = day
        self.copy = copy or GoodCopy(settings.content, settings.out)
        self._told: object = None
        self.number = 0
        self.problems: tuple[str, ...] = ()
        self.merge_problems: tuple[str, ...] = ()
        """What `check --for-merge` says of the files that were saved, though the site is built with them."""
        self._built = built
        self._lock = RLock()  # Ctrl+C may come while the same thread holds it
        self._listeners: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        self._stop = Event()
        self._thread = Thread(target=self._run, daemon=True)

    @property
    def settings(self) -> BuildSettings:
        """How to build now."""
        return replace(self._settings, today=self._day())

    def start(self) -> None:
        """Watch in a thread of its own."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread, after a build under way, and every stream."""
        self._stop.set()
        self._tell()

    def wait(self) -> None:
        """Until the thread has ended."""
        self._thread.join()

    def _run(self) -> None:
        for _ in _saves(self._settings, self._stop, self._day):
            self.rebuild()

    def rebuild(self) -> None:
        """Build, say in the terminal what came of it, and tell every page."""
        settings = self.settings
        try:
            report = self.copy.build(settings)
        except ContentError as error:
            told = below(settings.content, error.problems)
            self.problems = tuple(str(problem) for problem in told)
            click.echo(as_text(told), err=True)
        except Exception as error:  # noqa: BLE001 - whatever a save breaks, the next one may mend it
            words = str(error) if isinstance(error, LibraryError | OSError) else f"{type(error).__name__}: {error}"
            self.problems = (words,)
            click.echo(words, err=True)
        else:
            self.problems = tuple(str(problem) for problem in below(settings.content, self.copy.others))
            if self.copy.state != self._told:
                self._told = self.copy.state
                self.number += 1
                self.copy.say()
            if report.written or report.removed:
                self.number += 1
                self._built()
                for line in summary_lines(report, settings.out, profile=False):
                    click.echo(line)
        self._tell()
        incoming = tuple(map(str, below(settings.content, self.copy.merge_problems())))
        if incoming != self.merge_problems:
            self.merge_problems = incoming
            self._tell()
        keep_schemas(settings.content)

    def _progress(self, stage: str) -> None:
        """Tell pages of single records while the lists are still to be written; those of lists are told at the end."""
        if stage == LISTS:
            self.number += 1
            self.problems = ()
            self._tell()
            if self._listeners:
                sleep(FIRST)

    def _tell(self) -> None:
        with self._lock:
            for loop, event in self._listeners:
                with suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(event.set)

    async def events(self) -> AsyncIterator[bytes]:
        """How things stand, now and after every build, as a stream of server-sent events."""
        event = asyncio.Event()
        listener = (asyncio.get_running_loop(), event)
        with self._lock:
            self._listeners.add(listener)
        try:
            while not self._stop.is_set():
                event.clear()
                state = {"build": self.number, "problems": self.problems, "before_merge": self.merge_problems}
                yield b"data: " + orjson.dumps(state) + b"\n\n"
                while not event.is_set():
                    try:
                        await asyncio.wait_for(event.wait(), BREATH)
                    except TimeoutError:
                        yield b": \n\n"
        finally:
            with self._lock:
                self._listeners.discard(listener)


def built_when_mended(settings: BuildSettings, copy: GoodCopy) -> BuildReport:
    """The report of the first build that succeeds: what is wrong is said, and the save awaited that mends it."""
    said = ""
    alone = replace(settings, jobs=1)  # as in `Watch`
    for attempt in chain([settings], (alone for _ in _saves(settings, Event(), lambda: settings.today))):
        try:
            return copy.build(attempt)
        except (ContentError, ThemeBroken) as error:
            words = _in_terminal(settings, error)
        if words != said:
            click.echo(f"{words}\nwaiting for a save that mends this (Ctrl+C ends)", err=True)
            said = words
    raise AssertionError("saves end only when they are told to")


def _in_terminal(settings: BuildSettings, error: LibraryError) -> str:
    return as_text(below(settings.content, error.problems)) if isinstance(error, ContentError) else str(error)


def _saves(settings: BuildSettings, stop: Event, day: Callable[[], date]) -> Iterator[None]:
    """One for every save, commit and new day, and one soon for what was saved before this watched.

    It watches anew where a folder is another one.
    """

    def others() -> tuple[date, bytes]:
        return day(), head_of(settings.content)

    known = others()
    while not stop.is_set():
        places = _places(settings)
        changes = watch(
            *(root for root, place in places if place),
            watch_filter=_is_wanted,
            step=STEP_MS,
            debounce=10 * STEP_MS,
            stop_event=stop,
            rust_timeout=1_000,
            yield_on_timeout=True,
        )
        begun = False
        for changed in changes:
            moved = _places(settings) != places
            if changed or moved or not begun:
                yield
            elif (now := others()) != known:
                known = now
                yield
            begun = True
            if moved:
                break


def _places(settings: BuildSettings) -> list[tuple[Path, tuple[int, int] | None]]:
    """The folders to watch, and which folder each is now: one that was replaced has to be watched anew."""
    roots = (settings.content, settings.templates, *([settings.theme] if settings.theme else []))
    return [(root, _which(root)) for root in roots]


def _which(folder: Path) -> tuple[int, int] | None:
    try:
        found = folder.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if folder.is_dir() else None


def _is_wanted(_change: object, path: str) -> bool:
    """Whether a file that changed may be one of the site: no hidden one, and no editor's copy."""
    name = path.rpartition("/")[2]
    return not name.startswith(".") and not name.endswith(("~", ".pyc"))
