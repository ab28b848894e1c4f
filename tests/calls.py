"""Requests to a server that a test started: on a busy machine one waits a minute before it is given up."""

from __future__ import annotations

from functools import partial

import httpx

WAIT = 60.0  # seconds

get = partial(httpx.get, timeout=WAIT)
head = partial(httpx.head, timeout=WAIT)
options = partial(httpx.options, timeout=WAIT)
post = partial(httpx.post, timeout=WAIT)
request = partial(httpx.request, timeout=WAIT)
stream = partial(httpx.stream, timeout=WAIT)
Client = partial(httpx.Client, timeout=WAIT)
