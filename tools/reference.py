"""Writes the reference of commands and of settings anew, from the code: python -m tools.reference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

import cli
from library.variables import COMMANDS, GUNICORN, SERVICE, Variable

PROJECT = Path(__file__).resolve().parents[1]
MADE = "<!-- Made from the code by `python -m tools.reference`; a change here is lost. -->"
_SETTINGS_INTRO = """\
Settings are environment variables; nothing else configures the services. At its start a service says what it uses. It
stops at settings that are wrong, at those that cannot work together, and at a name that is nearly one of these, and
names all of them at once. Any other name that begins with `PLAYBOOKS_` is a line of the start report.

Set the number of processes by `WEB_CONCURRENCY`, not by `--workers`: the service reads it to refuse what several
processes cannot share."""
_COMMANDS_INTRO = """\
Exit codes: 0 all is well, 1 problems in the content, 2 wrong use, 130 after Ctrl+C. Every command says the same with
`--help`, and a misspelt command or option is answered with the nearest one. Environment variables:
[settings](settings.md).

Names complete in a shell with one line in its start file:

```console
$ eval "$(_PLAYBOOKS_COMPLETE=bash_source playbooks)"      # ~/.bashrc
$ eval "$(_PLAYBOOKS_COMPLETE=zsh_source playbooks)"       # ~/.zshrc
$ _PLAYBOOKS_COMPLETE=fish_source playbooks | source       # ~/.config/fish/config.fish
```"""


def settings_page() -> str:
    """The document of all environment variables."""
    parts = ["# Settings", MADE, _SETTINGS_INTRO]
    for title, variables in (
        ("The service, and every command that opens the queue", SERVICE),
        ("gunicorn, and the files in `deploy/`", GUNICORN),
        ("Single commands", COMMANDS),
    ):
        parts += [f"## {title}", "\n".join(_table(("Variable", "What it says", "If absent"), map(_row_of, variables)))]
    return "\n\n".join(parts) + "\n"


def _row_of(variable: Variable) -> tuple[str, str, str]:
    value = f"`{variable.default}`" if variable.default else ""
    return f"`{variable.name}`", variable.says, "; ".join(part for part in (value, variable.absent) if part)


def commands_page() -> str:
    """The document of all commands with their options."""
    parts = ["# Commands", MADE, _COMMANDS_INTRO]
    for later in cli.COMMANDS.values():
        parts += _of_command(later.loaded(), f"playbooks {later.name}", 2)
    return "\n\n".join(parts) + "\n"


def _of_command(command: click.Command, path: str, depth: int) -> Iterator[str]:
    """A command's own words, its arguments and options, and its commands."""
    context = click.Context(command, info_name=path)
    arguments = [param.make_metavar(context) for param in command.params if isinstance(param, click.Argument)]
    further = ["COMMAND"] if isinstance(command, click.Group) else []
    yield f"{'#' * depth} `{' '.join([path, *arguments, *further])}`"
    yield _prose(command.help or "")
    if isinstance(command.epilog, str) and command.epilog.startswith("Example: "):
        examples = command.epilog.removeprefix("Example: ").split(", or: ")
        yield "\n".join(("```console", *(f"$ {example}" for example in examples), "```"))
    options = [param for param in command.params if isinstance(param, click.Option) and not param.hidden]
    if options:
        yield "\n".join(_table(("Option", "What it says", "If absent"), (_option(one, context) for one in options)))
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None and not inner.hidden:
                yield from _of_command(inner, f"{path} {name}", depth + 1)


def _option(option: click.Option, context: click.Context) -> tuple[str, str, str]:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    value = "" if option.is_flag or option.count else f" {_value(option, context)}"
    extra: Mapping[str, Any] = option.get_help_extra(context)
    default = str(extra.get("default", "")).strip("()")
    absent = default if default in ("", "today") else f"`{default}`"
    if option.required:
        absent = "is needed"
    if option.envvar:
        absent += f"; else `{option.envvar}`"
    return names + value, _prose(option.help or ""), absent


def _value(option: click.Option, context: click.Context) -> str:
    if isinstance(option.type, click.Choice):
        return ", ".join(f"`{choice}`" for choice in option.type.choices)
    return f"`{option.make_metavar(context)}`"


def _prose(text: str) -> str:
    """Help as markdown: what click keeps as it stands is a list of lines; marks of markdown are text."""
    paragraphs = text.replace("\f", "").split("\n\n")
    return "\n\n".join(re.sub(r"(?<!`)(--[a-z][a-z-]*)", r"`\1`", " ".join(part.split())) for part in paragraphs)


def _table(
    head: tuple[str, str, str], rows: Iterator[tuple[str, str, str]] | map[tuple[str, str, str]]
) -> Iterator[str]:
    for cells in (head, ("---",) * len(head), *rows):
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


PAGES = {"docs/commands.md": commands_page, "docs/settings.md": settings_page}
"""Each document that is made, and by what."""


def main() -> None:
    """Write each document."""
    for file, page in PAGES.items():
        (PROJECT / file).write_text(page(), encoding="utf-8")
        print(file)


if __name__ == "__main__":
    main()
