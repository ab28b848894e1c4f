"""The command `new`: asks on a terminal for what no option gave, and writes the file that a record begins as."""

import sys
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import click
from pydantic.fields import FieldInfo

from ..options import content_option, today_option
from ..problems import UsageError, printable
from ..records.fields import is_list
from ..records.names import NAMED
from ..records.naming import slug_of
from ..records.schemas import keep_schemas
from ..reports import as_text, below
from .starting import KINDS, Start, TypedValue, command_of, fields_of, naming_field, parts_of, refusals, words_of

SLUG = "slug"
"""Kept with the answers, though it is no field: the file's name, where it is not made of the title."""
SHOWN = 12
"""So many choices stand in the question; of more, a part is asked for."""


@click.group(invoke_without_command=True, epilog="Example: playbooks new lesson --title 'The runner hangs at a prompt'")
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

    def run(content: Path, slug: str | None, today: date, **given: Any) -> None:
        answers = {name: _answer(name, value) for name, value in given.items() if value}
        begin(Start(content, kind, today), answers, slug, ask=sys.stdin.isatty())

    options: list[click.Parameter] = [_option(name, info) for name, info in fields.items()]
    options.append(click.Option(["--slug"], help="The file's name; else made of the title."))
    name = naming_field(kind)
    command = click.Command(
        kind,
        params=options,
        callback=run,
        help=f"Begin {'an' if kind == 'agent' else 'a'} {kind}.",
        epilog=f"Example: playbooks new {kind} --{name} '…'",
    )
    decorated: click.Command = today_option(content_option(command))
    return decorated


def _answer(name: str, given: str | Sequence[str]) -> TypedValue:
    """What an option was given, once or more; names may have commas between them, which texts hold themselves."""
    if isinstance(given, str) or name not in NAMED:
        return given if isinstance(given, str) else list(given)
    return [part.strip() for text in given for part in text.split(",") if part.strip()]


def _option(name: str, info: FieldInfo) -> click.Option:
    words = words_of(info)
    kind = click.Choice(words) if words else click.STRING
    more = " Several with commas between them." if name in NAMED else " Once for each."
    told = (info.description or "") + (more if is_list(info) else "")
    return click.Option([f"--{name.replace('_', '-')}", name], type=kind, multiple=is_list(info), help=told)


def begin(start: Start, given: Mapping[str, TypedValue], slug: str | None, *, ask: bool) -> None:
    """Write the file of a new record. Raises `UsageError` with all that is wrong with what was given."""
    if not start.content.is_dir():
        raise UsageError(f"there is no content folder at {start.content}; name one with --content DIR")
    if wrong := refusals(start, given):
        raise UsageError("\n".join(wrong))
    name = naming_field(start.kind)
    if name not in given and not ask:
        raise UsageError(f"say at least --{name}; everything else can be written in the file")
    answers = {**given, **({SLUG: slug} if slug else {})}
    try:
        file = _filled(start, answers, ask=ask)
    except click.Abort:
        if any(answers.values()):
            command = command_of(start.kind, start.content, answers)
            click.echo(f"\nTo go on with these answers:\n  {command}", err=True)
        raise
    body = start.body(file, {field: answer for field, answer in answers.items() if answer})
    problems = start.write(file, body)
    keep_schemas(start.content)
    click.echo(f"wrote {printable(str(start.content / file))}")
    if problems:
        click.echo(as_text(below(start.content, problems)))


def _filled(start: Start, answers: dict[str, TypedValue], *, ask: bool) -> str:
    """The record's file. On a terminal, what is needed and not among the answers yet is asked for and put there."""
    fields, name = fields_of(start.kind), naming_field(start.kind)
    if name not in answers:
        answers[name] = asked(start, name, fields[name])
    file = _file(start, str(answers[name]), answers, ask=ask)
    for field, info in fields.items() if ask else ():
        if field not in answers and info.is_required() and field != "prompt":
            answers[field] = asked(start, field, info)
    return file


def _file(start: Start, name: str, answers: dict[str, TypedValue], *, ask: bool) -> str:
    """The record's file. On a terminal its slug is asked for where none can be made of the name, or it is taken."""
    given = SLUG in answers
    while True:
        try:
            return start.file_of(name, str(answers.get(SLUG, "")))
        except UsageError as error:
            if given or not ask:
                raise
            answers.pop(SLUG, None)
            click.echo(f"Error: {error}", err=True)
        answers[SLUG] = click.prompt("slug: the file's name", err=True).strip()


def asked(start: Start, field: str, info: FieldInfo) -> TypedValue:
    """An answer that fits; Enter leaves a place to write it later, but for the name. `?` shows all choices."""
    choices = words_of(info) or start.choices(field)
    needed = field == naming_field(start.kind)
    question = _question(field, info, choices, needed=needed)
    while True:
        text = click.prompt(question, default=None if needed else "", show_default=False, err=True).strip()
        if text == "?" and choices:
            _say(click.wrap_text(", ".join(choices)))
        elif not text:
            if not needed:
                return ""
            _say("Error: it is needed")
        else:
            answer, told = _taken(start, field, info, text, choices)
            if told:
                _say(f"Error: {told}")
                continue
            if choices and text != (shown := ", ".join(parts_of(answer))):
                _say(f"{field.replace('_', ' ')}: {shown}")
            return answer


def _say(text: str) -> None:
    click.echo(text, err=True)


def _question(field: str, info: FieldInfo, choices: list[str], *, needed: bool) -> str:
    """The field with its meaning, and how to choose."""
    shown = f" [{', '.join(choices)}]" if 0 < len(choices) <= SHOWN else ""
    many = f" ({len(choices)} are there: type a part of one, or ? for all)" if len(choices) > SHOWN else ""
    several = ", several with commas between them" if is_list(info) else ""
    later = "" if needed else " (Enter: later)"
    return f"{field.replace('_', ' ')}: {(info.description or '').rstrip('.')}{shown}{many}{several}{later}"


def _taken(start: Start, field: str, info: FieldInfo, text: str, choices: list[str]) -> tuple[TypedValue, str]:
    """The answer with each part of a name filled up to the one name that it is in, and why it does not do."""
    parts = [part.strip() for part in text.split(",") if part.strip()] if is_list(info) else [text]
    found = [matching(part, choices) for part in parts]
    for part, names in zip(parts, found, strict=True):
        if len(names) > 1:
            return "", f"{part!r} is in several, say more of one: {', '.join(names)}"
    taken = [names[0] if names else part for part, names in zip(parts, found, strict=True)]
    answer: TypedValue = taken if is_list(info) else taken[0]
    return answer, start.refusal(field, answer)


def matching(part: str, choices: list[str]) -> list[str]:
    """The choice that this is, else all that hold each of its words."""
    spelt = slug_of(part, part)
    if exact := [choice for choice in choices if choice in (part, spelt)]:
        return exact
    words = part.casefold().replace("-", " ").split()
    return [choice for choice in choices if all(word in choice for word in words)]


for _kind in KINDS:
    new.add_command(_command(_kind))
