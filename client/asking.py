"""What a person is asked on a terminal: the fields that nothing else gave, and whether the end user agrees."""

import json
from collections.abc import Mapping
from enum import Enum
from typing import Any

import click
from pydantic.fields import FieldInfo

from library.interface.intake import Intake
from library.problems import UsageError, printable

from .payload import types_in, with_numbers

CONSENT = "Does the end user agree that this is sent, and published once it is approved?"


def plain_fields(model: type[Intake]) -> dict[str, FieldInfo]:
    """The fields that one word or one line can fill; an object in a body needs a file."""
    return {
        name: info
        for name, info in model.model_fields.items()
        if not any(isinstance(kind, type) and issubclass(kind, Intake) for kind in types_in(info.annotation))
    }


def choices(info: FieldInfo) -> list[str]:
    """The words that a field may hold, where there are only some."""
    kind = info.annotation
    return [str(item.value) for item in kind] if isinstance(kind, type) and issubclass(kind, Enum) else []


def ask_for(model: type[Intake], given: Mapping[str, Any], *, everything: bool) -> dict[str, Any]:
    """The fields that are needed and were not given, asked one by one; with `everything` the others too."""
    answers: dict[str, Any] = {}
    for name, info in plain_fields(model).items():
        needed = info.is_required()
        if name in given or not (needed or everything):
            continue
        words = choices(info)
        answers[name] = click.prompt(
            f"{name.replace('_', ' ')}: {info.description}{'' if needed else ' (Enter leaves it out)'}",
            default=None if needed else "",
            show_default=False,
            type=click.Choice(words if needed else [*words, ""]) if words else str,
            show_choices=bool(words),
            err=True,
        )
    return with_numbers({name: text for name, text in answers.items() if text}, model)


def request_text(values: Mapping[str, Any], url: str, key: str | None) -> str:
    """Exactly what would be sent, and by whom; nothing in it that a terminal would obey."""
    body = json.dumps(values, indent=2, ensure_ascii=False)
    sender = f"with the key that begins {printable(key[:8])}…" if key else "without a key"
    return "\n".join([f"POST {printable(url)}, {sender}:", *map(printable, body.splitlines())])


def consent(*, agreed: bool, terminal: bool) -> None:
    """Stop unless the end user agreed: said by `--yes`, or asked on a terminal. Raises `UsageError` or ends with 1."""
    if agreed:
        return
    if not terminal:
        raise UsageError("nothing was sent: ask the end user, and say with --yes that they agreed")
    if not click.confirm(CONSENT, err=True):
        click.echo("Nothing was sent.", err=True)
        raise SystemExit(1)
