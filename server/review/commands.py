"""The group `review` with what its commands share, and those that run without an editor: screen, publish, settle."""

import os
import secrets
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from functools import partial, wraps
from itertools import chain
from pathlib import Path
from typing import Any

import click

from library.options import content_option, today_option, var_option
from library.problems import ContentError, LibraryError, UsageError, printable
from library.records.vocabulary import Advice
from writeapi.keys import hash_of, is_key
from writeapi.review.decisions.texts import of_library
from writeapi.review.publishing.publish import DecisionResult, publish
from writeapi.review.screening.outside import reviewer_from
from writeapi.review.screening.screen import Screened, screen_all
from writeapi.review.services import ReviewServices
from writeapi.store import Store
from writeapi.store.records import Member

from ..content import ContentShelf, is_built, settled
from ..engine import CurrentEngine
from ..queue import opened_queue
from ..work import Publishing, publishing_options, reviewer_option, stopping

KEY_VARIABLE = "PLAYBOOKS_EDITOR_KEY"

_PATH = click.Path(path_type=Path)
_out = click.option("--out", type=_PATH, default=Path("site"), show_default=True, help="Where the site is built.")


@click.group(epilog="Example: playbooks review list")
def review() -> None:
    """Review what was sent: screen it, decide about it, and publish what was accepted."""


@contextmanager
def reviewing(content: Path, out: Path, var: Path, today: date) -> Iterator[ReviewServices]:
    """What review works with, for one command. Raises `UsageError` where there is no queue."""
    with opened_queue(os.environ, var) as store:
        shelf, engine = ContentShelf(content, lambda: today), CurrentEngine(out.absolute())
        try:
            yield ReviewServices(store, shelf, engine, secrets.token_bytes)
        except ContentError as error:
            raise LibraryError(of_library(error)) from error


def place_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that say where everything is that review works with, and which day it is."""
    return content_option(_out(var_option(today_option(command))))


def with_services(command: Callable[..., None]) -> Callable[..., None]:
    """Hand a command what review works with as its first argument, and give it the options that say where that is."""

    @wraps(command)
    def run(content: Path, out: Path, var: Path, today: date, **rest: object) -> None:
        with reviewing(content, out, var, today) as services:
            command(services, **rest)

    return place_options(run)


def the_editor(store: Store) -> Member:
    """Whose key is in the environment, or is typed. Raises `UsageError` unless it is an editor's."""
    key: str | None = os.environ.get(KEY_VARIABLE)
    if not key:  # it is typed, unseen; or comes by a pipe, where nothing is seen anyway
        key = str(click.prompt("Editor's key", hide_input=sys.stdin.isatty(), err=True))
    found = store.caller(hash_of(key)) if is_key(key) else None
    if found is None or not found.editor:
        raise UsageError(f"this needs an editor's key: set {KEY_VARIABLE}, or type it when asked")
    return found


@review.command("screen", epilog="Example: playbooks review screen --limit 20")
@click.option("--limit", type=click.IntRange(1), help="Screen at most so many items.")
@reviewer_option
@place_options
def screen_queue(limit: int | None, reviewer_timeout: float, today: date, **places: Path) -> None:
    """Let the review agent look at what nobody has screened yet, and print a line for each item.

    `playbooks serve` and `playbooks work` do so by themselves.
    """
    reviewer = reviewer_from(os.environ, reviewer_timeout, partial(click.echo, err=True))
    tally: Counter[str] = Counter()
    with stopping() as stop, reviewing(**places, today=today) as services:
        for done in screen_all(services, reviewer, limit=limit, stop=stop.is_set):
            tally[done.review.advice if done.review else "skipped"] += 1
            click.echo(line_of(done))
    screened = tally.total() - tally["skipped"]
    parts = [f"{tally[name]} {name}" for name in (*map(str, Advice), "skipped") if tally[name]]
    click.echo(f"screened {screened}" + (f": {', '.join(parts)}" if parts else ""))


def line_of(done: Screened) -> str:
    """An item as one line: id, kind, advice, and the codes of what was found; or why it was skipped."""
    if done.review is None:
        return printable(f"{done.subject}  skipped: {done.skipped}")
    codes = ",".join(dict.fromkeys(finding.code for finding in done.review.findings))
    return printable(f"{done.subject}  {done.kind}  {done.review.advice}  {codes or '-'}")


@review.command("publish", epilog="Example: playbooks review publish --branch --push origin")
@publishing_options
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@place_options
def publish_accepted(dry_run: bool, content: Path, out: Path, var: Path, today: date, branch: bool, **how: Any) -> None:
    """Write what was accepted into the content, and take out what was taken back. Twice is the same as once."""
    publishing = Publishing(branch, **how)
    with reviewing(content, out, var, today) as services:
        target = publishing.target(content, services, today, os.environ)
        waiting = partial(click.echo, "waiting for another publisher …", err=True)
        done = publish(services, content, target, dry=dry_run, waiting=waiting)
        _say(chain(done, () if dry_run else settled(services.store, content, out, os.environ)))


@review.command("settle", epilog="Example: playbooks build && playbooks review settle")
@click.option("--site-url", help="The address of the site.  [default: the one that it was built for]")
@place_options
def settle_built(site_url: str | None, content: Path, out: Path, var: Path, today: date) -> None:
    """Note as published what was accepted and is in the built site."""
    with reviewing(content, out, var, today) as services:
        if not is_built(out):
            raise UsageError(f"no built site at {out}; `playbooks build` makes it, and --out says where it is")
        _say(settled(services.store, content, out, os.environ, site_url))


def _say(outcomes: Iterable[DecisionResult]) -> None:
    """Print a line for each, and one where there is none; ends with 1 where somebody has to look at one."""
    failed = []
    for outcome in outcomes:
        click.echo(str(outcome), err=outcome.failed)
        failed.append(outcome.failed)
    if not failed:
        click.echo("nothing to publish")
    raise SystemExit(1 if any(failed) else 0)
