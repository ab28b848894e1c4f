"""Security headers on every kind of answer: a table, asked of nginx, of files alone, and of `playbooks serve`."""

from __future__ import annotations

import re
import socket
import ssl
import subprocess
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from build.settings import PROJECT
from build.views.routes import API, HTML
from server.deploy.commands import Deployment, files_for, of_site
from server.response_headers import ASK_AGAIN, CSP, STRICT
from tests import calls
from tests.builders import BOOK, TODAY
from tests.deploy.static import static_copy
from tests.faults.http_server import playbooks_serve
from tests.front import Stack
from tests.nginx import free_port, needs_nginx, nginx
from tests.postgres import needs_postgres
from tests.trees import built
from writeapi.api.wire import PROBLEM_JSON

pytestmark = [pytest.mark.slow, pytest.mark.system, needs_nginx, needs_postgres]
JSON = {"Content-Type": "application/json"}
HUGE = b"x" * 70_000
KNOWN = {"If-None-Match": "*"}

ANSWERS: list[tuple[str, str, dict[str, str], bytes, set[int]]] = [
    ("GET", "/", {}, b"", {200}),
    ("HEAD", "/", {}, b"", {200}),
    ("GET", "/", KNOWN, b"", {304}),
    ("GET", f"/playbooks/{BOOK}/", {"Accept": "text/markdown"}, b"", {200}),
    ("GET", f"/playbooks/{BOOK}", {}, b"", {308}),
    ("GET", f"{API}/playbooks/{BOOK}", {}, b"", {200}),
    ("GET", f"{API}/playbooks/{BOOK}", KNOWN, b"", {304}),
    ("GET", f"{API}/playbooks/{BOOK}", {"Range": "bytes=99999999-"}, b"", {200, 416}),
    ("GET", f"/playbooks/{BOOK}/", {"Range": "bytes=99999999-"}, b"", {200, 416}),
    ("GET", f"{API}/playbooks/{BOOK}", {"If-Match": '"x"'}, b"", {200, 412}),
    ("GET", f"{API}/playbooks/old-flaky", {}, b"", {308}),
    ("GET", f"{API}/nothing", {}, b"", {404}),
    ("GET", "/nothing", {}, b"", {404}),
    ("GET", "/search/", {}, b"", {200}),
    ("GET", "/search/?q=flaky", {}, b"", {200}),
    ("GET", "/submissions/?id=sub_aaaaaaaaaaaaaaaaaaaaaaaaaa", {}, b"", {404, 503}),
    ("GET", f"{API}/search?q=flaky", {}, b"", {200, 503}),
    ("GET", f"{API}/search", {}, b"", {422, 503}),
    ("GET", f"{API}/runs?playbook=none", {}, b"", {200}),
    ("GET", f"{API}/submissions/sub_aaaaaaaaaaaaaaaaaaaaaaaaaa", {}, b"", {404, 503}),
    ("OPTIONS", "/", {}, b"", {204}),
    ("OPTIONS", f"{API}/runs", {}, b"", {204}),
    ("PUT", "/", {}, b"", {405}),
    ("TRACE", "/", {}, b"", {405}),
    ("DELETE", f"{API}/search", {}, b"", {405}),
    *(("PROPFIND", path, {}, b"", {405}) for path in ("/", f"{API}/search", f"{API}/runs", "/mcp")),
    *((method, "/review/", {}, b"", {405, 503}) for method in ("PROPFIND", "PUT", "DELETE")),
    ("POST", f"{API}/runs", JSON, b"{}", {422, 503}),
    ("POST", f"{API}/runs", JSON, HUGE, {413}),
    ("POST", f"{API}/runs", {"Content-Type": "text/plain"}, b"x", {415, 503}),
    ("POST", f"{API}/runs", {**JSON, "Authorization": "Bearer pbl_no"}, b"{}", {401, 503}),
    ("GET", "/review/", {}, b"", {302, 303, 503}),
    ("GET", "/review/sign-in", {}, b"", {200, 403, 503}),
    ("GET", "/review/nothing/there", {}, b"", {302, 303, 404, 503}),
    ("GET", "/mcp", {}, b"", {405, 503}),
    ("POST", "/mcp", JSON, b"{}", {400, 406, 503}),
    ("POST", "/mcp", JSON, HUGE, {413, 503}),
]


@pytest.fixture(scope="module", params=["nginx", "files alone", "playbooks serve"])
def address(
    request: pytest.FixtureRequest, content: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, bool]]:
    """Where it is asked, and whether there is a live part."""
    folder = tmp_path_factory.mktemp("headers")
    if request.param == "nginx":
        stack: Stack = request.getfixturevalue("stack")
        yield stack.nginx.url, True
    elif request.param == "files alone":
        with static_copy(content, folder, hsts="max-age=86400") as served:
            yield served.url, False
    else:
        with playbooks_serve(content, folder, hsts="86400") as process:
            yield f"http://127.0.0.1:{process.address.port}", True


def _named(value: object) -> str:
    """A part of a case, the same in every process: sets have no order of their own."""
    return str(sorted(value) if isinstance(value, set | frozenset) else value)[:40]


@pytest.mark.parametrize(("method", "path", "headers", "body", "statuses"), ANSWERS, ids=_named)
def test_every_kind_of_answer_has_them(
    address: tuple[str, bool], method: str, path: str, headers: dict[str, str], body: bytes, statuses: set[int]
) -> None:
    url, live = address
    answer = calls.request(method, url + path, headers=headers, content=body)
    assert answer.status_code in (statuses - {503} if live else statuses & {503} or statuses), answer.text[:500]
    told = answer.headers
    assert told[STRICT] == "max-age=86400"
    assert told["X-Content-Type-Options"] == "nosniff"
    assert told["Referrer-Policy"] in ("strict-origin-when-cross-origin", "same-origin")
    assert told["Permissions-Policy"].startswith("camera=()")
    policy = told["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert not re.search("unsafe|data:|https?:|[*]", policy)
    if path.startswith((f"{API}/", "/search/")):
        assert policy == CSP
    assert all(len(told.get_list(name)) <= 1 for name in told), told  # nothing is said twice
    assert ("Access-Control-Allow-Origin" in told) == (
        method in ("GET", "HEAD", "OPTIONS") and not path.startswith(("/review", "/mcp"))
    )
    if answer.status_code >= 400 and path != "/mcp":
        # A refused range has the headers of the file, which is asked for again each time.
        assert told["Cache-Control"] == (ASK_AGAIN if answer.status_code == 416 else "no-store")
        if path.startswith(f"{API}/") or answer.status_code == 416:
            assert told["Content-Type"] == "application/problem+json"
            assert answer.request.method == "HEAD" or answer.json()["status"] == answer.status_code
    if live and path.startswith(f"{API}/") and answer.status_code == 422:
        assert told["X-Request-Id"]


@pytest.mark.parametrize("path", ["/", f"{API}/search", f"{API}/runs", "/review/"])
def test_a_method_that_nobody_knows_is_refused_by_nginx_in_the_one_shape(stack: Stack, path: str) -> None:
    answer = calls.request("FOO", stack.nginx.url + path)
    assert (answer.status_code, answer.headers["X-Content-Type-Options"]) == (405, "nosniff")
    assert path == "/review/" or answer.json()["status"] == 405


def test_the_pages_of_review_say_how_much_they_take(stack: Stack) -> None:
    answer = calls.post(f"{stack.nginx.url}/review/sign-in", content=b"x" * 1_100_000)
    assert (answer.status_code, answer.headers["Content-Type"]) == (413, HTML)
    assert "A form may have 1024 KiB." in answer.text


@pytest.mark.parametrize("method", ["GET", "FOO", "MKCALENDAR"])
def test_mcp_says_in_its_own_form_which_methods_it_takes(stack: Stack, method: str) -> None:
    answer = calls.request(method, f"{stack.nginx.url}/mcp")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST, OPTIONS")
    assert answer.json()["error"]["message"] == "Send a POST with one JSON-RPC message."


@pytest.fixture(scope="module")
def abandoned(content: Path, tmp_path_factory: pytest.TempPathFactory) -> Deployment:
    """A built site whose processes behind are away."""
    out = tmp_path_factory.mktemp("abandoned") / "site"
    built(content, out, TODAY, site_url="http://127.0.0.1")
    return replace(of_site(out, None), root=str(out), api=("127.0.0.1:1",), mcp=("127.0.0.1:1",))


@pytest.mark.parametrize("live", [True, False])
def test_what_is_away_is_told_in_the_form_of_its_place(abandoned: Deployment, tmp_path: Path, *, live: bool) -> None:
    told = abandoned if live else replace(abandoned, api=(), mcp=())
    with nginx(told, tmp_path) as front:
        for path, kind, again in [
            (f"{API}/search?q=x", PROBLEM_JSON, live),
            ("/mcp", JSON["Content-Type"], live),
            ("/review", HTML, live),
            ("/review/sub_a", HTML, live),
            ("/submissions/?id=sub_a", HTML, False),
        ]:
            answer = calls.get(front.url + path)
            assert (answer.status_code, answer.headers["Content-Type"]) == (503, kind), path
            assert ("Retry-After" in answer.headers) == again, path


def test_nginx_writes_down_neither_address_nor_query(abandoned: Deployment, tmp_path: Path) -> None:
    told = abandoned
    level = re.findall(r"error_log \S+ (\w+);", files_for("nginx", told)["nginx.conf"])[0]
    with nginx(told, tmp_path / "nginx", further=f"error_log {tmp_path}/errors {level};") as front:
        assert calls.get(f"{front.url}{API}/search?q=secret").status_code == 503
        assert calls.post(f"{front.url}/review/sign-in?q=secret", content=b"x" * 1_100_000).status_code == 413
    written = (tmp_path / "errors").read_text() + (front.folder / "access").read_text()
    assert '"status":503' in written
    assert re.search(r'^{"at":"\d{4}-\d\d-\d\dT[^"]+[+-]\d\d:\d\d","id"', written, re.MULTILINE), "when, with its zone"
    assert not re.search(r"127\.0\.0\.1|secret", written), written


def test_https_is_spoken_in_nothing_older_than_tls_1_2(abandoned: Deployment, tmp_path: Path) -> None:
    """By the lines that docs/deploy.md gives operators; plain HTTP leads pages on, and refuses programs."""
    key, own = tmp_path / "key.pem", tmp_path / "own.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-days", "2"]
    subprocess.run([*made, "-keyout", key, "-out", own], check=True, capture_output=True)
    told = (PROJECT / "docs/deploy.md").read_text().split("```nginx\n")[1].split("```")[0]
    with free_port() as plain:
        told = re.sub(
            r" /\S+/(fullchain|privkey)\.pem", lambda found: f" {own if found[1] == 'fullchain' else key}", told
        )
        told = told.replace("listen 80 ", f"listen 127.0.0.1:{plain} ").replace("listen [::]:80 default_server;", "")
    with nginx(replace(abandoned, listen=("443 ssl",)), tmp_path / "nginx", further=told) as front:
        page = calls.get(f"http://127.0.0.1:{plain}/search/?q=x")
        assert (page.status_code, page.headers["Location"]) == (308, "https://library.example/search/?q=x")
        for path in (f"{API}/runs", "/api", "/mcp", "/review/sign-in"):
            assert calls.post(f"http://127.0.0.1:{plain}{path}").status_code == 403
        assert spoken(front.address, ssl.TLSVersion.MAXIMUM_SUPPORTED) == "TLSv1.3"
        assert spoken(front.address, ssl.TLSVersion.TLSv1_2) == "TLSv1.2"
        with pytest.raises(ssl.SSLError, match="alert protocol version"):
            spoken(front.address, ssl.TLSVersion.TLSv1_1)
        weakest_first = "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384"
        assert agreed(front.address, ssl.TLSVersion.TLSv1_2, weakest_first)[1] == "ECDHE-RSA-AES256-GCM-SHA384"


def spoken(address: tuple[str, int], newest: ssl.TLSVersion) -> str | None:
    """The version that is agreed on with a client that knows this one as its newest."""
    return agreed(address, newest, "ALL:@SECLEVEL=0")[0]


def agreed(address: tuple[str, int], newest: ssl.TLSVersion, ciphers: str) -> tuple[str | None, str]:
    """The version and the cipher that are agreed on with a client that has these."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_ciphers(ciphers)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # that the old ones are old is what is tested
        context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1, newest
    with socket.create_connection(address) as plain, context.wrap_socket(plain) as safe:
        return safe.version(), (safe.cipher() or ("",))[0]
