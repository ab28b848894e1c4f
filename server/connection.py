"""How HTTP is read from a connection: methods that the parser does not know too, and refusals in the one shape."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from writeapi.errors import PROBLEM_JSON

from .manners import manners
from .unread import plain_problem

_METHOD = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}) /")
_READ = frozenset({b"GET", b"HEAD", b"POST", b"PUT", b"PATCH", b"DELETE", b"OPTIONS", b"CONNECT", b"TRACE"})
_INSTEAD = b"PROPFIND"
"""A method that the parser reads and nothing here answers: in its name others are read."""


class Connection(HttpToolsProtocol):
    """One connection. A request in an unknown method reaches the application, which says what its address takes."""

    def __init__(self, *arguments: Any, hsts: str, **named: Any) -> None:  # noqa: ANN401 - what uvicorn hands on
        super().__init__(*arguments, **named)
        self._hsts = hsts
        self._amid = False
        self._method = ""

    def data_received(self, data: bytes) -> None:
        """Read on."""
        if not self._amid:
            self._method = ""
            found = _METHOD.match(data)
            if found and found[1] not in _READ:
                self._method = found[1].decode("ascii")
                data = _INSTEAD + data[found.end(1) :]
        super().data_received(data)

    def on_message_begin(self) -> None:
        """A request begins."""
        self._amid = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """It is known what is asked for; the application runs after this."""
        super().on_headers_complete()
        if self._method:
            self.scope["method"] = self._method
            self._method = ""

    def on_message_complete(self) -> None:
        """A request ends."""
        self._amid = False
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what cannot be read, and end."""
        del msg  # the parser's own words
        body = plain_problem(400).encode()
        told = {"Content-Type": PROBLEM_JSON, "Content-Length": str(len(body)), "Connection": "close"}
        told |= {"Cache-Control": "no-store", **manners("POST", self._hsts)}
        lines = "".join(f"{name}: {value}\r\n" for name, value in told.items())
        self.transport.write(STATUS_LINE[400] + lines.encode("latin-1") + b"\r\n" + body)
        self.transport.close()


def config_of(application: ASGIApp, hsts: str) -> uvicorn.Config:
    """How uvicorn serves an application of ours."""
    connection = cast("Any", partial(Connection, hsts=hsts))  # it is called to make a connection, as a class is
    return uvicorn.Config(
        application, http=connection, log_level="error", access_log=False, server_header=False, proxy_headers=False
    )
