"""`playbooks serve` as a process: it builds, listens, answers, refuses what is not HTTP and stops when told."""

from __future__ import annotations

import fcntl
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from library.problems import UsageError
from server.commands import bound
from tests import calls
from tests.builders import BOOK, TODAY, write_content
from tests.forks import CLI, Forked

Process = Forked | subprocess.Popen[str]


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("serve")
    process, address = start(write_content(folder), folder / "out", begin=interpreted)
    yield address
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) in (0, -signal.SIGTERM)
    assert "Traceback" not in process.communicate()[1]


def forked(arguments: list[str]) -> Process:
    """The command, loaded already."""
    return Forked(CLI, arguments)


def interpreted(arguments: list[str]) -> Process:
    """The command from the start of the interpreter on."""
    command = [sys.executable, "-W", "ignore", "-m", "cli", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def start(
    content: Path,
    out: Path,
    *more: str,
    today: date = TODAY,
    meanwhile: Callable[[Process], None] = lambda _: None,
    begin: Callable[[list[str]], Process] = forked,
) -> tuple[Process, str]:
    """The command as a process that serves, and its address."""
    arguments = [
        "serve",
        "--port",
        "0",
        "--content",
        str(content),
        "--out",
        str(out),
        "--var",
        str(out.with_name("var")),
        "--today",
        str(today),
        *more,
    ]
    process = begin(arguments)
    meanwhile(process)
    assert process.stdout
    for pipe in filter(None, (process.stdout, process.stderr)):  # nobody reads its log later: it must not wait for that
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 1 << 20)
    for line in process.stdout:
        if found := re.search(r"serving (http://127\.0\.0\.1:\d+)/", line):
            return process, found[1]
    raise AssertionError(process.communicate()[1])


def test_the_site_and_the_api_answer(serving: str) -> None:
    book = calls.get(f"{serving}/api/v1/playbooks/{BOOK}").json()
    assert book["url"] == f"{serving}/playbooks/{BOOK}/"
    for url in (
        book["url"],
        book["markdown_url"],
        book["skill_url"],
        f"{serving}/",
        f"{serving}/api/v1/search?q=flaky",
    ):
        assert calls.get(url).status_code == 200, url


def raw(address: str, request: bytes) -> bytes:
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.sendall(request)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
        return answer


@pytest.mark.parametrize(
    "path",
    [
        b"/../../etc/passwd",
        b"/%2e%2e/%2e%2e/etc/passwd",
        b"/assets/..%2f..%2fstate",
        b"/playbooks/..%5c..%5cx/",
        b"/\xff\xfe",
        b"/%ff%fe",
        b"/%00",
        b"//",
        b"/" + b"a" * 20_000,
    ],
)
def test_paths_that_reach_for_more_find_nothing(serving: str, path: bytes) -> None:
    answer = raw(serving, b"GET " + path + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert re.match(rb"HTTP/1\.1 (404|400|414|431)", answer), answer[:200]
    assert b"root:" not in answer


@pytest.mark.parametrize("query", [b"q=%ff%fe", b"q=%00", b"q=a&q=b", b"q=" + b"%F0%9F%8E%B9" * 100, b"=&&=;q", b"q=%"])
def test_queries_that_are_no_text_are_answered(serving: str, query: bytes) -> None:
    for path in (b"/api/v1/search?", b"/search/?", b"/api/v1/runs?playbook=x&"):
        answer = raw(serving, b"GET " + path + query + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert re.match(rb"HTTP/1\.1 (200|400|422)", answer), answer[:300]


def test_a_taken_port_is_told_before_the_build(serving: str, tmp_path: Path) -> None:
    port = serving.rpartition(":")[2]
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "cli",
        "serve",
        "--port",
        port,
        "--content",
        str(write_content(tmp_path)),
        "--out",
        str(tmp_path / "out"),
        "--var",
        str(tmp_path / "var"),
    ]
    run = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert run.returncode == 2
    assert "--port" in run.stderr
    assert "Traceback" not in run.stderr
    assert not (tmp_path / "out").exists()


def test_text_comes_gzipped_to_whoever_accepts_it_and_is_asked_for_again_by_its_tag(serving: str) -> None:
    url = f"{serving}/api/v1/playbooks/{BOOK}"
    plain = calls.get(url, headers={"Accept-Encoding": "identity"})
    packed = calls.get(url, headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert (packed.headers["content-encoding"], packed.json()) == ("gzip", plain.json())
    assert int(packed.headers["content-length"]) < len(plain.content)
    assert "Accept-Encoding" in packed.headers["vary"]
    assert packed.headers["etag"] == plain.headers["etag"]
    assert packed.headers["etag"].startswith("W/"), "bytes differ, so no part of it may be asked for by this tag"
    again = calls.get(url, headers={"Accept-Encoding": "gzip", "If-None-Match": packed.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    found = calls.get(f"{serving}/api/v1/search?q=flaky", headers={"Accept-Encoding": "gzip"})
    again = calls.get(found.url, headers={"Accept-Encoding": "gzip", "If-None-Match": found.headers["etag"]})
    assert (found.headers["content-encoding"], again.status_code) == ("gzip", 304)
    review = calls.get(f"{serving}/review/", headers={"Accept-Encoding": "gzip"}, follow_redirects=True)
    assert "content-encoding" not in review.headers, "lengths would tell of what is secret there"


def test_answers_leave_at_once_in_whatever_pieces() -> None:
    listener = bound("127.0.0.1", 0)
    assert listener.proto == socket.IPPROTO_TCP  # what asyncio looks at before it sets TCP_NODELAY
    listener.close()


def test_a_port_is_taken_before_the_build_and_answers_after_it() -> None:
    listener = bound("127.0.0.1", 0)
    place = listener.getsockname()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(place, timeout=60)
    other = bound(*place)  # nobody listens yet: whoever builds sooner has it
    listener.listen()
    socket.create_connection(place, timeout=60).close()
    with pytest.raises(OSError, match="in use"):
        other.listen()
    other.close()
    with pytest.raises(UsageError, match="choose others with --host and --port"):
        bound(*place)
    listener.close()
