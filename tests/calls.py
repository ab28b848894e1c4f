"""Requests to a server that a test started: one TLS context for all, and a busy minute before one is given up."""

from __future__ import annotations

import ssl
from functools import partial

import httpx

WAIT = 60.0  # seconds
_context = ssl.create_default_context()  # made for every request otherwise, which takes longer than the request

get = partial(httpx.get, timeout=WAIT, verify=_context)
post = partial(httpx.post, timeout=WAIT, verify=_context)
request = partial(httpx.request, timeout=WAIT, verify=_context)
stream = partial(httpx.stream, timeout=WAIT, verify=_context)
Client = partial(httpx.Client, timeout=WAIT, verify=_context)
head = partial(httpx.head, timeout=WAIT, verify=_context)
options = partial(httpx.options, timeout=WAIT, verify=_context)
