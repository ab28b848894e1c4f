"""The commands `report` and `submit`."""

from __future__ import annotations

import errno
import json
import os
import sys
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from library.interface.bodies import MAX_BODY
from library.interface.intake import Intake, RunReport, Submission
from library.options import content_option, today_option
from library.problems import ContentError, LibraryError, UsageError, printable
from library.variables import misspelt

from .asking import ask_for, choices, consent, plain_fields, shown
from .drafts import OPTIONS, Payload, number_in, numbers_of, problems_of, read_draft
from .kept import UnansweredKeys, name_of, place_of
from .sending import NotAccepted, Sender
from .where import api_key, base_address

Command = TypeVar("Command", bound=Callable[..., Any])
LICENCE = "Sending it means agreeing that it is published under the library's content licence."


@dataclass(frozen=True)
class Manner:
    """How the commands send: the options that both have."""

    file: str | None
    yes: bool
    dry_run: bool
    base_url: str | None
    key_file: Path | None
    state: Path | None
    patience: float
    form: str
    content: Path
    today: date


def _options_of(model: type[Intake]) -> Callable[[Command], Command]:
    """An option for each field that one line can fill."""

    def add(command: Command) -> Command:
        for name, info in reversed(plain_fields(model).items()):
            words = choices(info)
            kind = click.Choice(words) if words else click.STRING
            told = click.option(f"--{name.replace('_', '-')}", name, type=kind, help=info.description)
            command = told(command)
        return command

    return add


def _manners(command: Command) -> Command:
    """The options that say how to send."""
    for option in reversed(
        (
            click.argument("file", required=False),
            click.option("--yes", is_flag=True, help="The end user was asked and agreed; for scripts."),
            click.option("--dry-run", is_flag=True, help="Check it and show it; send nothing."),
            click.option("--base-url", help="The library's address; else PLAYBOOKS_URL, else that of site.yaml."),
            click.option(
                "--key-file", type=click.Path(path_type=Path), help="A file with your API key; else PLAYBOOKS_KEY."
            ),
            click.option(
                "--state",
                type=click.Path(path_type=Path),
                help="Where retries are remembered; else the XDG state folder.",
            ),
            click.option(
                "--wait",
                "patience",
                type=click.FloatRange(0, 3_600),
                default=120.0,
                show_default=True,
                help="How many seconds to wait in all where the library is busy or away.",
            ),
            click.option(
                "--format",
                "form",
                type=click.Choice(["text", "json"]),
                default="text",
                show_default=True,
                help="How the receipt is printed.",
            ),
            content_option,
            today_option,
        )
    ):
        command = option(command)
    return command


def _told(options: dict[str, Any], model: type[Intake]) -> tuple[Manner, dict[str, Any]]:
    """The manner, and the fields that were given by options."""
    fields = {name: options.pop(name) for name in plain_fields(model)}
    numbers = numbers_of(model)
    given = {
        name: number_in(value) if name in numbers else value for name, value in fields.items() if value is not None
    }
    return Manner(**options), given


@click.command(epilog="Example: playbooks report run.yaml, or: playbooks report --playbook fix-flaky-tests --dry-run")
@_manners
@_options_of(RunReport)
def report(**options: Any) -> None:
    """Report how a run of a playbook went. Ask the end user first; send no private data.

    FILE is JSON or YAML, `-` the standard input. Options take the place of what the file says; what is needed and
    missing is asked on a terminal.
    """
    manner, given = _told(options, RunReport)
    _send(RunReport, "/runs", manner, given)
    click.echo("It waits for an editor, and is public once it is approved.", err=True)


@click.command(epilog="Example: playbooks submit playbook.yaml, or: playbooks submit --kind lesson --dry-run")
@_manners
@_options_of(Submission)
def submit(**options: Any) -> None:
    """Send a use case, a lesson, a correction or a whole playbook. Ask whoever it is about; send no private data.

    FILE is JSON or YAML, `-` the standard input; a whole playbook needs one. Options take the place of what the file
    says; what is needed and missing is asked on a terminal.
    """
    manner, given = _told(options, Submission)
    _send(Submission, "/submissions", manner, given)
    click.echo(
        "Its status stands at that address. Keep the edit token: with it you answer an editor or take it back. It is"
        " not shown again.",
        err=True,
    )


def _send(model: type[Intake], path: str, manner: Manner, given: dict[str, Any]) -> None:
    """Check it, show it, have it agreed to, send it, and print the receipt."""
    if wrong := list(misspelt(os.environ)):
        raise UsageError("\n".join(wrong))
    url = base_address(manner.base_url, os.environ, manner.content, manner.today) + path
    key = api_key(os.environ, manner.key_file, url)
    values = _checked(model, manner, given)
    click.echo(shown(values, url, key), err=True)
    if manner.dry_run:
        raise SystemExit(0)
    click.echo(LICENCE, err=True)
    consent(agreed=manner.yes, terminal=_terminal() and manner.file != "-")
    _post(url, values, key, manner)


def _terminal() -> bool:
    return sys.stdin.isatty()


def _checked(model: type[Intake], manner: Manner, given: dict[str, Any]) -> dict[str, Any]:
    """The values that will be sent. All that is wrong with them is printed, and ends the command with 1."""
    try:
        draft = read_draft(manner.file, model, sys.stdin.buffer) if manner.file else Payload()
        draft = draft.given(given)
        if _terminal() and manner.file != "-":
            draft = draft.given(ask_for(model, draft.values, everything=not draft.values))
        if problems := problems_of(draft, model):
            raise ContentError(problems)
    except ContentError as error:
        for problem in error.problems:
            click.echo(str(problem).removeprefix(f"{OPTIONS}:1:1: "), err=True)
        raise SystemExit(1) from error
    return {name: value for name, value in draft.values.items() if value is not None}


def _post(url: str, values: dict[str, Any], key: str | None, manner: Manner) -> None:
    """Send it and print the receipt. Its idempotency key is forgotten only then, so that a retry brings it again."""
    body = json.dumps(values, ensure_ascii=False).encode()
    if len(body) > MAX_BODY:
        raise UsageError(f"it has {len(body):,} bytes, and a library takes {MAX_BODY:,}; shorten it")
    kept, name = UnansweredKeys(manner.state or place_of(os.environ)), name_of(url, key, values)
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    once, since = kept.begin(name, lambda: str(uuid.uuid4()), now)
    if since:
        click.echo(f"The same was sent at {since}, and no answer came; it is stored only once.", err=True)
    headers = {"Content-Type": "application/json", "Idempotency-Key": once}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    try:
        receipt = Sender(manner.patience, lambda text: click.echo(text, err=True)).post(url, body, headers)
    except NotAccepted:
        kept.end(name)
        raise
    _print(receipt, manner.form)
    kept.end(name)


class NotPrinted(LibraryError):
    """It is stored, and its receipt was not seen."""


def _print(receipt: dict[str, Any], form: str) -> None:
    """The receipt: a line for each field, or JSON. Raises `NotPrinted` unless all of it was written."""
    lines = [printable(f"{name.replace('_', ' '):<17}{value}") for name, value in receipt.items()]
    try:
        if sys.stdout is None:  # it was closed before we began
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        click.echo(json.dumps(receipt) if form == "json" else "\n".join(lines))
    except (OSError, ValueError) as error:  # ValueError: a character that the output's encoding lacks
        _drop_output()
        why = (error.strerror if isinstance(error, OSError) else None) or error
        text = f"the receipt could not be written: {why}\nIt is stored. The same command prints the receipt again."
        raise NotPrinted(text) from error


def _drop_output() -> None:
    """Let go of what could not be written; at the end Python would try once more, and exit with a code of its own."""
    with suppress(OSError, ValueError, AttributeError):
        output = sys.stdout.fileno()
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, output)
        os.close(nothing)
