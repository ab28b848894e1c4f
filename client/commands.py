"""The commands `report`, `submit` and `sent`: what is sent, where it stands, and taking it back."""

import errno
import json
import os
import re
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import partial, reduce
from pathlib import Path
from typing import Any, TypeVar

import click

from library.interface.bodies import MAX_BODY
from library.interface.intake import Intake, RunReport, Submission
from library.options import content_option, today_option
from library.problems import ContentError, LibraryError, UsageError, printable
from library.variables import misspelt, unread

from .payload import OPTIONS, Payload, ask_for, choices, consent, plain_fields, read_payload, request_text, with_numbers
from .sending import (
    NotAccepted,
    Sender,
    UnansweredKeys,
    api_key,
    base_address,
    digest_of,
    refuse_placeholder,
    state_file,
)

Command = TypeVar("Command", bound=Callable[..., Any])
LICENCE = "Sending it means agreeing that it is published under the library's content licence."


@dataclass(frozen=True)
class SendOptions:
    """How to send: the options that both commands have."""

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


_PATH = click.Path(path_type=Path)
_WAIT = "How many seconds to wait in all where the library is busy or away."
_base_url = click.option("--base-url", help="The library's address; else PLAYBOOKS_URL, else that of site.yaml.")
_key_file = click.option("--key-file", type=_PATH, help="A file with your API key; else PLAYBOOKS_KEY.")
_wait = partial(click.option, "--wait", "patience", type=click.FloatRange(0, 3_600), show_default=True, help=_WAIT)
_form = partial(
    click.option, "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
_SENDING = (
    click.argument("file", required=False),
    click.option("--yes", is_flag=True, help="The end user was asked and agreed; for scripts."),
    click.option("--dry-run", is_flag=True, help="Check it and show it; send nothing."),
    _base_url,
    _key_file,
    click.option("--state", type=_PATH, help="Where retries are remembered; else the XDG state folder."),
    _wait(default=120.0),
    _form(help="How the receipt is printed."),
    content_option,
    today_option,
)


def _options_of(model: type[Intake]) -> Callable[[Command], Command]:
    """The options that say how to send, and one for each field that one line can fill."""
    options = [*_SENDING]
    for name, info in plain_fields(model).items():
        kind = click.Choice(words) if (words := choices(info)) else click.STRING
        options.append(click.option(f"--{name.replace('_', '-')}", name, type=kind, help=info.description))
    return lambda command: reduce(lambda made, option: option(made), reversed(options), command)


@click.command(epilog="Example: playbooks report run.yaml, or: playbooks report --playbook fix-flaky-tests --dry-run")
@_options_of(RunReport)
def report(**options: Any) -> None:
    """Report how a run of a playbook went. Ask the end user first; send no private data.

    FILE is JSON or YAML, `-` the standard input. Options take the place of what the file says; what is needed and
    missing is asked on a terminal.
    """
    _send(RunReport, "/runs", options)
    click.echo(
        "It waits for an editor, and is public once it is approved. `playbooks sent` and its id say where it stands."
        " Keep the edit token: with it you take the report back. It is not shown again.",
        err=True,
    )


@click.command(epilog="Example: playbooks submit playbook.yaml, or: playbooks submit --kind lesson --dry-run")
@_options_of(Submission)
def submit(**options: Any) -> None:
    """Send a use case, a lesson, a correction or a whole playbook. Ask whoever it is about; send no private data.

    FILE is JSON or YAML, `-` the standard input; a whole playbook needs one. Options take the place of what the file
    says; what is needed and missing is asked on a terminal.
    """
    _send(Submission, "/submissions", options)
    click.echo(
        "Its status stands at that address. Keep the edit token: with it you answer an editor or take it back. It is"
        " not shown again.",
        err=True,
    )


def _send(model: type[Intake], path: str, options: dict[str, Any]) -> None:
    given = {name: value for name in plain_fields(model) if (value := options.pop(name)) is not None}
    how = SendOptions(**options)
    if wrong := list(misspelt(os.environ)):
        raise UsageError("\n".join(wrong))
    for warning in unread(os.environ):
        click.echo(f"warning: {warning}", err=True)
    url = base_address(how.base_url, os.environ, how.content, how.today) + path
    key = api_key(os.environ, how.key_file, url)
    if not how.dry_run:
        refuse_placeholder(url)
    values = _checked(model, how, with_numbers(given, model))
    click.echo(request_text(values, url, key), err=True)
    if how.dry_run:
        raise SystemExit(0)
    click.echo(LICENCE, err=True)
    consent(agreed=how.yes, terminal=_terminal(how))
    _post(url, values, key, how)


def _terminal(how: SendOptions) -> bool:
    return sys.stdin.isatty() and how.file != "-"


def _checked(model: type[Intake], how: SendOptions, given: dict[str, Any]) -> dict[str, Any]:
    """The values that will be sent. All that is wrong with them is printed, and ends the command with 1."""
    try:
        payload = read_payload(how.file, model, sys.stdin.buffer) if how.file else Payload()
        values = {**payload.values, **given}
        if _terminal(how):
            values |= ask_for(model, values, everything=not values)
        if problems := replace(payload, values=values).problems(model):
            raise ContentError(problems)
    except ContentError as error:
        for problem in error.problems:
            click.echo(str(problem).removeprefix(f"{OPTIONS}:1:1: "), err=True)
        raise SystemExit(1) from error
    return {name: value for name, value in values.items() if value is not None}


def _post(url: str, values: dict[str, Any], key: str | None, how: SendOptions) -> None:
    """Send it and print the receipt. Its idempotency key is forgotten only then, so that a retry brings it again."""
    body = json.dumps(values, ensure_ascii=False).encode()
    if len(body) > MAX_BODY:
        raise UsageError(f"it has {len(body):,} bytes, and a library takes {MAX_BODY:,}; shorten it")
    unanswered, name = UnansweredKeys(how.state or state_file(os.environ)), digest_of(url, key, values)
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    once, since = unanswered.begin(name, lambda: str(uuid.uuid4()), now)
    if since:
        click.echo(f"The same was sent at {since}, and no answer came; it is stored only once.", err=True)
    headers = {"Content-Type": "application/json", "Idempotency-Key": once}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    try:
        receipt = Sender(how.patience, lambda text: click.echo(text, err=True)).post(url, body, headers)
    except NotAccepted:
        unanswered.end(name)
        raise
    _print(receipt, how.form)
    unanswered.end(name)


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
        # what could not be written is let go: at the end Python would try once more, and exit with a code of its own
        with suppress(OSError, ValueError, AttributeError), Path(os.devnull).open("wb") as nothing:
            os.dup2(nothing.fileno(), sys.stdout.fileno())
        why = (error.strerror if isinstance(error, OSError) else None) or error
        text = f"the receipt could not be written: {why}\nIt is stored. The same command prints the receipt again."
        raise NotPrinted(text) from error


_ID = re.compile(r"(run|sub)_[a-z2-7]{26}")
_TOKEN = re.compile(r"edt_[0-9A-Za-z]{43}")
_KINDS = {"run": "runs", "sub": "submissions"}
_PAGE = 100


@click.command(epilog="Example: playbooks sent, or: playbooks sent run_… --withdraw --token edt_…")
@click.argument("name", metavar="[ID]", required=False)
@click.option("--withdraw", is_flag=True, help="Take it back, for good.")
@click.option("--token", help="Its edit token, where no key of yours sent it.")
@_base_url
@_key_file
@_wait(default=30.0)
@_form(help="How it is printed.")
@content_option
@today_option
def sent(
    name: str | None,
    withdraw: bool,
    token: str | None,
    base_url: str | None,
    key_file: Path | None,
    patience: float,
    form: str,
    content: Path,
    today: date,
) -> None:
    """List the reports and submissions that were sent with your key, or show where one of them stands.

    ID is from a receipt: then no key is needed, and its history is shown. To withdraw it takes the key that sent it,
    or its edit token.
    """
    if wrong := [*misspelt(os.environ), *_misuses(name, token, withdraw=withdraw)]:
        raise UsageError("\n".join(wrong))
    url = base_address(base_url, os.environ, content, today)
    key = api_key({"PLAYBOOKS_KEY": token}, None, url) if token else api_key(os.environ, key_file, url)
    refuse_placeholder(url)
    sender = Sender(patience, lambda text: click.echo(text, err=True))
    headers = {"Authorization": f"Bearer {key}"} if key and (withdraw or not name) else {}
    if name:
        kind = _KINDS[name.partition("_")[0]]
        found = sender.ask("DELETE" if withdraw else "GET", f"{url}/{kind}/{name}", headers)
        lines = [_line(found), *map(printable, _history(found))]
    elif key:
        found = {kind: list(_all(sender, f"{url}/contributors/me/{kind}", headers)) for kind in _KINDS.values()}
        items = sorted((item for part in found.values() for item in part), key=_when, reverse=True)
        lines = [*map(_line, items)] or ["Nothing was sent with this key."]
    else:
        raise UsageError("say whose: a key in PLAYBOOKS_KEY or --key-file; or give the ID of a receipt")
    click.echo(json.dumps(found) if form == "json" else "\n".join(lines))


def _misuses(name: str | None, token: str | None, *, withdraw: bool) -> Iterator[str]:
    if name is not None and not _ID.fullmatch(name):
        yield f"{printable(name[:40])} is no id: it is run_ or sub_ and 26 letters and digits, as the receipt has it"
    if name is None and withdraw:
        yield "say what to withdraw: playbooks sent ID --withdraw"
    if token is not None and not withdraw:
        yield "--token only goes with --withdraw: everybody may read where something stands"
    if token is not None and not _TOKEN.fullmatch(token):
        yield "--token is no edit token: it is edt_ and 43 letters and digits, as the receipt has it"


def _all(sender: Sender, url: str, headers: dict[str, str]) -> Iterator[dict[str, Any]]:
    after: str | None = ""
    while after is not None:
        page = sender.ask("GET", f"{url}?limit={_PAGE}&after={after}", headers)
        yield from page["items"]
        after = page["next"]


def _when(item: dict[str, Any]) -> str:
    return str(item.get("received") or item.get("created"))


def _line(item: dict[str, Any]) -> str:
    about = f"{item['kind']}: {item['title']}" if "kind" in item else f"run of {item['playbook']}"
    return printable(f"{item['id']}  {_when(item)[:10]}  {item['status']:<17}  {about}")


def _history(item: dict[str, Any]) -> Iterator[str]:
    for step in item["history"]:
        yield f"  {step['at']}  {step['status']} by {step['by']}"
        yield from (
            f"    {sentence} [{code}]" for code, sentence in zip(step["reasons"], step["sentences"], strict=True)
        )
        if step.get("note"):
            yield f"    Note: {step['note']}"
    if item.get("place"):
        yield f"  {item['place']}"
