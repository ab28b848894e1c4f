"""What the write API is told: one frozen object, read once from the environment; a wrong value stops the start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from library.problems import UsageError

from .secret import read_secret

WRITE_LIMITS = "60 per minute; 1000 per day"
CONTRIBUTOR_LIMITS = "5 per hour"


@dataclass(frozen=True, slots=True)
class Settings:
    """Where the queue and the limits are kept, whom to trust, how much a caller may send.

    `limits_url` is empty for our own database at `limits_path`, or a Redis address. `redis_gone` is what happens when
    Redis cannot be asked: `refuse` every write, or `fall-back` to the database. `trusted_proxies` is the exact number
    of proxies before this process. `workers` is how many processes serve, for the checks of unsafe pairs. `secret` is
    what buckets of addresses are keyed with.
    """

    site_url: str
    database_url: str
    limits_path: Path
    limits_url: str = ""
    redis_gone: Literal["refuse", "fall-back"] = "refuse"
    trusted_proxies: int = 0
    workers: int = 1
    write_limits: str = WRITE_LIMITS
    contributor_limits: str = CONTRIBUTOR_LIMITS
    secret: bytes = field(default=b"", repr=False)

    @property
    def api_url(self) -> str:
        """The address that all paths of the API are relative to."""
        return f"{self.site_url.rstrip('/')}/api/v1"


def from_environment(environment: Mapping[str, str], *, site_url: str, var: Path) -> Settings:
    """The settings that `PLAYBOOKS_*` variables give, with a database in `var` where they name none.

    Raises `UsageError` that names the variable and what it may hold.
    """
    policy = environment.get("PLAYBOOKS_REDIS_GONE", "refuse")
    if policy not in ("refuse", "fall-back"):
        raise UsageError(f"PLAYBOOKS_REDIS_GONE is {policy!r}; it may be refuse or fall-back")
    for name in ("PLAYBOOKS_DATABASE_URL", "PLAYBOOKS_LIMITS_URL"):
        _check_port(name, environment.get(name, ""))
    return Settings(
        site_url=site_url,
        database_url=_database(environment.get("PLAYBOOKS_DATABASE_URL", ""), var),
        limits_path=var / "limits.db",
        limits_url=environment.get("PLAYBOOKS_LIMITS_URL", ""),
        redis_gone="fall-back" if policy == "fall-back" else "refuse",
        trusted_proxies=_number(environment, "PLAYBOOKS_TRUSTED_PROXIES", 0, 0, 10),
        workers=_number(environment, "WEB_CONCURRENCY", 1, 1, 1_000),
        write_limits=environment.get("PLAYBOOKS_WRITE_LIMITS", WRITE_LIMITS),
        contributor_limits=environment.get("PLAYBOOKS_CONTRIBUTOR_LIMITS", CONTRIBUTOR_LIMITS),
        secret=read_secret(environment, var),
    )


def _check_port(name: str, url: str) -> None:
    """Refuse an address whose port is none; its text may hold a password and is not shown."""
    try:
        _ = urlsplit(url).port
    except ValueError as error:
        raise UsageError(f"{name} holds a port that is no number from 0 to 65535") from error


def _database(url: str, var: Path) -> str:
    """A database address for SQLAlchemy; the plain spellings of PostgreSQL are understood."""
    if not url:
        return f"sqlite:///{var.absolute() / 'queue.db'}"
    for spelt in ("postgres://", "postgresql://"):
        if url.startswith(spelt):
            return "postgresql+psycopg://" + url.removeprefix(spelt)
    if not url.startswith(("postgresql+psycopg://", "sqlite:////")):
        raise UsageError("PLAYBOOKS_DATABASE_URL must begin with postgresql:// or sqlite://// (an absolute path)")
    return url


def _number(environment: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    text = environment.get(name, str(default))
    if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
        raise UsageError(f"{name} is {text!r}; it must be a whole number from {low} to {high}")
    return int(text)
