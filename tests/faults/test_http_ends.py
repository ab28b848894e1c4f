"""An end that is asked for: what is being answered is answered, and the log of the whole run holds no secret."""

from __future__ import annotations

import json
import signal
import socket
import threading
import time
from pathlib import Path

from build.views.routes import API
from tests.faults.http_client import RUN, Answer, post, raw, request
from tests.faults.http_server import gunicorn, rows

SLOW = 1.5


def test_requests_under_way_are_answered_when_the_service_ends(site: Path, tmp_path: Path) -> None:
    """Four bodies have come in half when it is told to end; the other half comes later, and each is stored."""
    body = json.dumps(RUN).encode()
    head = (
        f"POST {API}/runs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    statuses: list[bytes] = []
    with gunicorn(site, tmp_path, graceful=20) as served:

        def send() -> None:
            with socket.create_connection(served.address, timeout=60) as connection:
                connection.sendall(head.encode() + body[:10])
                begun.wait(60)
                time.sleep(SLOW)
                connection.sendall(body[10:])
                statuses.append(connection.recv(65_536).split(b" ", 2)[1])

        begun = threading.Barrier(5)
        crew = [threading.Thread(target=send) for _ in range(4)]
        for thread in crew:
            thread.start()
        begun.wait(60)
        time.sleep(0.5)
        served.process.send_signal(signal.SIGTERM)
        for thread in crew:
            thread.join()
        assert served.process.wait(60) == 0
    assert statuses == [b"201"] * 4
    assert int(rows(f"sqlite:///{tmp_path / 'queue.db'}", "SELECT count(*) FROM runs")[0][0]) == 4


def test_the_log_of_a_whole_run_holds_nothing_that_was_sent(site: Path, tmp_path: Path) -> None:
    secret = "pbl_" + "a" * 43
    hidden = ("hidden-lesson", "hidden-path", "hidden-query", "ada@mail-house.net", secret, "198.51.100.7", "127.0.0.1")
    with gunicorn(site, tmp_path, trusted_proxies="1") as served:
        key = post(served.address, "/contributors", {"handle": "grace-h"}).json["api_key"]
        told = {"X-Forwarded-For": "198.51.100.7", "X-Request-Id": "hidden-query", "Cookie": f"session={secret}"}

        def ask(body: object, **options: str) -> Answer:
            return post(served.address, "/runs?q=hidden-query", body, **options, **told)

        assert ask(RUN | {"lesson": "hidden-lesson"}, key=key).status in (201, 422)
        assert ask(RUN | {"lesson": "write to ada@mail-house.net"}).status == 422
        assert ask(RUN, key=secret).status == 401
        assert request(served.address, "GET", f"{API}/hidden-path").status == 404
        assert request(served.address, "GET", f"{API}/search?q=hidden-query").status == 200
        assert raw(served.address, b"hidden-path rubbish \x00\r\n\r\n") is not None
    written = served.log.read_text(errors="replace").splitlines(keepends=True)
    log = "".join(line for line in written if '"event": "Listening at: ' not in line)  # its own address, not a caller's
    assert log.count('"id": "') >= 6
    for text in (*hidden, key):
        assert text not in log, text
