"""Requests that two servers might read differently: nginx refuses them, and nothing hidden in one is done."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest

from build.views.routes import API
from tests.faults.http_client import RUN, Address
from tests.faults.http_server import rows
from tests.front import Stack
from tests.nginx import needs_nginx
from tests.postgres import needs_postgres

pytestmark = [pytest.mark.slow, pytest.mark.system, needs_nginx, needs_postgres]
START = f"POST {API}/runs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n".encode()
BODY = json.dumps({**RUN, "worked": "hidden"}).encode()
HIDDEN = (
    f"POST {API}/contributors HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n".encode()
    + b'Content-Length: 22\r\n\r\n{"handle": "smuggled"}'
)
CHUNKED = b"Transfer-Encoding: chunked\r\n"
END = b"0\r\n\r\n"
LENGTH = b"Content-Length: %d\r\n" % (len(END) + len(HIDDEN))

REFUSED: dict[str, bytes] = {
    "a length and chunks": START + LENGTH + CHUNKED + b"\r\n" + END + HIDDEN,
    "chunks and a length": START + CHUNKED + LENGTH + b"\r\n" + END + HIDDEN,
    "no length and chunks": START + b"Content-Length: 0\r\n" + CHUNKED + b"\r\n" + END + HIDDEN,
    "two lengths": START + b"Content-Length: 0\r\n" + LENGTH + b"\r\n" + END + HIDDEN,
    "the same length twice": START + LENGTH + LENGTH + b"\r\n" + END + HIDDEN,
    "a list of lengths": START + b"Content-Length: 5, 5\r\n\r\n" + END + HIDDEN,
    "a length with a sign": START + b"Content-Length: +5\r\n\r\n" + END + HIDDEN,
    "a length below nothing": START + b"Content-Length: -1\r\n\r\n" + END + HIDDEN,
    "a length in hexadecimal": START + b"Content-Length: 0x5\r\n\r\n" + END + HIDDEN,
    "a length of 400 digits": START + b"Content-Length: " + b"9" * 400 + b"\r\n\r\n" + END + HIDDEN,
    "a space before the colon": START + LENGTH + b"Transfer-Encoding : chunked\r\n\r\n" + END + HIDDEN,
    "a space before the colon of the length": START + b"Content-Length : 5\r\n" + CHUNKED + b"\r\n" + END + HIDDEN,
    "a folded encoding": START + LENGTH + b"Transfer-Encoding:\r\n chunked\r\n\r\n" + END + HIDDEN,
    "a folded header": START + b"X-A: a\r\n b\r\n" + CHUNKED + b"\r\n" + END + HIDDEN,
    "a tab before a name": START + LENGTH + b"\tTransfer-Encoding: chunked\r\n\r\n" + END + HIDDEN,
    "an unknown encoding": START + b"Transfer-Encoding: xchunked\r\n\r\n" + END + HIDDEN,
    "an encoding of nothing": START + b"Transfer-Encoding: identity\r\n\r\n" + END + HIDDEN,
    "two encodings": START + b"Transfer-Encoding: chunked, identity\r\n\r\n" + END + HIDDEN,
    "two encodings in two lines": START + CHUNKED + b"Transfer-Encoding: identity\r\n\r\n" + END + HIDDEN,
    "an encoding with a vertical tab": START + b"Transfer-Encoding: \x0bchunked\r\n\r\n" + END + HIDDEN,
    "an encoding in quotes": START + b'Transfer-Encoding: "chunked"\r\n\r\n' + END + HIDDEN,
    "chunks in HTTP/1.0": START.replace(b"1.1", b"1.0") + CHUNKED + b"\r\n" + END + HIDDEN,
    "NUL in a header": START + b"X-A: a\0b\r\n" + CHUNKED + b"\r\n" + END + HIDDEN,
    "a bare CR in a name": START + b"X-A\rB: c\r\n" + CHUNKED + b"\r\n" + END + HIDDEN,
    "two hosts": START + b"Host: y\r\n" + CHUNKED + b"\r\n" + END + HIDDEN,
    "a line that is no header": START + b"rubbish\r\n" + LENGTH + b"\r\n" + END + HIDDEN,
    "a chunk of a wrong size": START + CHUNKED + b"\r\n0x5\r\nabcde\r\n" + END + HIDDEN,
    "a chunk of a size below nothing": START + CHUNKED + b"\r\n-1\r\n" + END + HIDDEN,
    "a chunk longer than it says": START + CHUNKED + b"\r\n2\r\nabcde\r\n" + END + HIDDEN,
    "an unknown version": START.replace(b"1.1", b"3.7") + LENGTH + b"\r\n" + END + HIDDEN,
}
"""Each with a request hidden where one of two readings would end."""

INSIDE: dict[str, bytes] = {
    "bare LF at the ends of lines": (START + LENGTH + b"\r\n").replace(b"\r\n", b"\n") + END + HIDDEN,
    "a name with underscores": START + LENGTH + b"Transfer_Encoding: chunked\r\n\r\n" + END + HIDDEN,
    "an encoding in another header": START + LENGTH + b"X-Transfer-Encoding: chunked\r\n\r\n" + END + HIDDEN,
    "an upgrade": START + LENGTH + b"Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n" + END + HIDDEN,
    "a connection that names the length": START + LENGTH + b"Connection: close, Content-Length\r\n\r\n" + END + HIDDEN,
}
"""What nginx reads in one way and sends on in its own words: all of it is one body."""


def told(address: Address, sent: bytes) -> bytes:
    """Everything that comes back until the connection ends, or nothing more comes."""
    got = b""
    with socket.create_connection(address, timeout=60) as connection, suppress(OSError):
        connection.sendall(sent)
        while part := connection.recv(65_536):
            got += part
            connection.settimeout(1.5)  # the first answer may be slow on a busy machine; a second would be there by now
    return got


def statuses(got: bytes) -> list[int]:
    return [int(part[:3]) for part in got.split(b"HTTP/1.1 ")[1:]]


@pytest.fixture(autouse=True)
def _nothing_hidden_is_done(stack: Stack) -> Iterator[None]:
    yield
    assert rows(stack.database_url, "SELECT handle FROM contributors WHERE handle LIKE 'smuggled%'") == []


@pytest.mark.parametrize("name", REFUSED)
def test_what_can_be_read_in_two_ways_is_refused(stack: Stack, name: str) -> None:
    found = statuses(told(stack.nginx.address, REFUSED[name]))
    assert found, "nothing came back"
    assert len(found) == 1, found
    assert found[0] in (400, 405, 411, 413, 414, 501, 505), found


@pytest.mark.parametrize("name", INSIDE)
def test_what_nginx_reads_in_one_way_is_one_request(stack: Stack, name: str) -> None:
    found = statuses(told(stack.nginx.address, INSIDE[name]))
    assert found == [400], found  # the body is no JSON


def test_two_requests_in_one_write_are_two(stack: Stack) -> None:
    """The set above would prove nothing if a second request were never read."""
    one = f"GET {API}/healthz HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    assert statuses(told(stack.nginx.address, one + one)) == [200, 200]
