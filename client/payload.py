"""What is to be sent, from a file, from options or asked on a terminal, with all that is wrong with it at once."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any, BinaryIO, get_args

import click
from pydantic.fields import FieldInfo

from library.content.loading import placed_in
from library.content.yamlfile import MAX_BYTES, YamlDocument, decode, parse
from library.interface import bodies
from library.interface.intake import Intake
from library.problems import ContentError, Problem, Severity, UsageError, in_order, printable
from library.records.validating import validate

_NUMBER = re.compile(r"[-+.]?[0-9]")
"""How a text begins that is meant as it stands, such as a version: it is sent as text."""
OPTIONS = "the options"
"""Where a value was given that stands in no file."""
CONSENT = "Does the end user agree that this is sent, and published once it is approved?"


@dataclass(frozen=True)
class Payload:
    """Values that are to be sent; `text` is what they were read from, empty without a file named `name`.

    `doubts` are words in it that YAML readers take for different things.
    """

    values: dict[str, Any] = field(default_factory=dict)
    name: str = OPTIONS
    text: str = ""
    doubts: tuple[Problem, ...] = ()

    def problems(self, model: type[Intake]) -> list[Problem]:
        """Everything that the library would refuse, as far as it can be seen from here, each with its place."""
        result = validate(model, self.values, self.name)
        found = [*self.doubts, *(result if isinstance(result, list) else ())]
        found += (
            Problem(self.name, place, "private-data", f"holds {kind}; take it out")
            for place, kind in bodies.private_matter(self.values)
        )
        placed = placed_in(self.text, self.name, found) if self.text else found
        return in_order(  # a key that holds something private is not repeated
            replace(
                problem,
                pointer=tuple(part if isinstance(part, int) else bodies.repeatable(part) for part in problem.pointer),
            )
            for problem in placed
        )


def read_payload(path: str, model: type[Intake], standard_input: BinaryIO) -> Payload:
    """What a JSON or YAML file holds; `-` is the standard input.

    Raises `ContentError` with every problem of the text, `UsageError` where there is no such file.
    """
    name = "standard input" if path == "-" else path
    try:
        if path != "-" and not Path(path).is_file():
            raise UsageError(f"{path} is no file")
        with nullcontext(standard_input) if path == "-" else Path(path).open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}") from error
    raw = raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    as_json = path.endswith(".json") or (not path.endswith((".yaml", ".yml")) and raw.lstrip()[:1] in (b"{", b"["))
    try:
        values, doubts = (bodies.parse(raw), ()) if as_json else _from_yaml(raw, name, model)
    except bodies.NotJson as error:
        raise ContentError([Problem(name, (), "not-json", str(error)).at(error.line, error.column)]) from error
    if not isinstance(values, dict):
        raise ContentError([Problem(name, (), "object", "must be one object of keys and values")])
    return Payload(values, name, raw.decode(), doubts)


def _from_yaml(raw: bytes, name: str, model: type[Intake]) -> tuple[object, tuple[Problem, ...]]:
    """The values of a YAML text: every scalar is text but where the model wants a number. With them its doubts."""
    text = decode(raw, name)
    document = parse(text, name, typed=numbers_of(model)) if isinstance(text, str) else YamlDocument(problems=[text])
    if any(problem.severity is Severity.ERROR for problem in document.problems):
        raise ContentError(document.problems)
    # A warning about a file is a problem here, since nobody can look at what is meant after it was sent.
    doubts = tuple(
        replace(problem, severity=Severity.ERROR, message=problem.message.partition(", or run ")[0])
        for problem in document.problems
        if not _NUMBER.match(problem.message)
    )
    values = document.value
    return with_numbers(values, model) if isinstance(values, dict) else values, doubts


def with_numbers(values: dict[str, Any], model: type[Intake]) -> dict[str, Any]:
    """The values, with a number where the model wants one and a text holds it; what is none the model refuses."""
    numbers = numbers_of(model)
    texts = {name: value for name, value in values.items() if name in numbers and isinstance(value, str)}
    return values | {name: int(text) for name, text in texts.items() if re.fullmatch(r"-?[0-9]{1,18}", text)}


def numbers_of(model: type[Intake]) -> frozenset[str]:
    """The fields of a model that hold whole numbers."""
    return frozenset(name for name, info in model.model_fields.items() if int in types_in(info.annotation))


def types_in(annotation: object) -> Iterator[object]:
    """A type and all that it is made of."""
    yield annotation
    for inner in get_args(annotation):
        yield from types_in(inner)


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
