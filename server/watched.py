"""The service under `serve --watch`: pages get the script that reloads them, which the built files never hold."""

from __future__ import annotations

import re
from pathlib import Path

from anyio import to_thread
from starlette.datastructures import MutableHeaders
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from build.views.draft import draft_page
from library.content.loading import some_bytes
from library.problems import LibraryError
from library.records.naming import EDITED
from library.reports import below

from .app import Service
from .manners import CSP, READS
from .watch import Watch

STREAM, SCRIPT, SHEET = "/-/watch", "/-/watch.js", "/-/watch.css"
_PAGE = re.compile(rf"/((?:{'|'.join(EDITED)})/[a-z0-9-]{{1,64}})/")
_HERE = Path(__file__).resolve().parent
_FRESH = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


class Watched:
    """A service whose pages know when they were built anew."""

    def __init__(self, service: Service, watch: Watch) -> None:
        self.service = service
        self.watch = watch

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what is the watch's own; put the script into every page of the service."""
        if scope["type"] != "http":
            await self.service(scope, receive, send)
        elif own := self._own(scope["path"]):
            await own(scope, receive, send)
        elif (file := self._draft(scope)) and (body := await to_thread.run_sync(self._draft_page, file)):
            page = Response(body, media_type="text/html", headers={**_FRESH, "Content-Security-Policy": CSP})
            await page(scope, receive, _Page(send, self.watch.number).send)
        else:
            await self.service(_unconditional(scope), receive, _Page(send, self.watch.number).send)

    def _own(self, path: str) -> Response | None:
        if path == STREAM:
            return StreamingResponse(self.watch.events(), media_type="text/event-stream", headers=_FRESH)
        if path in (SCRIPT, SHEET):
            body = (_HERE / path.rpartition("/")[2]).read_bytes()
            kind = "text/javascript" if path == SCRIPT else "text/css"
            return Response(body, media_type=f"{kind}; charset=utf-8", headers=_FRESH)
        return None

    def _draft(self, scope: Scope) -> str:
        """The file of the draft whose page is asked for; empty where it is no draft's."""
        found = _PAGE.fullmatch(scope["path"]) if scope["method"] in READS else None
        file = f"{found[1]}.yaml" if found else ""
        return file if file in self.watch.copy.pages else ""

    def _draft_page(self, file: str) -> bytes | None:
        """The page of a draft as it is now; None where it is none any more, or can be shown in no way."""
        copy = self.watch.copy
        if (library := copy.library) is None:
            return None
        try:
            raw = some_bytes(copy.content / file)
            problems = below(copy.content, copy.pages.get(file, ()))
            return draft_page(self.service.env, library, file, raw, problems)
        except (OSError, LibraryError):
            return None


def _unconditional(scope: Scope) -> Scope:
    """A request without the tag that its reader has: a page with the script is another than the file."""
    return {**scope, "headers": [pair for pair in scope["headers"] if pair[0] != b"if-none-match"]}


class _Page:
    """One answer on its way: held back while it is a page, so that the script can be put in."""

    def __init__(self, send: Send, number: int) -> None:
        self._send = send
        sheet, script = (
            f'<link rel="stylesheet" href="{SHEET}">',
            f'<script defer src="{SCRIPT}" data-build="{number}">',
        )
        self._tags = f"{sheet}{script}</script>\n".encode()
        self._start: Message | None = None
        self._body = b""

    async def send(self, message: Message) -> None:
        """Pass on what is no page; a page when it is whole."""
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if headers.get("content-type", "").startswith("text/html"):
                self._start = message
                return
        if self._start is None:
            await self._send(message)
            return
        self._body += message.get("body", b"")
        if not message.get("more_body"):
            await self._whole(self._start)

    async def _whole(self, start: Message) -> None:
        body = self._body.replace(b"</head>", self._tags + b"</head>", 1)
        headers = MutableHeaders(scope=start)
        for name in ("etag", "last-modified"):
            if name in headers:
                del headers[name]
        headers["cache-control"] = "no-store"
        if "content-length" in headers and self._body:
            headers["content-length"] = str(len(body))
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})
