"""Files of a built site as answers: the right type, an entity tag, nothing outside the site."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

import orjson
from werkzeug.http import parse_accept_header

from build.views.routes import API, HTML, JSON, MARKDOWN, ROUTES, Route
from library.interface.operations import OPERATIONS

T = TypeVar("T")
SLUG = r"(?P<slug>(?![a-z0-9_-]{65})[a-z0-9]+(?:[-_][a-z0-9]+)*)"  # what a slug looks like in a path

_SCRIPT_NAME = r"(?P<script>[A-Za-z0-9][A-Za-z0-9_-]{0,40}(?:\.[a-z]{1,8}){1,2})"
_NUMBER = r"(?P<number>[1-9][0-9]{0,4})"
_YEAR, _MONTH = r"(?P<year>[0-9]{4})", r"(?P<month>[0-9]{2}(?:-[1-9][0-9]{0,4})?)"

_MARK = r"\.[0-9a-f]{10}\."
_BYTES = "application/octet-stream"
UNROUTED: tuple[tuple[str, str, bool], ...] = (
    (rf"/assets/[A-Za-z0-9_-]+{_MARK}css", "text/css; charset=utf-8", True),
    (rf"/assets/[A-Za-z0-9_-]+{_MARK}js", "text/javascript; charset=utf-8", True),
    (rf"/assets/[A-Za-z0-9_-]+{_MARK}svg", "image/svg+xml; charset=utf-8", True),
    (rf"/assets/[A-Za-z0-9_-]+{_MARK}png", "image/png", True),
    (rf"/assets/[A-Za-z0-9_-]+{_MARK}ico", "image/x-icon", True),
    (rf"/assets/[A-Za-z0-9_-]+{_MARK}woff2", "font/woff2", True),
    (r"/search/search\.bin", _BYTES, False),
    (r"/search/[0-9a-f]{16}\.bin", _BYTES, True),
    (r"/SHA256SUMS", "text/plain; charset=utf-8", False),
    (r"/SHA256SUMS\.sig", _BYTES, False),
    (r"/\.well-known/playbooks-key\.pem", "application/x-pem-file", False),
)
"""Files that no route names, by what their paths look like: the type of each, and whether its name has its digest.

A name with a digest never changes its content. Below `/search/` is the index that browsers search.
"""


def as_pattern(path: str) -> str:
    """What a path of the table looks like, as a regular expression."""
    named = {"slug": SLUG, "number": _NUMBER, "script": _SCRIPT_NAME, "year": _YEAR, "month": _MONTH}
    return re.sub(r"\\\{([a-z]+)\\\}", lambda found: named.get(found[1], found[0]), re.escape(path))


PATTERNS = tuple(
    (re.compile(as_pattern(route.path)), route) for route in sorted(ROUTES, key=lambda route: "{" in route.path)
)
"""Every route with what its path looks like; a fixed path before one with a slug."""

LISTS = frozenset(API + operation.path for operation in OPERATIONS if operation.is_list)
"""The routes that are lists of the API."""

_NAMED = frozenset(route.path for route in ROUTES)  # paths as the routes have them, some of which end like a file

_TWINS = frozenset(route.twin for route in ROUTES if route.twin)


def _is_form(route: Route) -> bool:
    """Whether a route is a record's page, its markdown twin, or its JSON; what lies below is another page."""
    whole = route.path.rstrip("/").endswith("/{slug}") and "/by-" not in route.path
    return route.path in _TWINS or (whole and (route.content_type == HTML or _is_api(route)))


def _is_api(route: Route) -> bool:
    return route.content_type == JSON and route.path.startswith(f"{API}/")


@cache
def _other_forms(route: Route) -> tuple[Route, ...]:
    """The other forms of the record that a route is one of. An instruction file has them too, and is none of them."""
    if route.subject.name.startswith("alias") or not (_is_form(route) or route.content_type == MARKDOWN):
        return ()
    forms = (other for other in ROUTES if other.subject.name == route.subject.name and other.view and _is_form(other))
    return tuple(other for other in forms if other is not route)


def links(route: Route, slug: str, root: str) -> str:
    """The `Link` header of a file: the same record in its other forms, and where the interface is described.

    Empty where there is nothing to say; `root` is the path that the site lives under.
    """
    header = []
    for other in _other_forms(route) if slug else ():
        kind = other.content_type.partition(";")[0]
        header.append(f'<{root}{other.path.replace("{slug}", slug)}>; rel="alternate"; type="{kind}"')
    if _is_api(route):
        header.append(f'<{root}{API}/openapi.json>; rel="service-desc"; type="{JSON}"')
        header.append(f'<{root}/docs/interface/>; rel="service-doc"; type="text/html"')
    return ", ".join(header)


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file that answers a request; `links` is the value of its `Link` header."""

    path: Path
    content_type: str
    varies: bool = False
    forever: bool = False
    links: str = ""


class SiteFiles:
    """The built site behind the link `out`.

    Paths are matched whole by the route table; a reader's text never becomes a path. `root` is the path that the site
    lives under.
    """

    def __init__(self, out: Path, root: str = "") -> None:
        self.out = out
        self.root = root

    def find(self, path: str, query: Mapping[str, str], accept: str) -> FoundFile | None:
        """The file for a path, if the site has one.

        An answer of the API is found by its file's name too, as static hosts find it.
        """
        if path.startswith(f"{API}/") and path.endswith(".json") and path not in _NAMED:
            path = path.removesuffix("index.json" if path == f"{API}/index.json" else ".json")
        for expression, kind, forever in UNROUTED:
            if re.fullmatch(expression, path):
                return self._found(path[1:], FoundFile(self.out, kind, forever=forever))
        for pattern, route in PATTERNS:
            if match := pattern.fullmatch(path):
                named = match.groupdict()
                slug = "/".join([named.pop("slug", ""), *named.values()])
                if found := self._answer(route, slug, query, accept):
                    return found
        return None

    def _answer(self, route: Route, slug: str, query: Mapping[str, str], accept: str) -> FoundFile | None:
        other, varies = None, route.twin is not None
        if route.query and route.query[0] in query:
            slug, other, varies = query[route.query[0]], route.query[1], False
            if not re.fullmatch(SLUG, slug):
                return None
        elif route.twin and prefers_markdown(accept):
            other = route.twin
        route = next(item for item in ROUTES if item.path == other) if other else route
        form = FoundFile(self.out, route.content_type, varies, links=links(route, slug, self.root))
        return self._found(route.file_of(slug), form)

    def _found(self, name: str, form: FoundFile) -> FoundFile | None:
        path = self.out.joinpath(*name.split("/"))
        return replace(form, path=path) if path.is_file() else None

    def is_list(self, path: str) -> bool:
        """Whether a path is that of a list of the API, with the name of its file or without."""
        plain = path.removesuffix(".json")
        return any(route.path in LISTS and pattern.fullmatch(plain) for pattern, route in PATTERNS)

    def alias(self, path: str) -> str | None:
        """The new path of a renamed playbook's old path, in any rendition, with or without its last slash."""
        known = self.former()
        for spelt in (path, f"{path}/", path.rstrip("/")) if known else ():
            for pattern, route in PATTERNS:
                match = pattern.fullmatch(spelt)
                if match and route.subject.name.startswith("playbook") and match.groupdict().get("slug") in known:
                    return route.path.replace("{slug}", known[match["slug"]])
        return None

    def former(self) -> dict[str, str]:
        """The slug that each former slug leads to."""
        return picked(self.out / API[1:] / "aliases.json", _ITEMS) or {}


_ITEMS: Callable[[dict[str, Any]], dict[str, str]] = itemgetter("items")


def picked(path: Path, pick: Callable[[dict[str, Any]], T]) -> T | None:
    """What a function takes out of the JSON of a built file, once for as long as that stays the same; None for none."""
    try:
        stat = path.stat()
        found: T = _picked(path, pick, stat.st_mtime_ns, stat.st_ino)
    except (OSError, ValueError, LookupError):
        return None
    return found


@lru_cache(maxsize=1024)
def _picked(path: Path, pick: Callable[[dict[str, Any]], Any], _mtime_ns: int, _inode: int) -> Any:  # noqa: ANN401 - what `pick` gives
    return pick(orjson.loads(path.read_bytes()))


def prefers_markdown(accept: str) -> bool:
    """Whether a reader that names its tastes wants markdown rather than HTML."""
    tastes = {name.partition(";")[0].lower(): quality for name, quality in parse_accept_header(accept)}
    markdown = tastes.get("text/markdown", 0.0)
    html = tastes.get("text/html", tastes.get("text/*", tastes.get("*/*", 0.0)))
    return markdown > 0 and markdown >= html


def read(path: Path) -> bytes | None:
    """A file's bytes; None when it is gone meanwhile."""
    try:
        return path.read_bytes()
    except OSError:
        return None
