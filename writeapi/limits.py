"""Rate limits on writes: counted first of all, told on every answer, and never unlimited when the counters are away."""

from __future__ import annotations

import math
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from math import floor
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import parse_qs, urlsplit

from flask import Flask, Response, current_app, g, request
from flask.typing import ResponseReturnValue
from flask_limiter import ApplicationLimit, Limiter, RateLimitExceeded
from limits import RateLimitItem, parse_many
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import STRATEGIES, SlidingWindowCounterRateLimiter

from library.interface.errors import RATE_LIMITED, UNAVAILABLE
from library.problems import UsageError
from library.variables import missing
from writeapi.api.wire import ApiError
from writeapi.store.engine import Gate, Unavailable

from .services import caller_of
from .settings import ServiceSettings

SOCKET_SECONDS = 0.2
REST_SECONDS = 2.0
_SWEEP_ROWS = 200
_SCHEMA = """
DROP TABLE IF EXISTS windows;
CREATE TABLE IF NOT EXISTS counters (
  key TEXT PRIMARY KEY, begun REAL NOT NULL, before INTEGER NOT NULL, hits INTEGER NOT NULL, expires REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS counters_by_expiry ON counters (expires);
"""
_SWEEP = "DELETE FROM counters WHERE key IN (SELECT key FROM counters WHERE expires <= ? ORDER BY expires LIMIT ?)"

Hit = tuple[RateLimitItem, str]
"""One count: the limit that it is for, and who is counted."""


class LimitsUnavailable(Exception):
    """The limits cannot be asked now, so nothing may be let through; `retry_after` is when to try again, in seconds."""

    def __init__(self, why: str, retry_after: int = 2) -> None:
        super().__init__(why)
        self.retry_after = retry_after


class Window(NamedTuple):
    """A window after a hit: whether it was within the limit, how many more are, and in how many seconds that grows."""

    within: bool
    left: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Counted:
    """A window that began at `begun`: what was counted in it, and in the one before."""

    begun: float
    before: int = 0
    hits: int = 0

    def at(self, now: float, expiry: int) -> Counted:
        """The same later on, when it may have become the one before. A clock set back makes no window longer."""
        age = now - self.begun
        if age >= 2 * expiry:
            return Counted(now)
        if age >= expiry:
            return Counted(self.begun + expiry, self.hits)
        return Counted(min(now, self.begun), self.before, self.hits)

    def window(self, item: RateLimitItem, now: float, *, within: bool) -> Window:
        """What is left, and when there is more: of a full window, when one more is let through."""
        expiry, rest = item.get_expiry(), self.begun + item.get_expiry() - now
        left = max(0, item.amount - self.hits - floor(self.before * rest / expiry))
        fades = not left and self.hits < item.amount
        return Window(within, left, rest - (item.amount - self.hits) * expiry / self.before if fades else rest)


class SqliteCounters:
    """Counters in one SQLite file, kept over a restart.

    One process at a time has the gate: SQLite's own waiting is unfair, and versions before 3.51.3 may damage a log that
    two write at once. A counter may lose its last second in a power cut, never in a crash of the process.
    """

    def __init__(
        self, path: Path, *, wait: float = 1.0, max_pages: int = 65_536, clock: Callable[[], float] = time.time
    ) -> None:
        """`wait` is how long, in seconds, a locked database is waited for; `max_pages` bounds the file (4 KiB each)."""
        self.path = path
        self.wait = wait
        self.max_pages = max_pages
        self.clock = clock
        self._gate = Gate(path)
        self._connections: dict[int, sqlite3.Connection] = {}  # a forked child neither uses nor closes its parent's

    def take(self, hits: Sequence[Hit]) -> list[Window]:
        """Count each hit, up to the first that is beyond its limit: it is not counted, and ends the list.

        All of it is one transaction. Raises `LimitsUnavailable`.
        """
        windows: list[Window] = []
        with self._transaction() as connection:
            for item, who in hits:
                windows.append(self._hit(connection, item, item.key_for(who)))
                if not windows[-1].within:
                    break
        return windows

    def close(self) -> None:
        """Close what this process opened; the next call opens it again."""
        if connection := self._connections.pop(os.getpid(), None):
            connection.close()

    def _hit(self, connection: sqlite3.Connection, item: RateLimitItem, key: str) -> Window:
        now, expiry = self.clock(), item.get_expiry()
        row = connection.execute("SELECT begun, before, hits FROM counters WHERE key = ?", (key,)).fetchone()
        counted = Counted(*row).at(now, expiry) if row else Counted(now)
        if counted.window(item, now, within=False).left < 1:
            return counted.window(item, now, within=False)
        counted = Counted(counted.begun, counted.before, counted.hits + 1)
        if row is None:
            connection.execute(_SWEEP, (now, _SWEEP_ROWS))
        values = (key, counted.begun, counted.before, counted.hits, counted.begun + 2 * expiry)
        connection.execute("INSERT OR REPLACE INTO counters VALUES (?, ?, ?, ?, ?)", values)
        return counted.window(item, now, within=True)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """This process's connection, for this thread alone. Raises `LimitsUnavailable` for all that goes wrong."""
        process, until = os.getpid(), time.monotonic() + self.wait
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self._gate.held(until):
                connection = self._connections.get(process) or self._connections.setdefault(process, self._opened())
                try:
                    with connection:
                        connection.execute("BEGIN IMMEDIATE")
                        yield connection
                except sqlite3.Error:
                    self.close()  # what is damaged, full or gone is looked at afresh next time
                    raise
        except (sqlite3.Error, OSError, Unavailable) as error:
            raise LimitsUnavailable(f"the database of the limits cannot be used: {error}") from error

    def _opened(self) -> sqlite3.Connection:
        # Made here, because SQLite would make it for everybody to read; its log gets the same permissions.
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        connection = sqlite3.connect(self.path, timeout=self.wait, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute(f"PRAGMA max_page_count={self.max_pages:d}")
            connection.executescript(_SCHEMA)
        except sqlite3.Error:
            connection.close()
            raise
        return connection


@dataclass(frozen=True)
class LibraryCounters:
    """Counters in a storage of `limits`: a Redis, or the memory of this process."""

    storage: RedisStorage | MemoryStorage

    def take(self, hits: Sequence[Hit]) -> list[Window]:
        """Count, and look at each window once."""
        windows: list[Window] = []
        for item, who in hits:
            key, expiry = item.key_for(who), item.get_expiry()
            within = self.storage.acquire_sliding_window_entry(key, item.amount, expiry)
            before, before_lasts, counted, lasts = self.storage.get_sliding_window(key, expiry)
            rest = lasts - expiry if counted else before_lasts or expiry
            windows.append(Counted(rest - expiry, before, counted).window(item, 0.0, within=within))
            if not within:
                break
        return windows


class GuardedCounters:
    """Redis with a time limit; gone or hung, the spare counts instead, or everything is refused.

    After a failure Redis is asked again in `rest` seconds. A spare starts to count afresh: for as long as Redis is
    away, a caller may have its quota once more on each machine.
    """

    def __init__(self, address: str, spare: SqliteCounters | None, *, rest: float = REST_SECONDS) -> None:
        """`address` is that of a Redis."""
        from redis import ConnectionPool
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        pool: ConnectionPool = ConnectionPool.from_url(
            address.replace("redis+unix://", "unix://"),
            socket_timeout=SOCKET_SECONDS,
            socket_connect_timeout=SOCKET_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        self.storage = RedisStorage(address, connection_pool=pool)
        self.primary = LibraryCounters(self.storage)
        self.spare = spare
        self._rest = rest
        self._asked_from = 0.0

    def take(self, hits: Sequence[Hit]) -> list[Window]:
        """Count in Redis, or where that is away."""
        if time.monotonic() >= self._asked_from:
            try:
                return self.primary.take(hits)
            except (self.storage.base_exceptions, OSError):  # type: ignore[misc]  # one class, for Redis
                self._asked_from = time.monotonic() + self._rest
        if self.spare is None:
            raise LimitsUnavailable("Redis does not answer", retry_after=round(self._rest) + 1)
        return self.spare.take(hits)


Counters = SqliteCounters | LibraryCounters | GuardedCounters
"""What counts hits, by `take`."""

Scope = Literal["write", "create"]
WRITES = ("POST", "PUT", "PATCH", "DELETE")
_REDIS = ("redis", "rediss", "redis+unix")
_OWN_OPTIONS = ("socket_timeout", "socket_connect_timeout", "timeout", "retry_on_timeout", "retry_on_error")
_READS = ("live.post_search", "reading.post_find")
"""The POSTs that change nothing."""

_CREATES = "contributors.create_contributor"
"""The view that makes contributors: the limits of creation hold for it too."""
STRATEGY = "playbooks-counters"


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit: what it is on, its name in the headers, and how many it lets through in how long."""

    scope: Scope
    name: str
    item: RateLimitItem


def limit_problems(settings: ServiceSettings) -> Iterator[str]:
    """What is wrong with the settings of the limits, in sentences; a server with any of them must not start."""
    told = {
        "PLAYBOOKS_WRITE_LIMITS": settings.write_limits,
        "PLAYBOOKS_CONTRIBUTOR_LIMITS": settings.contributor_limits,
    }
    for name, text in told.items():
        try:
            named_limits(text)
        except ValueError:
            yield f"{name} is {text!r}; it must be limits like '60 per minute; 1000 per day'."
    parts = urlsplit(settings.limits_url)
    if parts.scheme == "memory" and settings.workers > 1:
        yield (
            f"Limits in memory hold for one process only, and there are {settings.workers} workers;"
            " leave PLAYBOOKS_LIMITS_URL empty for SQLite, or name a Redis."
        )
    elif settings.limits_url and parts.scheme not in {"memory", *_REDIS}:
        known = ", ".join(f"{scheme}://" for scheme in _REDIS)
        yield f"PLAYBOOKS_LIMITS_URL begins with {parts.scheme!r}; it may begin with {known}, or be empty."
    elif parts.scheme in _REDIS and (away := missing("redis")):
        yield f"PLAYBOOKS_LIMITS_URL: {away}"
    for option in sorted(set(parse_qs(parts.query)) & set(_OWN_OPTIONS)):
        yield f"PLAYBOOKS_LIMITS_URL sets {option}; leave it out: the time limits of Redis are fixed."


def describe_limits(settings: ServiceSettings) -> str:
    """Where the limits are counted, for the start-up report, without credentials."""
    parts = urlsplit(settings.limits_url)
    if not settings.limits_url:
        return f"SQLite at {settings.limits_path}"
    if parts.scheme not in _REDIS:
        return "memory of this one process"
    away = "SQLite takes over" if settings.redis_gone == "fall-back" else "writes are refused"
    return f"Redis at {parts.netloc.rpartition('@')[2] or parts.path}; when it is gone, {away}"


def limit_writes(app: Flask, settings: ServiceSettings, caller: Callable[[], str]) -> Counters:
    """Limit the writes of an application; call it before anything else that acts before a request.

    `caller` says, within a request, for whom it counts. Raises `UsageError` for unsafe settings.
    """
    counters = app.extensions["counters"] = counters_of(settings)
    limits = [
        *(Limit("write", name, item) for name, item in named_limits(settings.write_limits).items()),
        *(Limit("create", name, item) for name, item in named_limits(settings.contributor_limits, "create-").items()),
    ]

    def held() -> list[Limit]:
        """Those of this request; none for what only reads, and for an address that takes no such method."""
        if request.method not in WRITES or request.endpoint in (None, *_READS):
            return []
        return [limit for limit in limits if limit.scope == "write" or request.endpoint == _CREATES]

    def who(scope: Scope) -> str:
        """New contributors count for the address, whoever's key came along: a key must not beget keys without end."""
        return caller_of(request.environ, settings, None) if scope == "create" else caller()

    def count() -> dict[tuple[str, RateLimitItem], tuple[Limit, Window]]:
        """Count all in one transaction, the shortest first, as Flask-Limiter asks; none after one that refuses."""
        in_order = sorted(held(), key=lambda limit: limit.item)
        windows = counters.take([(limit.item, f"{who(limit.scope)}/{limit.scope}") for limit in in_order])
        return {(limit.scope, limit.item): (limit, window) for limit, window in zip(in_order, windows, strict=False)}

    app.extensions["count"] = count
    Limiter(
        caller,
        app=app,
        application_limits=[
            ApplicationLimit(
                repr(limit.item),
                key_function=None if limit.scope == "write" else lambda: who("create"),
                scope=limit.scope,
                methods=WRITES,
                exempt_when=partial(lambda limit: limit not in held(), limit),
            )
            for limit in limits
        ],
        strategy=STRATEGY,
        storage_uri="memory://",  # is never asked: the strategy asks the counters
    )

    def tell(response: Response) -> Response:
        if of_request := held():
            policies = (f'"{limit.name}";q={limit.item.amount};w={limit.item.get_expiry()}' for limit in of_request)
            response.headers["RateLimit-Policy"] = ", ".join(policies)
            if "windows" in g:
                limit, window = _tightest()
                response.headers["RateLimit"] = f'"{limit.name}";r={window.left};t={_whole(window.seconds)}'
        return response

    def refuse(_error: RateLimitExceeded) -> ResponseReturnValue:
        limit, window = _tightest()
        item, seconds = limit.item, _whole(window.seconds)
        lasts = item.GRANULARITY.name if item.multiples == 1 else f"{item.multiples} {item.GRANULARITY.name}s"
        what = "contributors are created" if limit.scope == "create" else "writes are taken"
        detail = f"At most {item.amount} {what} per {lasts} for one caller; try again in {seconds} seconds."
        return app.handle_user_exception(ApiError(RATE_LIMITED, detail, headers={"Retry-After": str(seconds)}))

    def cannot_count(error: LimitsUnavailable) -> ResponseReturnValue:
        app.logger.warning("a write was refused: %s", error)
        after = str(error.retry_after)
        detail = f"The limits cannot be checked now, so nothing is taken; try again in {after} seconds."
        return app.handle_user_exception(ApiError(UNAVAILABLE, detail, headers={"Retry-After": after}))

    app.after_request(tell)
    app.register_error_handler(RateLimitExceeded, refuse)
    app.register_error_handler(LimitsUnavailable, cannot_count)
    return counters


class CounterStrategy(SlidingWindowCounterRateLimiter):
    """How Flask-Limiter counts here: by the counters of the application, exact over all processes.

    The first limit that it asks of counts all limits of the request; what they say is kept for the next ones and for
    the headers of the answer.
    """

    def hit(self, item: RateLimitItem, *identifiers: str, cost: int = 1) -> bool:
        """Whether a request of (a caller, a scope) is within the limit. Each of ours costs one."""
        if "windows" not in g:
            g.windows = current_app.extensions["count"]()
        window: Window = g.windows[identifiers[1], item][1]
        return window.within and window.left >= cost - 1


STRATEGIES[STRATEGY] = CounterStrategy


def counters_of(settings: ServiceSettings) -> Counters:
    """Where the limits are counted; other attempts, such as sign-ins, are counted there too. Raises `UsageError`."""
    if problems := list(limit_problems(settings)):
        raise UsageError(" ".join(problems))
    own = SqliteCounters(settings.limits_path)
    if urlsplit(settings.limits_url).scheme in _REDIS:
        return GuardedCounters(settings.limits_url, own if settings.redis_gone == "fall-back" else None)
    return LibraryCounters(MemoryStorage()) if settings.limits_url else own


def limits_warning(counters: Counters, settings: ServiceSettings) -> str:
    """What follows for writes from a Redis that does not answer now; nothing where it does, or where there is none."""
    if not isinstance(counters, GuardedCounters) or counters.storage.check():
        return ""
    alone = "the limits are counted on this machine alone"
    return f"Redis does not answer: {alone if settings.redis_gone == 'fall-back' else 'writes are refused'}."


def named_limits(text: str, prefix: str = "") -> dict[str, RateLimitItem]:
    """Limits such as `60 per minute; 1000 per day` by the names that the headers use. Raises `ValueError`."""
    named: dict[str, RateLimitItem] = {}
    for item in parse_many(text):
        name = f"{prefix}{'' if item.multiples == 1 else f'{item.multiples}-'}{item.GRANULARITY.name}"
        if item.amount < 1 or name in named:
            raise ValueError(f"{item} lets nothing through or stands twice")
        named[name] = item
    return named


def _tightest() -> tuple[Limit, Window]:
    """The limit that refuses comes first, then the one with the least left, of equal ones the one that lasts."""
    counted: list[tuple[Limit, Window]] = list(g.windows.values())
    return min(counted, key=lambda one: (one[1].within, one[1].left, -one[1].seconds))


def _whole(seconds: float) -> int:
    return max(1, math.ceil(seconds))
