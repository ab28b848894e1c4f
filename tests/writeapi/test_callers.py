"""A caller without a key is an address, and gains nothing by what it writes in its headers."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from writeapi.services import NOBODY, origin_of
from writeapi.settings import ServiceSettings

ADDRESS = "192.0.2.7"


def told(proxies: int, secret: bytes = b"of the tests") -> ServiceSettings:
    return ServiceSettings("https://playbooks.example", "", Path(), trusted_proxies=proxies, secret=secret)


def bucket(remote: Any = ADDRESS, forwarded: Any = None, proxies: int = 0) -> str:
    environ = {"REMOTE_ADDR": remote, "HTTP_X_FORWARDED_FOR": forwarded}
    given = {key: value for key, value in environ.items() if value is not None}
    return origin_of(given, told(proxies))


def test_every_ipv4_address_is_a_bucket_of_its_own() -> None:
    assert len({bucket(f"192.0.2.{last}") for last in range(256)}) == 256


def test_one_ipv6_64_is_one_bucket_and_its_neighbour_is_another() -> None:
    whole = {bucket(f"2001:db8:1:2:{last:x}::{last:x}") for last in range(500)}
    assert len(whole) == 1
    assert bucket("2001:db8:1:3::1") not in whole


@pytest.mark.parametrize(
    "spelling", ["::ffff:192.0.2.7", "::FFFF:c000:207", "0:0:0:0:0:ffff:192.0.2.7", " 192.0.2.7 ", "192.0.2.7:8080"]
)
def test_one_ipv4_address_has_one_bucket_in_every_spelling(spelling: str) -> None:
    assert bucket("10.0.0.1", spelling, 1) == bucket()


@pytest.mark.parametrize("spelling", ["[2001:db8::1]", "[2001:db8::1]:443", "2001:DB8:0::9%eth0", "2001:db8:0:0::"])
def test_one_ipv6_network_has_one_bucket_in_every_spelling(spelling: str) -> None:
    assert bucket("10.0.0.1", spelling, 1) == bucket("2001:db8::1")


def test_without_trusted_proxies_a_spoofed_header_gains_nothing() -> None:
    assert {bucket(forwarded=f"203.0.113.{last}") for last in range(100)} == {bucket()}


@pytest.mark.parametrize("proxies", [1, 2, 3])
def test_what_a_caller_puts_before_the_trusted_entries_gains_nothing(proxies: int) -> None:
    trusted = ", ".join([ADDRESS, "10.0.0.2", "10.0.0.3"][:proxies])
    spoofed = [f"203.0.113.{last}, {trusted}" for last in range(50)] + [f"{'1,' * 10_000}{trusted}", trusted]
    assert {bucket("10.0.0.1", header, proxies) for header in spoofed} == {bucket()}


@pytest.mark.parametrize(
    "forwarded", [None, "", ",", "unknown", "_hidden", "1.2.3", "999.1.1.1", "for=1.1.1.1", "::1::"]
)
def test_rubbish_and_missing_entries_share_the_bucket_of_the_connection(forwarded: str | None) -> None:
    assert bucket(ADDRESS, forwarded, 1) == bucket()
    assert bucket(ADDRESS, "203.0.113.1", 2) == bucket()


@pytest.mark.parametrize("remote", [None, "", "unix:", b"", 7, "localhost"])
def test_requests_without_an_address_share_one_bucket(remote: Any) -> None:
    assert bucket(remote) == NOBODY


@pytest.mark.slow
@given(remote=st.text(max_size=80), forwarded=st.text(max_size=200), proxies=st.integers(0, 5))
def test_nothing_that_a_caller_writes_raises_or_gets_into_the_name(remote: str, forwarded: str, proxies: int) -> None:
    assert re.fullmatch(r"a:(nobody|[0-9a-f]{32})", bucket(remote, forwarded, proxies))


@pytest.mark.slow
@given(address=st.ip_addresses(), port=st.integers(0, 65535))
def test_every_address_has_a_bucket_that_does_not_show_it(address: Any, port: int) -> None:
    name = bucket(str(address))
    assert re.fullmatch(r"a:[0-9a-f]{32}", name)
    written = f"{address}:{port}" if address.version == 4 else f"[{address}]:{port}"
    assert bucket("10.0.0.1", written, 1) == name


def test_a_bucket_tells_the_address_to_nobody_who_has_not_the_secret() -> None:
    environ = {"REMOTE_ADDR": ADDRESS}
    ours, theirs = (origin_of(environ, told(0, secret)) for secret in (b"ours", b"theirs"))
    assert ours != theirs
    assert hashlib.sha256(ADDRESS.encode()).hexdigest()[:32] not in ours + theirs
