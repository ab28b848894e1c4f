"""The command `metrics`: what an operator watches, in the format of Prometheus, on a port of its own."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import click
from prometheus_client import CollectorRegistry, multiprocess, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from library.options import var_option
from library.problems import UsageError
from writeapi.store import Store
from writeapi.store.engine import Unavailable

from .backups import unmigrated

FOLDER = "metrics"
"""Where the workers' counts are, in the folder of the queue."""


class OfStore(Collector):
    """The figures of the store, read anew each time that they are asked for."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """All figures; only `playbooks_store_up` while the database is away."""
        try:
            found = self.store.figures()
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
        for name, text, value in (
            ("queue_age_seconds", "How long the oldest has waited for review.", found.queue_age),
            ("outbox", "Decisions that wait to become files.", found.outbox),
            ("outbox_age_seconds", "How long the oldest has waited: it grows as publishing fails.", found.outbox_age),
        ):
            yield GaugeMetricFamily(f"playbooks_{name}", text, value)


def registry_of(store: Store, var: Path) -> CollectorRegistry:
    """The figures of the store, and the workers' counts where there are any."""
    registry = CollectorRegistry()
    registry.register(OfStore(store))
    folder = var / FOLDER
    if folder.is_dir():
        multiprocess.MultiProcessCollector(registry, path=str(folder))  # type: ignore[no-untyped-call]  # has no types
    return registry


@click.command(epilog="Example: playbooks metrics --port 9464")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; never the public one.")
@click.option("--port", type=click.IntRange(0, 65535), default=9464, show_default=True, help="0 takes a free one.")
@var_option
def metrics(host: str, port: int, var: Path) -> None:
    """Serve /metrics for Prometheus: the queue, the outbox, and the requests that gunicorn's workers counted.

    It is a process of its own, so that no address of the service leads to it. Workers count with PLAYBOOKS_METRICS=1.
    """
    store = unmigrated(os.environ, var)
    over = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: over.set())
    try:
        server, thread = start_http_server(port, host, registry_of(store, var))
    except OSError as error:
        raise UsageError(f"cannot listen on {host}:{port} ({error.strerror})") from error
    click.echo(f"serving http://{host}:{server.server_port}/metrics (Ctrl+C stops)")
    over.wait()
    server.shutdown()
    server.server_close()
    thread.join()
    store.close()
