"""nginx's variables: what a request wants, and which headers its answer has, unless it brings its own from behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from build.routes import API

from ..files import SLUG
from ..filled import FILLED_BY, SEARCH
from ..links import links
from ..manners import CSP, EVERYWHERE, ON_READS, PREFLIGHT, STRICT, WORKER_CSP
from .addresses import Deployment, files, route_of
from .text import block, mapped, pattern, quoted

_ITEM = r"(?:^|,)[ \t]*"
_QUALITY = r"(?:[ \t]*;[^,;]*?)*[ \t]*;[ \t]*q="
_END = r"[ \t]*(?:[,;]|\z)"
_LAST = r"(?:&(?!(?:.*&)?playbook=)|\z)"
_NOTHING = "''"


def maps(told: Deployment) -> Iterator[str]:
    """All maps."""
    yield from _negotiation()
    yield from _questions()
    yield from _headers(told)
    yield from _renamed(told)
    yield from _scheme(told)


def _scheme(told: Deployment) -> Iterator[str]:
    """By which scheme the caller came: by the word of a trusted proxy, else as this connection did."""
    yield block("geo $realip_remote_addr $playbooks_from_proxy", "default 0;", [f"{item} 1;" for item in told.proxies])
    schemes = {pattern("1:https"): "https", pattern("1:http"): "http"}
    yield mapped('"$playbooks_from_proxy:$http_x_forwarded_proto"', "playbooks_scheme", schemes, "$scheme")


def _negotiation() -> Iterator[str]:
    """Whether a reader wants markdown rather than HTML: by quality values, of which each is a text of four digits."""
    kinds = {"markdown": "text/markdown", "html": "text/html", "any_text": r"text/\*", "anything": r"\*/\*"}
    for name, kind in kinds.items():
        yield _quality(name, kind)
    chain = (("html", "any_text"), ("any_text", "anything"), ("anything", ""))
    for name, following in reversed(chain):
        after = f"$playbooks_or_{following}" if following else "0000"
        yield mapped(f"$playbooks_q_{name}", f"playbooks_or_{name}", {_NOTHING: after}, f"$playbooks_q_{name}")
    less = "|".join(rf"{digit}[0-9]*:\1[0-{digit - 1}]" for digit in range(1, 10))
    wants = rf"~^(?!0000)(?:([0-9]+):\1\z|([0-9]*)(?:{less.replace(chr(92) + '1', chr(92) + '2')}))"
    yield mapped('"$playbooks_q_markdown:$playbooks_or_html"', "playbooks_wants_markdown", {pattern(wants): "1"})
    twins = [route for route in files() if route.twin]
    for route in twins:
        of_page, of_twin = (links(item, "$slug", "") for item in (route, route_of(str(route.twin))))
        name = f"playbooks_links_{plain_name(route.path)}"
        yield mapped("$playbooks_wants_markdown", name, {"1": quoted(of_twin)}, quoted(of_page))
    yield mapped("$playbooks_wants_markdown", "playbooks_form", {"1": ".md"}, "/index.html")


def _quality(name: str, kind: str) -> str:
    """The quality value of one kind, of the last that names it; empty where none does."""
    last = rf"~*^(?:.*,)?[ \t]*{kind}"
    alone = r"(?![^,]*;[ \t]*q=)[ \t]*(?:[,;]|\z)"
    digits = {
        pattern(last + alone): "1000",
        pattern(rf"{last}{_QUALITY}1(?:\.0{{0,3}})?{_END}"): "1000",
        pattern(rf"{last}{_QUALITY}0\.?{_END}"): "0000",
    }
    for length in (1, 2, 3):
        found = f"playbooks_{name}_{length}"
        digits[pattern(rf"{last}{_QUALITY}0\.(?P<{found}>[0-9]{{{length}}}){_END}")] = (
            f"0${{{found}}}{'0' * (3 - length)}"
        )
    digits[pattern(rf"{last}[ \t]*(?:[,;]|\z)")] = "0000"
    return mapped("$http_accept", f"playbooks_q_{name}", digits)


def _questions() -> Iterator[str]:
    """What a query asks for."""
    for path, names in FILLED_BY.items():
        asks = rf"~(?:^|&)(?:{'|'.join(names)})={'' if path == SEARCH else '(?:[+]|%20)*[^&+%]'}"
        yield mapped("$args", f"playbooks_asks_{plain_name(path)}", {pattern(asks): "1"})
    slug = SLUG.replace("?P<slug>", "?P<playbooks_runs_slug>")
    one = pattern(rf"~^(?:.*&)?playbook={slug}{_LAST}")
    files_of = {one: f"{API}/runs/by-playbook/$playbooks_runs_slug.json", pattern(r"~(?:^|&)playbook="): "/none"}
    yield mapped("$args", "playbooks_runs_file", files_of, f"{API}/runs.json")
    slug = SLUG.replace("?P<slug>", "?P<playbooks_asked_slug>")
    yield mapped("$args", "playbooks_runs_of", {pattern(rf"~^(?:.*&)?playbook={slug}{_LAST}"): "$playbooks_asked_slug"})
    # Nothing here decodes a query: who can is asked how it is spelled plainly.
    yield mapped("$args", "playbooks_runs_encoded", {pattern(r"~(?:^|&)(?:[^&=]*%|playbook=[^&]*%)"): "1"})


def _headers(told: Deployment) -> Iterator[str]:
    """What an answer has beside its own. What comes from behind brings its own, and they are not doubled."""
    yield mapped("$playbooks_policy", "playbooks_csp", {_NOTHING: quoted(CSP), "worker": quoted(WORKER_CSP)})
    for name, value in HEADERS.items():
        yield mapped(_behind(name), f"playbooks_told_{plain_name(name)}", {_NOTHING: value})
    if told.hsts:
        yield mapped(_behind(STRICT), f"playbooks_told_{plain_name(STRICT)}", {_NOTHING: quoted(told.hsts)})
    reads = {pattern(r"~^(?:GET|HEAD|OPTIONS):\z"): "1"}
    yield mapped('"$request_method:$playbooks_closed"', "playbooks_open", reads)
    yield mapped('"$playbooks_open:$upstream_http_access_control_allow_origin"', "playbooks_read", {pattern("1:"): "1"})
    for name, value in ON_READS.items():
        yield mapped("$playbooks_read", f"playbooks_told_{plain_name(name)}", {"1": quoted(value)})
    yield mapped(
        '"$request_method:$playbooks_open:$status:$upstream_status"', "playbooks_preflight", {"OPTIONS:1:204:": "1"}
    )
    for name, value in PREFLIGHT.items():
        yield mapped("$playbooks_preflight", f"playbooks_told_{plain_name(name)}", {"1": quoted(value)})
    yield mapped(
        "$playbooks_methods", "playbooks_allow", {_NOTHING: quoted("GET, HEAD, OPTIONS")}, "$playbooks_methods"
    )
    methods = {pattern(r"~^(?:204|405):\z"): "$playbooks_allow"}
    yield mapped('"$status:$upstream_status"', "playbooks_told_allow", methods)
    yield mapped(
        '"$playbooks_behind:$upstream_http_x_request_id"', "playbooks_told_x_request_id", {pattern("1:"): "$request_id"}
    )
    yield mapped("$playbooks_behind", "playbooks_path", {_NOTHING: "$uri"})
    yield mapped(
        '"$uri"', "playbooks_nothing", {pattern(rf"~^{API}(?:/|\z)"): "@playbooks_no_data"}, "@playbooks_no_page"
    )


HEADERS: Mapping[str, str] = {
    **{name: quoted(value) for name, value in EVERYWHERE.items()},
    "Content-Security-Policy": "$playbooks_csp",
    "Cache-Control": "$playbooks_cache",
}


def header_lines(told: Deployment) -> Iterator[str]:
    """The headers, on every answer: nginx leaves out one that is empty."""
    names = [*HEADERS, *([STRICT] if told.hsts else []), *ON_READS, *PREFLIGHT]
    for name in (*names, "Allow"):
        yield f"add_header {name} $playbooks_told_{plain_name(name)} always;"
    yield "add_header X-Request-Id $playbooks_told_x_request_id always;"
    for name in ("Link", "Vary", "Retry-After"):
        yield f"add_header {name} $playbooks_{plain_name(name)} always;"


def _renamed(told: Deployment) -> Iterator[str]:
    """Where former slugs lead; the file is made anew when a playbook was renamed."""
    include = {"include": f"{told.folder}/aliases.map"}
    yield mapped("$slug", "playbooks_renamed", include)
    yield mapped("$playbooks_runs_of", "playbooks_runs_renamed", include)


def _behind(name: str) -> str:
    return f"$upstream_http_{plain_name(name)}"


def plain_name(text: str) -> str:
    """A name or a path as a part of a variable's name."""
    return "_".join("".join(c if c.isalnum() else " " for c in text.lower()).split())
