"""nginx's locations: one or two for each route and each live address, made from their tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from build.routes import API, HTML, Route
from mcpserver.transport import MAX_BODY as MAX_MESSAGE
from mcpserver.transport import PATH as MCP
from writeapi.review.web import MAX_FORM, MOUNT

from ..files import ASSETS_AND_SEARCH, as_pattern
from ..filled import FILLED_BY, SEARCH
from ..links import links
from ..manners import ASK_AGAIN, FOR_EVER, WORKER_CSP, policy_of
from .addresses import Deployment, allowed, file_in, files, has_json_name, is_renamed, live, path_in
from .nginx_maps import plain_name
from .text import block, pattern, quoted

_ONLY_READS = (
    "if ($request_method = OPTIONS) { return 204; }",
    "if ($request_method !~ ^(?:GET|HEAD)$) { return 405; }",
)


def locations(told: Deployment) -> Iterator[str]:
    """All locations: files, ways to them, live addresses."""
    both = dict(live())
    for route in files():
        if route.path not in both and route.path not in FILLED_BY:
            yield _file(route)
        yield from _leading_on(route)
    yield from _assets()
    yield from _runs(told, both.pop(f"{API}/runs"))
    for path, methods in both.items():
        yield _live(told, path, methods)
    for path in FILLED_BY:
        yield _filled(told, path)
    yield from _closed(told)
    yield block("location /", _ONLY_READS, "return 404;")


def _at(path: str, ending: str = "") -> str:
    """The head of a location for a path of the table."""
    if "{" not in path and not ending:
        return f"location = {path}"
    expression = re.sub(r"\\\{[a-z]+\\\}", "[^/]+", as_pattern(path))
    return f"location ~ {pattern('^' + expression + ending + chr(92) + 'z')}"


def _file(route: Route) -> str:
    """A route's file."""
    name = f"/{file_in(route)}"
    lines = [*_ONLY_READS, *_renaming(route)]
    if route.twin:
        name = name.replace("/index.html", "$playbooks_form")
        lines += [f"set $playbooks_link $playbooks_links_{plain_name(route.path)};", "set $playbooks_vary Accept;"]
        lines += ['types { "text/html; charset=utf-8" html; "text/markdown; charset=utf-8" md; }']
    else:
        told = links(route, "$slug" if "{slug}" in route.path else "", "")
        lines += [f"set $playbooks_link {quoted(told)};"] if told else []
        lines += [f"default_type {quoted(route.content_type)};"]
    lines += [f"set $playbooks_cache {quoted(ASK_AGAIN)};", f"try_files {name} =404;"]
    names = r"(?:\.json)?" if has_json_name(route) else ""
    if route.path == f"{API}/":
        return block(f"location ~ {pattern(f'^{API}(?:/(?:index.json)?)?' + chr(92) + 'z')}", lines)
    return block(_at(route.path, names), lines)


def _renaming(route: Route) -> list[str]:
    if not is_renamed(route):
        return []
    return [f"if ($playbooks_renamed) {{ return 308 {path_in(route, '$playbooks_renamed')}$is_args$args; }}"]


def _leading_on(route: Route) -> Iterator[str]:
    """The same address with or without its last slash leads to the right one, where that is there."""
    if route.path in ("/", f"{API}/"):
        return
    other = route.path.rstrip("/") if route.path.endswith("/") else f"{route.path}/"
    if route.path.endswith("/") or route.path.startswith(f"{API}/"):
        there = f"if (!-f $document_root/{file_in(route)}) {{ return 404; }}"
        leads = f"return 308 {path_in(route)}$is_args$args;"
        yield block(_at(other), _ONLY_READS, _renaming(route), there, leads)


def _assets() -> Iterator[str]:
    """Style sheets, scripts, pictures, and what the browser's own search reads."""
    for expression, kind, forever in ASSETS_AND_SEARCH:
        cache = quoted(FOR_EVER if forever else ASK_AGAIN)
        policy = "set $playbooks_policy worker;" if policy_of(expression) == WORKER_CSP else ""
        lines = (f"default_type {quoted(kind)};", f"set $playbooks_cache {cache};", policy, "try_files $uri =404;")
        yield block(f"location ~ {pattern('^' + expression + chr(92) + 'z')}", _ONLY_READS, lines)


def _runs(told: Deployment, methods: tuple[str, ...]) -> Iterator[str]:
    """Reads of run reports are files, by the query another; a report that is sent goes to the application."""
    route = next(item for item in files() if item.path == f"{API}/runs")
    unread = ("error_page 413 = @playbooks_unread;", "error_page 419 = @playbooks_live;") if told.api else ()
    encoded = "return 419;" if told.api else "error_page 422 @playbooks_encoded; return 422;"
    yield block(
        f"location = {route.path}",
        [f"set $playbooks_methods {quoted(allowed(methods, file=True))};"],
        ["if ($request_method = OPTIONS) { return 204; }", *(_refused_or(told, method) for method in methods)],
        _ONLY_READS[1],
        f"if ($playbooks_runs_encoded) {{ {encoded} }}",
        f"if ($playbooks_runs_renamed) {{ return 308 {route.path}?playbook=$playbooks_runs_renamed; }}",
        [f"set $playbooks_cache {quoted(ASK_AGAIN)};", f"set $playbooks_link {quoted(links(route, '', ''))};"],
        [
            f"default_type {route.content_type};",
            *unread,
        ],
        f"include {told.folder}/errors.conf;",
        "try_files $playbooks_runs_file @playbooks_no_runs;",
    )
    lines = (*_ONLY_READS, f"default_type {route.content_type};", f"set $playbooks_cache {quoted(ASK_AGAIN)};")
    yield block(
        f"location = {route.path}.json",
        lines,
        f"set $playbooks_link {quoted(links(route, '', ''))};",
        f"try_files {route.path}.json =404;",
    )
    empty = (f"root {told.folder}/answers;", "try_files /no-runs.json =404;", f"default_type {route.content_type};")
    yield block("location @playbooks_no_runs", empty)


def _refused_or(told: Deployment, method: str) -> str:
    """A write at an address that is a file too."""
    return f"if ($request_method = {method}) {{ return {419 if told.api else 503}; }}"


def _live(told: Deployment, path: str, methods: tuple[str, ...]) -> str:
    """An address that the application answers."""
    allow = allowed(methods, file=False) if "GET" not in methods else allowed(methods, file=True)
    lines = [f"set $playbooks_methods {quoted(allow)};", "if ($request_method = OPTIONS) { return 204; }"]
    lines += [f"if ($request_method !~ ^(?:{'|'.join(methods)})$) {{ return 405; }}"]
    away = ["return 503;"]
    if path.endswith("/search"):
        away = ["error_page 503 @playbooks_search_away;", f"include {told.folder}/errors.conf;", *away]
    return block(_at(path), lines, taking(told) if told.api else away)


def _filled(told: Deployment, path: str) -> str:
    """A page that is a file until a query fills it in."""
    name = "search" if path == SEARCH else "submission"
    asked = f"$playbooks_asks_{plain_name(path)}"
    lines = [*_ONLY_READS, f"default_type {quoted(HTML)};", f"set $playbooks_cache {quoted(ASK_AGAIN)};"]
    if told.api or path != SEARCH:  # without a live part the page itself searches, in the browser
        lines += [f"include {told.folder}/errors.conf;", f"error_page 419 = @playbooks_{name};"]
        lines += [f"if ({asked}) {{ return 419; }}"]
    return block(f"location = {path}", lines, f"try_files {path}index.html =404;")


def _closed(told: Deployment) -> Iterator[str]:
    """What is closed to other sites' scripts: the pages of review, and MCP."""
    closed, others = "set $playbooks_closed 1;", f"include {told.folder}/errors.conf;"
    errors = ("error_page 413 @playbooks_review_large;", "error_page 502 503 504 = @playbooks_review_away;", others)
    for head in (f"location = {MOUNT}", f"location ^~ {MOUNT}/"):
        after = behind(told) if told.api else ["return 503;"]
        yield block(head, closed, f"client_max_body_size {MAX_FORM};", errors, after)
    # A method that nobody knows the server behind would not read, and would say so in plain text.
    methods = "set $playbooks_methods 'POST, OPTIONS';"
    known = "if ($request_method !~ ^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$) { return 405; }"
    shapes = ("error_page 405 @playbooks_mcp_method;", "error_page 413 @playbooks_mcp_large;")
    away = "error_page 502 503 504 = @playbooks_mcp_away;"
    size = f"client_max_body_size {MAX_MESSAGE};"
    after = behind(told, "mcp") if told.mcp else ["return 503;"]
    yield block(
        f"location ~ {pattern(f'^{MCP}/*' + chr(92) + 'z')}", closed, methods, size, shapes, away, others, known, after
    )


def behind(told: Deployment, name: str = "api") -> list[str]:
    """How a request goes to the processes behind; of what the caller said of itself nothing goes along."""
    return [f"include {told.folder}/proxy.conf;", f"proxy_pass http://playbooks_{name};"]


def taking(told: Deployment) -> list[str]:
    """How a request that may bring a body goes there.

    One that is too large, or has no length and would be given one by nginx, is not read: the application refuses it by
    its headers, as it does everywhere, and counts it.
    """
    unread = ["error_page 411 413 = @playbooks_unread;", f"include {told.folder}/errors.conf;"]
    return [*unread, "if ($http_transfer_encoding) { return 411; }", *behind(told)]


def named(told: Deployment) -> Iterator[str]:
    """Where requests of a file's address go that are none for the file."""
    if told.api:
        yield block("location @playbooks_live", taking(told))
        length = "proxy_set_header Content-Length $http_content_length;"
        yield block("location @playbooks_unread", "proxy_pass_request_body off;", length, behind(told))
        for name, away in (("search", "@playbooks_search_file"), ("submission", "@playbooks_submission_away")):
            errors = (f"error_page 502 503 504 = {away};", f"include {told.folder}/errors.conf;")
            yield block(f"location @playbooks_{name}", errors, behind(told))
    else:
        yield block("location @playbooks_submission", "error_page 503 @playbooks_submission_away;", "return 503;")
    lines = ("set $playbooks_cache no-cache;", f"default_type {quoted(HTML)};")
    yield block("location @playbooks_search_file", lines, "try_files /search/index.html =404;")
