"""What the commands of the editor's desk share: their options, the desk itself, and the texts that an editor types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import wraps
from pathlib import Path
from typing import Any

import click

from library.content.loading import some_bytes
from library.interface.reasons import codes_for
from library.options import content_option, today_option, var_option
from library.problems import LibraryError, UsageError, printable
from library.records.vocabulary import Advice, Decision
from writeapi.keys import is_id
from writeapi.review.decisions import decide
from writeapi.review.decisions.decide import Item
from writeapi.review.decisions.texts import OLDER, digest
from writeapi.review.services import ReviewServices
from writeapi.store import NotFound

from .group import reviewing
from .words import lines_of

LIMIT = 100_000
"""How many rows of the queue a command looks at."""

_out_option = click.option(
    "--out", type=click.Path(path_type=Path), default=Path("site"), show_default=True, help="Where the site is built."
)
note_option = click.option("--note", help="A sentence of your own for its sender.")
version_option = click.option(
    "--version", type=int, help="The version that `show` printed; refuses when it changed since."
)

over_option = click.option(
    "--over-changes", "over", is_flag=True, help="A text made from an older file takes its place: you compared."
)


def at_the_desk(command: Callable[..., None]) -> Callable[..., None]:
    """Hand a command the desk as its first argument, and give it the options that say where the desk is."""

    @wraps(command)
    def run(content: Path, out: Path, var: Path, today: date, **rest: Any) -> None:
        with reviewing(content, out, var, today) as desk:
            command(desk, **rest)

    return content_option(_out_option(var_option(today_option(run))))


def reason_option(decision: Decision) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option `--reason` of a decision: at least one of its codes."""
    known = click.Choice(codes_for(decision))
    return click.option("--reason", "reasons", type=known, multiple=True, required=True, help="Why; may be repeated.")


def say(lines: Iterable[str]) -> None:
    """Print lines."""
    for line in lines:
        click.echo(line)


def text_in(path: Path) -> str:
    """The text of an editor's file. Raises `UsageError` when it is none."""
    try:
        return some_bytes(path).decode()
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8 text; save it as UTF-8") from None


def version_of(desk: ReviewServices, subject: str, version: int | None) -> int:
    """The version that is decided about: the one that was looked at, or the present one."""
    if version is not None:
        return version
    record = desk.store.run(subject) or desk.store.submission(subject)
    if record is None:
        raise NotFound("There is no report and no submission with this id.")
    return record.version


def chosen_of(
    desk: ReviewServices, subjects: Sequence[str], playbook: str | None, *, whatever: bool
) -> list[tuple[str, int]]:
    """The reports to approve, as they stand.

    Raises `UsageError` when none or both are named, or one twice, and `NotFound` when none of them is there.
    """
    if bool(subjects) == bool(playbook) or (whatever and not playbook):
        known = "--all goes with --playbook only" if whatever and not playbook else "one of the two"
        raise UsageError(f"name run reports by their ids, or a playbook with --playbook; {known}")
    if twice := sorted({name for name in subjects if subjects.count(name) > 1}):
        raise UsageError(f"named twice: {', '.join(map(printable, twice))}; name each report once")
    if not playbook:
        found = [(name, desk.store.run(name) if is_id(name) else None) for name in subjects]
        if not any(run or (is_id(name) and name.startswith("sub_")) for name, run in found):
            raise NotFound("There is no report with this id.")
        return [(name, run.version if run else 0) for name, run in found]  # of one that is not there, `approve` says so
    waiting = desk.store.waiting(kind="run", playbook=playbook, limit=LIMIT)
    return [(row.id, row.version) for row in waiting if whatever or row.advice == Advice.ACCEPT]


def not_older(item: Item) -> None:
    """Raise `LibraryError` for a draft of which a text was made from an older file, before anybody types."""
    if item.stale:
        names = ", ".join(map(printable, sorted(item.stale)))
        raise LibraryError(f"{names}: {OLDER} [base-changed]; `edit --begin-again`, or --over-changes")


def edited(desk: ReviewServices, item: Item, only: str | None) -> tuple[dict[str, str], dict[str, str]]:
    """The draft as the editor left it, and the digests of the files that it was made from."""
    texts = {file.file: file.text for file in item.files}
    wanted = [only] if only else [*texts]
    if only and only not in texts:
        problems = decide.try_texts(desk, {only: "{}"}).problems
        if any(problem.code == "file-name" for problem in problems):
            raise decide.EditRefused(problem for problem in problems if problem.code == "file-name")
        texts[only] = desk.shelf.text(only) or ""
    bases = {file: digest(now) for file in texts if (now := desk.shelf.text(file)) is not None}
    for file in wanted:
        say(lines_of(f"editing {file}"))
        text = click.edit(texts[file], extension=".yaml", require_save=False)
        texts[file] = texts[file] if text is None else text
    return {file: text for file, text in texts.items() if text.strip()}, bases
