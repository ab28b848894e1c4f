"""The pages of review behind the ASGI application: forms are read whole, and nothing is open to other sites."""

from __future__ import annotations

from typing import Any, cast

from a2wsgi import WSGIMiddleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from writeapi import Services
from writeapi.api.live import SearchSource
from writeapi.review.services import ReviewServices, Shelf
from writeapi.review.web import MAX_FORM, MOUNT, create_review_app

from .requests import read_body

WORKERS = 4
"""Threads of the pages: editors are few."""


def is_reviews(path: str) -> bool:
    """Whether an address is one of these pages."""
    return path == MOUNT or path.startswith(f"{MOUNT}/")


class EditorsPages:
    """The pages below `/review`, over the content that `shelf` gives."""

    def __init__(self, services: Services, shelf: Shelf, search: SearchSource) -> None:
        review = ReviewServices(services.store, shelf, search, services.random)
        app = create_review_app(review, services.settings)
        self._app = cast("ASGIApp", WSGIMiddleware(cast("Any", app), workers=WORKERS))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        whole = await read_body(scope, receive, limit=MAX_FORM)
        if whole is None:
            slow = PlainTextResponse("The form did not come in time.", 408, {"Cache-Control": "no-store"})
            await slow(scope, receive, send)
            return
        below = scope["path"].removeprefix(MOUNT) or "/"
        await self._app({**scope, "path": below, "raw_path": below.encode(), "root_path": ""}, whole, send)
