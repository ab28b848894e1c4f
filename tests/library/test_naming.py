"""Slugs that texts give, names that are free, and names that no file may have."""

from __future__ import annotations

import pytest

from library.records.naming import EDITED, free_name, is_device, name_problem, slug_of


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Fix flaky tests", "fix-flaky-tests"),
        ("  It's Ada's – 2nd!  ", "its-adas-2nd"),
        ("Straße, Ærø, Łódź & ıß", "strasse-aero-lodz-iss"),
        ("naïve—résumé−x", "naive-resume-x"),
        ("øæœłđðþı", "oaeoelddthi"),
        ("a\u2010b\u2011c\u2012d\u2013e\u2014f\u2212g", "a-b-c-d-e-f-g"),
        ("2026 11 20", "spare"),
        ("???", "spare"),
        ("", "spare"),
        ("NUL", "nul-spare"),
        ("com1", "com1-spare"),
        ("x" * 61, "x" * 60),
        (f"{'x' * 30} {'y' * 29}", f"{'x' * 30}-{'y' * 29}"),
        (f"{'x' * 30} {'y' * 30}", "x" * 30),
        (f"The {'x' * 30} of a {'y' * 29}", f"{'x' * 30}-{'y' * 29}"),
        (f"The {'x' * 20} of a {'y' * 20}", f"the-{'x' * 20}-of-a-{'y' * 20}"),
        ("the " * 16, "-".join(["the"] * 15)),
    ],
)
def test_a_slug_says_what_the_text_says_in_at_most_sixty_characters(text: str, slug: str) -> None:
    assert slug_of(text, "spare") == slug


def test_a_spare_that_is_long_is_cut_where_no_hyphen_ends() -> None:
    assert slug_of("con", "a" * 59 + "-bbb") == "con-" + "a" * 59
    assert slug_of("con", "a" * 60 + "bbb") == "con-" + "a" * 60


def test_a_free_name_is_the_first_that_nobody_has() -> None:
    taken = {"lessons/a.yaml", "lessons/a-2.yaml", "lessons/index-2.yaml", f"lessons/{'b' * 64}.yaml"}
    assert free_name("lessons/c.yaml", taken.__contains__) == "lessons/c.yaml"
    assert free_name("lessons/a.yaml", taken.__contains__) == "lessons/a-3.yaml"
    assert free_name("lessons/index.yaml", taken.__contains__) == "lessons/index-3.yaml"
    assert free_name(f"lessons/{'b' * 64}.yaml", taken.__contains__) == f"lessons/{'b' * 62}-2.yaml"
    edge = f"lessons/{'b' * 61}-cd.yaml"
    assert free_name(edge, {edge}.__contains__) == f"lessons/{'b' * 61}-2.yaml"


@pytest.mark.parametrize("name", ["con", "prn", "aux", "nul", "com0", "com9", "lpt1"])
def test_a_device_of_windows_is_no_name(name: str) -> None:
    assert is_device(name)
    assert not is_device(f"{name}x")
    problem = name_problem(f"lessons/{name}.yaml")
    assert problem
    assert problem.message == f"the name {name!r} is reserved, because no file can have it on Windows; choose another"


def test_a_name_lies_in_a_folder_that_editors_change_and_is_a_slug() -> None:
    for folder in EDITED:
        assert name_problem(f"{folder}/{'a' * 64}.yaml") is None
    bad = (
        *("runs/a.yaml", "lessons/a", "lessons/.yaml", "lessons/A.yaml", "lessons/a/b.yaml", "a.yaml", ""),
        *(f"lessons/{'a' * 65}.yaml", "lessons/../a.yaml", "lessons/a.yaml\n"),
    )
    for file in bad:
        problem = name_problem(file)
        assert problem, file
        assert problem.code == "file-name"
        assert problem.message.startswith("must be named one of playbooks/<slug>.yaml, lessons/<slug>.yaml,"), file
    reserved = name_problem("lessons/index.yaml")
    assert reserved
    assert reserved.message == "the name 'index' is reserved, because an address uses it; choose another"
    assert reserved.file == "lessons/index.yaml"
