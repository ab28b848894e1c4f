"""The secret that buckets of addresses are keyed with: without it, all four thousand million IPv4 could be tried."""

import os
import secrets
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from library.durable import sync_folder
from library.problems import UsageError

NAME = "PLAYBOOKS_SECRET"
LEAST = 32
"""So many characters a secret has at least, of which a quarter differ: no word, no placeholder."""


def read_secret(environment: Mapping[str, str], var: Path) -> bytes:
    """The secret in `PLAYBOOKS_SECRET`, else the one in `var`, which the first process makes for all that come after.

    Several machines that share their limits must share it. Whoever loses it loses nothing but the counts of a day.
    Raises `UsageError` for one that can be guessed; it is never repeated.
    """
    if secret := environment.get(NAME, ""):
        if problem := secret_problem(secret):
            raise UsageError(problem)
        return secret.encode("utf-8", "surrogateescape")
    path = var / "secret"
    if not path.exists():
        _make(path)
    text = path.read_text(encoding="ascii", errors="replace").strip()
    if secret_problem(text):
        raise UsageError(f"{path} holds no secret; remove it, and the next start makes another")
    return text.encode()


def secret_problem(secret: str) -> str | None:
    """What is wrong with a secret; None for a good one."""
    if len(secret) < LEAST or len(set(secret)) < LEAST // 4:
        return (
            f"{NAME} can be guessed; give {LEAST} characters or more that nobody chose, as from `openssl rand -hex 32`"
        )
    return None


def _make(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=".secret.", encoding="ascii") as beside:
        beside.write(secrets.token_hex(32))
        beside.flush()
        os.fsync(beside.fileno())
        with suppress(FileExistsError):
            os.link(beside.name, path)  # whole or not at all; of several processes one is first, and all read the same
    sync_folder(path.parent)
