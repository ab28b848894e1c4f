"""`playbooks addresses`: what is gone is told from what only turns programs away, and nothing private is asked."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest

from client.addresses import Asker, LinkState, is_public, lines, named_in, public_addresses
from tests.builders import BOOK, PLAYBOOK, put, write_content
from tests.cli.test_commands import run


def here(_host: str) -> tuple[str]:
    return ("127.0.0.1",)


class Pages(BaseHTTPRequestHandler):
    asked: ClassVar[list[str]] = []

    def do_HEAD(self) -> None:
        self.asked.append(f"{self.command} {self.path}")
        words = self.path.strip("/").split("-")
        status = 405 if words[0] == "nohead" and self.command == "HEAD" else 404 if words[0] == "nohead404" else 200
        status = int(words[0]) if words[0].isdigit() else status
        self.send_response(status)
        if words[0] == "302":
            self.send_header("Location", {"on": "/here", "loop": "/302-loop", "in": "http://10.0.0.1/"}[words[1]])
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_HEAD  # noqa: N815 - the name that http.server calls

    def log_message(self, *_arguments: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    Pages.asked.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Pages) as made:
        thread = Thread(target=made.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{made.server_address[1]}"
        made.shutdown()
        thread.join()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "state"),
    [
        ("/here", LinkState.HERE),
        ("/404", LinkState.GONE),
        ("/410", LinkState.GONE),
        ("/403", LinkState.HERE),
        ("/429", LinkState.HERE),
        ("/500", LinkState.UNSURE),
        ("/nohead", LinkState.HERE),
        ("/302-on", LinkState.HERE),
        ("/302-loop", LinkState.UNSURE),
        ("/302-in", LinkState.UNSURE),
    ],
)
def test_an_answer_is_judged(server: str, path: str, state: str) -> None:
    def found(host: str) -> tuple[str]:
        if host != "127.0.0.1":
            raise PermissionError
        return (host,)

    asker = Asker(found, pause=0)
    with asker.client() as client:
        assert asker.ask(client, server + path)[0] == state
    assert len(Pages.asked) <= 14


def test_what_does_not_answer_is_not_sure() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{held.getsockname()[1]}/"
        asker = Asker(here, pause=0)
        with asker.client() as client:
            assert asker.ask(client, address)[0] == LinkState.UNSURE


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "10.1.2.3", "169.254.169.254", "::1", "192.168.0.1"])
def test_no_host_of_this_network_is_asked(host: str) -> None:
    with pytest.raises(PermissionError):
        public_addresses(host)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2606:4700::1111", True),
        ("64:ff9b::7f00:1", False),  # NAT64
        ("64:ff9b:1::1", False),
        ("2002:7f00:1::", False),  # 6to4
        ("2001::1", False),  # Teredo
        ("224.0.0.1", False),
        ("ff0e::1", False),
        ("fec0::1", False),
        ("::ffff:8.8.8.8", False),
        ("fe80::1%eth0", False),
        ("100.64.0.1", False),
    ],
)
def test_an_address_that_leads_to_another_or_to_many_is_not_public(address: str, public: bool) -> None:
    assert is_public(address) is public


@pytest.mark.slow
def test_a_host_is_looked_up_once_and_asked_at_what_was_found(server: str) -> None:
    looked: list[str] = []

    def found(host: str) -> tuple[str, ...]:
        looked.append(host)
        return ("127.0.0.2", "127.0.0.1")  # nobody listens at the first

    with (asker := Asker(found, pause=0)).client() as client:
        assert asker.ask(client, server.replace("127.0.0.1", "nowhere.invalid") + "/302-on")[0] == LinkState.HERE
    assert looked == ["nowhere.invalid", "nowhere.invalid"], "once for the page, once for where it leads"
    assert Pages.asked == ["HEAD /302-on", "HEAD /here"]


@pytest.mark.slow
def test_a_host_is_left_alone_between_two_requests(server: str) -> None:
    slept: list[float] = []
    asker = Asker(here, sleep=slept.append, pause=30)
    with asker.client() as client:
        for _ in range(3):
            asker.ask(client, f"{server}/here")
    assert len(slept) == 2
    assert all(20 < seconds <= 30 for seconds in slept)


def test_every_address_of_the_content_is_named_with_its_places(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    more = "references:\n  - title: A page\n    url: https://example.org/a#part\n    checked: 2026-11-01\n"
    text = PLAYBOOK.replace(
        "Run the test a hundred times.", "As [told](https://example.org/a), not `http://x.example`."
    )
    put(content, f"playbooks/{BOOK}.yaml", text.replace("updated:", f"{more}updated:"))
    places = named_in(content)
    assert places["https://example.org/a"] == [
        f"playbooks/{BOOK}.yaml: steps.0.detail",
        f"playbooks/{BOOK}.yaml: references.0.url",
    ]
    assert "http://x.example" not in places


def test_the_report_counts_and_the_command_says_what_is_gone(tmp_path: Path) -> None:
    assert list(lines({}, {})) == ["gone: 0", "not sure: look again: 0", "asked: 0"]
    content = write_content(tmp_path)
    put(content, "agents/claude-code.yaml", "name: A\nvendor: B\nurl: http://127.0.0.1:9/\nsummary: C.\n")
    result = run("addresses", "--content", content, "--limit", "1")
    assert result.exit_code == 0
    assert "not sure: look again: 1" in result.output
    assert "leads to an address that is not public" in result.output
