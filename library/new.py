"""The command `new`: asks on a terminal for what no option gave, and writes the file that a record begins as."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import click
from pydantic.fields import FieldInfo

from .options import content_option, today_option
from .problems import UsageError, printable
from .reports import as_text, below
from .starting import KINDS, Answer, Start, fields_of, is_list, refusals, words_of

NAMES = ("title", "name")
"""The field that a record's file is called after."""


@click.group(
    invoke_without_command=True,
    epilog="Example: playbooks new lesson --title 'The runner hangs at a prompt'",
)
@click.pass_context
def new(context: click.Context) -> None:
    """Begin a playbook, lesson, agent or task: a file in the canonical form, with a place for each thing to write.

    Asks on a terminal for what no option gave. What is still to be written is named, and keeps it a draft.
    """
    if context.invoked_subcommand is None:
        if not sys.stdin.isatty():
            raise UsageError(f"say what begins: playbooks new {'|'.join(KINDS)}")
        kind = click.prompt("What begins", type=click.Choice(list(KINDS)), err=True)
        context.invoke(new.commands[kind])


def _command(kind: str) -> click.Command:
    """The command that begins a record of one kind, with an option for each field that words can fill."""
    fields = fields_of(kind)

    def run(content: Path, slug: str | None, today: date, **given: Any) -> None:  # noqa: ANN401 - one option a field
        answers = {name: list(value) if is_list(fields[name]) else value for name, value in given.items() if value}
        begin(Start(content, kind, today), answers, slug, ask=sys.stdin.isatty())

    options: list[click.Parameter] = [_option(name, info) for name, info in fields.items()]
    options.append(click.Option(["--slug"], help="The file's name; else made of the title."))
    name = next(name for name in NAMES if name in fields)
    command = click.Command(
        kind,
        params=options,
        callback=run,
        help=f"Begin {'an' if kind == 'agent' else 'a'} {kind}.",
        epilog=f"Example: playbooks new {kind} --{name} '…'",
    )
    decorated: click.Command = today_option(content_option(command))
    return decorated


def _option(name: str, info: FieldInfo) -> click.Option:
    words = words_of(info)
    kind = click.Choice(words) if words else click.STRING
    more = " Once for each." if is_list(info) else ""
    told = (info.description or "") + more
    return click.Option([f"--{name.replace('_', '-')}", name], type=kind, multiple=is_list(info), help=told)


def begin(start: Start, given: Mapping[str, Answer], slug: str | None, *, ask: bool) -> None:
    """Write the file of a new record. Raises `UsageError` with all that is wrong with what was given."""
    if not start.content.is_dir():
        raise UsageError(f"there is no content folder at {start.content}; name one with --content DIR")
    if wrong := refusals(start, given):
        raise UsageError("\n".join(wrong))
    fields = fields_of(start.kind)
    name = next(name for name in NAMES if name in fields)
    if name not in given and not ask:
        raise UsageError(f"say at least --{name}; everything else can be written in the file")
    answers = dict(given)
    if ask and name not in answers:
        answers[name] = _asked(start, name, fields[name])
    file = _file(start, str(answers[name]), slug, ask=ask)
    for field, info in fields.items() if ask else ():
        if field not in answers and info.is_required() and field != "prompt":
            answers[field] = _asked(start, field, info)
    body = start.body(file, {field: answer for field, answer in answers.items() if answer})
    problems = start.write(file, body)
    click.echo(f"wrote {printable(str(start.content / file))}")
    if problems:
        click.echo(as_text(below(start.content, problems)))


def _file(start: Start, name: str, slug: str | None, *, ask: bool) -> str:
    """The record's file. On a terminal its slug is asked for where none can be made of the name, or it is taken."""
    while True:
        try:
            return start.file_of(name, slug)
        except UsageError as error:
            if slug is not None or not ask:
                raise
            click.echo(f"Error: {error}", err=True)
        slug = click.prompt(
            "slug: the file's name", value_proc=lambda text: _free_slug(start, name, text.strip()), err=True
        )


def _free_slug(start: Start, name: str, slug: str) -> str:
    """A slug that a file may have. Raises `click.UsageError`, at which it is asked for once more."""
    try:
        start.file_of(name, slug)
    except UsageError as error:
        raise click.UsageError(str(error)) from error
    return slug


def _asked(start: Start, field: str, info: FieldInfo) -> Answer:
    """An answer that fits; Enter leaves a place to write it later, but for the name."""
    words = words_of(info) or start.known(field)
    shown = f" [{', '.join(words)}]" if 0 < len(words) <= 24 else ""
    several = ", several with commas between them" if is_list(info) else ""
    later = "" if field in NAMES else " (Enter: later)"
    text = click.prompt(
        f"{field.replace('_', ' ')}: {info.description}{shown}{several}{later}",
        default=None if field in NAMES else "",
        show_default=False,
        value_proc=partial(_fitting, start, field, info),
        err=True,
    )
    return text if isinstance(text, list) else str(text)


def _fitting(start: Start, field: str, info: FieldInfo, text: str) -> Answer:
    """An answer as the field holds it. Raises `click.UsageError`, at which it is asked for once more."""
    text = text.strip()
    if not text:
        if field in NAMES:
            raise click.UsageError("it is needed")
        return ""
    answer: Answer = [part.strip() for part in text.split(",") if part.strip()] if is_list(info) else text
    if refusal := start.refusal(field, answer):
        raise click.UsageError(refusal)
    return answer


for _kind in KINDS:
    new.add_command(_command(_kind))
