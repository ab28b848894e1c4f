"""The cache key of what a rendering shows: a digest of all of it."""

from __future__ import annotations

import msgspec
from pydantic import BaseModel

from .artifacts import digest
from .listed import Later


def key(shown: msgspec.Struct) -> bytes:
    """The cache key of what a rendering shows."""
    return digest(msgspec.msgpack.encode(shown, enc_hook=_encode))


def _encode(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.__pydantic_serializer__.to_json(value)
    if isinstance(value, Later):
        return value.mark
    raise NotImplementedError(type(value))
