"""What the library keeps of a playbook: its version, and what the trust rule asks of its accounts."""

from __future__ import annotations

from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

import msgspec
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from library.records.collection import EvidenceEntry, entry, site_of, version
from library.records.vocabulary import Account, Outcome
from library.records.who import folded
from tests.builders import a_playbook

_STEP = {"title": "Look", "detail": "Look at it.", "check": "It was seen."}
_LINE = st.text(alphabet="abc ", min_size=1, max_size=5).filter(str.strip)
_TOLD = st.fixed_dictionaries(
    {
        "prompt": _LINE,
        "steps": st.lists(
            st.fixed_dictionaries({"title": _LINE, "detail": _LINE, "check": _LINE}), min_size=1, max_size=2
        ).map(tuple),
        "variants": st.lists(
            st.fixed_dictionaries(
                {"agent": st.sampled_from(["aider", "amp"]), "prompt": _LINE}, optional={"note": _LINE}
            ),
            max_size=2,
        ).map(tuple),
    }
)
_UNTOLD = st.fixed_dictionaries(
    {
        "title": _LINE,
        "risk": st.sampled_from(["low", "medium", "high"]),
        "tags": st.sampled_from([(), ("one",), ("one", "two")]),
        "updated": st.sampled_from(["2026-11-01", "2026-11-02"]),
    }
)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(_TOLD, _TOLD, _UNTOLD, _UNTOLD)
def test_the_version_changes_just_when_prompt_variants_or_steps_do(
    told: dict[str, Any], other: dict[str, Any], one: dict[str, Any], two: dict[str, Any]
) -> None:
    first, second = version(a_playbook(**told, **one)), version(a_playbook(**other, **two))
    assert (first == second) is (told == other)
    assert version(a_playbook(**told, **two)) == first


@pytest.mark.slow
@given(_TOLD)
def test_a_version_is_over_what_the_model_itself_tells_of_the_three_fields(told: dict[str, Any]) -> None:
    book = a_playbook(**told)
    canonical = book.model_dump(mode="json", include={"prompt", "variants", "steps"}, exclude_none=True)
    assert version(book) == sha256(orjson.dumps(canonical, option=orjson.OPT_SORT_KEYS)).hexdigest()[:12]


@given(
    st.sampled_from(["http://", "https://"]),
    st.sampled_from(
        ["a.example", "www.a.example", "A.example", "www.", "github.com", "www.GitHub.com", "a.example:80"]
    ),
    st.sampled_from(["", "/", "/Owner/Repo/x", "?q=/a", "#a", "/a?b#c"]),
)
def test_a_site_is_the_host_that_the_parser_of_addresses_finds(scheme: str, host: str, rest: str) -> None:
    parts = urlsplit(scheme + host + rest)
    expected = (parts.hostname or "").removeprefix("www.")
    if expected == "github.com":
        expected = "/".join([expected, *[part.lower() for part in parts.path.split("/") if part][:2]])
    assert site_of(scheme + host + rest) == expected


def test_a_version_is_twelve_hex_digits_that_stay_for_ever() -> None:
    book = a_playbook(prompt="Do it.", steps=(_STEP,), variants=({"agent": "aider", "prompt": "Do that."},))
    assert version(book) == "83c812be9d9e"


def test_the_order_of_steps_and_the_note_of_a_variant_belong_to_the_version() -> None:
    steps = (_STEP, {**_STEP, "title": "Think"})
    assert version(a_playbook(steps=steps)) != version(a_playbook(steps=steps[::-1]))
    variant = {"agent": "claude-code", "prompt": "Other."}
    assert version(a_playbook(variants=(variant,))) != version(a_playbook(variants=({**variant, "note": "Why."},)))


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://www.example.com/a", "example.com"),
        ("https://example.com:8443/b?c", "example.com"),
        ("https://blog.example.com/", "blog.example.com"),
        ("https://GitHub.com/Owner/Repo/issues/1", "github.com/owner/repo"),
        ("https://github.com/owner", "github.com/owner"),
        ("https://gitlab.com/group/project/-/issues/2", "gitlab.com/group/project"),
        ("https://github.com.example.com/owner/repo", "github.com.example.com"),
    ],
)
def test_a_site_is_its_host_and_on_a_code_forge_its_repository(url: str, site: str) -> None:
    assert site_of(url) == site


def test_a_name_is_the_same_in_any_case_and_punctuation() -> None:
    assert folded("Grace  Hopper") == folded("grace-hopper_") == "gracehopper"
    assert folded("李 雷") == "李雷"


def test_an_author_of_signs_alone_is_unknown() -> None:
    account = {
        "title": "T",
        "url": "https://example.com/",
        "platform": "blog",
        "agent": "A",
        "reported_outcome": "Fine.",
    }
    book = entry(a_playbook(evidence=({**account, "author": "?"}, {**account, "author": "Ada L."}, account)))
    assert [item.author for item in book.evidence] == [None, "adal", None]


def test_an_entry_keeps_of_an_account_what_the_trust_rule_asks() -> None:
    account = {
        "title": "T",
        "url": "https://www.example.com/a",
        "platform": "blog",
        "agent": "A",
        "reported_outcome": "Fine.",
        "author": "Ada L.",
        "vendor": "A Vendor, Inc.",
        "account": "vendor",
        "outcome": "failed",
        "incident": "one-day",
    }
    book = entry(a_playbook(evidence=(account, {**account, "vendor": "."})))
    told = EvidenceEntry(
        "example.com", "adal", Account.VENDOR, "avendorinc", Outcome.FAILED, "one-day", "A", "T", account["url"]
    )
    assert book.evidence == (told, msgspec.structs.replace(told, vendor=None))


def test_an_entry_keeps_what_lists_and_rules_ask_for() -> None:
    book = entry(
        a_playbook(
            "a-book",
            variants=({"agent": "claude-code", "prompt": "Other."},),
            failures=({"problem": "P", "fix": "F"}, {"problem": "P", "fix": "F", "lesson": "a-lesson"}),
            contributors=({"handle": "ada"},),
            references=({"title": "T", "url": "https://example.com/", "checked": "2026-11-02"},),
        )
    )
    assert (book.slug, book.file) == ("a-book", "playbooks/a-book.yaml")
    assert book.failure_lessons == (None, "a-lesson")
    assert book.contributors == ("ada",)
    assert book.references_checked == ("2026-11-02",)
    assert book.updated == "2026-11-01"
