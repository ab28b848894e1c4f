"""The commands `backup` and `restore`: the whole queue in one file, and back."""

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import click

from library.options import var_option
from writeapi.settings import database_url
from writeapi.store import Store

from .environment import refuse_wrong
from .queue import needs_queue


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
        path /= f"playbooks-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.backup"
    store = unmigrated(os.environ, var)
    try:
        found = store.back_up(path)
    finally:
        store.close()
    click.echo(f"{path}: {found} (checked, {path.stat().st_size:,} bytes)")


@click.command(epilog="Example: playbooks restore /var/backups/playbooks/playbooks-20261120T031700Z.backup")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--force", is_flag=True, help="Replace a queue that holds something or is in use.")
@var_option
def restore(file: Path, force: bool, var: Path) -> None:
    """Make the queue what FILE holds, and bring it to the newest schema.

    A queue that holds anything, or that a service uses, is not replaced without --force. Nothing is changed when the
    file is damaged or was made by a newer program.
    """
    store = unmigrated(os.environ, var)
    try:
        found = store.restore(file, force=force)
    finally:
        store.close()
    click.echo(f"restored {found}")
