"""Values as the place needs them that they stand in: a filter for each, for the templates."""

import json
import re

from build.views.routes import API, Route

from ..files import SLUG, as_pattern
from .addresses import has_json_name

_WORDS = frozenset({"default", "hostnames", "include", "volatile"})


def quoted(text: str) -> str:
    """A value of nginx in quotes; `$` keeps its meaning."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def map_key(slug: str) -> str:
    """A slug as the key of nginx's map: some words mean something else there."""
    return f"\\{slug}" if slug in _WORDS else slug


def variable(text: str) -> str:
    """A header's name or a path as a part of the name of a variable."""
    return "_".join(re.findall(r"[a-z0-9]+", text.lower()))


def any_segment(path: str) -> str:
    """The regular expression of a live address: what stands in braces may be anything but a slash."""
    return re.sub(r"\\\{[a-z]+\\\}", "[^/]+", as_pattern(path))


def location(address: str | Route) -> str:
    """The address of nginx's location: of a path, or of a route with the names that its file has too."""
    path = address if isinstance(address, str) else address.path
    expression = any_segment(path)
    if path == f"{API}/":
        expression = f"{API}(?:/(?:index.json)?)?"
    elif isinstance(address, Route) and has_json_name(address):
        expression += r"(?:\.json)?"
    elif "{" not in path:
        return f"= {path}"
    return f'~ "^{expression}\\z"'


def slug_as(name: str) -> str:
    """The regular expression of a slug that nginx keeps under this name."""
    return SLUG.replace("?P<slug>", f"?P<{name}>")


def caddy(text: str) -> str:
    """A value of Caddy in quotes, or in backticks where it holds quotes itself."""
    return f"`{text}`" if '"' in text and "`" not in text else '"' + text.replace('"', '\\"') + '"'


def caddy_pattern(path: str) -> str:
    """A path of the table as Caddy's expressions have it: they know no look-ahead. A slug too long is no file."""
    return as_pattern(path).replace("(?![a-z0-9_-]{65})", "")


def caddy_found(text: str, name: str) -> str:
    """A path with what the expression of this name found."""
    return re.sub(r"\$(slug|number|script)", rf"{{re.{name}.\1}}", text)


def script(value: object) -> str:
    """A value in a script."""
    return json.dumps(value, indent=2 if isinstance(value, dict) and value else None)


FILTERS = {
    made.__name__: made
    for made in (quoted, map_key, variable, location, any_segment, slug_as, caddy, caddy_pattern, caddy_found, script)
}
