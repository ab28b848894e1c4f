"""What nginx answers itself: every error in the one shape that the service gives, and two pages for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from build.routes import HTML, JSON
from library.bodies import MAX_BODY
from library.errors import (
    BROKEN,
    INVALID,
    LENGTH_REQUIRED,
    METHOD_NOT_ALLOWED,
    NOT_FOUND,
    RATE_LIMITED,
    SEARCH_AWAY,
    TOO_LARGE,
    TOO_SLOW,
    UNAVAILABLE,
    ProblemDetails,
)
from mcpserver.transport import ONLY_POST, TOO_LARGE_MESSAGE, refusal
from writeapi import RETRY_SECONDS
from writeapi.errors import PROBLEM_JSON
from writeapi.review.web import MAX_FORM

from .addresses import AWAY, Deployment

STATUSES = (400, 405, 408, 411, 412, 413, 414, 416, 429, 500, 501, 503, 505)
"""What nginx may say no with by itself; 494 and 502 to 504 are told as others."""

_UNREAD = (400, 414, 431, 501, 505)
"""What may be refused before there is a path; a named location needs one."""

_PLAIN: Mapping[int, tuple[str, str]] = {
    400: ("Bad request", "The request is not written as HTTP is."),
    412: ("Not as it was expected", "This file is not the one that the conditions of the request name."),
    414: ("The address is too long", "The address may have 16 KiB."),
    416: ("No such part", "The range is not one of this file."),
    431: ("The headers are too large", "A header may have 16 KiB."),
    501: ("Not implemented", "The request asks for something that is not done here."),
    505: ("Unknown version of HTTP", "Use HTTP/1.1."),
}
"""What nothing else of the service says has no type of its own."""

_LATER = f"The live part cannot be reached now; try again in {RETRY_SECONDS} seconds."


@dataclass(frozen=True)
class Refusal:
    """One answer, and the location that gives it; `retry` says when to come again."""

    place: str
    status: int
    body: str
    content_type: str = PROBLEM_JSON
    retry: bool = False


def place_of(status: int) -> str:
    """The location that answers with a status."""
    return f"/.refused/{status}" if status in _UNREAD else f"@playbooks_{status}"


def refusals(deployment: Deployment) -> Iterator[Refusal]:
    """All of them."""
    later, live = (_LATER, True) if deployment.api else (AWAY, False)
    details = {
        METHOD_NOT_ALLOWED: "",
        TOO_SLOW: "",
        LENGTH_REQUIRED: "Send the body whole, with its Content-Length.",
        TOO_LARGE: f"The body may have {MAX_BODY // 1024} KiB.",
        RATE_LIMITED: "There are too many connections from your address.",
        BROKEN: "",
        UNAVAILABLE: later,
    }
    told = {kind.status: deployment.problem(kind, detail) for kind, detail in details.items()}
    for status in (*STATUSES, 431):
        yield Refusal(place_of(status), status, told.get(status) or _plain(status), retry=live and status == 503)
    yield Refusal("@playbooks_search_away", 503, deployment.problem(SEARCH_AWAY, AWAY))
    yield Refusal("@playbooks_no_data", 404, deployment.problem(NOT_FOUND))
    encoded = deployment.problem(INVALID, "Write `playbook` and its slug without `%`.")
    yield Refusal("@playbooks_encoded", 422, encoded)
    yield _page("@playbooks_submission_away", 503, "The status of a submission cannot be read now", later)
    yield _page("@playbooks_review_away", 503, "Review cannot be opened now", later, retry=live)
    yield _page("@playbooks_review_large", 413, "Too large", f"A form may have {MAX_FORM // 1024} KiB.")
    yield _message("@playbooks_mcp_large", 413, TOO_LARGE_MESSAGE)
    yield _message("@playbooks_mcp_method", 405, ONLY_POST)
    yield _message("@playbooks_mcp_away", 503, later, retry=live)


def _plain(status: int) -> str:
    title, detail = _PLAIN[status]
    return ProblemDetails(type="about:blank", title=title, status=status, detail=detail).json_bytes().decode()


def _page(place: str, status: int, title: str, text: str, *, retry: bool = False) -> Refusal:
    """An error for people."""
    body = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        f'<h1>{title}</h1><p>{text}</p><p><a href="/">All playbooks</a></p></html>'
    )
    return Refusal(place, status, body, HTML, retry)


def _message(place: str, status: int, message: str, *, retry: bool = False) -> Refusal:
    """An error for a client of MCP."""
    return Refusal(place, status, bytes(refusal(status, message).body).decode(), JSON, retry)
