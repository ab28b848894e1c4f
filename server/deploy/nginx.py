"""The files of an nginx that serves the built site and hands on what is live."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from build.routes import HTML, JSON
from library.answers import RunList
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
)
from mcpserver.transport import ONLY_POST, TOO_LARGE_MESSAGE, refusal
from writeapi import RETRY_SECONDS
from writeapi.errors import PROBLEM_JSON
from writeapi.review.web import MAX_FORM

from ..unread import plain_problem
from .addresses import AWAY, Deployment
from .nginx_maps import header_lines, maps
from .nginx_places import locations, named
from .text import block, quoted

HEAD = "# Made by `playbooks deploy nginx` from the tables of routes and operations: change those, not this.\n"
_LATER = f"The live part cannot be reached now; try again in {RETRY_SECONDS} seconds."
_RESETS = ("cache no-store", "link ''", "vary ''", "policy ''")
_PROXIED = (
    "set $playbooks_behind 1;",
    "set $playbooks_vary '';",
    "proxy_http_version 1.1;",
    "proxy_set_header Connection close;",
    "proxy_set_header Host $http_host;",
    "proxy_set_header X-Request-Id $request_id;",
    "proxy_set_header X-Forwarded-For $remote_addr;",
    "proxy_set_header X-Forwarded-Proto $playbooks_scheme;",
    *(f"proxy_set_header {name} '';" for name in ("Forwarded", "X-Real-IP", "X-Forwarded-Host", "X-Forwarded-Prefix")),
    *(f"proxy_set_header {name} '';" for name in ("Accept-Encoding", "TE", "Upgrade", "Proxy", "Range", "If-Range")),
    "proxy_connect_timeout 2s;",
    "proxy_send_timeout 10s;",
    "proxy_read_timeout 30s;",
    "proxy_next_upstream error timeout;",
    "proxy_next_upstream_tries 2;",
    "proxy_next_upstream_timeout 5s;",
    "proxy_max_temp_file_size 0;",
)


def nginx_files(told: Deployment) -> Mapping[str, str]:
    """Every file by its name in the folder."""
    return {
        "nginx.conf": HEAD + _whole(told),
        "playbooks.conf": HEAD + "\n\n".join(_http(told)) + "\n",
        "errors.conf": HEAD + "\n".join(_error_pages()) + "\n",
        "proxy.conf": HEAD + "\n".join(_PROXIED) + "\n",
        "aliases.map": HEAD + "".join(f"{alias_key(old)} {new};\n" for old, new in sorted(told.aliases.items())),
        "answers/no-runs.json": RunList(total=0, items=()).json_bytes().decode(),
    }


def alias_key(slug: str) -> str:
    """A former slug as the key of a map: some words mean something else there."""
    return f"\\{slug}" if slug in ("default", "hostnames", "include", "volatile") else slug


def _whole(told: Deployment) -> str:
    """The main file, for a machine whose nginx serves nothing else; another includes `playbooks.conf` in its `http`."""
    lines = (
        "include /etc/nginx/modules-enabled/*.conf;" if told.brotli else "",
        "user www-data;",
        "pid /run/nginx.pid;",
        "worker_processes auto;",
        "worker_rlimit_nofile 65536;",
        "worker_shutdown_timeout 60s;",
        # A line below `alert` may hold who asked, and for what with the whole query.
        "error_log /var/log/nginx/error.log alert;",
        block("events", "worker_connections 8192;"),
        block(
            "http",
            f"include {told.folder}/playbooks.conf;",
            "access_log /var/log/nginx/access.log playbooks buffer=64k flush=5s;",
        ),
    )
    return "\n".join(line for line in lines if line) + "\n"


def _http(told: Deployment) -> Iterator[str]:
    yield "map_hash_bucket_size 128;\nmap_hash_max_size 65536;\nvariables_hash_max_size 4096;"
    yield (
        'log_format playbooks escape=json \'{"id":"$request_id","method":"$request_method",'
        '"path":"$playbooks_path","status":$status,"bytes":$body_bytes_sent,"seconds":$request_time,'
        '"behind":"$upstream_response_time"}\';'
    )
    yield "limit_conn_zone $binary_remote_addr zone=playbooks_callers:10m;"
    yield from maps(told)
    for name, servers in (("api", told.api), ("mcp", told.mcp)):
        if servers and told.api:
            yield block(f"upstream playbooks_{name}", [f"server {server} max_fails=0;" for server in servers])
    yield block("server", *_server(told))


def _server(told: Deployment) -> Iterator[str]:
    yield from (f"listen {address}{' default_server' if ' ' not in address else ''};" for address in told.listen)
    yield from ("server_name _;", "server_tokens off;", f"root {told.root};", "types { }", "")
    yield "# Paths mean what they say: no slashes joined, nothing redirected but by the tables."
    yield from ("merge_slashes off;", "absolute_redirect off;", "port_in_redirect off;", "")
    yield "# Files, and their precompressed forms with tags of their own."
    yield from ("sendfile on;", "tcp_nopush on;", "etag on;", "gzip_static on;", "gzip_vary on;")
    yield "brotli_static on;" if told.brotli else ""
    # Without it each answer asks the system six times for files; what a build changed is seen after a second.
    yield from ("open_file_cache max=20000 inactive=60s;", "open_file_cache_valid 1s;", "open_file_cache_errors on;")
    yield "\n# Slow, large and many requests end here, not at the application."
    yield from (f"client_{name}_timeout 10s;" for name in ("header", "body"))
    yield from ("send_timeout 15s;", "keepalive_timeout 30s;", "reset_timedout_connection on;")
    yield from (f"client_max_body_size {MAX_BODY};", "client_body_buffer_size 128k;")
    yield from (
        "large_client_header_buffers 4 16k;",
        f"limit_conn playbooks_callers {told.callers};",
        "limit_conn_status 429;",
    )
    if told.proxies:
        yield "\n# The networks that may say who the caller is; anybody else's word for it is not taken."
        yield from (f"set_real_ip_from {network};" for network in told.proxies)
        yield from ("real_ip_header X-Forwarded-For;", "real_ip_recursive on;")
    yield "\n# The headers of every answer; what comes from behind brings its own."
    yield from ("uninitialized_variable_warn off;", *(f"set $playbooks_{reset};" for reset in _RESETS))
    yield from (f"set $playbooks_{name} '';" for name in ("methods", "closed", "behind", "retry_after"))
    yield from header_lines(told)
    yield from ("", "recursive_error_pages on;", f"include {told.folder}/errors.conf;")
    yield "# A path that climbs is nothing, wherever it would lead to."
    yield r'if ($request_uri ~* "^[^?]*(?:/|%2f)(?:\.|%2e){1,2}(?:/|%2f|\?|$)") { return 404; }'
    yield ""
    for found in (*locations(told), *named(told), *_errors(told)):
        yield from (found, "")


def _error_pages() -> Iterator[str]:
    yield "error_page 404 $playbooks_nothing;"
    for status in _PROBLEMS:
        yield f"error_page {status} {_place(status)};"
    yield f"error_page 494 = {_place(431)};"
    yield "error_page 502 504 = @playbooks_503;"


_PROBLEMS = (400, 405, 408, 411, 412, 413, 414, 416, 429, 500, 501, 503, 505)


_UNREAD = (400, 414, 431, 501, 505)
"""What may be refused before there is a path; a named location needs one."""


def _place(status: int) -> str:
    return f"/.refused/{status}" if status in _UNREAD else f"@playbooks_{status}"


def _errors(told: Deployment) -> Iterator[str]:
    """Each error in the one shape; what nothing else of the service says has no type of its own."""
    kinds = {
        kind.status: kind for kind in (METHOD_NOT_ALLOWED, TOO_SLOW, LENGTH_REQUIRED, TOO_LARGE, RATE_LIMITED, BROKEN)
    }
    details = {
        411: "Send the body whole, with its Content-Length.",
        413: f"The body may have {MAX_BODY // 1024} KiB.",
        429: "There are too many connections from your address.",
    }
    for status in _PROBLEMS:
        if status in kinds:
            yield _error(_place(status), status, told.problem(kinds[status], details.get(status, "")))
        elif status != 503:
            yield _error(_place(status), status, plain_problem(status))
    yield _error(_place(431), 431, plain_problem(431))
    away = told.problem(UNAVAILABLE, _LATER if told.api else AWAY)
    yield _error(_place(503), 503, away, retry=bool(told.api))
    yield _error("@playbooks_search_away", 503, told.problem(SEARCH_AWAY, AWAY))
    yield _error("@playbooks_no_data", 404, told.problem(NOT_FOUND))
    yield _error("@playbooks_encoded", 422, told.problem(INVALID, "Write `playbook` and its slug without `%`."))
    resets = [f"set $playbooks_{reset};" for reset in _RESETS]
    yield block("location @playbooks_no_page", resets, f"default_type {quoted(HTML)};", "try_files /404.html =404;")
    later, again = _LATER if told.api else AWAY, bool(told.api)
    yield _told("@playbooks_submission_away", 503, "The status of a submission cannot be read now", later)
    yield _told("@playbooks_review_away", 503, "Review cannot be opened now", later, retry=again)
    yield _told("@playbooks_review_large", 413, "Too large", f"A form may have {MAX_FORM // 1024} KiB.")
    large = bytes(refusal(413, TOO_LARGE_MESSAGE).body).decode()
    yield _error("@playbooks_mcp_large", 413, large, JSON)
    yield _error("@playbooks_mcp_method", 405, bytes(refusal(405, ONLY_POST).body).decode(), JSON)
    gone = bytes(refusal(503, _LATER if told.mcp and told.api else AWAY).body).decode()
    yield _error("@playbooks_mcp_away", 503, gone, JSON, retry=bool(told.mcp and told.api))


def _error(name: str, status: int, body: str, kind: str = PROBLEM_JSON, *, retry: bool = False) -> str:
    resets = [f"set $playbooks_{reset};" for reset in _RESETS]
    head, only = (f"location {name}", "") if name.startswith("@") else (f"location = {name}", "internal;")
    again = f"set $playbooks_retry_after {RETRY_SECONDS};" if retry else ""
    # A range is refused when the file's answer has its headers already: none is said again.
    again = "add_header Retry-After $playbooks_retry_after always;" if status == 416 else again
    return block(head, only, resets, again, f"default_type {kind};", f"return {status} {quoted(body)};")


def _told(name: str, status: int, title: str, text: str, *, retry: bool = False) -> str:
    """An error for people."""
    page = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        f'<h1>{title}</h1><p>{text}</p><p><a href="/">All playbooks</a></p></html>\n'
    )
    return _error(name, status, page, quoted(HTML), retry=retry)
