"""What an operator does with the queue from a terminal: contributors, backups, what is kept for a time, figures."""

import json
import os
import secrets
import signal
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Event

import click
from prometheus_client import CollectorRegistry, multiprocess, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from library.options import content_option, var_option
from library.problems import UsageError
from writeapi.keys import make_key
from writeapi.settings import database_url
from writeapi.store import Store
from writeapi.store.engine import Unavailable
from writeapi.store.jobs import WORKER

from .environment import refuse_wrong
from .queue import has_queue, needs_queue, opened_queue, published_runs

ADDRESSES_DAYS, ANSWERS_DAYS = 30, 7
COUNTS = "metrics"
"""Where the workers' counts are, in the folder of the queue."""
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
            keys = ", ".join(key.prefix + (" (revoked)" if key.revoked else "") for key in store.keys(who.id))
            click.echo(f"{who.handle}  {who.role}  since {who.created}{'  revoked' if who.revoked else ''}  {keys}")


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
        store.add_key(who.id, key.hash, key.prefix, by=_BY)
        click.echo(key.text)


@contributors.command()
@click.argument("handle")
@var_option
def promote(handle: str, var: Path) -> None:
    """Make a contributor an editor."""
    with opened_queue(os.environ, var) as store:
        store.promote(handle, by=_BY)
        click.echo(f"{handle} is an editor")


@click.command(epilog="Example: playbooks pending > pending.json && playbooks build --pending pending.json")
@content_option
@var_option
def pending(content: Path, var: Path) -> None:
    """Print, as JSON, how many run reports of each playbook are pending, or approved and not yet in the content.

    A build takes it by --pending. Where there is no queue yet, as before the first start of a service, none are.
    """
    if not has_queue(os.environ, var):
        click.echo(f"there is no queue in {var} yet, so nothing waits; --var says where it is kept", err=True)
        click.echo("{}")
        return
    with opened_queue(os.environ, var) as store:
        click.echo(json.dumps(store.pending_runs(published_runs(content)), sort_keys=True))


def unmigrated(environment: Mapping[str, str], var: Path) -> Store:
    """The store as it lies there: a backup before an upgrade must not upgrade. Nothing is made by looking."""
    refuse_wrong(environment)
    return Store(database_url(environment, var), clock=lambda: datetime.now(UTC))


def backup_name() -> str:
    """What a backup that is written now is called."""
    return f"playbooks-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.backup"


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
        path /= backup_name()
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
        done = store.restore(file, force=force, running=running)
    click.echo(f"restored {done.holds}")
    if done.former:
        click.echo(f"what was there before is in {done.former}; remove it when nothing is missed")


_days = partial(click.option, type=click.IntRange(1, 3_650), show_default=True)
_ADDRESSES = "Days to keep from where a report was sent, as a keyed hash."
_ANSWERS = "Days to give a repeated request the answer of the first."


keep_addresses = _days("--addresses", default=ADDRESSES_DAYS, envvar="PLAYBOOKS_KEEP_ADDRESSES", help=_ADDRESSES)
keep_answers = _days("--answers", default=ANSWERS_DAYS, envvar="PLAYBOOKS_KEEP_ANSWERS", help=_ANSWERS)


@click.command(epilog="Example: playbooks prune --dry-run")
@keep_addresses
@keep_answers
@click.option("--dry-run", is_flag=True, help="Say what would go, and change nothing.")
@var_option
def prune(addresses: int, answers: int, dry_run: bool, var: Path) -> None:
    """Forget from where things were sent, and the answers kept for repeated requests, when they are old enough.

    Run reports, submissions, decisions and their history stay. It may run at any time, beside the service.
    """
    with opened_queue(os.environ, var) as store:
        done = store.prune(addresses_days=addresses, answers_days=answers, dry_run=dry_run)
    verb = "would forget" if dry_run else "forgot"
    click.echo(f"{verb} {done.addresses} addresses, {done.answers} answers, {done.sessions} sessions")


class OfStore(Collector):
    """The figures of the store, read anew each time that they are asked for."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """All figures; only `playbooks_store_up` while the database is away."""
        try:
            found, jobs, holder = self.store.figures(), self.store.jobs(), self.store.leased(WORKER)
        except Unavailable:
            yield GaugeMetricFamily("playbooks_store_up", "Whether the database answers.", 0)
            return
        yield GaugeMetricFamily("playbooks_store_up", "Whether the database answers.", 1)
        for name, text, labels, counts in (
            ("records", "Records by kind and state.", ("kind", "state"), found.states),
            ("transitions", "Rows of the audit by what became.", ("became",), found.transitions),
            ("queue", "What waits for review, by kind.", ("kind",), found.queue),
        ):
            family = GaugeMetricFamily(f"playbooks_{name}", text, labels=labels)
            for key, number in sorted(counts.items()):
                family.add_metric([key] if isinstance(key, str) else key, number)
            yield family
        failures = GaugeMetricFamily("playbooks_job_failures", "How often in a row a job failed.", labels=("job",))
        for job in jobs.values():
            failures.add_metric([job.name], job.failures)
        yield failures
        yield GaugeMetricFamily("playbooks_worker_up", "Whether a worker runs.", holder is not None)
        for name, text, value in (
            ("queue_age_seconds", "How long the oldest has waited for review.", found.queue_age),
            ("outbox", "Decisions that wait to become files.", found.outbox),
            ("outbox_age_seconds", "How long the oldest has waited: it grows as publishing fails.", found.outbox_age),
        ):
            yield GaugeMetricFamily(f"playbooks_{name}", text, value)


@click.command(epilog="Example: playbooks metrics --port 9464")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; never the public one.")
@click.option("--port", type=click.IntRange(0, 65535), default=9464, show_default=True, help="0 takes a free one.")
@var_option
def metrics(host: str, port: int, var: Path) -> None:
    """Serve /metrics for Prometheus: the queue, the outbox, and the requests that gunicorn's workers counted.

    It is a process of its own, so that no address of the service leads to it. Workers count with PLAYBOOKS_METRICS=1.
    """
    store = unmigrated(os.environ, var)
    registry, counts, over = CollectorRegistry(), var / COUNTS, Event()
    registry.register(OfStore(store))
    if counts.is_dir():
        multiprocess.MultiProcessCollector(registry, path=str(counts))  # type: ignore[no-untyped-call]  # has no types
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: over.set())
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        raise UsageError(f"cannot listen on {host}:{port} ({error.strerror})") from error
    click.echo(f"serving http://{host}:{server.server_port}/metrics (Ctrl+C stops)")
    over.wait()
    server.shutdown()
    server.server_close()
    thread.join()
    store.close()
