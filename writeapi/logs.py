"""One line of JSON a request, with an id that the caller gets too; never a key, a body or an address."""

from __future__ import annotations

import json
import logging
import re
import secrets
import sys
import time

from flask import Flask, Response, g, request

ACCESS = logging.getLogger("playbooks.access")


_FROM_PROXY = re.compile(r"[0-9a-f]{16,32}")


def log_requests(app: Flask, trusted_proxies: int = 0) -> None:
    """Give every request an id and write its line when it is answered. A trusted proxy may have given one already."""

    def begin() -> None:
        told = request.headers.get("X-Request-Id", "") if trusted_proxies else ""
        g.request_id = told if _FROM_PROXY.fullmatch(told) else secrets.token_hex(8)
        g.began = time.perf_counter()

    def end(response: Response) -> Response:
        response.headers["X-Request-Id"] = g.request_id
        line = {
            "id": g.request_id,
            "method": request.method,
            "route": str(request.url_rule) if request.url_rule else None,
            "status": response.status_code,
            "ms": round((time.perf_counter() - g.began) * 1000, 1),
            "caller": "key" if g.get("sender") else "anonymous",
        }
        ACCESS.info(json.dumps(line))
        return response

    app.before_request(begin)
    app.after_request(end)


def log_to_stderr() -> None:
    """Let the lines go to standard error, one a request."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    ACCESS.addHandler(handler)
    ACCESS.setLevel(logging.INFO)
    ACCESS.propagate = False
