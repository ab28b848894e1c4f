"""Real wordings of jobs find the right playbook.

`wordings.json` holds four sets that were written with nothing but the playbooks' slugs at hand. The playbooks' `asked`
were written after sets a and b, and after a look at what set c did not find; set d came last, and nothing was tuned to
it. docs/search.md has the figure of each. The floors lie as far below the figures as no one contribution reaches.
`blind.json` holds short and long ones (issues, logs, mails, tasks for agents) that were written before they were asked.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from library.search.query import Question, SearchEngine
from tests.trees import built

CONTENT = Path(__file__).resolve().parents[2] / "content"
BLIND = json.loads((Path(__file__).parent / "blind.json").read_text(encoding="utf-8"))
WORDINGS = json.loads((Path(__file__).parent / "wordings.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> SearchEngine:
    out = tmp_path_factory.mktemp("wordings") / "site"
    built(CONTENT, out, datetime.now(UTC).date())
    return SearchEngine(out.resolve().parent)


def place(engine: SearchEngine, wording: Mapping[str, object]) -> int:
    """Where the first right playbook stands among all results, from 0; 50 when it is not there."""
    right = wording["right"]
    assert isinstance(right, list)
    found = engine.answer(Question(str(wording["query"]))).items
    return next((at for at, hit in enumerate(found) if hit.type == "playbook" and hit.slug in right), 50)


@pytest.mark.slow
def test_the_right_playbook_comes_first_nearly_always(engine: SearchEngine) -> None:
    places = [place(engine, wording) for wording in WORDINGS]
    missed = [wording["query"] for wording, at in zip(WORDINGS, places, strict=True) if at > 2]
    assert len(places) >= 80
    assert sum(at == 0 for at in places) / len(places) >= 0.83, missed
    assert sum(at < 3 for at in places) / len(places) >= 0.93, missed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "first", "three"),
    [
        ("short", 0.80, 0.88),
        ("long", 0.78, 0.88),
        ("short, second", 0.90, 0.97),
        ("long, second", 0.82, 0.93),
        ("long, third", 0.72, 0.90),
    ],
)
def test_what_was_written_blind_finds_its_playbook(engine: SearchEngine, kind: str, first: float, three: float) -> None:
    places = [place(engine, wording) for wording in BLIND if wording["set"] == kind]
    assert sum(at == 0 for at in places) / len(places) >= first
    assert sum(at < 3 for at in places) / len(places) >= three


@pytest.mark.slow
def test_what_is_foreign_is_weak_and_what_is_ours_is_close(engine: SearchEngine) -> None:
    foreign = (Path(__file__).parent / "foreign.txt").read_text(encoding="utf-8").splitlines()
    ours = [str(wording["query"]) for wording in BLIND if wording["set"].startswith("short")]
    weak = [[engine.answer(Question(text)).match == "weak" for text in some] for some in (ours, foreign)]
    assert sum(weak[0]) / len(ours) <= 0.1
    assert sum(weak[1]) / len(foreign) >= 0.78
