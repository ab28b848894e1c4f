"""Idempotency keys of what was sent and not yet answered, in a small file, so that a retry is no second report."""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock
from pydantic import TypeAdapter, ValidationError

from library.durable import sync_folder
from library.problems import UsageError

_ENTRIES = TypeAdapter(dict[str, tuple[str, str]])


def state_file(environment: Mapping[str, str]) -> Path:
    """Where the file lies, after the XDG rules: `$XDG_STATE_HOME/playbooks/sending.json`."""
    state = environment.get("XDG_STATE_HOME", "")
    home = environment.get("HOME") or str(Path.home())
    folder = Path(state) if state.startswith("/") else Path(home) / ".local/state"
    return folder / "playbooks/sending.json"


def digest_of(url: str, key: str | None, values: object) -> str:
    """What names one sending: the address, the sender and the values, from which nothing can be read."""
    text = json.dumps([url, key, values], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


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
                yield _ENTRIES.validate_json(self.path.read_bytes() if self.path.exists() else b"{}")
        except ValidationError as error:
            text = f"{self.path} is no file of this command; move it away, or choose another with --state"
            raise UsageError(text) from error
        except OSError as error:
            raise UsageError(f"{self.path}: {error.strerror}; choose another file with --state") from error

    def _write(self, entries: dict[str, tuple[str, str]]) -> None:
        """Replace the file in one piece; only its owner may read it, since an edit token is made from a key in it."""
        fresh = self.path.with_suffix(".new")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(_ENTRIES.dump_json(entries))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)
        sync_folder(self.path.parent)  # the new name is on the disk before anything is sent
