"""Rate limits on writes: counted first of all, told on every answer, and never unlimited when the counters are away."""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar
from urllib.parse import parse_qs, urlsplit

from flask import Flask, Response, current_app, g, request
from flask.typing import ResponseReturnValue
from flask_limiter import ApplicationLimit, Limiter, RateLimitExceeded
from limits import RateLimitItem, WindowStats, parse_many
from limits.storage import MemoryStorage
from limits.strategies import STRATEGIES, SlidingWindowCounterRateLimiter

from library.interface.errors import RATE_LIMITED, UNAVAILABLE
from library.problems import UsageError
from library.variables import missing

from .api.callers import caller_of
from .api.problem_details import ApiError
from .limits_storage import Counters, GuardedCounters, LibraryCounters, LimitsUnavailable, SqliteCounters, Window
from .settings import ServiceSettings

Scope = Literal["write", "create"]
WRITES = ("POST", "PUT", "PATCH", "DELETE")
_REDIS = ("redis", "rediss", "redis+unix")
_OWN_OPTIONS = ("socket_timeout", "socket_connect_timeout", "timeout", "retry_on_timeout", "retry_on_error")
_MARK = "creates_contributor"
STRATEGY = "playbooks-counters"
View = TypeVar("View", bound=Callable[..., ResponseReturnValue])


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit: what it is on, its name in the headers, and how many it lets through in how long."""

    scope: Scope
    name: str
    item: RateLimitItem


def creates_contributor(view: View) -> View:
    """Mark a view that creates contributors: the limits of creation hold for it too."""
    setattr(view, _MARK, True)
    return view


def limit_problems(settings: ServiceSettings) -> list[str]:
    """What is wrong with the settings of the limits, in sentences; a server with any of them must not start."""
    return [*_problems_of_limits(settings), *_problems_of_storage(settings)]


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
        if request.method not in WRITES or request.endpoint is None:
            return []
        return [limit for limit in limits if limit.scope == "write" or _creates()]

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
                exempt_when=None if limit.scope == "write" else lambda: not _creates(),
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

    app.after_request(tell)
    app.register_error_handler(RateLimitExceeded, lambda _: app.handle_user_exception(_refusal(*_tightest())))
    app.register_error_handler(LimitsUnavailable, _unavailable)
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
        return self.test(item, *identifiers, cost=cost - 1)

    def test(self, item: RateLimitItem, *identifiers: str, cost: int = 1) -> bool:
        """Whether what was counted in this request was within the limit, and leaves enough."""
        window = g.windows[identifiers[1], item][1]
        return bool(window.within and window.left >= cost)

    def get_window_stats(self, item: RateLimitItem, *identifiers: str) -> WindowStats:
        """When there is more, and what is left, as it was when this request was counted."""
        window = g.windows[identifiers[1], item][1]
        return WindowStats(time.time() + window.seconds, window.left)


STRATEGIES[STRATEGY] = CounterStrategy


def _creates() -> bool:
    return hasattr(current_app.view_functions.get(request.endpoint or ""), _MARK)


def counters_of(settings: ServiceSettings) -> Counters:
    """Where the limits are counted; other attempts, such as sign-ins, are counted there too. Raises `UsageError`."""
    if problems := limit_problems(settings):
        raise UsageError(" ".join(problems))
    own = SqliteCounters(settings.limits_path)
    if urlsplit(settings.limits_url).scheme in _REDIS:
        return GuardedCounters(settings.limits_url, own if settings.redis_gone == "fall-back" else None)
    return LibraryCounters(MemoryStorage()) if settings.limits_url else own


def limits_warning(counters: Counters, settings: ServiceSettings) -> str:
    """What follows for writes from a Redis that does not answer now; nothing where it does, or where there is none."""
    if not isinstance(counters, GuardedCounters) or counters.primary.check():
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


def _problems_of_limits(settings: ServiceSettings) -> Iterator[str]:
    for name, text in (
        ("PLAYBOOKS_WRITE_LIMITS", settings.write_limits),
        ("PLAYBOOKS_CONTRIBUTOR_LIMITS", settings.contributor_limits),
    ):
        try:
            named_limits(text)
        except ValueError:
            yield f"{name} is {text!r}; it must be limits like '60 per minute; 1000 per day'."


def _problems_of_storage(settings: ServiceSettings) -> Iterator[str]:
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


def _tightest() -> tuple[Limit, Window]:
    """The limit that refuses comes first, then the one with the least left, of equal ones the one that lasts."""
    counted: list[tuple[Limit, Window]] = list(g.windows.values())
    return min(counted, key=lambda one: (one[1].within, one[1].left, -one[1].seconds))


def _refusal(limit: Limit, window: Window) -> ApiError:
    item, seconds = limit.item, _whole(window.seconds)
    lasts = item.GRANULARITY.name if item.multiples == 1 else f"{item.multiples} {item.GRANULARITY.name}s"
    what = "contributors are created" if limit.scope == "create" else "writes are taken"
    detail = f"At most {item.amount} {what} per {lasts} for one caller; try again in {seconds} seconds."
    return ApiError(RATE_LIMITED, detail, headers={"Retry-After": str(seconds)})


def _unavailable(error: LimitsUnavailable) -> ResponseReturnValue:
    current_app.logger.warning("a write was refused: %s", error)
    detail = f"The limits cannot be checked now, so nothing is taken; try again in {error.retry_after} seconds."
    refusal = ApiError(UNAVAILABLE, detail, headers={"Retry-After": str(error.retry_after)})
    return current_app.handle_user_exception(refusal)


def _whole(seconds: float) -> int:
    return max(1, math.ceil(seconds))
