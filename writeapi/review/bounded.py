"""Runs a command of the operator's within bounds: of time, of output, and of what it can see."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

_LOOK = 0.05
"""Seconds between two looks at whether a process that keeps its output open has ended."""
_AT_ONCE = 65_536
_LAST_READINGS = 4
"""Enough for what a pipe holds when the process has ended; a grandchild may write to it for ever."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """At most so many seconds, and so many bytes of standard output and of standard error."""

    seconds: float = 60.0
    out: int = 64 * 1024
    errors: int = 4 * 1024


@dataclass(slots=True)
class Ended:
    """How a command ended. `why` is empty when it ended by itself with 0 within its bounds."""

    out: bytes
    errors: bytes
    why: str


@dataclass(slots=True)
class _Pipe:
    """What came out of one pipe, up to its bound."""

    most: int
    kept: bytearray = field(default_factory=bytearray)
    full: bool = False

    def take(self, chunk: bytes) -> None:
        self.full = self.full or len(self.kept) + len(chunk) > self.most
        self.kept += chunk[: self.most - len(self.kept)]


def run(command: Sequence[str], given: bytes, environment: Mapping[str, str], bounds: Bounds) -> Ended:
    """Run a command without a shell, in an empty folder and a session of its own, with `given` as standard input.

    Its process group is killed when it ends, or at a bound; a child that began a session of its own escapes that. What
    standard error holds beyond its bound is thrown away; too much standard output ends it. Whatever the system refuses,
    a full disk included, is how it ended.
    """
    try:
        return _run(command, given, environment, bounds)
    except OSError as error:
        return Ended(b"", b"", f"could not be run ({error.strerror or type(error).__name__})")


def _run(command: Sequence[str], given: bytes, environment: Mapping[str, str], bounds: Bounds) -> Ended:
    # What it leaves and nobody can delete stays: that is the operator's to see, and no reason to stop.
    with (
        TemporaryDirectory(prefix="reviewer-", ignore_cleanup_errors=True) as folder,
        TemporaryFile() as standard_input,
    ):
        standard_input.write(given)
        standard_input.seek(0)
        try:
            process = _start(command, standard_input, environment, Path(folder))
        except (OSError, ValueError) as error:
            return Ended(b"", b"", f"could not be started ({getattr(error, 'strerror', None) or 'its name is none'})")
        try:
            out, errors, why = _watch(process, bounds)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            for pipe in (process.stdout, process.stderr):
                if pipe:
                    pipe.close()
    if not why and process.returncode != 0:
        code = process.returncode
        why = f"ended with the code {code}" if code > 0 else f"was ended by the signal {-code}"
    return Ended(bytes(out), bytes(errors), why)


def _start(
    command: Sequence[str], standard_input: IO[bytes], environment: Mapping[str, str], folder: Path
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - the operator's own command, split without a shell
        command,
        stdin=standard_input,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=dict(environment),
        start_new_session=True,
        bufsize=0,
    )


def _watch(process: subprocess.Popen[bytes], bounds: Bounds) -> tuple[bytearray, bytearray, str]:
    """Read both pipes until they or the process end, or a bound is met; says which."""
    out, errors = _Pipe(bounds.out), _Pipe(bounds.errors)
    until = time.monotonic() + bounds.seconds
    with selectors.DefaultSelector() as selector:
        for pipe, kept in ((process.stdout, out), (process.stderr, errors)):
            if pipe:
                os.set_blocking(pipe.fileno(), False)
                selector.register(pipe, selectors.EVENT_READ, kept)
        while True:
            ended = process.poll() is not None  # asked before the last readings: what it wrote is in the pipes then
            for _ in range(_LAST_READINGS if ended else 1):
                _read(selector, 0 if ended else _LOOK)
            if out.full:
                return out.kept, errors.kept, f"wrote more than {bounds.out // 1024} KiB"
            if ended:
                return out.kept, errors.kept, ""
            if time.monotonic() >= until:
                return out.kept, errors.kept, f"gave no verdict within {bounds.seconds:g} s"


def _read(selector: selectors.BaseSelector, wait: float) -> None:
    """Read once from each pipe that has something; wait for it so many seconds at most."""
    if not selector.get_map():
        time.sleep(wait)
        return
    for key, _ in selector.select(wait):
        chunk = os.read(key.fd, _AT_ONCE)
        key.data.take(chunk)
        if not chunk:
            selector.unregister(key.fileobj)
