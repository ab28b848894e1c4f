"""Private matter is found by its shape, placeholders are let by, and no text takes long or raises."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from library.rules import privacy
from library.rules.privacy import find, normalised
from tests.waiting import AT_ONCE

_RANDOM = "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3eF5"  # the value of no real key
_PRIVATE = [
    ("private-key", "-----BEGIN RSA PRIVATE " + "KEY-----"),
    ("private-key", "-----BEGIN PRIVATE " + "KEY-----"),
    ("token", "sk-" + "ant-" + _RANDOM),
    ("token", "sk-" + "proj-" + _RANDOM),
    ("token", "ghp" + "_" + _RANDOM),
    ("token", "xox" + "b-" + _RANDOM),
    ("token", "xox" + "b-abcdeABCDE"),
    ("token", "AKI" + "AQ3EGRZ7XMNPWDT4K"),
    ("token", "AI" + "za" + _RANDOM[:35]),
    ("token", "hf" + "_" + _RANDOM),
    ("token", "pbl" + "_" + (_RANDOM * 2)[:49]),
    ("jwt", "eyJ" + "hbGciOiJI" + ".eyJ" + "zdWIiOiIx" + ".c2lnbmF0dXJl"),
    ("password", "password: " + "Sunflower9Garden"),
    ("password", "password=" + "CorrectHorse!"),
    ("password", "password=" + "abcdEFG1abcd"),
    ("password", "postgres://app:" + "Gr4nit3Stone" + "@db.internal/x"),
    ("e-mail", "grace" + "@" + "mail.museum"),
    ("e-mail", "grace" + "\u200b@" + "mail.museum"),
    ("e-mail", "https://quillfern.io\ngrace" + "@" + "mail.museum"),
    ("e-mail", "https://quillfern.io/join?to=grace" + "@" + "mail.museum"),
    ("phone", "801-664-" + "7665"),
    ("e-mail", "grace" + "＠" + "mail.museum"),
    ("card", "4539 1488 " + "0343 6467"),
    ("card", "5500-0000-" + "0000-0004"),
    ("card", "4111 1111 " + "1111 1111"),
    ("card", "pay 2 of 4539 1488 " + "0343 6467 09 29 123"),
    ("iban", "GB29 NWBK 6016 " + "1331 9268 19"),
    ("iban", "DE4450010517" + "5407324931"),
    ("iban", "GB29 NWBK 6016 " + "1331 9268 19 BIC NWBKGB2L"),
    ("phone", "+49 30 " + "901820"),
    ("phone", "+1 (212) " + "664-7665"),
]
_PLAIN = [
    "Write to you@example.com or ada@mail.example.org.",
    "git@github.com:owner/repository.git",
    "logo@2x.png",
    "API_KEY=your-key-here-please",
    "token: XXXXXXXXXXXXXXXXXXXX",
    "sk-xxxxxxxxxxxxxxxxxxxxxxxx",
    "postgres://app:{{password}}@db/x",
    "Call +1 555 555 0100.",
    "Between 1000000000000 and 2000000000000 rows",
    "0a1b2c3d4e5f6071829304a5b6c7d8e9f0a1b2c3",
    "2026-11-20T10:00:00Z, version 1.10.3, 1:30 h",
    "https://example.com/page-1234567890123456",
    "Fifth Floor, Boston, MA 02110-1301, USA.",
    "ad 02 01 01 00  00 00 00 00",
    "<Buffer 66 00 68 00 71 00 77 00 68 00 67 00>",
    "DFARS Clause 252.227-7013 (c)",
    "``redis://[:password1]@host:port``",
    "Visit 127.0.0.1 or 192.0.2.7",
    "token: aB1aB1aB1aB1aB1",
    "the words password and secret and token",
    "4539 1488 " + "0343 6468",
    "5500-0000-" + "0000-0014",
    "4111 1111 " + "1111 1112",
    "3782 8224 " + "6310 1115",
    "GB29 NWBK 6016 " + "1331 9268 18",
]


@pytest.mark.parametrize(("kind", "text"), _PRIVATE)
def test_private_matter_is_found_and_never_repeated(kind: str, text: str) -> None:
    found = [item for item in find(f"Before, {text} and after.") if item.refused]
    assert kind in {item.kind for item in found}
    assert all(text not in item.words and text not in repr(item) for item in found)


@pytest.mark.parametrize("text", _PLAIN)
def test_placeholders_and_plain_figures_are_let_by(text: str) -> None:
    assert [item.kind for item in find(text) if item.refused] == []


@pytest.mark.parametrize(("kind", "text"), _PRIVATE)
def test_the_first_look_lets_none_of_them_by_within_a_text(kind: str, text: str) -> None:
    assert list(find(f"Before, {text} and after.")), kind
    assert not list(find("nothing ｏｆ it"))


def test_addresses_are_shown_to_the_reviewer_only_and_home_folders_are_refused() -> None:
    found = list(find("ssh 8.8.4.4, then cat /home/grace/notes and C:\\Users\\grace\\x, not /home/user/"))
    assert [(item.kind, item.refused) for item in found] == [
        ("ip-address", False),
        ("home-folder", True),
        ("home-folder", True),
    ]


def test_a_finding_knows_its_place_in_the_normalised_text() -> None:
    text = "Mail grace\u200b" + "@" + "mail.museum now"
    (found,) = find(text)
    assert normalised(text)[found.start : found.end] == "grace" + "@" + "mail.museum"
    assert found.words == "an e-mail address"


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    st.one_of(
        st.text(max_size=200),
        st.text(alphabet="٣२a1A@.-+ /:=eyJsk_()\u200bß²", max_size=200),
        st.lists(st.sampled_from([text for _, text in _PRIVATE] + _PLAIN), max_size=6).map(" ".join),
    )
)
@example("\ud800 +1 (٣٣٣) 333")
@example("AA٣٣ BBBB BBBB BBBB BBBB")
def test_no_text_makes_the_search_raise_and_every_finding_lies_within_it(text: str) -> None:
    length = len(normalised(text))
    for item in find(text):
        assert 0 <= item.start < item.end <= length
        assert item.words


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(_PRIVATE), st.text(alphabet="abc ,.\n", max_size=40), st.text(alphabet="abc ,.\n", max_size=40))
def test_private_matter_is_found_wherever_it_stands(private: tuple[str, str], before: str, after: str) -> None:
    kind, text = private
    assert kind in {item.kind for item in find(f"{before} {text} {after}")}


@pytest.mark.parametrize(
    "part",
    [
        "-eyJ",
        "AA11" + "B" * 31 + "_ ",
        "1 ",
        "1-",
        "+1 ",
        "sk-",
        "aa://",
        "token=",
        "a.",
        "a" * 64 + ".",
        "(111) ",
        "AA11 ",
    ],
)
def test_the_search_is_quick_on_the_longest_hostile_text(part: str) -> None:
    text = (part * 64_000)[:64_000]
    before = time.monotonic()
    assert isinstance(list(find(text)), list)
    assert time.monotonic() - before < AT_ONCE  # a guard against hanging, no measurement


@given(st.lists(st.integers(1, 8), min_size=1, max_size=12))
def test_of_groups_of_figures_few_are_tried_and_none_that_may_be_a_card_is_left_out(lengths: list[int]) -> None:
    def may_be(start: int, end: int) -> bool:
        part = lengths[start:end]
        return 12 <= sum(part) <= 19 and not (min(part) < 3 and max(part) > 1)

    tried = list(privacy._numbers(lengths))
    every = [(start, end) for start in range(len(lengths)) for end in range(start + 1, len(lengths) + 1)]
    assert sorted(tried) == [place for place in every if may_be(*place)]
    assert len(tried) <= 3 * len(lengths)
