"""Asks on a terminal for a field of a new record: shows all choices, or searches many by a part of the name."""

from __future__ import annotations

import click
from pydantic.fields import FieldInfo

from ..records.naming import slug_of
from .starting import (NAMES, Start, TypedValue, is_list, parts_of, words_of)

SHOWN = 12
"""So many choices stand in the question; of more, a part is asked for."""


def asked(start: Start, field: str, info: FieldInfo) -> TypedValue:
    """An answer that fits; Enter leaves a place to write it later, but for the name. `?` shows all choices."""
    choices = words_of(info) or start.choices(field)
    question = _question(field, info, choices)
    while True:
        needed = field in NAMES
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


def _question(field: str, info: FieldInfo, choices: list[str]) -> str:
    """The field with its meaning, and how to choose."""
    shown = f" [{', '.join(choices)}]" if 0 < len(choices) <= SHOWN else ""
    many = f" ({len(choices)} are there: type a part of one, or ? for all)" if len(choices) > SHOWN else ""
    several = ", several with commas between them" if is_list(info) else ""
    later = "" if field in NAMES else " (Enter: later)"
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
