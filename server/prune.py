"""The command `prune`: what is kept only for a time goes; a timer runs it every day."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from library.options import var_option

from .contributors import opened

ADDRESSES_DAYS, ANSWERS_DAYS = 30, 7
_F = TypeVar("_F", bound=Callable[..., Any])


def _days(name: str, default: int, variable: str, text: str) -> Callable[[_F], _F]:
    return click.option(
        name, type=click.IntRange(1, 3_650), default=default, show_default=True, envvar=variable, help=text
    )


@click.command(epilog="Example: playbooks prune --dry-run")
@_days(
    "--addresses",
    ADDRESSES_DAYS,
    "PLAYBOOKS_KEEP_ADDRESSES",
    "Days to keep from where a report was sent, as a keyed hash.",
)
@_days("--answers", ANSWERS_DAYS, "PLAYBOOKS_KEEP_ANSWERS", "Days to give a repeated request the answer of the first.")
@click.option("--dry-run", is_flag=True, help="Say what would go, and change nothing.")
@var_option
def prune(addresses: int, answers: int, dry_run: bool, var: Path) -> None:
    """Forget from where things were sent, and the answers kept for repeated requests, when they are old enough.

    Run reports, submissions, decisions and their history stay. It may run at any time, beside the service.
    """
    with opened(var) as store:
        done = store.prune(addresses_days=addresses, answers_days=answers, dry_run=dry_run)
    verb = "would forget" if dry_run else "forgot"
    click.echo(f"{verb} {done.addresses} addresses, {done.answers} answers, {done.sessions} sessions")
