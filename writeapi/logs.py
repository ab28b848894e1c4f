"""What is logged and counted of requests: lines of JSON, each with the id of its request, and Prometheus's counters.

Callers get the id too. No key, no body and no address is in a line or a label. Counters are of all workers where
PROMETHEUS_MULTIPROC_DIR names a folder.
"""

import json
import logging
import re
import secrets
import sys
import time
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path

from flask import Flask, Response, g, has_request_context, request
from prometheus_client import Counter, Histogram

ACCESS = logging.getLogger("playbooks.access")
OUTER: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request that this one is a part of: what an agent sends over MCP is a request of its own inside."""

_MADE_WHOLE = re.compile(r"[=:'\"\[(/]")
"""Other programs log texts with the values in them already: what follows one of these is left out."""

_FROM_PROXY = re.compile(r"[0-9a-f]{16,32}")
_METHODS = frozenset("GET HEAD POST PUT PATCH DELETE OPTIONS".split())
_REQUESTS = Counter(
    "playbooks_requests_total",
    "Answers by the form of their address, method and status; 429 are limits that were hit.",
    ["route", "method", "status"],
)
_SECONDS = Histogram(
    "playbooks_request_seconds",
    "How long answers took, in seconds.",
    ["route"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)


def id_of(given: str, trusted_proxies: int) -> str:
    """The id of a request: the one that a trusted proxy gave it, else a new one. A caller may not choose."""
    return given if trusted_proxies and _FROM_PROXY.fullmatch(given) else secrets.token_hex(8)


def log_requests(app: Flask, trusted_proxies: int = 0) -> None:
    """Give every request an id and write its line when it is answered. A trusted proxy may have given one already."""

    def begin() -> None:
        g.request_id = OUTER.get() or id_of(request.headers.get("X-Request-Id", ""), trusted_proxies)
        g.began = time.perf_counter()

    def end(response: Response) -> Response:
        response.headers["X-Request-Id"] = g.request_id
        route = str(request.url_rule) if request.url_rule else None
        caller = "key" if g.get("sender") else "anonymous"
        log_access(g.request_id, request.method, route, response.status_code, g.began, caller)
        return response

    app.before_request(begin)
    app.after_request(end)


def log_access(request_id: str, method: str, route: str | None, status: int, began: float, caller: str) -> None:
    """Write the line of one request, and count it. `route` is the form of its address, nothing that a caller wrote.

    No label is either: an address without a route is `none`, an unknown method `other`.
    """
    seconds = time.perf_counter() - began
    _REQUESTS.labels(route or "none", method if method in _METHODS else "other", str(status)).inc()
    _SECONDS.labels(route or "none").observe(seconds)
    ms = round(seconds * 1000, 1)
    line = {"at": _now(), "id": request_id, "method": method, "route": route, "status": status, "ms": ms}
    ACCESS.info(json.dumps({**line, "caller": caller}))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def log_job(name: str, said: str, seconds: float, *, failed: bool) -> None:
    """Write the line of one job of the worker; `said` holds names of files, ids and numbers, nothing that was sent."""
    line = {"at": _now(), "job": name, "failed": failed, "ms": round(seconds * 1000, 1), "said": said}
    ACCESS.info(json.dumps(line, ensure_ascii=False))


def log_to_stderr() -> None:
    """Let the lines go to standard error: one a request, and one for each thing that went wrong. Twice is as once."""
    if ACCESS.handlers:
        return
    for logger, form in ((ACCESS, logging.Formatter("%(message)s")), (logging.getLogger(), Trouble())):
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(form)
        logger.addHandler(handler)
    logging.raiseExceptions = False  # a line that has no room on the disk is lost, and nothing else is
    ACCESS.setLevel(logging.INFO)
    ACCESS.propagate = False


class Trouble(logging.Formatter):
    """A line of JSON for something that went wrong.

    Of an exception it has the kinds and the places in the code, and no message: that may repeat what was sent. The text
    of the line is the one that the code has, without what would be filled in.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        ours = record.args or record.name.startswith("playbooks")  # else the message may hold what somebody sent
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "id": g.get("request_id", "") if has_request_context() else OUTER.get(),
            "event": str(record.msg) if ours else _MADE_WHOLE.split(str(record.msg))[0][:100],
        }
        if record.exc_info and record.exc_info[1]:
            frames = traceback.extract_tb(record.exc_info[2])[-12:]
            line["error"] = _kinds(record.exc_info[1])
            line["places"] = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
        return json.dumps(line)


def _kinds(error: BaseException | None) -> list[str]:
    found: list[str] = []
    while error is not None and len(found) < 8:
        found.append(type(error).__name__)
        error = error.__cause__ or error.__context__
    return found
