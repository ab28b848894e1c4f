"""What records and plain values hold, however deep: each value with the pointer to it."""

from collections.abc import Iterator

from pydantic import BaseModel

from ..problems import Pointer


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
