"""The kinds of text that fields hold, each with its bounds: shared by what is in content and by what is sent in."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from enum import Enum
from typing import Annotated, Any, LiteralString, get_args
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, PlainSerializer, WithJsonSchema
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from ..problems import Pointer

SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
HANDLE = re.compile(r"(?![a-z0-9-]{40})[a-z0-9](?:-?[a-z0-9]){1,38}")
_COLOUR = re.compile("#[0-9a-f]{6}")
RUN_ID = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
RESERVED_SLUGS = frozenset(
    "full index feed new edit by-playbook by-agent by-category by-task by-trust me api all search".split()
)
"""Words that the paths of the service use: no record may take one as its slug."""

_HIDDEN = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u00ad\\u200b\\u200e\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff0-\\uffff\\U000e0000-\\U000e0fff]"
    "|[\\u115f\\u1160\\u180e\\u3164\\uffa0\\U0001d173-\\U0001d17a]|[\\ufe00-\\ufe0f]{2,}"
    "|(?<![^\\x00-\\x7f])[\\u200c\\u200d]|[\\u200c\\u200d](?![^\\x00-\\x7f])"
)
_RIGHT_TO_LEFT = re.compile("[\u05d0-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")


def _no_hidden_characters(text: str) -> str:
    """Refuse what a reviewer cannot see: control, zero-width, direction-changing and tag characters, letters that fill.

    The right-to-left mark belongs into a text with letters of such a script, and is refused in any other.
    """
    found = None if text.isascii() and text.isprintable() else _HIDDEN.search(text)
    if found is None and "\u200f" in text and not _RIGHT_TO_LEFT.search(text):
        found = re.search("\u200f", text)
    if found:
        name = unicodedata.name(found[0][0], "control character")
        detail = {"character": f"U+{ord(found[0][0]):04X} {name}"}
        raise PydanticCustomError("hidden-character", "holds an invisible character ({character}); delete it", detail)
    return text


def must(code: LiteralString, holds: Callable[[str], object], message: LiteralString) -> AfterValidator:
    """What refuses a text for which this does not hold, with a code and a message."""

    def looked_at(text: str) -> str:
        if not holds(text):
            raise PydanticCustomError(code, message)
        return text

    return AfterValidator(looked_at)


def is_address(text: str) -> bool:
    """Whether it is an absolute http(s) address with a host and no credentials."""
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    fine = parts.scheme in ("http", "https") and all(host.removesuffix(".").split(".")) and "@" not in parts.netloc
    return fine and not re.search(r"[\s<>\"\\^`{|}]", text)


def _calendar_date(value: object) -> object:
    if isinstance(value, str):
        if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", value, re.ASCII):
            raise PydanticCustomError("date", "must be a calendar date written YYYY-MM-DD, such as 2026-11-20")
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise PydanticCustomError("date", "is not a day in the calendar") from None
    return value


def _timestamp(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        moment = datetime.fromisoformat(value)
        if moment.tzinfo and len(value) >= len("YYYY-MM-DDTHH:MM:SSZ"):
            return moment.astimezone(UTC)
    except ValueError:
        pass
    except OverflowError:
        raise PydanticCustomError("timestamp", "lies before the year 1 or after the year 9999 in UTC") from None
    raise PydanticCustomError("timestamp", "must be a moment written YYYY-MM-DDTHH:MM:SSZ")


FieldDefault = Any  # what declares a field; like what pydantic's own `Field` gives it stands for a value of any type


def types_in(annotation: object) -> Iterator[type]:
    """Every type in the annotation of a field, those in lists and unions too."""
    if isinstance(annotation, type):
        yield annotation
    for inner in get_args(annotation):
        yield from types_in(inner)


def models_in(annotation: object) -> list[type[BaseModel]]:
    """The models in the annotation of a field: those of the records that it holds."""
    return [kind for kind in types_in(annotation) if issubclass(kind, BaseModel)]


def words_of(info: FieldInfo) -> list[str]:
    """The words that a field may hold, where there are only some."""
    enums = [kind for kind in types_in(info.annotation) if issubclass(kind, Enum)]
    return [str(item.value) for item in enums[0]] if enums else []


def is_list(info: FieldInfo) -> bool:
    """Whether a field holds several values."""
    return Ellipsis in get_args(info.annotation)


def optional(description: str | None = None, *, ge: int | None = None, le: int | None = None) -> FieldDefault:
    """A field that is left out, not null, where there is nothing to say."""
    return Field(default=None, exclude_if=lambda value: value is None, description=description, ge=ge, le=le)


def several(description: str, most: int) -> FieldDefault:
    """A list that may be empty and holds at most so many."""
    return Field((), max_length=most, description=description)


def zulu(moment: datetime) -> str:
    """A moment as RFC 3339 in UTC with `Z`, to the second."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _all_different(items: tuple[str, ...]) -> tuple[str, ...]:
    twice = next((item for index, item in enumerate(items) if item in items[:index]), None)
    if twice is not None:
        raise PydanticCustomError("twice", "names {item} twice; keep one", {"item": repr(twice)})
    return items


_OneLine = must("one-line", lambda text: "\n" not in text and "\t" not in text, "must be one line; join the lines")
_Filled = must("empty", str.strip, "is empty; write it")
_Seen = AfterValidator(_no_hidden_characters)

# A field takes one of these as it is: of a bound of its own beside theirs pydantic keeps only theirs.
Line = Annotated[str, Field(min_length=1, max_length=200), _OneLine, _Filled, _Seen]
Heading = Annotated[Line, must("no-words", re.compile(r"[^\W_]").search, "has no letter and no digit; say it in words")]
Label = Annotated[str, Field(min_length=1, max_length=64), _OneLine, _Filled, _Seen]
Name = Annotated[str, Field(min_length=1, max_length=128), _OneLine, _Filled, _Seen]
SourceName = Annotated[str, Field(min_length=1, max_length=2_000), _Filled, _Seen]
Brief = Annotated[str, Field(min_length=1, max_length=400), _Filled, _Seen]
ShortText = Annotated[str, Field(min_length=1, max_length=600), _Filled, _Seen]
Text = Annotated[str, Field(min_length=1, max_length=4_000), _Filled, _Seen]
Passage = Annotated[str, Field(min_length=1, max_length=8_192), _Filled, _Seen]
LongText = Annotated[str, Field(min_length=1, max_length=16_000), _Filled, _Seen]
Slug = Annotated[
    str,
    Field(min_length=1, max_length=64),
    must(
        "slug",
        lambda text: len(text) <= 64 and SLUG.fullmatch(text),
        "must be 1-64 of a-z, 0-9 and single hyphens between them, such as `fix-flaky-tests`",
    ),
    WithJsonSchema({"type": "string", "pattern": f"^{SLUG.pattern}$", "maxLength": 64}),
]
Slugs = Annotated[tuple[Slug, ...], Field(max_length=50), AfterValidator(_all_different)]
Aliases = Annotated[tuple[Name, ...], Field(max_length=50), AfterValidator(_all_different)]
Handle = Annotated[
    str,
    must("handle", HANDLE.fullmatch, "must be 2-39 of a-z, 0-9 and single hyphens between them"),
    WithJsonSchema({"type": "string", "pattern": f"^{HANDLE.pattern}$"}),
]
Url = Annotated[
    str,
    Field(max_length=2_000),
    must("address", is_address, "must be a whole http(s) address, such as https://example.com/page"),
    _Seen,
    WithJsonSchema({"type": "string", "format": "uri", "maxLength": 2000, "pattern": r"^https?://[^\s/@]+"}),
]
CalendarDate = Annotated[date, BeforeValidator(_calendar_date), WithJsonSchema({"type": "string", "format": "date"})]
Timestamp = Annotated[
    datetime,
    BeforeValidator(_timestamp),
    PlainSerializer(zulu, return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
Colour = Annotated[  # lower case, as `fmt` of style sheets has it
    str,
    must("colour", _COLOUR.fullmatch, 'must be # and six of 0-9 and a-f, small and in quotes, such as "#7a1f5c"'),
    WithJsonSchema({"pattern": "^#[0-9a-f]{6}$", "type": "string"}),
]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Version = Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]  # Rust's `$` matches at the very end only


def values_of(value: object, pointer: Pointer = ()) -> Iterator[tuple[Pointer, object]]:
    """Every value that holds no others, with its pointer, in the order of fields and items; None is none."""
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from values_of(item, (*pointer, index))
    elif isinstance(value, dict | BaseModel):
        for name, item in (value if isinstance(value, dict) else value.__dict__).items():
            yield from values_of(item, (*pointer, name))
    elif value is not None:
        yield pointer, value


def texts_of(value: object) -> Iterator[tuple[Pointer, str]]:
    """Every text, with its pointer."""
    return ((pointer, text) for pointer, text in values_of(value) if isinstance(text, str))
