"""Compiled templates on the disk, so that an edit of one record compiles none: kept by the generation they wrote."""

from __future__ import annotations

import os
from pathlib import Path

from jinja2.bccache import Bucket, BytecodeCache

from .artifacts import digest

_SEAL = 32
"""The length of a digest in bytes."""


class Compiled(BytecodeCache):
    """Code by template, each file under a digest that shows any damage. Jinja itself compares the digest of the source.

    Other code, templates or versions make a new generation, and with it an empty folder.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder

    def load_bytecode(self, bucket: Bucket) -> None:
        """The code of a template, where it is here and whole."""
        try:
            raw = (self.folder / bucket.key).read_bytes()
        except OSError:
            return
        if digest(raw[_SEAL:]) == raw[:_SEAL]:
            bucket.bytecode_from_string(raw[_SEAL:])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a template; of two processes the later one wins, with the same bytes."""
        body = bucket.bytecode_to_string()
        fresh = self.folder / f"{bucket.key}.{os.getpid()}"
        fresh.write_bytes(digest(body) + body)
        fresh.replace(self.folder / bucket.key)
