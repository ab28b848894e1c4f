"""On the labelled set what is private is refused and what is innocent is not; no hostile field takes long."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from re import _constants as codes  # type: ignore[attr-defined]  # the parser of patterns has no types
from re import _parser as parser  # type: ignore[attr-defined]  # the same
from typing import Any, NamedTuple

import pytest

from library.rules import privacy
from library.rules.privacy import find
from tests.library.privacy_set import FOR_REVIEWERS, HOSTILE, INNOCENT, PRIVATE, SECRET_KINDS, SET, Item


class Figures(NamedTuple):
    """How many kinds were found that should be, were missed, and were found where they should not be."""

    right: int
    missed: list[str]
    wrong: list[str]

    @property
    def recall(self) -> float:
        return self.right / (self.right + len(self.missed))

    @property
    def precision(self) -> float:
        return self.right / (self.right + len(self.wrong))


def families(kinds: Iterable[str]) -> set[str]:
    """Which secret a secret is may be told in two ways; which private data, in one."""
    return {"secret" if kind in SECRET_KINDS else kind for kind in kinds}


def measured(items: Sequence[Item]) -> Figures:
    """Each expected kind once per item; a kind of another family than any expected one is wrong."""
    right, missed, wrong = 0, [], []
    for item in items:
        found = {finding.kind for finding in find(item.text) if finding.refused}
        right += len(found & set(item.kinds))
        missed += [f"{kind}: {item.note}" for kind in item.kinds if kind not in found]
        wrong += [f"{kind}: {item.note}" for kind in families(found) - families(item.kinds)]
    return Figures(right, missed, wrong)


def test_the_set_is_large_half_innocent_and_says_everything_once() -> None:
    assert len(PRIVATE) >= 100
    assert len(INNOCENT) >= len(PRIVATE)
    assert len({item.note for item in SET}) == len({item.text for item in SET}) == len(SET)
    assert 0.2 < sum(item.held_out for item in SET) / len(SET) < 0.3


def test_recall_and_precision_are_held(capsys: pytest.CaptureFixture[str]) -> None:
    parts = {
        "all": SET,
        "tuned on": [item for item in SET if not item.held_out],
        "held out": [item for item in SET if item.held_out],
    }
    figures = {name: measured(items) for name, items in parts.items()}
    lines = [
        f"private data, {name} ({len(parts[name])} items): recall {found.recall:.3f}, precision {found.precision:.3f}"
        for name, found in figures.items()
    ]
    with capsys.disabled():
        print("", *lines, f"missed: {figures['all'].missed}, wrong: {figures['all'].wrong}", sep="\n")  # noqa: T201 - this test says them
    for found in figures.values():
        assert found.recall >= 0.95, found.missed
        assert found.precision >= 0.99, found.wrong


@pytest.mark.parametrize("kind", sorted({kind for item in PRIVATE for kind in item.kinds}))
def test_no_kind_is_left_behind(kind: str) -> None:
    found = measured([item for item in PRIVATE if kind in item.kinds])
    assert found.recall >= 0.85, found.missed


@pytest.mark.parametrize("item", FOR_REVIEWERS, ids=[item.note for item in FOR_REVIEWERS])
def test_what_is_for_reviewers_is_found_and_never_refused(item: Item) -> None:
    found = list(find(item.text))
    assert {finding.kind for finding in found} == set(item.kinds)
    assert not any(finding.refused for finding in found)


@pytest.mark.slow
@pytest.mark.parametrize("part", HOSTILE)
def test_no_hostile_field_takes_long(part: str) -> None:
    text = (part * 8192)[:8192]
    best = float("inf")
    for _ in range(3):
        before = time.process_time()
        assert isinstance(list(find(text)), list)
        best = min(best, time.process_time() - before)
    assert best < 0.25  # five times the limit, for busy machines; benchmarks/privacy.py measures


def patterns() -> list[str]:
    """Every pattern of the table."""
    return [*(pattern.pattern for pattern in privacy.PATTERNS.values()), *(shape.pattern for shape in privacy.SHAPES)]


def unbounded_within(tree: Any, inside: bool = False) -> bool:
    """Whether a repetition without an end stands within another one."""
    for code, argument in tree:
        endless = code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
        endless = endless and argument[1] is codes.MAXREPEAT
        if endless and inside:
            return True
        below = [part for part in _parts(argument) if isinstance(part, parser.SubPattern)]
        if any(unbounded_within(part, inside or endless) for part in below):
            return True
    return False


def _parts(argument: Any) -> Iterable[Any]:
    if isinstance(argument, list | tuple):
        for part in argument:
            yield part
            if isinstance(part, list | tuple):
                yield from _parts(part)
    else:
        yield argument


@pytest.mark.parametrize("pattern", patterns())
def test_no_pattern_repeats_a_repetition_without_end(pattern: str) -> None:
    assert not unbounded_within(parser.parse(pattern))


def test_the_search_for_repeated_repetitions_finds_them() -> None:
    assert unbounded_within(parser.parse(r"x(?:a+b)+"))
    assert not unbounded_within(parser.parse(r"(?:a{1,9}b)+c+"))
