"""The commands `work` and `status`: what follows from the queue, and what waits and why."""

import os
import secrets
from contextlib import closing
from datetime import date
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import click

from build.commands import SiteAddress, default_jobs
from build.settings import BuildSettings
from library.options import content_option, today_option, var_option
from library.problems import UsageError
from writeapi.logs import log_to_stderr
from writeapi.review.screening.outside import reviewer_from
from writeapi.review.services import ReviewServices
from writeapi.store import Store
from writeapi.store.engine import Unavailable
from writeapi.store.jobs import WORKER

from .content import ContentShelf
from .engine import CurrentEngine
from .environment import refuse_wrong, the_day
from .operating import keep_addresses, keep_answers
from .queue import open_queue, opened_queue
from .work import Publishing, Worker, publishing_options, reviewer_option, stopping

_PATH = click.Path(path_type=Path)


@click.command(epilog="Example: playbooks work --branch --push origin")
@content_option
@click.option("--out", type=_PATH, default=Path("site"), show_default=True, help="Where the site is built.")
@var_option
@today_option
@click.option("--site-url", type=SiteAddress(), help="Another address than the one in site.yaml.")
@click.option("--release", is_flag=True, help="Also write the whole-library files.")
@click.option("--compress", is_flag=True, help="Also write .gz and .br beside the files.")
@publishing_options
@click.option(
    "--fetch-every",
    type=click.FloatRange(1, 86_400),
    default=60,
    show_default=True,
    help="With --push: seconds between two looks at what was merged.",
)
@reviewer_option
@keep_addresses
@keep_answers
@click.option(
    "--backups",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="PLAYBOOKS_BACKUPS",
    help="Where the queue is backed up to every day.  [default: not]",
)
@click.option("--once", is_flag=True, help="Do what is due now, and end.")
def work(
    content: Path,
    out: Path,
    var: Path,
    today: date,
    site_url: str | None,
    release: bool,
    compress: bool,
    fetch_every: float,
    reviewer_timeout: float,
    addresses: int,
    answers: int,
    backups: Path | None,
    once: bool,
    branch: bool,
    **how: Any,
) -> None:
    """Do what follows from the queue, for as long as it runs: screen, publish, build, settle, forget.

    Of several workers over one queue one works; the others wait for its end. A job that failed is tried again.
    """
    reviewer = reviewer_from(os.environ, reviewer_timeout, partial(click.echo, err=True))
    build = BuildSettings(content, out, today, default_jobs(), site_url, release=release)
    publishing = Publishing(branch, **how, fetch_seconds=fetch_every)
    refuse_wrong(os.environ)
    log_to_stderr()
    with stopping() as stop, closing(_store(var, stop)) as store:
        day = the_day(today)
        shelf, search = ContentShelf(content, day, site_url), CurrentEngine(out.absolute())
        services = ReviewServices(store, shelf, search, secrets.token_bytes)
        worker = Worker(
            services,
            build,
            publishing,
            day,
            os.environ,
            reviewer,
            compressed=compress,
            keep_days=(addresses, answers),
            backups=backups,
            stop=stop,
        )
        if not once:
            worker.run()
        elif not worker.leased():
            raise UsageError("another worker is at work over this queue; `playbooks status` says which")
        else:
            while worker.once():
                pass
            worker.release()


def _store(var: Path, stop: Event) -> Store:
    """The queue; a database that is away is waited for."""
    while True:
        try:
            return open_queue(os.environ, "http://127.0.0.1", var)[1]
        except Unavailable as error:
            click.echo(f"not now, and again in a second: {error}", err=True)
            if stop.wait(1):
                raise


@click.command(epilog="Example: playbooks status")
@var_option
def status(var: Path) -> None:
    """Say what waits, who works, and how each job ended."""
    with opened_queue(os.environ, var) as store:
        size, (decisions, age) = store.queue_size(), store.outbox_waits()
        waits = ", ".join(f"{number} {kind}" for kind, number in size.kinds.items()) or "nothing"
        since = f", the oldest since {size.oldest}" if size.oldest else ""
        click.echo(f"waits for review  {waits}{since}")
        click.echo(
            f"waits for files   {decisions} decisions{f', the oldest for {age / 60:.0f} min' if decisions else ''}"
        )
        click.echo(f"works             {store.leased(WORKER) or 'nobody: start `playbooks serve` or `playbooks work`'}")
        for job in store.jobs().values():
            failed = f"failed {job.failures} times in a row: " if job.failures else ""
            click.echo(f"{job.name:<17} {job.ended}  {failed}{job.said}")
