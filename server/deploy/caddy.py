"""A Caddyfile that serves the built site and hands on what is live."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from build.routes import API, HTML, Route
from library.bodies import MAX_BODY
from library.errors import METHOD_NOT_ALLOWED, NOT_FOUND, UNAVAILABLE
from mcpserver.transport import PATH as MCP
from writeapi import RETRY_SECONDS
from writeapi.errors import PROBLEM_JSON
from writeapi.review.web import MAX_FORM, MOUNT

from ..files import ASSETS_AND_SEARCH, as_pattern
from ..filled import FILLED_BY
from ..manners import ASK_AGAIN, EVERYWHERE, FOR_EVER, ON_READS, PREFLIGHT, STRICT, WORKER_CSP, policy_of
from .addresses import Deployment, allowed, file_in, files, has_json_name, is_renamed, live, path_in
from .text import block

_HEAD = "# Made by `playbooks deploy caddy` from the tables of routes and operations: change those, not this.\n"


def caddy_files(told: Deployment) -> dict[str, str]:
    """Every file by its name in the folder."""
    return {"Caddyfile": _HEAD + "\n".join(_lines(told)) + "\n"}


_TIMES = block("timeouts", "read_body 10s", "read_header 10s", "write 60s", "idle 60s")
_READABLE = 'header Allow "GET, HEAD, OPTIONS"'
_SERVER = block("file_server", "precompressed br gzip")
_MARKDOWN = r"header_regexp Accept (?i)^\s*text/markdown"


def _lines(told: Deployment) -> Iterator[str]:
    yield block("", block("servers", _TIMES)).lstrip()
    away = f"It cannot be reached now; try again in {RETRY_SECONDS} seconds."
    gone = (f"header Retry-After {RETRY_SECONDS}", *_problem(told.problem(UNAVAILABLE, away), 503))
    yield block(
        told.site_url,
        f"root * {told.root}",
        block("log", "output stderr", "format json"),
        _headers(told),
        block("route", *_route(told)),
        block("handle_errors", "@away expression {err.status_code} in [502, 503, 504]", block("handle @away", gone)),
    )


def _route(told: Deployment) -> Iterator[str]:
    """What answers, in this order."""
    for number, (path, methods) in enumerate(live()):
        yield from _live(told, number, path, methods)
    yield f"@review path {MOUNT} {MOUNT}/*"
    yield block("handle @review", block("request_body", f"max_size {MAX_FORM}"), _behind(told.api))
    yield f"@mcp path {MCP} {MCP}/"
    yield block("handle @mcp", _behind(told.mcp))
    yield "@options method OPTIONS"
    yield block("handle @options", _each(PREFLIGHT), _each(ON_READS), _READABLE, "respond 204")
    yield "@written not method GET HEAD"
    yield block("handle @written", _READABLE, _problem(told.problem(METHOD_NOT_ALLOWED), 405))
    for path, names in FILLED_BY.items():
        name = path.strip("/")
        yield block(f"@{name}", f"path {path}", [f"query {parameter}=*" for parameter in names])
        yield block(f"handle @{name}", _behind(told.api))
    for number, route in enumerate(files()):
        yield from _file(told, f"r{number}", route)
    yield from _assets()
    yield f"@data path {API} {API}/*"
    yield block("handle @data", _problem(told.problem(NOT_FOUND), 404))
    yield block("handle", "rewrite * /404.html", "header Cache-Control no-store", block("file_server", "status 404"))


def _headers(told: Deployment) -> str:
    """What an answer has unless it brings its own from behind."""
    hsts = {STRICT: told.hsts} if told.hsts else {}
    return block("header", "-Server", [f'?{name} "{value}"' for name, value in {**EVERYWHERE, **hsts}.items()])


def _each(headers: Mapping[str, str]) -> list[str]:
    return [f'header {name} "{value}"' for name, value in headers.items()]


def _problem(body: str, status: int) -> tuple[str, ...]:
    return (f"header Content-Type {PROBLEM_JSON}", "header Cache-Control no-store", f"respond `{body}` {status}")


def _live(told: Deployment, number: int, path: str, methods: tuple[str, ...]) -> Iterator[str]:
    expression = re.sub(r"\\\{[a-z]+\\\}", "[^/]+", as_pattern(path))
    yield block(f"@live{number}", f"path_regexp ^{expression}$", f"method {' '.join(methods)}")
    yield block(f"handle @live{number}", block("request_body", f"max_size {MAX_BODY}"), _behind(told.api))
    if path not in {route.path for route in files()}:
        allow = f'header Allow "{allowed(methods, file="GET" in methods)}"'
        yield block(f"@other{number}", f"path_regexp ^{expression}$", "not method OPTIONS")
        yield block(f"handle @other{number}", allow, _problem(told.problem(METHOD_NOT_ALLOWED), 405))


def _behind(addresses: tuple[str, ...]) -> str:
    """To gunicorn or MCP; the caller's own word for its address does not go along."""
    listed = " ".join(address.replace("unix:", "unix/", 1) for address in addresses)
    dropped = [f"header_up -{name}" for name in ("Forwarded", "X-Real-IP", "X-Request-Id")]
    return block(f"reverse_proxy {listed}", "header_up X-Forwarded-For {remote_host}", dropped)


def _file(told: Deployment, name: str, route: Route) -> Iterator[str]:
    """A route's file, former slugs before it."""
    # Its expressions know no look-ahead; a slug that is too long is no file.
    expression = as_pattern(route.path).replace("(?![a-z0-9_-]{65})", "")
    if is_renamed(route):
        for old, new in sorted(told.aliases.items()):
            yield f"redir {route.path.replace('{slug}', old)} {route.path.replace('{slug}', new)} 308"
    file = _filled_in(file_in(route), name)
    yield f"@{name} path_regexp {name} ^{expression}{r'(?:[.]json)?' if has_json_name(route) else ''}$"
    forms = [f"rewrite * /{file}", f'header Content-Type "{route.content_type}"']
    if route.twin:
        twin = file.replace("/index.html", ".md")
        forms = [f"@twin {_MARKDOWN}", f"@page not {_MARKDOWN}", "header Vary Accept"]
        forms += [f"rewrite @twin /{twin}", f"rewrite @page /{file}"]
        forms += ['header @twin Content-Type "text/markdown; charset=utf-8"', f'header @page Content-Type "{HTML}"']
    policy = [f'header Content-Security-Policy "{WORKER_CSP}"'] if policy_of(route.path) == WORKER_CSP else []
    yield block(f"handle @{name}", forms, policy, f'header Cache-Control "{ASK_AGAIN}"', _each(ON_READS), _SERVER)
    if route.path.endswith("/") and route.path not in ("/", f"{API}/"):
        yield f"@{name}x path_regexp {name}x ^{expression.removesuffix('/')}$"
        yield f"redir @{name}x {_filled_in(path_in(route), f'{name}x')} 308"


def _filled_in(text: str, name: str) -> str:
    """A path with what the expression of this name found."""
    return text.replace("$slug", f"{{re.{name}.slug}}").replace("$number", f"{{re.{name}.number}}")


def _assets() -> Iterator[str]:
    for number, (expression, kind, forever) in enumerate(ASSETS_AND_SEARCH):
        policy = [f'header Content-Security-Policy "{WORKER_CSP}"'] if policy_of(expression) == WORKER_CSP else []
        cache = f'header Cache-Control "{FOR_EVER if forever else ASK_AGAIN}"'
        yield f"@asset{number} path_regexp ^{expression}$"
        yield block(f"handle @asset{number}", f'header Content-Type "{kind}"', policy, cache, _each(ON_READS), _SERVER)
