"""What an operator does with the queue from a terminal: contributors, the worker, backups, figures."""

import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import click
from prometheus_client import CollectorRegistry, multiprocess, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from build.commands import default_jobs, site_url_option
from build.settings import BuildSettings
from library.options import content_option, today_option, var_option
from library.problems import LibraryError, UsageError
from library.records.vocabulary import SENDING, Scope
from writeapi.keys import make_key
from writeapi.logs import log_to_stderr
from writeapi.review.screening.screen import reviewer_from
from writeapi.review.services import ReviewServices
from writeapi.settings import database_url
from writeapi.store import Store
from writeapi.store.engine import Unavailable
from writeapi.store.queue import WORKER
from writeapi.store.records import Key

from . import queue
from .environment import refuse_wrong, the_day
from .queue import ContentShelf, needs_queue, open_queue, opened_queue
from .work import Publishing, Worker, publishing_options, reviewer_option, stopping

_BY = "operator"


@click.group(epilog="Example: playbooks contributors list")
def contributors() -> None:
    """Look after contributors and their keys."""


@contributors.command("list")
@var_option
def list_contributors(var: Path) -> None:
    """Every contributor: handle, role, since when, whether revoked, and its keys by their first characters."""
    with opened_queue(os.environ, var) as store:
        for who in store.contributors():
            keys = ", ".join(_of_key(key) for key in store.keys(who.id))
            click.echo(f"{who.handle}  {who.role}  since {who.created}{'  revoked' if who.revoked else ''}  {keys}")


def _of_key(key: Key) -> str:
    """A key by its first characters, with what it may be used for where that is not everything, and until when."""
    words = ["revoked"] if key.revoked else [*key.allows] if set(key.allows) < set(Scope) else []
    words += [f"until {key.until}"] if key.until else []
    return f"{key.prefix} ({', '.join(words)})" if words else key.prefix


@contributors.command("key", epilog="Example: playbooks contributors key ann --scope review --until 2027-12-31")
@click.argument("handle")
@click.option("--scope", "scopes", type=click.Choice([*map(str, Scope)]), multiple=True, show_default="report, submit")
@click.option("--until", type=click.DateTime(["%Y-%m-%d"]), help="The last day on which it is valid, in UTC.")
@var_option
def make_further(handle: str, scopes: tuple[str, ...], until: datetime | None, var: Path) -> None:
    """Give a contributor one more key, as an editor's for `review`. It is shown here and never again."""
    with opened_queue(os.environ, var) as store:
        who, key = store.contributor(handle), make_key(secrets.token_bytes)
        if who is None:
            raise UsageError(f"there is no contributor {handle!r}; `POST /contributors` makes one")
        end = f"{until:%Y-%m-%d}" if until else None
        store.add_key(who.id, key.hash, key.prefix, by=_BY, scopes=tuple(map(Scope, scopes)) or SENDING, until=end)
        click.echo(key.text)


@contributors.command()
@click.argument("handle")
@click.option("--withdraw-runs", is_flag=True, help="Withdraw all run reports of this contributor too.")
@var_option
def revoke(handle: str, withdraw_runs: bool, var: Path) -> None:
    """Revoke a contributor: none of its keys is valid any more."""
    with opened_queue(os.environ, var) as store:
        withdrawn = store.revoke_contributor(handle, by=_BY, withdraw_runs=withdraw_runs)
        click.echo(f"revoked {handle}; {withdrawn} run reports withdrawn")


@contributors.command()
@click.argument("handle")
@var_option
def reset(handle: str, var: Path) -> None:
    """Give a contributor who lost every key a new one; the old ones are revoked. It is shown here and never again."""
    with opened_queue(os.environ, var) as store:
        who = store.contributor(handle)
        if who is None or who.revoked:
            raise UsageError(f"there is no contributor {handle!r}, or it was revoked")
        for old in store.keys(who.id):
            store.revoke_key(who.id, old.prefix, by=_BY)
        key = make_key(secrets.token_bytes)
        store.add_key(who.id, key.hash, key.prefix, by=_BY, scopes=tuple(Scope) if who.editor else SENDING)
        click.echo(key.text)


@contributors.command()
@click.argument("handle")
@var_option
def promote(handle: str, var: Path) -> None:
    """Make a contributor an editor; one signs in with a key for `review`, which `contributors key` makes."""
    with opened_queue(os.environ, var) as store:
        store.promote(handle, by=_BY)
        click.echo(f"{handle} is an editor")


def unmigrated(environment: Mapping[str, str], var: Path) -> Store:
    """The store as it lies there: a backup before an upgrade must not upgrade. Nothing is made by looking."""
    refuse_wrong(environment)
    return Store(database_url(environment, var), clock=lambda: datetime.now(UTC))


@click.command(epilog="Example: playbooks backup /var/backups/playbooks/")
@click.argument("place", type=click.Path())
@var_option
def backup(place: str, var: Path) -> None:
    """Write the queue to PLACE: a new file, or a folder, where it gets a name with the time.

    PLACE with a slash at its end is a folder, and is made where there is none.

    Contributors, keys (as hashes), run reports, submissions and their history are in it, with e-mail addresses: keep it
    as safe as the database. The service may run meanwhile. The content is in git, and the counters of limits need none.
    """
    needs_queue(os.environ, var)
    path = Path(place)
    if place.endswith("/"):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.is_dir():
        path /= queue.backup_name()
    with closing(unmigrated(os.environ, var)) as store:
        found = store.back_up(path)
    click.echo(f"{path}: {found} (checked, {path.stat().st_size:,} bytes)")


@click.command(epilog="Example: playbooks restore /var/backups/playbooks/playbooks-20261120T031700Z.backup")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--force", is_flag=True, help="Replace a queue that holds something; it is kept beside the new one.")
@click.option(
    "--running", is_flag=True, help="Replace it even while a service uses it, which goes on with what is restored."
)
@var_option
def restore(file: Path, force: bool, running: bool, var: Path) -> None:
    """Make the queue what FILE holds, and bring it to the newest schema.

    A queue that holds anything is not replaced without --force, one that a service uses not without --running. Nothing
    is changed when anything is wrong, and what was there before is kept.
    """
    with closing(unmigrated(os.environ, var)) as store:
        holds, former = store.restore(file, force=force, running=running)
    click.echo(f"restored {holds}")
    if former:
        click.echo(f"what was there before is in {former}; remove it when nothing is missed")


_days = partial(click.option, type=click.IntRange(1, 3_650), show_default=True)
_ADDRESSES = "Days to keep from where a report was sent, as a keyed hash."
_ANSWERS = "Days to give a repeated request the answer of the first."
keep_addresses = _days("--addresses", default=queue.ADDRESSES_DAYS, envvar="PLAYBOOKS_KEEP_ADDRESSES", help=_ADDRESSES)
keep_answers = _days("--answers", default=queue.ANSWERS_DAYS, envvar="PLAYBOOKS_KEEP_ANSWERS", help=_ANSWERS)


_FIGURES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "store_up": ("Whether the database answers.", ()),
    "records": ("Records by kind and state.", ("kind", "state")),
    "transitions": ("Rows of the audit by what became.", ("became",)),
    "queue": ("What waits for review, by kind.", ("kind",)),
    "queue_age_seconds": ("How long the oldest has waited for review.", ()),
    "outbox": ("Decisions that wait to become files.", ()),
    "outbox_age_seconds": ("How long the oldest has waited: it grows as publishing fails.", ()),
    "job_failures": ("How often in a row a job failed.", ("job",)),
    "worker_up": ("Whether a worker runs.", ()),
}
"""What each figure is, and its labels."""


class OfStore(Collector):
    """The figures of the store, read anew each time that they are asked for."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """All figures; only `playbooks_store_up` while the database is away."""
        found: dict[str, dict[tuple[str, ...], float]] = {"store_up": {(): 0}}
        with suppress(Unavailable):
            found = {"store_up": {(): 1}, **self.store.figures()}
        for name, numbers in found.items():
            text, labels = _FIGURES[name]
            family = GaugeMetricFamily(f"playbooks_{name}", text, labels=labels)
            for values, number in sorted(numbers.items()):
                family.add_metric(values, number)
            yield family


@click.command(epilog="Example: playbooks metrics --port 9464")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; never the public one.")
@click.option("--port", type=click.IntRange(0, 65535), default=9464, show_default=True, help="0 takes a free one.")
@var_option
def metrics(host: str, port: int, var: Path) -> None:
    """Serve /metrics for Prometheus: the queue, the outbox, and the requests that gunicorn's workers counted.

    It is a process of its own, so that no address of the service leads to it. Workers count with PLAYBOOKS_METRICS=1.
    """
    registry, counts = CollectorRegistry(), var / "metrics"
    registry.register(OfStore(unmigrated(os.environ, var)))
    if counts.is_dir():
        multiprocess.MultiProcessCollector(registry, path=str(counts))  # type: ignore[no-untyped-call]  # has no types
    with stopping() as over:
        try:
            server, _ = start_http_server(port, host, registry)
        except OSError as error:
            raise UsageError(f"cannot listen on {host}:{port} ({error.strerror})") from error
        click.echo(f"serving http://{host}:{server.server_port}/metrics (Ctrl+C stops)")
        over.wait()


@click.command(epilog="Example: playbooks work --branch --push origin")
@content_option
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("site"), show_default=True, help="Where the site is built."
)
@var_option
@today_option
@site_url_option("Another address than the one in site.yaml.")
@click.option("--release", is_flag=True, help="Also write the whole-library files.")
@click.option("--compress", is_flag=True, help="Also write .gz and .br beside the files.")
@publishing_options
@click.option(
    "--fetch-every",
    type=click.FloatRange(1, 86_400),
    default=10,
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
        services = ReviewServices(store, ContentShelf(content, day, site_url), secrets.token_bytes)
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
            if failed := [f"{job.name}: {job.said}" for job in store.jobs().values() if job.failures]:
                raise LibraryError("\n".join(failed))


def _store(var: Path, stop: Event) -> Store:
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
        oldest = f", the oldest for {age / 60:.0f} min" if decisions else ""
        click.echo(f"waits for files   {decisions} decisions{oldest}")
        click.echo(f"works             {store.leased(WORKER) or 'nobody: start `playbooks serve` or `playbooks work`'}")
        for job in store.jobs().values():
            failed = f"failed {job.failures} times in a row: " if job.failures else ""
            click.echo(f"{job.name:<17} {job.ended}  {failed}{job.said}")
