"""What every page of review works with, and how a page is made: escaped, from the templates, with its status."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

from flask import Response, current_app, g, render_template
from limits import RateLimitItem

from writeapi.limits import named_limits
from writeapi.limits_storage import Counters
from writeapi.review.services import ReviewServices
from writeapi.settings import ServiceSettings
from writeapi.store import Member, Session

MOUNT = "/review"
TEMPLATES = Path(__file__).resolve().parents[3] / "site_templates"


@dataclass(frozen=True, slots=True)
class ReviewSite:
    """Handed to every page; made once. `attempts` counts sign-ins, and forms of those who are not signed in."""

    review: ReviewServices
    settings: ServiceSettings
    attempts: Counters
    clock: Callable[[], datetime]

    @property
    def stranger_limits(self) -> tuple[RateLimitItem, ...]:
        """How many forms are answered for one address that is not signed in: as many as writes are taken."""
        return tuple(named_limits(self.settings.write_limits).values())

    @property
    def home(self) -> str:
        """The path of the pages as browsers see it, with the sub-path of the site."""
        return urlsplit(self.settings.site_url).path.rstrip("/") + MOUNT


def site() -> ReviewSite:
    """What the application that answers now works with."""
    found: ReviewSite = current_app.extensions["review"]
    return found


def signed() -> Session | None:
    """The session of the request, once the guard found it valid."""
    found: Session | None = g.get("signed")
    return found


def editor() -> Member:
    """The editor who asks; the guard lets nobody else come here."""
    session = signed()
    if session is None:
        raise LookupError("a page asked for the editor before the guard knew one")
    return session.editor


def page(template: str, status: int = 200, **values: object) -> Response:
    """A page in HTML."""
    return Response(render_template(template, **values), status, content_type="text/html; charset=utf-8")


def moved(path: str) -> Response:
    """The way to another of these pages, asked for with GET; `path` is relative to them."""
    return Response(status=303, headers={"Location": site().home + path})
