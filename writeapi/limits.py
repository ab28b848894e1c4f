"""Rate limits on writes: counted first of all, told on every answer, and never unlimited when the counters are away."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, g, request
from flask.typing import ResponseReturnValue
from flask_limiter import ApplicationLimit, Limiter, RateLimitExceeded
from limits import RateLimitItem, parse_many
from limits.storage import RedisStorage, SlidingWindowCounterSupport
from limits.strategies import STRATEGIES, SlidingWindowCounterRateLimiter

from library.interface.errors import RATE_LIMITED
from library.variables import missing
from writeapi.api.wire import ApiError
from writeapi.store.engine import SqliteDatabase, Unavailable

from .services import origin_of
from .settings import ServiceSettings

SOCKET_SECONDS = 0.2
REST_SECONDS = 2.0
_SWEEP_ROWS = 200
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS counters (key TEXT PRIMARY KEY, begun REAL NOT NULL, before INTEGER NOT NULL,"
    " hits INTEGER NOT NULL, expires REAL NOT NULL) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS counters_by_expiry ON counters (expires)",
)
_READ = "SELECT begun, before, hits FROM counters WHERE key = ?"
_WRITE = "INSERT OR REPLACE INTO counters VALUES (?, ?, ?, ?, ?)"
_SWEEP = "DELETE FROM counters WHERE key IN (SELECT key FROM counters WHERE expires <= ? ORDER BY expires LIMIT ?)"

Hit = tuple[RateLimitItem, str]  # one count: the limit that it is for, and who is counted


class Window(NamedTuple):
    """A window after a hit: whether it was within the limit, how many more are, and in how many seconds that grows."""

    within: bool
    left: int
    seconds: float


def _window(item: RateLimitItem, rest: float, before: int, hits: int, *, within: bool) -> Window:
    """What is left of a window that lasts for `rest` seconds more; of a full one, when one more is let through."""
    expiry = item.get_expiry()
    left = max(0, item.amount - hits - math.floor(before * rest / expiry))
    fades = not left and hits < item.amount
    return Window(within, left, rest - (item.amount - hits) * expiry / before if fades else rest)


class SqliteCounters:
    """Counters in one SQLite file, kept over a restart.

    A counter may lose its last second in a power cut, never in a crash of the process.
    """

    def __init__(
        self, path: Path, *, wait: float = 1.0, max_pages: int = 65_536, clock: Callable[[], float] = time.time
    ) -> None:
        """`wait` is how long, in seconds, a locked database is waited for; `max_pages` bounds the file (4 KiB each)."""
        self.path, self._clock, self._made = path, clock, False
        self._database = SqliteDatabase(path, wait, ("synchronous = NORMAL", f"max_page_count = {max_pages:d}"))
        self.close = self._database.close

    def take(self, hits: Sequence[Hit]) -> list[Window]:
        """Count each hit, up to the first that is beyond its limit: it is not counted, and ends the list.

        All of it is one transaction. SQLite's own cursor took half of the processor time that SQLAlchemy's took, and
        every write comes by here (decision 0057). Raises `Unavailable`.
        """
        if not self._made:
            with self._database.migrating() as connection:
                for statement in _SCHEMA:
                    connection.exec_driver_sql(statement)
            self._made = True
        windows: list[Window] = []
        with self._database.write() as connection, closing(connection.connection.cursor()) as cursor:
            for item, who in hits:
                now, key, expiry = self._clock(), item.key_for(who), item.get_expiry()
                row = cursor.execute(_READ, (key,)).fetchone()
                begun, before, counted = row or (now, 0, 0)
                if now - begun >= 2 * expiry:
                    begun, before, counted = now, 0, 0
                elif now - begun >= expiry:
                    begun, before, counted = begun + expiry, counted, 0
                begun = min(now, begun)  # a clock set back makes no window longer
                rest = begun + expiry - now
                if not _window(item, rest, before, counted, within=False).left:
                    return [*windows, _window(item, rest, before, counted, within=False)]
                if row is None:
                    cursor.execute(_SWEEP, (now, _SWEEP_ROWS))
                cursor.execute(_WRITE, (key, begun, before, counted + 1, begun + 2 * expiry))
                windows.append(_window(item, rest, before, counted + 1, within=True))
        return windows


def take_from(storage: SlidingWindowCounterSupport, hits: Sequence[Hit]) -> list[Window]:
    """The same in a storage of `limits`."""
    windows: list[Window] = []
    for item, who in hits:
        key, expiry = item.key_for(who), item.get_expiry()
        within = storage.acquire_sliding_window_entry(key, item.amount, expiry)
        before, before_lasts, counted, lasts = storage.get_sliding_window(key, expiry)
        rest = lasts - expiry if counted else before_lasts or expiry
        windows.append(_window(item, rest, before, counted, within=within))
        if not within:
            break
    return windows


class RedisCounters:
    """Redis with a time limit; gone or hung, the spare counts instead, or everything is refused.

    After a failure Redis is asked again in `rest` seconds. A spare starts to count afresh: for as long as Redis is
    away, a caller may have its quota once more on each machine.
    """

    def __init__(self, address: str, spare: SqliteCounters | None, *, rest: float = REST_SECONDS) -> None:
        """`address` is that of a Redis."""
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        self.storage = RedisStorage(
            address,
            socket_timeout=SOCKET_SECONDS,
            socket_connect_timeout=SOCKET_SECONDS,
            retry=Retry(NoBackoff(), 0),  # type: ignore[arg-type]  # any option of Redis
        )
        self.spare = spare
        self._rest = rest
        self._asked_from = 0.0

    def take(self, hits: Sequence[Hit]) -> list[Window]:
        """Count in Redis, or where that is away."""
        if time.monotonic() >= self._asked_from:
            try:
                return take_from(self.storage, hits)
            except (self.storage.base_exceptions, OSError):  # type: ignore[misc]  # one class, for Redis
                self._asked_from = time.monotonic() + self._rest
        if self.spare is None:
            raise Unavailable("Redis does not answer.")
        return self.spare.take(hits)


Counters = SqliteCounters | RedisCounters  # what counts hits, by `take`

WRITES = ("POST", "PUT", "PATCH", "DELETE")
_REDIS = ("redis", "rediss", "redis+unix")
_READS = ("live.post_search", "live.post_find")  # the POSTs that change nothing

_CREATES = "contributors.create_contributor"  # the view that makes contributors: the limits of creation hold for it too
STRATEGY = "playbooks-counters"


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
    scheme = urlsplit(settings.limits_url).scheme
    if settings.limits_url and scheme not in _REDIS:
        known = ", ".join(f"{scheme}://" for scheme in _REDIS)
        yield f"PLAYBOOKS_LIMITS_URL begins with {scheme!r}; it may begin with {known}, or be empty."
    elif settings.limits_url and (away := missing("redis")):
        yield f"PLAYBOOKS_LIMITS_URL: {away}"


def describe_limits(settings: ServiceSettings) -> str:
    """Where the limits are counted, for the start-up report, without credentials."""
    if not settings.limits_url:
        return f"SQLite at {settings.limits_path}"
    parts = urlsplit(settings.limits_url)
    away = "SQLite takes over" if settings.redis_gone == "fall-back" else "writes are refused"
    return f"Redis at {parts.netloc.rpartition('@')[2] or parts.path}; when it is gone, {away}"


def limit_writes(app: Flask, settings: ServiceSettings, caller: Callable[[], str]) -> Counters:
    """Limit the writes of an application; call it before anything else that acts before a request.

    `caller` says, within a request, for whom it counts.
    """
    counters = counters_of(settings)
    writes, creates = named_limits(settings.write_limits), named_limits(settings.contributor_limits, "create-")

    def held() -> dict[str, RateLimitItem]:
        """Those of this request by name; none for what only reads, and for an address that takes no such method."""
        if request.method not in WRITES or request.endpoint in (None, *_READS):
            return {}
        return writes | creates if request.endpoint == _CREATES else writes

    def whom(name: str) -> str:
        """New contributors count for the address, whoever's key came along: a key must not beget keys without end."""
        return f"{origin_of(request.environ, settings)}/create" if name in creates else f"{caller()}/write"

    def count() -> dict[str, Window]:
        """Count all in one transaction, the shortest first, as Flask-Limiter asks; none after one that refuses."""
        in_order = sorted(held().items(), key=itemgetter(1))
        windows = counters.take([(item, whom(name)) for name, item in in_order])
        return {name: window for (name, _), window in zip(in_order, windows, strict=False)}

    app.extensions["count"] = count
    Limiter(
        caller,
        app=app,
        # one for all: the strategy counts every limit of the request
        application_limits=[ApplicationLimit(repr(next(iter(writes.values()))), exempt_when=lambda: not held())],
        strategy=STRATEGY,
        storage_uri="memory://",  # is never asked: the strategy asks the counters
    )

    def tell(response: Response) -> Response:
        if of_request := held():
            policies = (f'"{name}";q={item.amount};w={item.get_expiry()}' for name, item in of_request.items())
            response.headers["RateLimit-Policy"] = ", ".join(policies)
            if "windows" in g:
                name, window = _tightest()
                response.headers["RateLimit"] = f'"{name}";r={window.left};t={_whole(window.seconds)}'
        return response

    def refuse(_error: RateLimitExceeded) -> ResponseReturnValue:
        name, window = _tightest()
        item, seconds = held()[name], _whole(window.seconds)
        lasts = item.GRANULARITY.name if item.multiples == 1 else f"{item.multiples} {item.GRANULARITY.name}s"
        what = "contributors are created" if name in creates else "writes are taken"
        detail = f"At most {item.amount} {what} per {lasts} for one caller; try again in {seconds} seconds."
        return app.handle_user_exception(ApiError(RATE_LIMITED, detail, headers={"Retry-After": str(seconds)}))

    app.after_request(tell)
    app.register_error_handler(RateLimitExceeded, refuse)
    return counters


class CounterStrategy(SlidingWindowCounterRateLimiter):
    """How Flask-Limiter counts here: by the counters of the application, exact over all processes.

    All limits of the request are counted at once; what they say is kept for the headers of the answer.
    """

    def hit(self, _item: RateLimitItem, *_identifiers: str, cost: int = 1) -> bool:  # noqa: ARG002 - each costs one
        """Whether a request is within all of its limits."""
        g.windows = current_app.extensions["count"]()
        return all(window.within for window in g.windows.values())


STRATEGIES[STRATEGY] = CounterStrategy


def counters_of(settings: ServiceSettings) -> Counters:
    """Where the limits are counted; other attempts, such as sign-ins, are counted there too."""
    own = SqliteCounters(settings.limits_path)
    if not settings.limits_url:
        return own
    return RedisCounters(settings.limits_url, own if settings.redis_gone == "fall-back" else None)


def limits_warning(counters: Counters, settings: ServiceSettings) -> str:
    """What follows for writes from a Redis that does not answer now; nothing where it does, or where there is none."""
    if isinstance(counters, SqliteCounters) or counters.storage.check():
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


def _tightest() -> tuple[str, Window]:
    """The limit that refuses comes first, then the one with the least left, of equal ones the one that lasts."""
    counted: dict[str, Window] = g.windows
    return min(counted.items(), key=lambda one: (one[1].within, one[1].left, -one[1].seconds))


def _whole(seconds: float) -> int:
    return max(1, math.ceil(seconds))
