"""What the form of an address gives away, a clause for each oddity, and nothing for a plain one."""

from __future__ import annotations

import pytest

from writeapi.review.screening.matching import HOSTS, host_of, in_text, oddities

HIDES = "hides where it leads (a shortener)"
NUMBER = "names a machine by its number"
NOWHERE = "leads to no public place"
LETTERS = "has letters in its host that may look like others"
TRACKS = "follows its readers (a tracking parameter)"
SECRET = "carries what looks like a secret"


@pytest.mark.parametrize(
    "address",
    [
        "https://docs.example-site.dev/a?page=2#part",
        "http://www.playbooks.dev:80/",
        "https://playbooks.dev:443/x.html",
        "https://examples.community/",
        "https://localhost.dev/",
        "https://playbooks.dev/tool.exe/readme",
        "https://playbooks.dev/?tokens=1&side=2&utm=3",
    ],
)
def test_a_plain_address_is_not_odd(address: str) -> None:
    assert list(oddities(address)) == []


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("https://bit.ly/x", HIDES),
        ("https://www.T.CO./x", HIDES),
        ("http://192.0.2.7/", NUMBER),
        ("http://[2001:db8::1]/", NUMBER),
        ("http://0x7f.1/", NUMBER),
        ("http://2130706433/", NUMBER),
        ("http://intranet/", NOWHERE),
        ("https://printer.local/", NOWHERE),
        ("https://a.example.com/", NOWHERE),
        ("https://x.home.arpa/", NOWHERE),
        ("https://xn--80ak6aa92e.com/", LETTERS),
        ("https://a.xn--80ak6aa92e.com/", LETTERS),
        ("https://аpple.com/", LETTERS),
        ("https://ada:hidden@playbooks.dev/", "holds credentials"),
        ("https://playbooks.dev:8443/", "has the unusual port 8443"),
        ("https://playbooks.dev/Setup.EXE", "leads to a file that runs"),
        ("https://playbooks.dev/?utm_source=x", TRACKS),
        ("https://playbooks.dev/?a=1&FBCLID=", TRACKS),
        ("https://playbooks.dev/?access_token=x", SECRET),
        ("https://playbooks.dev/?apikey=", SECRET),
        ("https://playbooks.dev:99999/", "cannot be read"),
        ("http://[::1/", "cannot be read"),
    ],
)
def test_each_oddity_is_told_in_its_clause(address: str, told: str) -> None:
    assert list(oddities(address)) == [told]


def test_several_oddities_are_all_told() -> None:
    address = "http://a:b@intranet:8080/x.sh.bat?utm_medium=x&sid=1"
    assert list(oddities(address)) == [
        NOWHERE,
        "holds credentials",
        "has the unusual port 8080",
        "leads to a file that runs",
        TRACKS,
        SECRET,
    ]


def test_addresses_are_taken_from_a_text_without_what_follows_them() -> None:
    text = "See https://a.dev/x_(y), (HTTP://b.dev/z). And <https://c.dev>; no ftp://d.dev, https://e.dev/?!"
    assert in_text(text) == ["https://a.dev/x_(y", "HTTP://b.dev/z", "https://c.dev", "https://e.dev/"]


def test_a_host_is_told_plainly_and_none_is_empty() -> None:
    assert [host_of(address) for address in ("https://www.A.dev./x", "mailto:x", "http://[", "")] == [
        "a.dev",
        "",
        "",
        "",
    ]
    assert [host_of(address) in HOSTS["shorteners"] for address in ("https://is.gd/x", "https://is.gd.dev/")] == [
        True,
        False,
    ]
