"""The secret that buckets of addresses are keyed with: without it, all four thousand million IPv4 could be tried."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from library.durable import sync_folder
from library.problems import UsageError

NAME = "PLAYBOOKS_SECRET"
LEAST = 32
"""So many characters a secret has at least, of which a quarter differ: no word, no placeholder."""

_FILE = "secret"


def read_secret(environment: Mapping[str, str], var: Path) -> bytes:
    """The secret in `PLAYBOOKS_SECRET`, else the one in `var`, which the first process makes for all that come after.

    Several machines that share their limits must share it. Whoever loses it loses nothing but the counts of a day.
    Raises `UsageError` for one that can be guessed; it is never repeated.
    """
    told = environment.get(NAME, "")
    if told:
        if problem := secret_problem(told):
            raise UsageError(problem)
        return told.encode("utf-8", "surrogateescape")
    return _kept(var)


def secret_problem(told: str) -> str | None:
    """What is wrong with a secret; None for a good one."""
    if len(told) < LEAST or len(set(told)) < LEAST // 4:
        return (
            f"{NAME} can be guessed; give {LEAST} characters or more that nobody chose, as from `openssl rand -hex 32`"
        )
    return None


def _kept(var: Path) -> bytes:
    path = var / _FILE
    with suppress(FileNotFoundError):
        return _read(path)
    var.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{_FILE}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32))
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(beside, path)  # whole or not at all; of several processes one is first, and all read the same
        sync_folder(var)
    finally:
        beside.unlink()
    return _read(path)


def _read(path: Path) -> bytes:
    text = path.read_text(encoding="ascii", errors="replace").strip()
    if secret_problem(text):
        raise UsageError(f"{path} holds no secret; remove it, and the next start makes another")
    return text.encode()
