"""Runs a command of the operator's within bounds: of time, of output, and of what it can see."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

_LOOK = 0.05
"""Seconds between two looks at how much a command has written."""


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


def run(command: Sequence[str], given: bytes, environment: Mapping[str, str], bounds: Bounds) -> Ended:
    """Run a command without a shell, in an empty folder and a session of its own, with `given` as standard input.

    Its process group is killed when it ends, or at a bound; a child that began a session of its own escapes that. What
    standard error holds beyond its bound is thrown away; too much standard output ends it. Whatever the system refuses,
    a full disk included, is how it ended.
    """
    try:
        # What it leaves and nobody can delete stays: that is the operator's to see, and no reason to stop.
        with (
            TemporaryDirectory(prefix="reviewer-", ignore_cleanup_errors=True) as folder,
            TemporaryFile() as standard_input,
            TemporaryFile("a+b") as out,  # files, not pipes: a grandchild that keeps them open delays nothing
            TemporaryFile("a+b") as errors,
        ):
            standard_input.write(given)
            standard_input.seek(0)
            try:
                process = subprocess.Popen(
                    command,
                    stdin=standard_input,
                    stdout=out,
                    stderr=errors,
                    cwd=folder,
                    env=dict(environment),
                    start_new_session=True,
                )
            except (OSError, ValueError) as error:
                why = getattr(error, "strerror", None) or "its name is none"
                return Ended(b"", b"", f"could not be started ({why})")
            try:
                why = _watch(process, out, errors, bounds)
            finally:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            return Ended(_first(out, bounds.out), _first(errors, bounds.errors), why)
    except OSError as error:
        return Ended(b"", b"", f"could not be run ({error.strerror or type(error).__name__})")


def _watch(process: subprocess.Popen[bytes], out: IO[bytes], errors: IO[bytes], bounds: Bounds) -> str:
    """Wait until it ends or a bound is met; says why, and nothing where all went well."""
    until = time.monotonic() + bounds.seconds
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_LOOK)
        if os.fstat(out.fileno()).st_size > bounds.out:
            return f"wrote more than {bounds.out // 1024} KiB"
        if os.fstat(errors.fileno()).st_size > bounds.errors:
            os.ftruncate(errors.fileno(), bounds.errors)  # it goes on at the new end
        if code := process.returncode:
            return f"ended with the code {code}" if code > 0 else f"was ended by the signal {-code}"
        if code == 0:
            return ""
        if time.monotonic() >= until:
            return f"gave no verdict within {bounds.seconds:g} s"


def _first(file: IO[bytes], most: int) -> bytes:
    file.seek(0)
    return file.read(most)
