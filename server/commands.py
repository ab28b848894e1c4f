"""The command `serve`, and with `--watch` a build at every save, told to the pages that are open."""

import asyncio
import os
import re
import socket
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any, cast

import click
import orjson
import uvicorn
from anyio import to_thread
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from build.commands import built_or_exit, jobs_option, say, summary_lines
from build.pipeline import LISTS, Resident
from build.reading import ReadSource, Sources
from build.settings import BuildSettings
from build.views.draft import draft_page
from build.views.rendering import RenderEnvironment
from library.content.history import head_of
from library.content.loading import REQUIRED, errors_in, some_bytes
from library.options import content_option, today_option, var_option
from library.problems import ContentError, LibraryError, Problem, UsageError, in_order
from library.records.collection import Library
from library.records.naming import EDITED
from library.records.schemas import keep_schemas
from library.reports import as_text, below
from library.rules.judgment import judged_files
from writeapi.logs import log_to_stderr
from writeapi.review.screening.screen import reviewer_from
from writeapi.review.services import ReviewServices

from .app import Service, compressed
from .environment import mcp_hosts, strict_transport, the_day
from .operating import keep_addresses, keep_answers
from .queue import ContentShelf, open_queue, published_runs, services_of, settled, start_report
from .requests import config_of
from .response_headers import CSP, READS
from .work import REVIEWER_SECONDS, Publishing, Worker, meanwhile, saves

LOOK, BREATH = 0.02, 15.0
"""Seconds between two looks of a stream, and after which a silent one sends a comment: a page that went is noticed."""

STREAM, SCRIPT, SHEET = "/-/watch", "/-/watch.js", "/-/watch.css"
_OWN = {SCRIPT: "text/javascript", SHEET: "text/css"}
_PAGE = re.compile(rf"/((?:{'|'.join(EDITED)})/[a-z0-9-]{{1,64}})/")
_HERE = Path(__file__).resolve().parent
_FRESH = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
_OF_THE_FILE = frozenset({"etag", "last-modified", "cache-control", "content-length"})  # not of a page with the script


class LenientSources(Sources):
    """Content of which a file with problems is used as it last went with the others, or as a draft, until it is mended.

    `aside` are the problems of such files.
    """

    def __init__(self, content: Path) -> None:
        super().__init__(content)
        self.aside: dict[str, list[Problem]] = {}
        self._seen: dict[str, bytes] = {}
        self._saved: set[str] = set()

    @property
    def pages(self) -> dict[str, list[Problem]]:
        """The files that are shown as drafts, each with its problems."""
        drafts = {file: in_order([*item.problems, *item.left]) for file, item in self.files.items() if item.draft}
        shown = {**drafts, **self.aside}
        return {file: shown[file] for file in sorted(shown) if file in self.files and file.split("/")[0] in EDITED}

    @property
    def others(self) -> list[Problem]:
        """Problems of files that have no page to show them on."""
        pages = self.pages
        found = (problem for file, problems in self.aside.items() if file not in pages for problem in problems)
        return in_order([*self.strays, *found])

    @property
    def state(self) -> object:
        """What tells one state of drafts and problems from another."""
        return {file: (self.files[file].digest, problems) for file, problems in self.pages.items()}, self.others

    def library(self, site_url: str | None, pending: Mapping[str, int]) -> tuple[Library, list[Problem]]:
        """The library of all that is in order. Raises `ContentError` where without what is broken there is none."""
        if self._seen:
            self._saved |= {file for file, item in self.files.items() if self._seen.get(file) != item.digest}
        self._seen = {file: item.digest for file, item in self.files.items()}
        stray = {problem.file for problem in self.strays}
        files = {**{file: item for file, item in self.used.items() if file in stray}, **self.files}
        aside: dict[str, list[Problem]] = {}
        for file, item in self.files.items():
            if errors := list(errors_in(item.problems)):
                self._put_back(files, aside, file, in_order([*errors, *item.left]))
        while files.keys() >= REQUIRED:
            self.aside = aside
            try:
                return self.library_of(files, [], site_url, pending)
            except ContentError as error:
                told: dict[str, list[Problem]] = defaultdict(list)
                for problem in error.problems:
                    told[problem.file].append(problem)
            tried = {file for file in files.keys() | self.used.keys() if files.get(file) is not self.used.get(file)}
            for file in (told.keys() & tried - aside.keys()) or tried - aside.keys() or told.keys():
                self._put_back(files, aside, file, told.get(file) or list(chain.from_iterable(told.values())))
        raise ContentError([*self.strays, *chain.from_iterable(aside.values())])

    def _put_back(
        self, files: dict[str, ReadSource], aside: dict[str, list[Problem]], file: str, problems: list[Problem]
    ) -> None:
        """Use a file as it was; else let a record be known of that is in nothing, and leave out what is none."""
        aside[file] = problems
        if file in self.used and files.get(file) is not self.used[file]:
            files[file] = self.used[file]
        elif file.split("/", maxsplit=1)[0] in EDITED:
            files[file] = ReadSource(draft=True)
        else:
            files.pop(file, None)

    def merge_problems(self, library: Library | None) -> list[Problem]:
        """What keeps the files that were saved since the start, and are built, from being merged."""
        files = {file for file in self._saved & self.files.keys() if self.used.get(file) is self.files[file]}
        files -= {file for file in files if self.files[file].draft}
        return judged_files(self.content, files, library) if files and library else []


@dataclass
class Watch:
    """What the last build came to, for the pages that listen. `day` says which day it is now."""

    settings: BuildSettings
    built: Callable[[], None]
    day: Callable[[], date]
    resident: Resident
    sources: LenientSources
    pending: Callable[[], Mapping[str, int]] = dict
    number: int = 0
    problems: tuple[str, ...] = ()
    merge_problems: tuple[str, ...] = ()
    """What `check --for-merge` says of the files that were saved, though the site is built with them."""
    stop: Event = field(default_factory=Event)
    ends: Callable[[], bool] = lambda: False  # whether the server ends, which waits for the streams: they end then
    _told: object = None

    def run(self) -> None:
        """Build at each save until it is stopped."""
        known: object = None
        for saved in saves(lambda: [self.settings.content, self.settings.templates, self.settings.theme], self.stop):
            around = self.day(), self.pending(), head_of(self.settings.content)
            if saved or around != known:
                known = around
                self.rebuild()

    def rebuild(self) -> None:
        """Build, and say in the terminal what came of it; streams look at it."""
        content, sources = self.settings.content, self.sources
        settings = replace(self.settings, today=self.day(), pending=self.pending())
        try:  # in one process: forks and threads do not mix
            report = self.resident.build(replace(settings, jobs=1, progress=self._progress))
        except Exception as error:  # noqa: BLE001 - whatever a save breaks, the next one may mend it
            words = str(error) if isinstance(error, LibraryError | OSError) else f"{type(error).__name__}: {error}"
            self.problems = (words,)
            if isinstance(error, ContentError):
                self.problems = tuple(map(str, below(content, error.problems)))
            click.echo("\n".join(self.problems), err=True)
        else:
            self.problems = tuple(map(str, below(content, sources.others)))
            if report.written or report.removed:
                self.built()
                self.number += 1
                for line in summary_lines(report, settings.out, profile=False):
                    click.echo(line)
            if sources.state != self._told:
                self._told = sources.state
                self.number += 1
                if left := in_order([*sources.strays, *chain.from_iterable(sources.aside.values())]):
                    click.echo(as_text(below(content, left)), err=True)
        self.merge_problems = tuple(map(str, below(content, sources.merge_problems(self.resident.library))))
        keep_schemas(content)

    def _progress(self, stage: str) -> None:
        """Tell pages of single records while the lists are still to be written; those of lists are told at the end."""
        if stage == LISTS:
            self.problems = ()
            self.number += 1

    async def events(self) -> AsyncIterator[bytes]:
        """How things stand, now and after every build, as a stream of server-sent events."""
        told, at = b"", monotonic()
        while not self.ends():
            state = {"build": self.number, "problems": self.problems, "before_merge": self.merge_problems}
            if (event := b"data: " + orjson.dumps(state) + b"\n\n") != told or monotonic() - at > BREATH:
                yield event if event != told else b": \n\n"
                told, at = event, monotonic()
            await asyncio.sleep(LOOK)


class WatchedService(BaseHTTPMiddleware):
    """A service whose pages know when they were built anew."""

    def __init__(self, service: Service, watch: Watch) -> None:
        super().__init__(service)
        self._service, self._watch = service, watch

    async def dispatch(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        """Answer what is the watch's own; put the script into every page of the service."""
        path = request.url.path
        if path == STREAM:
            return StreamingResponse(self._watch.events(), media_type="text/event-stream", headers=_FRESH)
        if kind := _OWN.get(path):
            body = (_HERE / path.rpartition("/")[2]).read_bytes()
            return Response(body, media_type=f"{kind}; charset=utf-8", headers=_FRESH)
        build = self._watch.number  # asked before the page is read, which is as new or newer
        page = _PAGE.fullmatch(path) if request.method in READS else None
        if page and (draft := await to_thread.run_sync(self._draft, f"{page[1]}.yaml")):
            headers = {**_FRESH, "Content-Security-Policy": CSP}
            return Response(_with_script(draft, build), media_type="text/html", headers=headers)
        # without the tag that its reader has: a page with the script is another than the file
        request.scope["headers"] = [pair for pair in request.scope["headers"] if pair[0] != b"if-none-match"]
        answer = cast("Any", await call_next(request))
        if answer.headers.get("content-type", "").startswith("text/html"):
            body = _with_script(b"".join([part async for part in answer.body_iterator]), build)
            kept = {name: text for name, text in answer.headers.items() if name not in _OF_THE_FILE}
            return Response(body, answer.status_code, {**kept, "Cache-Control": "no-store"})
        return cast("Response", answer)

    def _draft(self, file: str) -> bytes | None:
        """The page of a draft as it is now; None where it is none, or can be shown in no way."""
        sources, library = self._watch.sources, self._watch.resident.library
        if (problems := sources.pages.get(file)) is None or library is None:
            return None
        try:
            raw = some_bytes(sources.content / file)
            return draft_page(self._service.env, library, file, raw, below(sources.content, problems))
        except (OSError, LibraryError):
            return None


def _with_script(page: bytes, build: int) -> bytes:
    link = f'<link rel="stylesheet" href="{SHEET}" data-page="{blake2b(page, digest_size=8).hexdigest()}">'
    tags = f'{link}<script defer src="{SCRIPT}" data-build="{build}"></script>\n</head>'
    return page.replace(b"</head>", tags.encode(), 1)


_PATH = click.Path(path_type=Path)
PORT = click.IntRange(0, 65535)
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@click.command(epilog="Example: playbooks serve --port 8080")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=PORT, default=8000, show_default=True, help="The port to listen on; 0 takes a free one.")
@content_option
@click.option("--out", type=_PATH, default=Path(".cache/serve"), show_default=True, help="Where the site is built.")
@today_option
@jobs_option
@click.option("--release", is_flag=True, help="Also serve the whole-library files.")
@var_option
@click.option(
    "--watch", is_flag=True, help="Build anew at every save and reload open pages; problems are shown over them."
)
@keep_addresses
@keep_answers
@click.option("--no-work", is_flag=True, help="Only serve: screen, publish and build by `playbooks work` elsewhere.")
def serve(
    host: str,
    port: int,
    content: Path,
    out: Path,
    today: date,
    jobs: int,
    release: bool,
    var: Path,
    watch: bool,
    addresses: int,
    answers: int,
    no_work: bool,
) -> None:
    """Build the content, then serve the site and the API on one port, and do what follows from the queue."""
    if watch and host not in LOOPBACK:
        raise UsageError(f"--watch is for this machine alone; leave --host away, or take one of {', '.join(LOOPBACK)}")
    listener = bound(host, port)
    name = f"[{host}]" if ":" in host else host
    site_url = f"http://{name}:{listener.getsockname()[1]}"
    settings, store = open_queue(os.environ, site_url, var)
    hsts, hosts = strict_transport(os.environ), (host, *mcp_hosts(os.environ))
    out.parent.mkdir(parents=True, exist_ok=True)
    pending = store.pending_runs(published_runs(content))
    build = BuildSettings(content, out, today, jobs, site_url, pending, release=release, progress=say)
    lenient = LenientSources(content) if watch else None
    resident = Resident(lenient or Sources(content))
    report = built_or_exit(build, resident.build)
    for line in summary_lines(report, out, profile=False):
        click.echo(line)
    listener.listen(128)
    for outcome in settled(store, content, out, os.environ):
        click.echo(str(outcome))
    click.echo(f"serving {site_url}/ and {site_url}/api/v1/ and {site_url}/mcp (Ctrl+C stops)")
    for line in start_report(settings, store, os.environ, content, out.absolute()):
        click.echo(line)
    log_to_stderr()
    shelf = ContentShelf(content, the_day(today), site_url)
    services = services_of(settings, store, out.absolute())

    def environment() -> RenderEnvironment:
        """The settings and templates of the build."""
        return RenderEnvironment(cast("Library", resident.library).site, theme=build.theme)

    service = Service(out.absolute(), environment(), services, shelf, hosts, hsts=hsts)
    worker = Worker(
        ReviewServices(store, shelf, services.random),
        replace(build, jobs=1, progress=lambda _stage: None),  # forks and threads do not mix
        Publishing(),
        the_day(today),
        os.environ,
        reviewer_from(os.environ, REVIEWER_SECONDS, partial(click.echo, err=True)),
        resident,
        builds=not watch,
        keep_days=(addresses, answers),
    )

    def built() -> None:
        """The service takes the settings and templates of the build, and what is in it now is published."""
        worker.unsettled = True
        service.env = environment()

    worker.built = built
    with closing(store), nullcontext() if no_work else meanwhile(worker.run, worker.stop):
        if lenient:
            seen = Watch(build, built, the_day(today), resident, lenient, worker.waiting)
            server = uvicorn.Server(config_of(compressed(WatchedService(service, seen))))
            seen.ends = lambda: server.should_exit
            with meanwhile(seen.run, seen.stop):
                server.run(sockets=[listener])
        else:
            uvicorn.Server(config_of(compressed(service))).run(sockets=[listener])


def bound(host: str, port: int) -> socket.socket:
    """A socket that has its port and refuses callers, so that a taken port is told before the build."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named by its protocol, or asyncio would not switch Nagle's algorithm off: 40 ms on every kept connection.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        if not host:
            raise OSError(0, "no address")
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        why = f"cannot listen on {host}:{port} ({error.strerror}); choose others with --host and --port"
        raise UsageError(why) from error
    return listener
