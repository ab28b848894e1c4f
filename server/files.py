"""Files of a built site as answers: the right type, an entity tag, nothing outside the site."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import orjson

from build.views.routes import API, JSON, ROUTES, Route

from .links import links

SLUG = r"(?P<slug>(?![a-z0-9_-]{65})[a-z0-9]+(?:[-_][a-z0-9]+)*)"
"""What a slug looks like in a path."""

_SCRIPT_NAME = r"(?P<script>[A-Za-z0-9][A-Za-z0-9_-]{0,40}(?:\.[a-z]{1,8}){1,2})"
_NUMBER = r"(?P<number>[1-9][0-9]{0,4})"

_MARK = r"\.[0-9a-f]{10}\."
_BYTES = "application/octet-stream"
_SCRIPT = "text/javascript; charset=utf-8"
ASSETS_AND_SEARCH: tuple[tuple[str, str, bool], ...] = (
    (rf"/assets/[A-Za-z0-9_-]+{_MARK}css", "text/css; charset=utf-8", True),
    (rf"/assets/[A-Za-z0-9_-]+{_MARK}js", _SCRIPT, True),
    (rf"/assets/[A-Za-z0-9_-]+{_MARK}svg", "image/svg+xml", True),
    (rf"/assets/[A-Za-z0-9_-]+{_MARK}png", "image/png", True),
    (r"/pagefind/pagefind(?:-worker)?\.js", _SCRIPT, False),
    (r"/pagefind/pagefind-entry\.json", JSON, False),
    (r"/pagefind/wasm\.[a-z-]{2,16}\.pagefind", _BYTES, False),
    (r"/pagefind/(?:pagefind\.|(?:index|filter|fragment)/)[a-z-]{2,16}_[0-9a-f]{5,16}\.pf_[a-z]{4,8}", _BYTES, True),
)
"""Files that no route names, by what their paths look like: the type of each, and whether its name has its digest.

A name with a digest never changes its content. What Pagefind wrote is for searches in the browser.
"""

_QUALITY = re.compile(r"0(?:\.\d{0,3})?|1(?:\.0{0,3})?")


def as_pattern(path: str) -> str:
    """What a path of the table looks like, as a regular expression."""
    named = {"slug": SLUG, "number": _NUMBER, "script": _SCRIPT_NAME}
    return re.sub(r"\\\{([a-z]+)\\\}", lambda found: named.get(found[1], found[0]), re.escape(path))


def _pattern(route: Route) -> re.Pattern[str]:
    return re.compile(as_pattern(route.path))


PATTERNS = tuple((_pattern(route), route) for route in sorted(ROUTES, key=lambda route: "{" in route.path))
"""Every route with what its path looks like; a fixed path before one with a slug."""

_NAMED = frozenset(route.path for route in ROUTES)
"""Paths as the routes have them, some of which end like a file."""


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
        for expression, kind, forever in ASSETS_AND_SEARCH:
            if re.fullmatch(expression, path):
                return self._found(path[1:], kind, forever=forever)
        for pattern, route in PATTERNS:
            match = pattern.fullmatch(path)
            if match:
                named = match.groupdict()
                slug = "/".join([named.pop("slug", ""), *named.values()])
                found = self._answer(route, slug, query, accept)
                if found:
                    return found
        return None

    def _answer(self, route: Route, slug: str, query: Mapping[str, str], accept: str) -> FoundFile | None:
        if route.query and route.query[0] in query:
            asked = query[route.query[0]]
            other = next(item for item in ROUTES if item.path == route.query[1])
            return self._form(other, asked) if re.fullmatch(SLUG, asked) else None
        if route.twin and prefers_markdown(accept):
            twin = next(item for item in ROUTES if item.path == route.twin)
            return self._form(twin, slug, varies=True)
        return self._form(route, slug, varies=route.twin is not None)

    def _form(self, route: Route, slug: str, *, varies: bool = False) -> FoundFile | None:
        """The file of one route."""
        found = self._found(route.file_of(slug), route.content_type)
        return replace(found, varies=varies, links=links(route, slug, self.root)) if found else None

    def _found(self, name: str, content_type: str, *, forever: bool = False) -> FoundFile | None:
        path = self.out.joinpath(*name.split("/"))
        return FoundFile(path, content_type, forever=forever) if path.is_file() else None

    def alias(self, path: str) -> str | None:
        """The new path of a renamed playbook's old path, in any rendition, with or without its last slash."""
        known = self._aliases()
        for spelt in (path, f"{path}/", path.rstrip("/")) if known else ():
            for pattern, route in PATTERNS:
                match = pattern.fullmatch(spelt)
                if match and route.subject.name.startswith("playbook") and match.groupdict().get("slug") in known:
                    return route.path.replace("{slug}", known[match["slug"]])
        return None

    def renamed(self, slug: str) -> str | None:
        """The slug that a former slug leads to."""
        return self._aliases().get(slug)

    def _aliases(self) -> dict[str, str]:
        path = self.out / API[1:] / "aliases.json"
        try:
            stat = path.stat()
        except OSError:
            return {}
        return _aliases_in(path, stat.st_mtime_ns, stat.st_ino)


@lru_cache(maxsize=4)
def _aliases_in(path: Path, _mtime_ns: int, _inode: int) -> dict[str, str]:
    try:
        items: dict[str, str] = orjson.loads(path.read_bytes())["items"]
    except (OSError, ValueError, KeyError):
        return {}
    return items


def prefers_markdown(accept: str) -> bool:
    """Whether a reader that names its tastes wants markdown rather than HTML."""
    tastes: dict[str, float] = {}
    for part in accept.split(",")[:32]:
        name, *parameters = (item.strip().lower() for item in part.split(";"))
        quality = next((item[2:] for item in parameters if item.startswith("q=")), "1")
        tastes[name] = float(quality) if _QUALITY.fullmatch(quality) else 0.0
    markdown = tastes.get("text/markdown", 0.0)
    html = tastes.get("text/html", tastes.get("text/*", tastes.get("*/*", 0.0)))
    return markdown > 0 and markdown >= html


def read(path: Path) -> tuple[bytes, str] | None:
    """A file's bytes and its entity tag, which is made from them; None when it is gone meanwhile."""
    try:
        body = path.read_bytes()
    except OSError:
        return None
    return body, etag_of(body)


def etag_of(body: bytes) -> str:
    """The entity tag of an answer: the same bytes, the same tag."""
    return f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
