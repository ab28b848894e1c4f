"""What stands between a request and the counters: refusals kept in memory, and an answer when Redis has none."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from limits import RateLimitItem, WindowStats
from limits.storage import RedisStorage, Storage, storage_from_string
from limits.strategies import STRATEGIES, FixedWindowRateLimiter

from .limits_storage import LimitsUnavailable

GUARDED = "playbooks+guarded"
STRATEGY = "playbooks-fixed-window"
SOCKET_SECONDS = 0.2
REST_SECONDS = 2.0
_REMEMBERED = 20_000
T_ = TypeVar("T_")


class Breaker:
    """Keeps requests from what just failed: after a failure, one of them tries again every `rest` seconds."""

    def __init__(self, rest: float = REST_SECONDS, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._rest = rest
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._closed_at: float | None = None

    def may_try(self) -> bool:
        """Whether this request should try; the others are told no until it knows more."""
        with self._lock:
            now = self._monotonic()
            if self._closed_at is None:
                return True
            if now < self._closed_at + self._rest:
                return False
            self._closed_at = now
            return True

    def tell(self, *, worked: bool) -> None:
        """How the try went."""
        with self._lock:
            self._closed_at = None if worked else self._monotonic()


class GuardedStorage(Storage):
    """Redis with a time limit; gone or hung, it is replaced by the spare storage, or everything is refused.

    A spare starts to count afresh: for as long as Redis is away, a caller may have its quota once more on each machine.
    """

    STORAGE_SCHEME = [GUARDED]  # noqa: RUF012 - the base class declares it so

    def __init__(
        self,
        uri: str | None = None,
        wrap_exceptions: bool = False,
        *,
        primary: str,
        spare: str = "",
        **_: float | str | bool,
    ) -> None:
        """`primary` is the address of a Redis, `spare` that of the storage to fall back to; without one, refuse."""
        from redis import ConnectionPool  # noqa: PLC0415 - an extra, for who names a Redis
        from redis.backoff import NoBackoff  # noqa: PLC0415 - as above
        from redis.retry import Retry  # noqa: PLC0415 - as above

        super().__init__(uri, wrap_exceptions=wrap_exceptions)
        pool: ConnectionPool = ConnectionPool.from_url(
            primary.replace("redis+unix://", "unix://"),
            socket_timeout=SOCKET_SECONDS,
            socket_connect_timeout=SOCKET_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        self.primary = RedisStorage(primary, connection_pool=pool)
        self.spare = _sync(spare) if spare else None
        self._breaker = Breaker()

    @property
    def base_exceptions(self) -> type[Exception]:
        """What this storage raises."""
        return LimitsUnavailable

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Count hits in the fixed window of a key."""
        return self._ask(lambda storage: storage.incr(key, expiry, amount))

    def get(self, key: str) -> int:
        """The hits in the window of a key."""
        return self._ask(lambda storage: storage.get(key))

    def get_expiry(self, key: str) -> float:
        """When the window of a key ends."""
        return self._ask(lambda storage: storage.get_expiry(key))

    def check(self) -> bool:
        """Whether Redis, or else the spare, answers."""
        return self.primary.check() or (self.spare is not None and self.spare.check())

    def reset(self) -> int | None:
        """Forget every counter."""
        return self._ask(lambda storage: storage.reset())

    def clear(self, key: str) -> None:
        """Forget one counter."""
        self._ask(lambda storage: storage.clear(key))

    def close(self) -> None:
        """Close the connections to Redis, and the spare."""
        self.primary.storage.close()
        self.primary.storage.connection_pool.disconnect()
        if self.spare is not None and hasattr(self.spare, "close"):
            self.spare.close()

    def _ask(self, question: Callable[[Storage], T_]) -> T_:
        if self._breaker.may_try():
            try:
                answer = question(self.primary)
            except (self.primary.base_exceptions, OSError):  # type: ignore[misc]  # one class, for Redis
                self._breaker.tell(worked=False)
            else:
                self._breaker.tell(worked=True)
                return answer
        if self.spare is None:
            raise LimitsUnavailable("Redis does not answer", retry_after=round(REST_SECONDS) + 1)
        return question(self.spare)


class RememberingFixedWindow(FixedWindowRateLimiter):
    """Fixed windows; who was refused is refused from memory until the window ends, so that a flood writes nothing."""

    def __init__(
        self, storage: Storage, clock: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(storage)
        self._clock = clock
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._refused: dict[str, float] = {}

    def hit(self, item: RateLimitItem, *identifiers: str, cost: int = 1) -> bool:
        """Count a request; whether it is within the limit."""
        if self._left(item, *identifiers):
            return False
        if super().hit(item, *identifiers, cost=cost):
            return True
        key = item.key_for(*identifiers)
        self._remember(key, min(self.storage.get_expiry(key) - self._clock(), item.get_expiry()))
        return False

    def test(self, item: RateLimitItem, *identifiers: str, cost: int = 1) -> bool:
        """Whether a request would be within the limit; it is not counted."""
        return not self._left(item, *identifiers) and super().test(item, *identifiers, cost=cost)

    def get_window_stats(self, item: RateLimitItem, *identifiers: str) -> WindowStats:
        """When the window ends, and what is left in it."""
        left = self._left(item, *identifiers)
        return WindowStats(self._clock() + left, 0) if left else super().get_window_stats(item, *identifiers)

    def clear(self, item: RateLimitItem, *identifiers: str) -> None:
        """Forget a caller's requests, and that it was refused."""
        with self._lock:
            self._refused.pop(item.key_for(*identifiers), None)
        super().clear(item, *identifiers)

    def _left(self, item: RateLimitItem, *identifiers: str) -> float:
        """For how many seconds a caller stays refused; 0 when it is not known to be."""
        until = self._refused.get(item.key_for(*identifiers), 0.0)
        return max(0.0, until - self._monotonic())

    def _remember(self, key: str, seconds: float) -> None:
        with self._lock:
            now = self._monotonic()
            if len(self._refused) >= _REMEMBERED:
                self._refused = {name: until for name, until in self._refused.items() if until > now}
            if len(self._refused) < _REMEMBERED:  # past that, the storage refuses, which is as right but slower
                self._refused[key] = now + seconds


def _sync(address: str) -> Storage:
    storage = storage_from_string(address)
    if not isinstance(storage, Storage):
        raise TypeError("the spare storage must not be an asynchronous one")
    return storage


STRATEGIES[STRATEGY] = RememberingFixedWindow
