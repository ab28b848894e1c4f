"""The commands `contributors` and `pending`: what an operator does with the queue from a terminal."""

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from library.options import content_option, var_option
from library.problems import UsageError
from writeapi.keys import make_key
from writeapi.store import Store
from writeapi.store.engine import NotFound

from .queue import has_queue, needs_queue, open_queue, published_runs

_BY = "operator"


@contextmanager
def opened(var: Path) -> Iterator[Store]:
    """The store for one command. Raises `UsageError` where there is none."""
    needs_queue(os.environ, var)
    _, store = open_queue(os.environ, "http://127.0.0.1", var)
    try:
        yield store
    except NotFound as error:
        raise UsageError(str(error)) from error
    finally:
        store.close()


@click.group(epilog="Example: playbooks contributors list")
def contributors() -> None:
    """Look after contributors and their keys."""


@contributors.command("list")
@var_option
def list_contributors(var: Path) -> None:
    """Every contributor: handle, role, since when, whether revoked, and its keys by their first characters."""
    with opened(var) as store:
        for who in store.contributors():
            keys = ", ".join(key.prefix + (" (revoked)" if key.revoked else "") for key in store.keys(who.id))
            click.echo(f"{who.handle}  {who.role}  since {who.created}{'  revoked' if who.revoked else ''}  {keys}")


@contributors.command()
@click.argument("handle")
@click.option("--withdraw-runs", is_flag=True, help="Withdraw all run reports of this contributor too.")
@var_option
def revoke(handle: str, withdraw_runs: bool, var: Path) -> None:
    """Revoke a contributor: none of its keys is valid any more."""
    with opened(var) as store:
        withdrawn = store.revoke_contributor(handle, by=_BY, withdraw_runs=withdraw_runs)
        click.echo(f"revoked {handle}; {withdrawn} run reports withdrawn")


@contributors.command()
@click.argument("handle")
@var_option
def reset(handle: str, var: Path) -> None:
    """Give a contributor who lost every key a new one; the old ones are revoked. It is shown here and never again."""
    with opened(var) as store:
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
    with opened(var) as store:
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
    with opened(var) as store:
        click.echo(json.dumps(store.pending_runs(published_runs(content)), sort_keys=True))
