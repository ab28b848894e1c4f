"""What the write API is told: one frozen object, read once from the environment; a wrong value stops the start."""

import os
import re
import secrets
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Literal, TypeVar
from urllib.parse import urlsplit

from library.durable import sync_folder
from library.problems import UsageError
from library.variables import missing, misspelt

NAME = "PLAYBOOKS_SECRET"
LEAST = 32  # so many characters a secret has at least, of which a quarter differ: no word, no placeholder


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
        var.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=var, prefix=".secret.", encoding="ascii") as beside:
            beside.write(secrets.token_hex(32))
            beside.flush()
            os.fsync(beside.fileno())
            with suppress(FileExistsError):  # whole or not at all; of several processes one is first, all read the same
                os.link(beside.name, path)
        sync_folder(var)
    text = path.read_text(encoding="ascii", errors="replace").strip()
    if secret_problem(text):
        raise UsageError(f"{path} holds no secret; remove it, and the next start makes another")
    return text.encode()


def secret_problem(secret: str) -> str | None:
    """What is wrong with a secret; None for a good one."""
    fine = len(secret) >= LEAST and len(set(secret)) >= LEAST // 4
    mend = f"give {LEAST} characters or more that nobody chose, as from `openssl rand -hex 32`"
    return None if fine else f"{NAME} can be guessed; {mend}"


WRITE_LIMITS = "60 per minute; 1000 per day"
CONTRIBUTOR_LIMITS = "5 per hour"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ReviewProxy:
    """What opens the pages of review: a header that names an editor, believed of connections from one network alone.

    `network` is None for a unix socket.
    """

    header: str
    network: IPv4Network | IPv6Network | None


_SENT_BY_ALL = "(?:accept|content|if|sec)-|user-agent|x-forwarded-(?:for|host|port|proto)|x-real-ip"
_PROXY_HEADER = re.compile(rf"(?!{_SENT_BY_ALL})[a-z][a-z0-9]*(?:-[a-z0-9]+)+", re.IGNORECASE)


def review_proxy(environment: Mapping[str, str]) -> ReviewProxy | None:
    """What `PLAYBOOKS_REVIEW_PROXY` says; None without it. Raises `UsageError`."""
    text = environment.get("PLAYBOOKS_REVIEW_PROXY", "")
    if not text:
        return None
    header, _, network = text.partition(" from ")
    try:
        found = None if network == "unix" else ip_network(network)
    except ValueError:
        header, found = "", None
    if not _PROXY_HEADER.fullmatch(header) or (found and not found.prefixlen):
        mend = "it must name a header with a hyphen that no caller sends by itself, and a network, not everybody's,"
        mend += " as `Remote-User from 10.0.0.5/32`, or `from unix`"
        raise UsageError(f"PLAYBOOKS_REVIEW_PROXY is {text!r}; {mend}")
    return ReviewProxy(header, found)


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """Where the queue and the limits are kept, whom to trust, how much a caller may send.

    `limits_url` is empty for our own database at `limits_path`, or a Redis address. `redis_gone` is what happens when
    Redis cannot be asked: `refuse` every write, or `fall-back` to the database. `trusted_proxies` is the exact number
    of proxies before this process. `workers` is how many processes serve, for the checks of unsafe pairs. `secret` is
    what buckets of addresses are keyed with. With less than `least_free_mib` free this is not ready; what waits to be
    published for more than `outbox_hours` is told there. `budgets` is how many times the table of budgets one caller
    has; 0 is without bounds. `review_proxy`, where it is set, alone opens `/review`.
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
    least_free_mib: int = 64
    outbox_hours: int = 24
    budgets: int = 0
    secret: bytes = field(default=b"", repr=False)
    review_proxy: ReviewProxy | None = None

    @property
    def api_url(self) -> str:
        """The address that all paths of the API are relative to."""
        return f"{self.site_url.rstrip('/')}/api/v1"


def read_settings(environment: Mapping[str, str], *, site_url: str, var: Path) -> tuple[ServiceSettings, list[str]]:
    """The settings that `PLAYBOOKS_*` variables give, with a database in `var` where they name none.

    With them comes all that is wrong, each with what it may hold; what cannot be read is as if it were not set.
    """
    problems = list(misspelt(environment))

    def tried(read: Callable[[], T], otherwise: T) -> T:
        try:
            return read()
        except UsageError as error:
            problems.append(str(error))
            return otherwise

    def number(name: str, default: int, low: int, high: int) -> int:
        return tried(lambda: _number(environment, name, default, low, high), default)

    gone = environment.get("PLAYBOOKS_REDIS_GONE", "refuse")
    if gone not in ("refuse", "fall-back"):
        problems.append(f"PLAYBOOKS_REDIS_GONE is {gone!r}; it may be refuse or fall-back")
    tried(lambda: _check_port(environment, "PLAYBOOKS_LIMITS_URL"), None)
    settings = ServiceSettings(
        site_url=site_url,
        database_url=tried(lambda: database_url(environment, var), database_url({}, var)),
        limits_path=var / "limits.db",
        limits_url=environment.get("PLAYBOOKS_LIMITS_URL", ""),
        redis_gone="fall-back" if gone == "fall-back" else "refuse",
        trusted_proxies=number("PLAYBOOKS_TRUSTED_PROXIES", 0, 0, 10),
        workers=number("WEB_CONCURRENCY", 1, 1, 1_000),
        write_limits=environment.get("PLAYBOOKS_WRITE_LIMITS", WRITE_LIMITS),
        contributor_limits=environment.get("PLAYBOOKS_CONTRIBUTOR_LIMITS", CONTRIBUTOR_LIMITS),
        least_free_mib=number("PLAYBOOKS_LEAST_FREE_MIB", 64, 0, 1_000_000_000),
        outbox_hours=number("PLAYBOOKS_OUTBOX_HOURS", 24, 1, 100_000),
        budgets=tried(lambda: budgets(environment), 1),
        secret=tried(lambda: read_secret(environment, var), b""),
        review_proxy=tried(lambda: review_proxy(environment), None),
    )
    return settings, problems


def unsafe_problems(settings: ServiceSettings, environment: Mapping[str, str]) -> Iterator[str]:
    """Settings of a server that are each right and together wrong; a server with any of them must not start."""
    behind = settings.site_url.startswith("https://") or environment.get("PLAYBOOKS_BIND", "").startswith("unix:")
    if behind and not environment.get("PLAYBOOKS_TRUSTED_PROXIES"):
        yield (
            f"A proxy is before this ({settings.site_url}), and none is trusted: all callers would be one, with one"
            " limit. Set PLAYBOOKS_TRUSTED_PROXIES to the exact number, or to 0 if there is none after all."
        )
    for name in ("FLASK_DEBUG", "PYTHONASYNCIODEBUG"):
        if environment.get(name, "") not in ("", "0"):
            yield f"{name} is set: it shows the inside of the program to callers, or slows it. Take it away."


def trusted_proxies(environment: Mapping[str, str]) -> int:
    """The exact number of proxies before this process. Raises `UsageError`."""
    return _number(environment, "PLAYBOOKS_TRUSTED_PROXIES", 0, 0, 10)


def budgets(environment: Mapping[str, str]) -> int:
    """How many times the table of budgets one caller has. Raises `UsageError`."""
    return _number(environment, "PLAYBOOKS_BUDGETS", 1, 0, 1_000)


def _check_port(environment: Mapping[str, str], name: str) -> None:
    """Refuse an address whose port is none; its text may hold a password and is not shown."""
    try:
        _ = urlsplit(environment.get(name, "")).port
    except ValueError as error:
        raise UsageError(f"{name} holds a port that is no number from 0 to 65535") from error


def database_url(environment: Mapping[str, str], var: Path) -> str:
    """The database's address for SQLAlchemy; the plain spellings of PostgreSQL are understood. Raises `UsageError`."""
    url = environment.get("PLAYBOOKS_DATABASE_URL", "")
    _check_port(environment, "PLAYBOOKS_DATABASE_URL")
    if not url:
        return f"sqlite:///{var.absolute() / 'queue.db'}"
    url = re.sub("^postgres(ql)?://", "postgresql+psycopg://", url)
    if not url.startswith(("postgresql+psycopg://", "sqlite:////")):
        raise UsageError("PLAYBOOKS_DATABASE_URL must begin with postgresql:// or sqlite://// (an absolute path)")
    if url.startswith("postgresql") and (away := missing("postgresql")):
        raise UsageError(f"PLAYBOOKS_DATABASE_URL: {away}")
    return url


def _number(environment: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    text = environment.get(name, str(default))
    if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
        raise UsageError(f"{name} is {text!r}; it must be a whole number from {low} to {high}")
    return int(text)
