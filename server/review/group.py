"""The group `review`, and what its commands share: their options, the queue, the content, and who the editor is."""

import os
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from functools import wraps
from pathlib import Path

import click

from library.options import content_option, today_option, var_option
from library.problems import ContentError, LibraryError, UsageError
from writeapi.keys import hash_of, is_key
from writeapi.review.decisions.texts import of_library
from writeapi.review.services import ReviewServices
from writeapi.store import Store
from writeapi.store.engine import NotFound
from writeapi.store.records import Member

from ..engine import CurrentEngine
from ..queue import needs_queue, open_queue
from ..shelf import ContentShelf

KEY_VARIABLE = "PLAYBOOKS_EDITOR_KEY"

out_option = click.option(
    "--out", type=click.Path(path_type=Path), default=Path("site"), show_default=True, help="Where the site is built."
)


@click.group(epilog="Example: playbooks review list")
def review() -> None:
    """Review what was sent: screen it, decide about it, and publish what was accepted."""


@contextmanager
def reviewing(content: Path, out: Path, var: Path, today: date) -> Iterator[ReviewServices]:
    """What review works with, for one command. Raises `UsageError` where there is no queue."""
    needs_queue(os.environ, var)
    _, store = open_queue(os.environ, "http://127.0.0.1", var)
    try:
        yield ReviewServices(
            store, ContentShelf(content, lambda: today), CurrentEngine(out.absolute()), secrets.token_bytes
        )
    except NotFound as error:
        raise UsageError(str(error)) from error
    except ContentError as error:
        raise LibraryError(of_library(error)) from error
    finally:
        store.close()


def with_services(command: Callable[..., None]) -> Callable[..., None]:
    """Hand a command what review works with as its first argument, and give it the options that say where that is."""

    @wraps(command)
    def run(content: Path, out: Path, var: Path, today: date, **rest: object) -> None:
        with reviewing(content, out, var, today) as services:
            command(services, **rest)

    return content_option(out_option(var_option(today_option(run))))


def the_editor(store: Store) -> Member:
    """Whose key is in the environment, or is typed. Raises `UsageError` unless it is an editor's."""
    key = os.environ.get(KEY_VARIABLE) or _typed_key()
    found = store.caller(hash_of(key)) if is_key(key) else None
    if found is None or not found.editor:
        raise UsageError(f"this needs an editor's key: set {KEY_VARIABLE}, or type it when asked")
    return found


def _typed_key() -> str:
    """The key that is typed, unseen; or that comes by a pipe, where nothing is seen anyway."""
    key: str = click.prompt("Editor's key", hide_input=sys.stdin.isatty(), err=True)
    return key
