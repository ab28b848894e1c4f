"""The command `serve`."""

import os
import socket
from contextlib import closing, nullcontext
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import cast

import click
import uvicorn

from build.commands import built_or_exit, jobs_option, say, summary_lines
from build.pipeline import Resident
from build.reading import Sources
from build.settings import BuildSettings
from build.views.rendering import RenderEnvironment
from library.options import content_option, today_option, var_option
from library.problems import UsageError
from library.records.collection import Library
from writeapi.logs import log_to_stderr
from writeapi.review.screening.outside import reviewer_from
from writeapi.review.services import ReviewServices

from .app import Service, compressed
from .content import ContentShelf, settled
from .environment import mcp_hosts, strict_transport, the_day
from .operating import keep_addresses, keep_answers
from .queue import open_queue, published_runs, services_of, start_report
from .requests import config_of
from .watch import LenientSources, Watch, WatchedService
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
    with closing(store), nullcontext() if no_work else working(worker):
        if lenient:
            seen = Watch(build, built, the_day(today), resident, lenient, worker.waiting)
            server = uvicorn.Server(config_of(compressed(WatchedService(service, seen))))
            with seen.watching(lambda: server.should_exit):
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
