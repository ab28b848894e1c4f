"""Answers to fixed questions over sixty fixed documents, kept with their scores: what ranking changes shows there.

A change that is meant is written anew by `python -m tests.library.kept_answers`.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from library.records.models import Synonym
from library.records.vocabulary import Profile, ResultType, Status, Trust
from library.search.documents import Document
from library.search.index import update_index
from library.search.query import Question, SearchEngine

KEPT = Path(__file__).with_name("kept-answers.jsonl")
THINGS = "tests invoices photographs migrations reports prompts".split()
DEEDS = "repair sort compare translate schedule merge split review archive measure".split()
SYNONYMS = (Synonym(words=("bill", "money paper"), mean=("invoices",)), Synonym(words=("fix",), mean=("repair",)))
QUESTIONS: tuple[dict[str, Any], ...] = (
    {"text": "repair tests"},
    {"text": "repair tests", "profile": Profile.FAST},
    {"text": "tests tests tests repair"},
    {"text": "repair tests", "limit": 3, "agent": "aider"},
    {"text": "bill"},
    {"text": "the money paper of a friend"},
    {"text": "fix photographs", "min_trust": Trust.TESTED},
    {"text": "sort photo", "profile": Profile.FAST},
    {"text": "sort photo"},
    {"text": "tranlsate reports"},
    {"text": "mergeinvoices"},
    {"text": "measur prompts", "category": "home"},
    {"text": "Schedule migrations"},
    {"text": "schedule-migrations"},
    {"text": "schedule the migrations", "type": ResultType.TASK},
    {"text": "review", "type": ResultType.LESSON, "min_trust": Trust.CONFIRMED},
    {"text": "repair tests", "agent": "aidr", "category": "hom"},
    {"text": "m", "profile": Profile.FAST},
    {"text": "me", "profile": Profile.FAST},
    {"text": "qqqq wwww"},
    {"text": "tset"},
    {"text": "the of"},
    {"text": "tonight"},
    {"text": "old repair tests"},
    {"text": "sort some tests"},
    {"text": "Aider the agent", "limit": 2},
)


def documents() -> list[Document]:
    """Sixty of all types, states and levels of trust."""
    found = []
    for number, (deed, thing) in enumerate((deed, thing) for deed in DEEDS for thing in THINGS):
        kind = (ResultType.PLAYBOOK, ResultType.PLAYBOOK, ResultType.LESSON, ResultType.TASK)[number % 4]
        book = kind is ResultType.PLAYBOOK
        other = THINGS[(number * 5 + 1) % len(THINGS)]
        found.append(
            Document(
                slug=f"{deed}-{thing}",
                type=kind,
                title=f"{deed.capitalize()} {thing}",
                summary=f"How to {deed} {thing} beside {other}, {number % 7} times.",
                body=f"{DEEDS[number % 7]} the {thing}; then {' '.join([other] * (number % 3))} and word{number % 9}.",
                url=f"https://playbooks.example/{kind}s/{deed}-{thing}/",
                trust=list(Trust)[number // 2 % len(Trust)] if book else None,
                status=Status.DEPRECATED if number % 11 == 3 and book else Status.ACTIVE,
                category=("software", "home")[number % 2] if book or kind is ResultType.TASK else None,
                agents=(("aider", "claude-code")[number % 2],) if kind is not ResultType.TASK else (),
                names=("Aider the agent",) if number % 4 == 2 else (),
                former=(f"old-{deed}-{thing}",) if number % 13 == 0 else (),
                job=f"{deed} some {thing}" if book else "",
                asked=(f"can you {deed} my {thing}", "do it tonight") if number % 9 == 0 else (),
            )
        )
    return found


def told(folder: Path) -> list[dict[str, Any]]:
    """Each question with the whole answer, and the ranking alone where that is another thing."""
    update_index(folder, documents(), fresh=True, synonyms=SYNONYMS)
    engine = SearchEngine(folder)
    found = []
    for asked in QUESTIONS:
        question = Question(**asked)
        found.append({"asked": asked, "answer": json.loads(engine.answer(question).json_bytes())})
    return found


def main() -> None:
    """Keep what is told now."""
    with tempfile.TemporaryDirectory() as folder:
        KEPT.write_text("".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in told(Path(folder))))


if __name__ == "__main__":
    main()
