"""Who is calling: what a caller says of its own address is not believed, and a trusted proxy's word is."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from server.deploy.commands import Deployment, of_site
from tests import calls
from tests.faults.http_client import RUN, Address, post
from tests.front import LOOPBACK, Stack, deployed
from tests.nginx import free_port, needs_nginx, nginx
from tests.postgres import needs_postgres
from writeapi.store import Store

pytestmark = [pytest.mark.slow, pytest.mark.system, needs_nginx, needs_postgres]
LIES = [
    {name: value.format(number)}
    for number in range(4)
    for name, value in {
        "X-Forwarded-For": "198.51.100.{}",
        "x-forwarded-for": "198.51.100.{}, 203.0.113.{}".replace("{}", "{0}"),
        "Forwarded": "for=198.51.100.{}",
        "X-Real-IP": "198.51.100.{}",
        "True-Client-IP": "198.51.100.{}",
    }.items()
]


def test_a_forged_address_brings_no_more_and_a_trusted_proxy_is_believed(content: Path, tmp_path: Path) -> None:
    with deployed(content, tmp_path, write_limits="6 per hour") as stack:
        given = Counter(post(stack.nginx.address, "/runs", RUN, **lie).status for lie in LIES)
        assert given == {201: 6, 429: len(LIES) - 6}
        with ExitStack() as keep:
            believing = replace(_as_before(stack, tmp_path / "site"), proxies=(LOOPBACK,))
            front = keep.enter_context(nginx(believing, tmp_path / "believing"))
            callers = [f"198.51.100.{number}" for number in range(3)]
            # The caller itself wrote the first entry; the last one that is no proxy of ours is the caller.
            told = [f"192.0.2.{number}, {caller}, 127.0.0.2" for number in range(8) for caller in callers]
            given = Counter(post(front.address, "/runs", RUN, **{"X-Forwarded-For": text}).status for text in told)
            assert given == {201: 18, 429: len(told) - 18}
            secure = [sign_in(address, "https") for address in (stack.nginx.address, front.address)]
            assert secure == [403, 200]  # nobody signs in over a connection that can be read


def test_an_identity_aware_proxy_is_believed_from_its_network_alone(content: Path, tmp_path: Path) -> None:
    """It is an nginx too, which knows its users by a password and speaks from an address of its own."""
    (tmp_path / "users").write_text("ann:{PLAIN}a\ndora:{PLAIN}d\n")
    with free_port() as port:
        pass
    with deployed(content, tmp_path, review_proxy="Remote-User from 127.0.0.2/32") as stack:
        store = Store(stack.database_url, clock=lambda: datetime.now(UTC))
        for handle in ("ann", "dora"):
            store.add_contributor(handle, None, handle.encode(), f"pbl_{handle}")
        store.promote("ann", by="operator")
        api = f"http://127.0.0.1:{stack.api.address.port}"
        further = (
            f"server {{ listen 127.0.0.1:{port}; auth_basic review; auth_basic_user_file {tmp_path}/users;"
            f" location / {{ proxy_pass {api}; proxy_bind 127.0.0.2; proxy_set_header Host $http_host;"
            " proxy_set_header Remote-User $remote_user; } }"
        )
        before = _as_before(stack, tmp_path / "site")
        with nginx(before, tmp_path / "aware", further=further):
            behind = f"http://127.0.0.1:{port}"
            forged = {
                "Remote-User": "ann",
                "Remote_User": "ann",
                "X-Forwarded-For": "127.0.0.2",
                "Forwarded": "for=127.0.0.2",
            }
            for place, user, status in (
                (behind, ("ann", "a"), 200),
                (behind, ("dora", "d"), 403),
                (behind, ("ann", "wrong"), 401),
                (behind, None, 401),
                (stack.nginx.url, None, 403),
                (api, None, 403),
            ):
                for headers in ({}, forged, *({name: value} for name, value in forged.items())):
                    answer = calls.get(f"{place}/review/", headers=headers, auth=user)
                    assert answer.status_code == status, (place, user, headers)
        store.close()


def test_a_request_keeps_one_id_and_no_callers_word_for_it(stack: Stack) -> None:
    answers = [post(stack.nginx.address, "/runs", {}, **{"X-Request-Id": "0" * 32}) for _ in range(2)]
    told = [answer.headers["x-request-id"] for answer in answers]
    assert len({*told, "0" * 32}) == 3
    for path in (stack.api.log, stack.nginx.folder / "access"):
        end = time.monotonic() + 60  # a line is written when the answer is sent
        while not all(f'"{name}"' in (text := path.read_text()) for name in told):
            assert time.monotonic() < end, path
            time.sleep(0.05)
        ours = (line for line in text.splitlines() if line.startswith("{") and "Listening at: " not in line)
        assert "127.0.0.1" not in "\n".join(ours)


def sign_in(address: Address, scheme: str) -> int:
    """What the page that signs in is answered with, to a proxy that says it was asked over `scheme`."""
    url = f"http://127.0.0.1:{address.port}/review/sign-in"
    return calls.get(url, headers={"X-Forwarded-Proto": scheme, "X-Forwarded-For": "192.0.2.1"}).status_code


def _as_before(stack: Stack, site: Path) -> Deployment:
    return replace(
        of_site(site, None),
        root=str(site),
        api=(f"127.0.0.1:{stack.api.address.port}",),
        mcp=(f"127.0.0.1:{stack.mcp.address.port}",),
    )
