"""The order of what is read from disk never shows: the file system may give names in any order."""

from __future__ import annotations

import random
from itertools import permutations

from library.records.collection import newest_first
from tests.builders import a_run


def test_reports_of_one_moment_have_one_order_though_their_ids_are_the_same() -> None:
    runs = [a_run("run-0").filed(f"runs/{book}/run-0.yaml") for book in ("alpha", "beta", "gamma")]
    orders = {tuple(run.file for run in sorted(order, key=newest_first)) for order in permutations(runs)}
    assert len(orders) == 1


def test_another_order_of_the_same_runs_gives_the_same_list() -> None:
    runs = [a_run(f"run-{number}", reported=f"2026-10-0{number % 3 + 1}T10:00:00Z") for number in range(9)]
    wanted = sorted(runs, key=newest_first)
    for seed in range(20):
        shuffled = random.Random(seed).sample(runs, len(runs))
        assert sorted(shuffled, key=newest_first) == wanted
