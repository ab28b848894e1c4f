"""`serve --watch`: builds anew at every save, commit and midnight, and gives pages a script that reloads them then."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date
from itertools import chain
from pathlib import Path
from threading import Event, RLock, Thread
from time import sleep

import click
import orjson
from anyio import to_thread
from starlette.datastructures import MutableHeaders
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send
from watchfiles import watch

from build.commands import summary_lines
from build.pipeline import LISTS
from build.settings import BuildReport, BuildSettings
from build.views.draft import draft_page
from build.views.rendering import ThemeBroken
from library.content.history import head_of
from library.content.loading import some_bytes
from library.problems import ContentError, LibraryError
from library.records.naming import EDITED
from library.records.schemas import keep_schemas
from library.reports import as_text, below

from .app import Service
from .goodcopy import GoodCopy
from .response_headers import CSP, READS

STEP_MS = 20
"""How long nothing more must change before a build begins: an editor's save is several changes."""
FIRST = 0.15
"""Seconds that open pages have to load themselves anew before the lists are written, which takes the same processor."""
BREATH = 15.0
"""Seconds after which a silent stream sends a comment, so that a page that went away is noticed."""

STREAM, SCRIPT, SHEET = "/-/watch", "/-/watch.js", "/-/watch.css"
_OWN = {SCRIPT: "text/javascript", SHEET: "text/css"}
_PAGE = re.compile(rf"/((?:{'|'.join(EDITED)})/[a-z0-9-]{{1,64}})/")
_HERE = Path(__file__).resolve().parent
_NO_SOURCE = re.compile(r"/\.[^/]*$|~$|\.pyc$")
"""Files that are none of the site: hidden ones, and editors' copies."""
_FRESH = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


class Watch:
    """What the last build came to, and who listens for the next. `day` says which day it is now."""

    def __init__(
        self,
        settings: BuildSettings,
        built: Callable[[], None],
        day: Callable[[], date],
        copy: GoodCopy | None = None,
        pending: Callable[[], Mapping[str, int]] | None = None,
    ) -> None:
        self._settings = replace(settings, jobs=1, progress=self._progress)  # forks and threads do not mix
        self._day = day
        self._pending = pending or (lambda: settings.pending)
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
        for _ in _saves(self._settings, self._stop, lambda: (self._day(), self._pending())):
            self.rebuild()

    def rebuild(self) -> None:
        """Build, say in the terminal what came of it, and tell every page."""
        settings = replace(self._settings, today=self._day(), pending=self._pending())
        try:
            report = self.copy.build(settings)
        except Exception as error:  # noqa: BLE001 - whatever a save breaks, the next one may mend it
            self.problems, words = _problems_in(settings, error)
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
            _, words = _problems_in(settings, error)
        if words != said:
            click.echo(f"{words}\nwaiting for a save that mends this (Ctrl+C ends)", err=True)
            said = words
    raise AssertionError("saves end only when they are told to")


def _problems_in(settings: BuildSettings, error: Exception) -> tuple[tuple[str, ...], str]:
    """What keeps a build from its end: each for the pages, and all for the terminal."""
    if isinstance(error, ContentError):
        problems = below(settings.content, error.problems)
        return tuple(map(str, problems)), as_text(problems)
    words = str(error) if isinstance(error, LibraryError | OSError) else f"{type(error).__name__}: {error}"
    return (words,), words


def _saves(settings: BuildSettings, stop: Event, around: Callable[[], object]) -> Iterator[None]:
    """One for every save, commit and change `around` it, and one soon for what was saved before this watched.

    It watches anew where a folder is another one.
    """

    def others() -> tuple[object, str | None]:
        return around(), head_of(settings.content)

    known = others()
    while not stop.is_set():
        places = _places(settings)
        changes = watch(
            *(root for root, place in places if place),
            watch_filter=lambda _change, path: not _NO_SOURCE.search(path),
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
    found: list[tuple[Path, tuple[int, int] | None]] = []
    for root in filter(None, (settings.content, settings.templates, settings.theme)):
        place = None
        with suppress(OSError):
            stat = root.stat()
            place = (stat.st_dev, stat.st_ino) if root.is_dir() else None
        found.append((root, place))
    return found


class WatchedService:
    """A service whose pages know when they were built anew."""

    def __init__(self, service: Service, watch: Watch) -> None:
        self.service = service
        self.watch = watch

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what is the watch's own; put the script into every page of the service."""
        if scope["type"] != "http":
            await self.service(scope, receive, send)
        elif scope["path"] == STREAM:
            stream = StreamingResponse(self.watch.events(), media_type="text/event-stream", headers=_FRESH)
            await stream(scope, receive, send)
        elif kind := _OWN.get(scope["path"]):
            body = (_HERE / scope["path"].rpartition("/")[2]).read_bytes()
            await Response(body, media_type=f"{kind}; charset=utf-8", headers=_FRESH)(scope, receive, send)
        elif (
            scope["method"] in READS
            and (asked := _PAGE.fullmatch(scope["path"]))
            and (body := await to_thread.run_sync(self._draft, asked))
        ):
            page = Response(body, media_type="text/html", headers={**_FRESH, "Content-Security-Policy": CSP})
            await page(scope, receive, _Page(send, self.watch.number).send)
        else:
            # without the tag that its reader has: a page with the script is another than the file
            headers = [pair for pair in scope["headers"] if pair[0] != b"if-none-match"]
            await self.service({**scope, "headers": headers}, receive, _Page(send, self.watch.number).send)

    def _draft(self, page: re.Match[str]) -> bytes | None:
        """The page of a draft as it is now; None where it is none, or can be shown in no way."""
        copy, file = self.watch.copy, f"{page[1]}.yaml"
        if file not in copy.pages or (library := copy.library) is None:
            return None
        try:
            raw = some_bytes(copy.content / file)
            problems = below(copy.content, copy.pages.get(file, ()))
            return draft_page(self.service.env, library, file, raw, problems)
        except (OSError, LibraryError):
            return None


class _Page:
    """One answer on its way: held back while it is a page, so that the script can be put in."""

    def __init__(self, send: Send, number: int) -> None:
        self._send = send
        sheet = f'<link rel="stylesheet" href="{SHEET}">'
        self._tags = f'{sheet}<script defer src="{SCRIPT}" data-build="{number}"></script>\n'.encode()
        self._start: Message | None = None
        self._body = b""

    async def send(self, message: Message) -> None:
        """Pass on what is no page; a page when it is whole."""
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if headers.get("content-type", "").startswith("text/html"):
                self._start = message
                return
        if (start := self._start) is None:
            await self._send(message)
            return
        self._body += message.get("body", b"")
        if message.get("more_body"):
            return
        body = self._body.replace(b"</head>", self._tags + b"</head>", 1)
        headers = MutableHeaders(scope=start)
        for name in ("etag", "last-modified"):
            del headers[name]
        headers["cache-control"] = "no-store"
        if "content-length" in headers and self._body:
            headers["content-length"] = str(len(body))
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})
