"""Idempotency keys of what was sent and not yet answered, in a small file, so that a retry is no second report."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock
from pydantic import TypeAdapter, ValidationError

from library.durable import sync_folder
from library.problems import UsageError

_ENTRIES = TypeAdapter(dict[str, tuple[str, str]])


def place_of(environment: Mapping[str, str]) -> Path:
    """Where the file lies, after the XDG rules: `$XDG_STATE_HOME/playbooks/sending.json`."""
    state = environment.get("XDG_STATE_HOME", "")
    home = environment.get("HOME") or str(Path.home())
    folder = Path(state) if state.startswith("/") else Path(home) / ".local/state"
    return folder / "playbooks/sending.json"


def name_of(url: str, key: str | None, values: object) -> str:
    """What names one sending: the address, the sender and the values; a digest, from which nothing can be read."""
    told = json.dumps([url, key, values], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(told.encode()).hexdigest()


class UnansweredKeys:
    """The file. Raises `UsageError` where it cannot be read or written: then nothing may be sent."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def begin(self, name: str, fresh: Callable[[], str], now: str) -> tuple[str, str | None]:
        """The idempotency key to send with, on the disk before it is used.

        With it since when it is kept, where the same was sent before and no answer came.
        """
        with self._locked() as entries:
            if name in entries:
                return entries[name]
            entries[name] = (fresh(), now)
            self._write(entries)
            return entries[name][0], None

    def end(self, name: str) -> None:
        """Forget a sending that was answered."""
        with self._locked() as entries:
            if entries.pop(name, None):
                self._write(entries)

    @contextmanager
    def _locked(self) -> Iterator[dict[str, tuple[str, str]]]:
        """The entries, while no other process changes them."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with FileLock(self.path.with_suffix(".lock")):
                yield self._read()
        except OSError as error:
            raise UsageError(f"{self.path}: {error.strerror}; choose another file with --state") from error

    def _read(self) -> dict[str, tuple[str, str]]:
        try:
            return _ENTRIES.validate_json(self.path.read_bytes())
        except FileNotFoundError:
            return {}
        except ValidationError as error:
            text = f"{self.path} is no file of this command; move it away, or choose another with --state"
            raise UsageError(text) from error

    def _write(self, entries: dict[str, tuple[str, str]]) -> None:
        """Replace the file in one piece; only its owner may read it, since an edit token is made from a key in it."""
        descriptor, name = tempfile.mkstemp(dir=self.path.parent, prefix=self.path.name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(_ENTRIES.dump_json(entries))
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(self.path)
            sync_folder(self.path.parent)  # the new name is on the disk before anything is sent
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
