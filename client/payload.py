"""What is to be sent, from a file, from options or asked on a terminal, with all that is wrong with it at once."""

import re
from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from typing import Any, BinaryIO

import click
from pydantic.fields import FieldInfo

from library.content.loading import placed_in
from library.content.yamlfile import MAX_BYTES, decode
from library.content.yamlfile import parse as parse_yaml
from library.interface import bodies
from library.interface.intake import Intake
from library.problems import ContentError, Problem, Severity, in_order
from library.records.fields import models_in
from library.records.validating import typed_keys, validate

_NUMBER = re.compile(r"[-+.]?[0-9]")
"""How a text begins that is meant as it stands, such as a version: it is sent as text."""
OPTIONS = "the options"
"""Where a value was given that stands in no file."""


def checked(model: type[Intake], file: BinaryIO | None, given: Mapping[str, Any], *, ask: bool) -> dict[str, Any]:
    """What will be sent: the values of the file, those given in their place, and on a terminal what is asked for.

    Raises `ContentError` with everything that the library would refuse, as far as it can be seen from here, each with
    its place.
    """
    values: dict[str, Any] = {}
    name, text, doubts = OPTIONS, "", list[Problem]()
    if file:
        name = getattr(file, "name", "<stdin>")
        values, text, doubts = _read(file.read(MAX_BYTES + 1), name, model)
    values |= given
    if ask:
        values |= _asked(model, values)
    result = validate(model, values, name)
    found = [*doubts, *(result if isinstance(result, list) else ())]
    found += (
        Problem(name, place, "private-data", f"holds {kind}; take it out")
        for place, kind in bodies.private_matter(values)
    )
    if found:
        raise ContentError(in_order(map(_repeatable, placed_in(text, name, found) if text else found)))
    return model.model_validate(values).model_dump(mode="json", exclude_unset=True, exclude_none=True)


def _repeatable(problem: Problem) -> Problem:
    """A problem whose place repeats no key that holds something private."""
    parts = (part if isinstance(part, int) else bodies.repeatable(part) for part in problem.pointer)
    return replace(problem, pointer=tuple(parts))


def _read(raw: bytes, name: str, model: type[Intake]) -> tuple[dict[str, Any], str, list[Problem]]:
    """The values of JSON or YAML, the text of it, and words in it that YAML readers take for different things.

    Raises `ContentError` with every problem of the text.
    """
    raw = raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    as_json = name.endswith(".json") or (not name.endswith((".yaml", ".yml")) and raw.lstrip()[:1] in (b"{", b"["))
    if not isinstance(text := decode(raw, name), str):
        raise ContentError([text])
    doubts: list[Problem] = []
    try:
        values = bodies.parse(raw) if as_json else None
    except bodies.NotJson as error:
        raise ContentError([Problem(name, (), "not-json", str(error)).at(error.line, error.column)]) from error
    if not as_json:
        document = parse_yaml(text, name, typed=typed_keys(model))
        if any(item.severity is Severity.ERROR for item in document.problems):
            raise ContentError(document.problems)
        values, doubts = document.value, [item for item in document.problems if not _NUMBER.match(item.message)]
    if not isinstance(values, dict):
        raise ContentError([Problem(name, (), "object", "must be one object of keys and values")])
    # A warning about a file is a problem here, since nobody can look at what is meant after it was sent.
    return (
        values,
        text,
        [replace(item, severity=Severity.ERROR, message=item.message.partition(", or run ")[0]) for item in doubts],
    )


def plain_fields(model: type[Intake]) -> dict[str, FieldInfo]:
    """The fields that one word or one line can fill; an object in a body needs a file."""
    return {name: info for name, info in model.model_fields.items() if not models_in(info.annotation)}


def choices(info: FieldInfo) -> list[str]:
    """The words that a field may hold, where there are only some."""
    kind = info.annotation
    return [str(item.value) for item in kind] if isinstance(kind, type) and issubclass(kind, Enum) else []


def _asked(model: type[Intake], given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are needed and were not given, asked one by one; where nothing was given, the others too."""
    answers: dict[str, Any] = {}
    for name, info in plain_fields(model).items():
        needed = info.is_required()
        if name in given or (given and not needed):
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
    return {name: text for name, text in answers.items() if text}
