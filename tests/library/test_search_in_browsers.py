"""The engine that browsers run gives the answers of the service: in Node, by the same bytes, question by question."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from library.records.vocabulary import Profile, ResultType, Trust
from library.search.index import update_index
from library.search.query import Question, SearchEngine
from library.search.words import english, stem
from tests.library.kept_answers import SYNONYMS, documents
from tests.trees import built

ROOT = Path(__file__).resolve().parents[2]
SETS = ROOT / "tests/content"
STRANGE = (
    '"',
    "the of",
    "repairtests",
    "ﬂaky Ünit straße",
    "C++ c# node.js",
    "𝟙𝟚 tests 🙂",
    "a\0b",
    "İstanbul ΑΣ تست 日本語",
    "x" * 9_000,
    "tests\r\nrepair",
    "constructor __proto__ toString",
    "9" * 50,
    "Retry the tests, attempt failed again.\n" * 40 + "Mend the reports. Archive prompts, then review them twice.",
)
pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed: no engine was run")


def ask(index: Path | str, questions: Sequence[dict[str, Any]]) -> list[Any]:
    """What the engine of browsers answers."""
    command = ["node", str(ROOT / "tests/node/search.mjs"), str(ROOT / "site_templates/assets"), str(index)]
    lines = "\n".join(json.dumps(question) for question in questions)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, timeout=300)
    return [json.loads(line) for line in done.stdout.splitlines()]


def own(engine: SearchEngine, question: dict[str, Any]) -> Any:
    """What the service answers."""
    asked = Question(
        question["q"].strip(),
        ResultType(question["type"]) if question.get("type") else None,
        question.get("agent"),
        question.get("category"),
        Trust(question["min_trust"]) if question.get("min_trust") else None,
        int(question.get("limit", 10)),
        Profile(question.get("profile", "best")),
        proven=question.get("proven") == "true",
    )
    return json.loads(engine.answer(asked).json_bytes())


def alike(one: Any, other: Any) -> bool:
    """Whether two answers are the same: without links, near names in notes, and last digits of scores."""
    parts = ("total", "facets", "suggestion", "match")
    notes = [[note.split("; did")[0].rstrip(".") for note in answer.get("notes") or ()] for answer in (one, other)]
    hits = [[{**hit, "score": 0, "links": None} for hit in answer["items"]] for answer in (one, other)]
    scores = [[hit["score"] for hit in answer["items"]] for answer in (one, other)]
    return (
        [one.get(name) for name in parts] == [other.get(name) for name in parts]
        and notes[0] == notes[1]
        and hits[0] == hits[1]
        and scores[0] == pytest.approx(scores[1], abs=1e-4)
    )


def typed_wrong(text: str, chance: random.Random) -> str:
    """A letter less, more, or two swapped."""
    at = chance.randrange(len(text))
    kinds = text[:at] + text[at + 1 :], text[:at] + chance.choice("etaoin") + text[at:]
    return chance.choice((*kinds, text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]))


def questions(plain: Sequence[str], chance: random.Random) -> Iterator[dict[str, Any]]:
    """Each question whole, with typing errors, as it is being typed, and behind filters."""
    for text in plain:
        yield {"q": text}
        yield {"q": typed_wrong(typed_wrong(text, chance), chance) + "x"}
        yield {"q": text[: chance.randrange(2, len(text) + 1)] + "e", "profile": "fast"}
        yield {
            "q": text,
            "type": chance.choice(["", "", "playbook", "lesson", "task"]),
            "agent": chance.choice(["", "aider", "claude-code", "nobody"]),
            "category": chance.choice(["", "software", "no-such"]),
            "min_trust": chance.choice(["", "tested", "reported"]),
            "proven": chance.choice(["", "true"]),
            "limit": chance.choice(["3", "50"]),
        }
    yield from ({"q": text} for text in STRANGE)


def compared(engine: SearchEngine, plain: Sequence[str]) -> int:
    """Ask both; the number of questions."""
    every = list(questions(plain, random.Random(7)))
    found = ask(engine.place, every)
    for question, answer in zip(every, found, strict=True):
        assert alike(answer, own(engine, question)), (question, answer, own(engine, question))
    return len(every)


@pytest.mark.slow
def test_a_thousand_questions_have_the_same_answers(tmp_path: Path) -> None:
    built(ROOT / "content", tmp_path / "site", datetime.now(UTC).date())
    sets = [json.loads((SETS / name).read_text(encoding="utf-8")) for name in ("wordings.json", "blind.json")]
    plain = [one["query"] for one in (*sets[0][::3], *sets[1])] + (SETS / "foreign.txt").read_text().splitlines()[::4]
    assert compared(SearchEngine((tmp_path / "site").resolve().parent), plain) >= 1_000


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> SearchEngine:
    folder = tmp_path_factory.mktemp("small")
    update_index(folder, documents(), fresh=True, synonyms=SYNONYMS)
    return SearchEngine(folder)


PLAIN = ("repair tests", "bill for photographs", "mergeinvoices now", "schedule the migrations", "Review prompts 12")


def test_a_small_index_is_one_file(small: SearchEngine) -> None:
    assert compared(small, PLAIN) == 4 * len(PLAIN) + len(STRANGE)
    assert [path.name for path in small.place.glob("*.bin") if path.stat().st_size < 200_000] == ["search.bin"]


def test_a_large_one_is_many_and_is_asked_again_with_what_the_best_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: SearchEngine
) -> None:
    monkeypatch.setattr("library.search.compact.SHARDED", 50)
    monkeypatch.setattr("library.search.compact.PER_TERMS", 8)
    update_index(tmp_path, documents(), fresh=True, synonyms=SYNONYMS)
    engine = SearchEngine(tmp_path)
    assert len(list(engine.place.glob("*.bin"))) >= 10
    assert compared(engine, PLAIN) == 4 * len(PLAIN) + len(STRANGE)
    for question in questions(PLAIN, random.Random(3)):
        fast = {**question, "profile": "fast"}
        assert alike(own(engine, fast), own(small, fast)), question
    assert [engine.answer(Question(text)).items for text in PLAIN] != [
        small.answer(Question(text)).items for text in PLAIN
    ]


def test_words_have_the_same_stems() -> None:
    words = sorted(word for word in english() if word.isalpha())
    (found,) = ask("", [{"stems": words}])
    assert [word[:40] for word in found] == [stem(word) for word in words]
