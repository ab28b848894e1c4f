"""The engine that browsers run gives the answers of the service: in Node, by the same bytes, question by question."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from whoosh.lang import snowball, two_letter_code

from library.records.vocabulary import Language, Profile, ResultType, Trust
from library.search.documents import Document
from library.search.index import update_index
from library.search.query import Question, SearchEngine
from library.search.words import Analyzer, english
from tests.library.kept_answers import SYNONYMS, documents
from tests.trees import built
from tools.stemmers import module

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
pytestmark = [
    pytest.mark.slow,  # each asks another process
    pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed: no engine was run"),
]


def ask(index: Path | str, questions: Sequence[dict[str, Any]], language: str = "english") -> list[Any]:
    """What the engine of browsers answers."""
    command = ["node", str(ROOT / "tests/node/search.mjs"), str(ROOT / "site_templates/assets"), str(index), language]
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
    notes = [[re.split("; (?:did|others)", note)[0] for note in answer.get("notes") or ()] for answer in (one, other)]
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


ARTICLES = {
    Language(name): text for name, text in json.loads((SETS / "articles.json").read_text(encoding="utf-8")).items()
}
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


def real_words(language: Language) -> frozenset[str]:
    """Words of a language: the first article of the declaration of human rights, small words, all with its endings."""
    analyzer = Analyzer(language)
    said = analyzer.stop_words.union(analyzer.spelt(ARTICLES[language]))
    stemmer = snowball.classes[two_letter_code(language)]
    lists = [value for name, value in vars(stemmer).items() if "suffixes" in name and isinstance(value, tuple)]
    roots = sorted({analyzer.stem(word) for word in said})[::5]
    return said | {f"{root}{ending}" for root in roots for endings in lists for ending in endings}


@pytest.mark.parametrize("language", Language)
def test_words_have_the_same_stems(language: Language) -> None:
    more = english() if language is Language.ENGLISH else frozenset()
    words = sorted(word for word in real_words(language) | more if word.isalpha())
    (found,) = ask("", [{"stems": words}], language)
    assert [word[:40] for word in found] == [Analyzer(language).stem(word) for word in words]
    assert len(words) > 300
    assert sum(one != other for one, other in zip(words, found, strict=True)) > len(words) / 4


@pytest.mark.parametrize("language", Language)
def test_stemmers_of_browsers_are_those_that_are_made(language: Language) -> None:
    made = (ROOT / f"site_templates/assets/stem-{language}.js").read_text(encoding="utf-8")
    assert made == module(language), "run python -m tools.stemmers"


FOREIGN = {
    Language.GERMAN: (
        ("Rechnungen prüfen", "Sammelt Rechnungen, prüft jede und öffnet keine Straße.", "Prüfung der Rechnung"),
        ("Übersetzungen ordnen", "Ordnet übersetzte Texte nach Größe.", "übersetzter Text"),
    ),
    Language.SPANISH: (
        ("Reparar instalaciones", "Repara una instalación que falla.", "instalacion"),
        ("Traducir páginas", "Traduce cada página de un sitio.", "pagina traducida"),
    ),
    Language.RUSSIAN: (
        ("Проверка красных тестов", "Находит красный тест и его причину.", "красного теста"),
        ("Перевод страниц", "Переводит страницу за страницей.", "перевести страницы"),
    ),
}


@pytest.mark.parametrize("language", FOREIGN)
def test_a_library_in_another_language_is_searched_by_its_stems_with_and_without_accents(
    language: Language, tmp_path: Path
) -> None:
    records = [
        Document(ResultType.PLAYBOOK, f"book-{number}", title, summary, summary, f"/playbooks/book-{number}/")
        for number, (title, summary, _) in enumerate(FOREIGN[language])
    ]
    update_index(tmp_path, records, fresh=True, analyzer=Analyzer(language, ("Bibliothek", "nuestra casa")))
    engine = SearchEngine(tmp_path)
    asked = [wording for _, _, wording in FOREIGN[language]]
    plain = [*asked, *(one.upper() for one in asked), "Bibliothek casa", "xyz " + asked[0], "prufung", asked[1][:-2]]
    every = [{"q": text, "profile": profile} for text in plain for profile in ("best", "fast")]
    for question, answer in zip(every, ask(engine.place, every, language), strict=True):
        assert alike(answer, own(engine, question)), question
    for number, wording in enumerate(asked):
        (first, *_) = engine.answer(Question(wording)).items
        assert first.slug == f"book-{number}"
        assert first.highlights
    assert engine.index.analyzer.query_stop_words >= {"bibliothek", "casa"}
