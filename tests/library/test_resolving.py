"""What names a playbook, in whatever form an agent has it: and that a name which is only near is never taken."""

from __future__ import annotations

import time

import pytest

from library.interface.resolving import PlaybookNames, Resolved, Unresolved, resolve_playbook

NAMES = PlaybookNames(
    {
        "fix-flaky-tests": "Fix flaky tests and prove that they are fixed",
        "find-flaky-tests": "Find flaky tests",
        "clean-csv": "Clean a CSV – by rules",
        "twin-one": "The same title",
        "twin-two": "The same title",
        "nihongo": "日本語の要約",
    },
    {"mend-flaky-tests": "fix-flaky-tests"},
    "https://library.example/sub",
)
SITE = "https://library.example/sub"


@pytest.mark.parametrize(
    ("text", "slug", "how"),
    [
        ("fix-flaky-tests", "fix-flaky-tests", "slug"),
        (" `fix-flaky-tests` ", "fix-flaky-tests", "slug"),
        ("“fix-flaky-tests”.", "fix-flaky-tests", "slug"),
        ("Fix-Flaky-Tests", "fix-flaky-tests", "spelling"),
        ("fix_flaky_tests", "fix-flaky-tests", "spelling"),
        ("fix flaky tests", "fix-flaky-tests", "spelling"),
        ("FIX\u2011FLAKY\u2011TESTS", "fix-flaky-tests", "spelling"),
        ("mend-flaky-tests", "fix-flaky-tests", "former slug"),
        ("Mend flaky tests", "fix-flaky-tests", "former slug"),
        ("Fix flaky tests and prove that they are fixed", "fix-flaky-tests", "title"),
        ("fix FLAKY tests, and prove that they are fixed.", "fix-flaky-tests", "title"),
        ("Clean a CSV - by rules", "clean-csv", "title"),
        ("日本語の要約", "nihongo", "title"),
        (f"{SITE}/playbooks/fix-flaky-tests/", "fix-flaky-tests", "address"),
        (f"{SITE}/playbooks/fix-flaky-tests", "fix-flaky-tests", "address"),
        (f"{SITE}/playbooks/fix-flaky-tests/#step-2", "fix-flaky-tests", "address"),
        (f"{SITE}/playbooks/fix-flaky-tests/?utm_source=x", "fix-flaky-tests", "address"),
        (f"{SITE}/playbooks/fix-flaky-tests/changes/", "fix-flaky-tests", "address"),
        (f"<{SITE}/playbooks/fix-flaky-tests.md>", "fix-flaky-tests", "address"),
        (f"{SITE}/skills/fix-flaky-tests/SKILL.md", "fix-flaky-tests", "address"),
        (f"{SITE}/skills/fix-flaky-tests/scripts/check-6.py", "fix-flaky-tests", "address"),
        (f"{SITE}/s/fix-flaky-tests/skill.zip", "fix-flaky-tests", "address"),
        (f"{SITE}/api/v1/playbooks/fix-flaky-tests", "fix-flaky-tests", "address"),
        (f"{SITE}/api/v1/playbooks/fix-flaky-tests.json", "fix-flaky-tests", "address"),
        (f"{SITE}/api/v1/runs?playbook=fix-flaky-tests", "fix-flaky-tests", "address"),
        (f"{SITE}/api/v1/runs/by-playbook/fix-flaky-tests", "fix-flaky-tests", "address"),
        ("HTTPS://LIBRARY.EXAMPLE/sub/playbooks/mend-flaky-tests/", "fix-flaky-tests", "address"),
        ("/playbooks/fix-flaky-tests/", "fix-flaky-tests", "address"),
        ("playbooks/fix-flaky-tests", "fix-flaky-tests", "address"),
        ("content/playbooks/fix-flaky-tests.yaml", "fix-flaky-tests", "address"),
        ("playbook://fix-flaky-tests", "fix-flaky-tests", "address"),
        ("skill://fix-flaky-tests/SKILL.md", "fix-flaky-tests", "address"),
    ],
)
def test_a_name_that_can_be_only_one_playbooks_is_read_as_it(text: str, slug: str, how: str) -> None:
    assert resolve_playbook(text, NAMES) == Resolved(slug, how)  # type: ignore[arg-type]  # the table holds text


@pytest.mark.parametrize(
    ("text", "suggestions"),
    [
        ("fix-flaky-test", ("fix-flaky-tests", "find-flaky-tests")),
        ("fix-flakey-tests", ("fix-flaky-tests", "find-flaky-tests")),
        ("https://elsewhere.example/playbooks/fix-flaky-tests/", ("fix-flaky-tests",)),
        (f"{SITE}/playbooks/fix-flakey-tests/", ("fix-flaky-tests", "find-flaky-tests")),
        ("Find flaky tests now", ("find-flaky-tests", "fix-flaky-tests")),
        ("The same title", ("twin-two", "twin-one")),
        ("wholly unlike anything", ()),
        ("", ()),
        ("???", ()),
        ("http://[", ()),
        (f"{SITE}/lessons/fix-it/", ()),
    ],
)
def test_a_name_that_is_only_near_is_not_taken_and_the_nearest_slugs_are_told(
    text: str, suggestions: tuple[str, ...]
) -> None:
    found = resolve_playbook(text, NAMES)
    assert isinstance(found, Unresolved), found
    assert set(found.suggestions) == set(suggestions)
    assert all(repr(slug) in found.mend for slug in suggestions)
    assert found.mend.startswith("is no playbook")


def test_long_texts_and_large_libraries_are_answered_soon() -> None:
    many = PlaybookNames({f"do-job-{n}": f"Do the job number {n} with care" for n in range(1_000)}, {}, SITE)
    began = time.process_time()
    for text in ("/" * 2_000, "a/playbooks/" * 160, "do-the-jab-" * 180, "x" * 2_000):
        assert isinstance(resolve_playbook(text, many), Unresolved)
    assert time.process_time() - began < 2
