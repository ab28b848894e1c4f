"""The command `serve`."""

import os
import socket
from collections.abc import Callable
from contextlib import closing, nullcontext, suppress
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from threading import Thread
from types import FrameType

import click
import uvicorn

from build.commands import Stages, built_or_exit, jobs_option, summary_lines
from build.pipeline import Resident
from build.reading import read_site
from build.settings import BuildSettings, theme_beside
from build.views.rendering import RenderEnvironment
from library.options import content_option, today_option, var_option
from library.problems import UsageError
from library.search.index import IndexUnusable
from writeapi.logs import log_to_stderr
from writeapi.review.screening.outside import reviewer_from
from writeapi.review.services import ReviewServices

from .app import Service
from .content import ContentShelf, settled
from .environment import mcp_hosts, strict_transport, the_day
from .goodcopy import GoodCopy
from .operating import keep_addresses, keep_answers
from .queue import open_queue, published_runs, services_of, start_report
from .requests import config_of
from .watch import Watch, WatchedService, built_when_mended
from .work import REVIEWER_SECONDS, Publishing, Worker, working

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
    build = BuildSettings(content, out, today, jobs, site_url, pending, release=release, progress=Stages())
    copy, resident = GoodCopy(content, out) if watch else None, Resident()
    report = built_when_mended(build, copy) if copy else built_or_exit(build, resident.build)
    for line in summary_lines(report, out, profile=False):
        click.echo(line)
    site = read_site(copy.folder if copy else content, today, site_url)
    if site is None:
        raise UsageError("site.yaml changed while the site was built; start again")
    listening(listener)  # and not before: nobody waits for a site that is still to be mended
    for outcome in settled(store, content, out, os.environ):
        click.echo(str(outcome))
    click.echo(f"serving {site_url}/ and {site_url}/api/v1/ and {site_url}/mcp (Ctrl+C stops)")
    for line in start_report(settings, store, os.environ, content, out.absolute()):
        click.echo(line)
    log_to_stderr()
    shelf = ContentShelf(content, the_day(today), site_url)
    env, services = RenderEnvironment(site, theme=theme_beside(content)), services_of(settings, store, out.absolute())
    service = Service(out.absolute(), env, services, shelf, hosts, hsts=hsts)
    Thread(target=_warm, args=(service,), daemon=True).start()
    worker = Worker(
        ReviewServices(store, shelf, service.engine, services.random),
        replace(build, jobs=1, progress=lambda _stage: None),  # forks and threads do not mix
        Publishing(),
        the_day(today),
        os.environ,
        reviewer_from(os.environ, REVIEWER_SECONDS, partial(click.echo, err=True)),
        resident,
        builds=copy is None,
        keep_days=(addresses, answers),
    )

    def built() -> None:
        """The service takes the settings and templates of the build, and what is in it now is published."""
        worker.unsettled = True
        if found := read_site(copy.folder if copy else content, today, site_url):
            service.furnish(RenderEnvironment(found, theme=build.theme))

    worker.built = built
    with closing(store), nullcontext() if no_work else working(worker):
        if copy:
            _serve_watched(service, Watch(build, built, the_day(today), copy, worker.waiting), listener)
        else:
            Server(config_of(service)).run(sockets=[listener])


def _serve_watched(service: Service, watch: Watch, listener: socket.socket) -> None:
    watch.start()
    try:
        Server(config_of(WatchedService(service, watch)), before_end=watch.stop).run(sockets=[listener])
    finally:
        watch.stop()
        watch.wait()


class Server(uvicorn.Server):
    """Uvicorn, with something to do at Ctrl+C before it waits for open connections."""

    def __init__(self, config: uvicorn.Config, before_end: Callable[[], None] = lambda: None) -> None:
        super().__init__(config)
        self._before_end = before_end

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end."""
        self._before_end()
        super().handle_exit(sig, frame)


def _warm(service: Service) -> None:
    """Open the search before anybody asks; a question says what is wrong with it."""
    with suppress(IndexUnusable):
        service.engine()


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
        raise _taken(listener, f"{host}:{port}", error) from error
    return listener


def listening(listener: socket.socket) -> socket.socket:
    """The socket, which takes callers from now on. Raises `UsageError` where another one was sooner."""
    try:
        listener.listen(128)
    except OSError as error:
        host, port, *_ = listener.getsockname()
        raise _taken(listener, f"{host}:{port}", error) from error
    return listener


def _taken(listener: socket.socket, place: str, error: OSError) -> UsageError:
    listener.close()
    return UsageError(f"cannot listen on {place} ({error.strerror}); choose others with --host and --port")
