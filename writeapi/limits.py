"""Rate limits on writes: counted first of all, told on every answer, and never unlimited when the counters are away."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Literal, TypeVar
from urllib.parse import parse_qs, urlsplit

from flask import Flask, Response, current_app, g, request
from flask.typing import ResponseReturnValue
from flask_limiter import ApplicationLimit, Limiter, RateLimitExceeded, RequestLimit
from limits import RateLimitItem, WindowStats, parse_many
from limits.storage import storage_from_string
from limits.strategies import STRATEGIES, RateLimiter

from library.errors import RATE_LIMITED, UNAVAILABLE
from library.extras import missing
from library.problems import UsageError

from .callers import Caller, caller_of
from .errors import ApiError
from .limits_guard import GUARDED, STRATEGY, GuardedStorage
from .limits_storage import SCHEME, LimitsUnavailable, sqlite_url
from .settings import Settings

Scope = Literal["write", "create"]
WRITES = ("POST", "PUT", "PATCH", "DELETE")
_REDIS = ("redis", "rediss", "redis+unix")
_OWN_OPTIONS = ("socket_timeout", "socket_connect_timeout", "timeout", "retry_on_timeout", "retry_on_error")
_MARK = "creates_contributor"
View = TypeVar("View", bound=Callable[..., ResponseReturnValue])


def creates_contributor(view: View) -> View:
    """Mark a view that creates contributors: the limits of creation hold for it too."""
    setattr(view, _MARK, True)
    return view


def current_caller() -> Caller:
    """The caller of the request that is being answered."""
    if "caller" not in g:
        g.caller = current_app.extensions["callers"]()
    caller: Caller = g.caller
    return caller


def limit_problems(settings: Settings) -> list[str]:
    """What is wrong with the settings of the limits, in sentences; a server with any of them must not start."""
    return [*_problems_of_limits(settings), *_problems_of_storage(settings)]


def describe_limits(settings: Settings) -> str:
    """Where the limits are counted, for the start-up report, without credentials."""
    parts = urlsplit(settings.limits_url)
    if not settings.limits_url:
        return f"SQLite at {settings.limits_path}"
    if parts.scheme not in _REDIS:
        return "memory of this one process"
    away = "SQLite takes over" if settings.redis_gone == "fall-back" else "writes are refused"
    return f"Redis at {parts.netloc.rpartition('@')[2] or parts.path}; when it is gone, {away}"


def make_limiter(
    app: Flask,
    settings: Settings,
    contributor: Callable[[], int | None],
    clock: Callable[[], float] = time.time,
) -> Limiter:
    """Limit the writes of an application; call it before anything else that acts before a request.

    `contributor` says, within a request, who owns the valid key that came with it. For a key that is not valid it is
    None: the request counts for its address, and is refused by somebody else. Raises `UsageError` for unsafe settings.
    """
    if problems := limit_problems(settings):
        raise UsageError(" ".join(problems))
    app.extensions["callers"] = lambda: caller_of(request.environ, settings, contributor())
    named = {
        "write": named_limits(settings.write_limits),
        "create": named_limits(settings.contributor_limits, "create-"),
    }
    storage, options = _storage(settings)

    def address() -> str:
        """New contributors count for the address, whoever's key came along: a key must not beget keys without end."""
        return caller_of(request.environ, settings, None).bucket

    limiter = Limiter(
        lambda: current_caller().bucket,
        app=app,
        application_limits=[
            ApplicationLimit(
                repr(item),
                key_function=address if scope == "create" else None,
                scope=scope,
                methods=WRITES,
                exempt_when=_does_not_create if scope == "create" else None,
            )
            for scope, limits in named.items()
            for item in limits.values()
        ],
        strategy=STRATEGY,
        storage_uri=storage,
        storage_options=options,
    )
    _answer_refusals(app, limiter, clock)
    _tell_on_every_write(app, limiter, named, clock)
    return limiter


def limits_warning(limiter: Limiter, settings: Settings) -> str:
    """What follows for writes from a Redis that does not answer now; nothing where it does, or where there is none."""
    storage = limiter.storage
    if not isinstance(storage, GuardedStorage) or storage.primary.check():
        return ""
    alone = "the limits are counted on this machine alone"
    return f"Redis does not answer: {alone if settings.redis_gone == 'fall-back' else 'writes are refused'}."


def attempt_counters(settings: Settings) -> RateLimiter:
    """Counters of attempts, such as sign-ins, kept where the limits of writes are. Raises `UsageError`."""
    if problems := limit_problems(settings):
        raise UsageError(" ".join(problems))
    address, options = _storage(settings)
    return STRATEGIES[STRATEGY](storage_from_string(address, **options))


def named_limits(text: str, prefix: str = "") -> dict[str, RateLimitItem]:
    """Limits such as `60 per minute; 1000 per day` by the names that the headers use. Raises `ValueError`."""
    named: dict[str, RateLimitItem] = {}
    for item in parse_many(text):
        name = f"{prefix}{'' if item.multiples == 1 else f'{item.multiples}-'}{item.GRANULARITY.name}"
        if item.amount < 1 or name in named:
            raise ValueError(f"{item} lets nothing through or stands twice")
        named[name] = item
    return named


def _does_not_create() -> bool:
    view = current_app.view_functions.get(request.endpoint or "")
    return not getattr(view, _MARK, False)


def _storage(settings: Settings) -> tuple[str, dict[str, str | int]]:
    own = sqlite_url(settings.limits_path)
    if urlsplit(settings.limits_url).scheme in _REDIS:
        spare = own if settings.redis_gone == "fall-back" else ""
        return f"{GUARDED}://", {"primary": settings.limits_url, "spare": spare}
    return settings.limits_url or own, {}


def _problems_of_limits(settings: Settings) -> Iterator[str]:
    for name, text in (
        ("PLAYBOOKS_WRITE_LIMITS", settings.write_limits),
        ("PLAYBOOKS_CONTRIBUTOR_LIMITS", settings.contributor_limits),
    ):
        try:
            named_limits(text)
        except ValueError:
            yield f"{name} is {text!r}; it must be limits like '60 per minute; 1000 per day'."


def _problems_of_storage(settings: Settings) -> Iterator[str]:
    parts = urlsplit(settings.limits_url)
    if parts.scheme == "memory" and settings.workers > 1:
        yield (
            f"Limits in memory hold for one process only, and there are {settings.workers} workers;"
            " leave PLAYBOOKS_LIMITS_URL empty for SQLite, or name a Redis."
        )
    elif settings.limits_url and parts.scheme not in {"memory", SCHEME, *_REDIS}:
        known = ", ".join(f"{scheme}://" for scheme in _REDIS)
        yield f"PLAYBOOKS_LIMITS_URL begins with {parts.scheme!r}; it may begin with {known}, or be empty."
    elif parts.scheme in _REDIS and (away := missing("redis")):
        yield f"PLAYBOOKS_LIMITS_URL: {away}"
    for option in sorted(set(parse_qs(parts.query)) & set(_OWN_OPTIONS)):
        yield f"PLAYBOOKS_LIMITS_URL sets {option}; leave it out: the time limits of Redis are fixed."


def _answer_refusals(app: Flask, limiter: Limiter, clock: Callable[[], float]) -> None:
    """Let refusals of the limiter take the one shape of errors."""

    def exceeded(error: RateLimitExceeded) -> ResponseReturnValue:
        item = error.limit.limit
        stats = _stats(limiter.current_limit)
        seconds = _seconds_until(stats.reset_time, clock) if stats else item.get_expiry()
        window = item.GRANULARITY.name if item.multiples == 1 else f"{item.multiples} {item.GRANULARITY.name}s"
        what = "contributors are created" if error.limit.scope == "create" else "writes are taken"
        detail = f"At most {item.amount} {what} per {window} for one caller; try again in {seconds} seconds."
        return app.handle_user_exception(ApiError(RATE_LIMITED, detail, headers={"Retry-After": str(seconds)}))

    def unavailable(error: LimitsUnavailable) -> ResponseReturnValue:
        app.logger.warning("a write was refused: %s", error)
        detail = f"The limits cannot be checked now, so nothing is taken; try again in {error.retry_after} seconds."
        headers = {"Retry-After": str(error.retry_after)}
        return app.handle_user_exception(ApiError(UNAVAILABLE, detail, headers=headers))

    app.register_error_handler(RateLimitExceeded, exceeded)
    app.register_error_handler(LimitsUnavailable, unavailable)


def _tell_on_every_write(
    app: Flask, limiter: Limiter, named: dict[str, dict[str, RateLimitItem]], clock: Callable[[], float]
) -> None:
    """Say on every answer to a write which limits there are, and what is left of the tightest."""
    names = {(scope, item): name for scope, limits in named.items() for name, item in limits.items()}
    policies = {
        scope: [f'"{name}";q={item.amount};w={item.get_expiry()}' for name, item in limits.items()]
        for scope, limits in named.items()
    }

    def tell(response: Response) -> Response:
        if request.method not in WRITES or request.endpoint is None:
            return response
        told = policies["write"] + ([] if _does_not_create() else policies["create"])
        response.headers["RateLimit-Policy"] = ", ".join(told)
        if tightest := _tightest(limiter.current_limits):
            limit, stats = tightest
            name = names[limit.request_args[1], limit.limit]
            left = f'"{name}";r={max(0, stats.remaining)};t={_seconds_until(stats.reset_time, clock)}'
            response.headers["RateLimit"] = left
        return response

    app.after_request(tell)


def _tightest(limits: list[RequestLimit]) -> tuple[RequestLimit, WindowStats] | None:
    """The limit with the least left, of equal ones the one that lasts longest."""
    known = [(limit, stats) for limit in limits if (stats := _stats(limit))]
    breached = [pair for pair in known if pair[0].breached]
    return min(breached or known, key=lambda pair: (pair[1].remaining, -pair[1].reset_time), default=None)


def _stats(limit: RequestLimit | None) -> WindowStats | None:
    """What is left of a limit; None when the counters cannot be asked any more, after they were."""
    try:
        return limit.window if limit else None
    except LimitsUnavailable:
        return None


def _seconds_until(time_stamp: float, clock: Callable[[], float]) -> int:
    return max(1, math.ceil(time_stamp - clock()))
