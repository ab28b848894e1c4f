"""`Idempotency-Key`: the same caller, key and body get the same answer again."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

from flask import request
from pydantic import BaseModel

from library.interface.errors import FieldProblem

from ..limits import current_caller
from ..store import Once
from .wire import invalid

_KEY = re.compile(r"[!-~]{1,255}")


def idempotency_key() -> str | None:
    """The key of the request; None without one. Raises `ApiError` 422 for one that is none."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not _KEY.fullmatch(key):
        detail = "must be 1-255 printable ASCII characters without a space, such as a UUID"
        raise invalid([FieldProblem(pointer="", code="idempotency-key", detail=f"the header Idempotency-Key {detail}")])
    return key


def once(body: BaseModel, answer: Callable[[str, str], bytes]) -> Once | None:
    """What the store needs to answer a repeated request as it did the first; the key is kept as a hash only."""
    key = idempotency_key()
    if key is None:
        return None
    sent = hashlib.sha256(f"{request.path}\n{body.model_dump_json()}".encode()).digest()
    return Once(current_caller(), hashlib.sha256(key.encode()).hexdigest(), sent, answer)
