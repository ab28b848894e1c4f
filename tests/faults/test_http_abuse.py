"""Bodies and headers that no honest client sends: never 5xx, the same on both engines, and the server lives on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from build.views.routes import API
from tests.contract.writes_table import KEY_OF_NOBODY, NO_JSON, NO_OBJECT, cases
from tests.faults.http_client import RUN, post, raw, request
from tests.faults.http_server import Served, gunicorn, playbooks_serve
from tests.postgres import needs_postgres, shared_server

pytestmark = pytest.mark.slow
FINE = json.dumps(RUN).encode()
JSON = b"Content-Type: application/json"
RUBBISH = [
    b"\xff\xfe\x80",
    b'\t;;,,==""\'',
    b"x" * 4_000,
    b"%00%0a%0d",
    b"'; DROP TABLE runs; --",
    b"{{7*7}}${7*7}",
    b",,,,",
    b"\xf0\x9f\x8e\xb9",
]
KEYS = [
    b"Bearer",
    b"Bearer ",
    b"bearer " + KEY_OF_NOBODY.encode(),
    b"Bearer pbl_",
    b"Bearer edt_" + b"x" * 43,
    b"Bearer \xd9\xa3\xff",
    b"Bearer " + b"x" * 4_000,
    b"Basic Og==",
    b"Digest username=x",
    b"Negotiate",
    b"Bearer a Bearer b",
]
ADDRESSES = [
    b"127.0.0.1",
    b"1.2.3.4.5, ::::1",
    b"fe80::1%eth0",
    b"[::1]:80",
    b"999.1.1.1",
    b"1.2.3.4:99999999",
    b"\xd9\xa1.1.1.1",
    b"::ffff:1.2.3.4",
    b"unknown, _hidden",
    b"," * 2_000,
    b"0x7f.1",
    b"1" * 3_000,
]
TYPES = [b"application/json;charset=\xff", b";", b"a/b/c", b"application/json;;;", b"application/json; charset=utf-7"]


def a_post(
    path: str = "/runs", body: bytes = FINE, headers: tuple[bytes, ...] = (JSON,), length: bytes | None = None
) -> bytes:
    """The bytes of a request with exactly these headers."""
    told = [*headers, b"Content-Length: " + (str(len(body)).encode() if length is None else length)]
    lines = [f"POST {API}{path} HTTP/1.1".encode(), b"Host: 127.0.0.1", b"Connection: close", *told]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def a_line(line: bytes, body: bytes = FINE) -> bytes:
    """A request that begins with this line."""
    length = str(len(body)).encode()
    rest = (b"Host: 127.0.0.1", b"Connection: close", JSON, b"Content-Length: " + length)
    return b"\r\n".join((line, *rest)) + b"\r\n\r\n" + body


def bodies() -> Iterator[tuple[str, bytes]]:
    for path in ("/runs", "/submissions", "/contributors"):
        for name, body in {**NO_JSON, **NO_OBJECT}.items():
            yield f"{name} to {path}", a_post(path, body)
    for case in cases():
        if case.path == "/runs" and not case.headers and not case.chunked:
            yield case.name, a_post("/runs", case.body)


def lengths() -> Iterator[tuple[str, bytes]]:
    start = f"POST {API}/runs HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n".encode()
    chunked = b"Transfer-Encoding: chunked\r\n"
    yield "no length at all", start + b"\r\n" + FINE
    yield "chunks", start + chunked + b"\r\n" + b"%x\r\n%b\r\n0\r\n\r\n" % (len(FINE), FINE)
    yield "chunks and a length", start + chunked + b"Content-Length: 5\r\n\r\n0\r\n\r\n"
    yield "chunks of no size", start + chunked + b"\r\nzz\r\n"
    yield "an unknown encoding", start + b"Transfer-Encoding: gzip\r\n\r\n" + FINE
    for length in (b"-1", b"abc", b"1e3", b"+5", b"5, 6", b"9" * 400, b"", b"0x10", b"\xd9\xa3"):
        yield f"a length of {length[:9]!r}", a_post(length=length)
    for length in (b"65537", b"1000000000000"):
        yield f"a length of {length!r} without a body", a_post(body=b"", length=length)
    yield "two lengths", start + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n" + FINE
    yield "a body of 65,537", a_post(body=b" " * 65_537)
    yield "a body of 1 MiB", a_post(body=b" " * 1_048_576)


def headers() -> Iterator[tuple[str, bytes]]:
    for name, values in {
        b"Authorization": KEYS + RUBBISH,
        b"Idempotency-Key": RUBBISH,
        b"X-Forwarded-For": ADDRESSES + RUBBISH,
        b"X-Forwarded-Proto": RUBBISH,
        b"Forwarded": RUBBISH,
        b"Content-Type": TYPES + RUBBISH,
        b"Content-Encoding": [b"gzip", b"\xff"],
        b"Accept": RUBBISH,
        b"Cookie": RUBBISH,
        b"Expect": [b"rubbish"],
        b"Host": RUBBISH,
        b"Range": [b"bytes=9-1"],
        b"If-None-Match": RUBBISH,
    }.items():
        for value in values:
            told = (JSON, name + b": " + value) if name != b"Content-Type" else (name + b": " + value,)
            yield f"{name.decode()}: {value[:30]!r}", a_post(headers=told)
    yield "two keys", a_post(headers=(JSON, b"Authorization: Bearer a", b"Authorization: Bearer b"))
    yield "NUL in a header", a_post(headers=(JSON, b"X-A: a\0b"))
    yield "a header without a colon", a_post(headers=(JSON, b"rubbish"))
    yield "a header without a name", a_post(headers=(JSON, b": x"))
    yield "a folded header", a_post(headers=(JSON, b"X-A: a\r\n b"))
    yield "20,000 headers", a_post(headers=(JSON, *(b"X-%d: x" % number for number in range(20_000))))
    yield "a header of 1 MiB", a_post(headers=(JSON, b"X-A: " + b"x" * 1_048_576))


def lines() -> Iterator[tuple[str, bytes]]:
    for target in (
        b"/runs?\xff",
        b"/submissions/%ff%fe",
        b"/submissions/%00",
        b"/runs/%0d%0aX: y",
        b"//runs",
        b"/../runs",
    ):
        for method in (b"GET", b"POST", b"PUT", b"DELETE"):
            yield f"{method.decode()} {target!r}", a_line(method + b" " + API.encode() + target + b" HTTP/1.1")
    yield "a target of 100 KB", a_line(f"GET {API}/submissions/{'x' * 100_000} HTTP/1.1".encode())
    yield "no version", a_line(f"POST {API}/runs".encode())
    yield "another version", a_line(f"POST {API}/runs HTTP/9.9".encode())
    yield "another method", a_line(f"BREW {API}/runs HTTP/1.1".encode())
    yield "no request", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20 + b"\r\n\r\n"


REQUESTS = list(dict([*bodies(), *lengths(), *headers(), *lines()]).items())
MAY_END = ("20,000 headers", "a header of 1 MiB", "a target of 100 KB", "another version", "no version", "no request")
"""Where a server may also end the connection without a word."""


def answers(served: Served) -> dict[str, tuple[int, str] | None]:
    """What each of the requests is answered with, without what differs each time."""
    given: dict[str, tuple[int, str] | None] = {}
    for name, sent in REQUESTS:
        answer = raw(served.address, sent)
        given[name] = answer and (answer[0], masked(answer[1].decode("utf-8", "replace")))
    return given


def masked(text: str) -> str:
    text = re.sub(r"(run|sub|edt|pbl)_[0-9A-Za-z]+", r"\1_…", text)
    text = re.sub(r"127\.0\.0\.1:\d+", "…", text)
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:]+Z", "…", text)


def held(served: Served, given: dict[str, tuple[int, str] | None]) -> None:
    """That nothing was a fault of the server, and that it is as it was."""
    assert {name: told for name, told in given.items() if told is None and name not in MAY_END} == {}
    assert {name: told for name, told in given.items() if told and told[0] >= 500} == {}
    assert post(served.address, "/runs", RUN).status == 201
    assert request(served.address, "GET", f"{API}/readyz").status == 200
    assert "Traceback" not in served.log.read_text(errors="replace")


def test_abuse_of_the_command_is_never_a_fault(library: tuple[Path, Path], tmp_path: Path) -> None:
    with playbooks_serve(library[0], tmp_path, trusted_proxies="1") as served:
        held(served, answers(served))


@pytest.mark.system
@needs_postgres
def test_abuse_is_never_a_fault_and_the_same_on_both_engines(site: Path, tmp_path: Path) -> None:
    with ExitStack() as stack:
        urls = {"sqlite": "", "postgresql": shared_server().fresh()}
        servers = {
            engine: stack.enter_context(gunicorn(site, tmp_path / engine, database_url=url, trusted_proxies="1"))
            for engine, url in urls.items()
        }
        before = {engine: served.workers() for engine, served in servers.items()}
        given = {engine: answers(served) for engine, served in servers.items()}
        for engine, served in servers.items():
            held(served, given[engine])
            assert served.workers() == before[engine]
    unlike = {name: (given["sqlite"][name], given["postgresql"][name]) for name, _ in REQUESTS}
    assert {name: both for name, both in unlike.items() if both[0] != both[1] and name not in MAY_END} == {}
    assert given["sqlite"]["chunks"] == given["sqlite"]["no length at all"] != None  # noqa: E711 - one chain: all alike, and none lost
    expected = {"a body of 65,537": 413, "chunks": 411, "no length at all": 411, "30,000 brackets to /runs": 400}
    assert {name: (given["sqlite"][name] or (0,))[0] for name in expected} == expected


def test_a_body_that_never_comes_is_400(site: Path, tmp_path: Path) -> None:
    with gunicorn(site, tmp_path) as served:
        answer = raw(served.address, a_post(length=b"500"), ends=True)
        assert answer is not None
        assert answer[0] == 400
        assert post(served.address, "/runs", RUN).status == 201


def test_a_wrong_key_is_401_and_no_key_is_anonymous(site: Path, tmp_path: Path, database_url: str) -> None:
    with gunicorn(site, tmp_path, database_url=database_url) as served:
        key = post(served.address, "/contributors", {"handle": "grace-h"}).json["api_key"]
        assert post(served.address, "/runs", RUN).status == 201
        assert post(served.address, "/runs", RUN, key=key).status == 201
        for wrong in (KEY_OF_NOBODY, key[:-1], key + "x", key.swapcase(), "x"):
            answer = post(served.address, "/runs", RUN, key=wrong)
            assert (answer.status, answer.headers["www-authenticate"]) == (401, "Bearer")
            assert answer.json["type"].endswith("#bad-key")
        log = served.log.read_text()
        assert '"status": 401' in log
        assert key[4:] not in log
