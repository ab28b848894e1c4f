"""What a request is told that is refused before it is read: the same by this server and by nginx."""

from __future__ import annotations

from collections.abc import Mapping

from library.errors import ProblemDetails

_REFUSED: Mapping[int, tuple[str, str]] = {
    400: ("Bad request", "The request is not written as HTTP is."),
    412: ("Not as it was expected", "This file is not the one that the conditions of the request name."),
    414: ("The address is too long", "The address may have 16 KiB."),
    416: ("No such part", "The range is not one of this file."),
    431: ("The headers are too large", "A header may have 16 KiB."),
    501: ("Not implemented", "The request asks for something that is not done here."),
    505: ("Unknown version of HTTP", "Use HTTP/1.1."),
}


def plain_problem(status: int) -> str:
    """The body, as JSON; what nothing else of the service says has no type of its own."""
    title, detail = _REFUSED[status]
    return ProblemDetails(type="about:blank", title=title, status=status, detail=detail).json_bytes().decode()
