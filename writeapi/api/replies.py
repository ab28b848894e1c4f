"""Answers to writes: JSON that nobody keeps."""

from __future__ import annotations

from flask import Response

JSON = "application/json"


def reply(body: bytes, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer that no cache may store."""
    return Response(body, status, {"Cache-Control": "no-store", **(headers or {})}, content_type=JSON)


def created(body: bytes, location: str | None = None) -> Response:
    """201, with the address of what was created where it has one."""
    return reply(body, 201, {"Location": location} if location else None)
