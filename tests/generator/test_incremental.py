"""Whatever is edited in whatever order: a resident builder leaves the bytes and the answers of a cold build.

`PLAYBOOKS_LONG` asks for a thousand playbooks in the walk through all kinds of edits.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.corpus import write_corpus
from build.settings import BuildReport
from library.problems import ContentError, Problem
from tests.generator.edits import EDITS, Edit, NothingLeft, World
from tests.lengths import many
from tests.rich import write_rich_content

COUNT = many(12, 1_000)
TOGETHER = 4
"""So many kinds of edits come between two builds of the walk."""


def _problems(build: Callable[[str], BuildReport], out: str) -> list[Problem] | BuildReport:
    try:
        return build(out)
    except ContentError as error:
        return list(error.problems)


def agrees(world: World, edits: list[tuple[Edit, int]]) -> bool:
    """Edit, build again, and compare with a cold build. Edits that do not go together are undone: False then.

    What is wrong with the content has to be told alike by both.
    """
    template = (world.templates / "base.html").read_bytes()
    for edit, number in edits:
        with suppress(NothingLeft):
            edit(world, number)
    again = _problems(world.edit, "site")
    cold = _problems(world.build, "cold")
    if isinstance(again, list) or isinstance(cold, list):
        assert again == cold
        world.undo()
        (world.templates / "base.html").write_bytes(template)
        return False
    assert (again.playbooks, again.files) == (cold.playbooks, cold.files)
    assert sorted(map(str, again.warnings)) == sorted(map(str, cold.warnings))
    assert world.differences("site", "cold") == []
    world.commit("; ".join(edit.__name__ for edit, _ in edits))
    return True


EDITING = st.lists(st.tuples(st.sampled_from(EDITS), st.integers(0, 9)), min_size=1, max_size=3)


@pytest.mark.slow
@settings(max_examples=many(2, 25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(EDITING, min_size=1, max_size=4))
def test_incremental_equals_cold(steps: list[list[tuple[Edit, int]]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        world = World(Path(name), write_rich_content(Path(name)))
        world.edit("site")
        for edits in steps:
            agrees(world, edits)


@pytest.mark.slow
def test_a_walk_through_every_kind_of_edit_equals_cold_builds(tmp_path: Path) -> None:
    chance = random.Random(8)
    world = World(tmp_path, write_corpus(tmp_path / "content", COUNT, runs=COUNT // 2), jobs=2)
    world.edit("site")
    waiting, tried = [*EDITS], Counter[str]()
    chance.shuffle(waiting)
    while waiting:
        edits, waiting = waiting[:TOGETHER], waiting[TOGETHER:]
        if agrees(world, [(edit, chance.randrange(200)) for edit in edits]):
            continue
        for edit in edits:  # each alone, until one of its tries goes with the content as it is
            tried[edit.__name__] += 1
            assert tried[edit.__name__] <= 5, f"{edit.__name__} never goes with the content"
            if not agrees(world, [(edit, chance.randrange(200))]):
                waiting.append(edit)
