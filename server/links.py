"""The `Link` header of a file: the same record in its other forms, and where the interface is described."""

from collections.abc import Iterator

from build.views.routes import API, HTML, JSON, MARKDOWN, ROUTES, Route

_TWINS = frozenset(route.twin for route in ROUTES if route.twin)
_DESCRIPTION = f"{API}/openapi.json"
_MANUAL = "/docs/interface/"


def _is_form(route: Route) -> bool:
    """Whether a route is a record's page, its markdown twin, or its JSON; its changes are another page."""
    if "{slug}" not in route.path or route.path.endswith("/changes/"):
        return False
    return route.content_type == HTML or route.path in _TWINS or _is_api(route)


def _is_api(route: Route) -> bool:
    return route.content_type == JSON and route.path.startswith(f"{API}/")


def _alternates() -> dict[str, tuple[Route, ...]]:
    """For each path its record's other forms. An instruction file has them too, and is none of them."""
    forms: dict[str, list[Route]] = {}
    for route in ROUTES:
        if _is_form(route) and route.view:
            forms.setdefault(route.subject.name, []).append(route)
    known = [route for route in ROUTES if _is_form(route) or route.content_type == MARKDOWN]
    return {
        route.path: tuple(other for other in forms.get(route.subject.name, ()) if other is not route)
        for route in known
        if route.subject.name in forms and not route.subject.name.startswith("alias")
    }


_ALTERNATES = _alternates()


def links(route: Route, slug: str, root: str) -> str:
    """The header's value, empty where there is nothing to say; `root` is the path that the site lives under."""
    return ", ".join(_links(route, slug, root))


def _links(route: Route, slug: str, root: str) -> Iterator[str]:
    for other in _ALTERNATES.get(route.path, ()) if slug else ():
        kind = other.content_type.partition(";")[0]
        yield f'<{root}{other.path.replace("{slug}", slug)}>; rel="alternate"; type="{kind}"'
    if _is_api(route):
        yield f'<{root}{_DESCRIPTION}>; rel="service-desc"; type="{JSON}"'
        yield f'<{root}{_MANUAL}>; rel="service-doc"; type="text/html"'
