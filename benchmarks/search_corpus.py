"""Documents and questions for measuring search: English words as often as English has them, about seeded topics.

The honest corpus of `corpus` has the words of fifty real playbooks, however large it is; an index grows with words.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import accumulate

from library.records.vocabulary import ResultType, Trust
from library.search.documents import Document
from library.search.words import ENGLISH

WORDS = 30_000
TOPICS = 200
TOPIC_WORDS = 150
TOPIC_SHARE = 0.25
"""So much of a text is made of its topic's own words, the rest of everybody's."""

FREQUENT = slice(0, 1_000)
RARE = slice(2_000, 15_000)
CATEGORIES = ("software", "operations", "data", "research", "writing", "business", "personal")
AGENTS = tuple(f"agent-{number}" for number in range(12))


@cache
def vocabulary() -> tuple[list[str], list[int]]:
    """English words, the most frequent first, and how much each and all before it weigh (symspellpy's list)."""
    text = (files("symspellpy") / "frequency_dictionary_en_82_765.txt").read_text(encoding="utf-8-sig")
    pairs = [line.split(" ") for line in text.splitlines()[:WORDS]]
    return [word for word, _ in pairs], list(accumulate(int(count) for _, count in pairs))


@cache
def _asked() -> list[str]:
    return [word for word in vocabulary()[0] if word not in ENGLISH.query_stop_words and len(word) > 2]


def documents(count: int, seed: int = 1) -> Iterator[Document]:
    """So many playbooks of about 650 words; the same seed gives the same ones."""
    chance = random.Random(seed)
    topics = [chance.sample(_asked(), TOPIC_WORDS) for _ in range(TOPICS)]
    for number in range(count):
        topic = chance.choice(topics)
        yield Document(
            type=ResultType.PLAYBOOK,
            slug=f"playbook-{number}",
            title=_text(chance, topic, 7).capitalize(),
            summary=_text(chance, topic, 32).capitalize() + ".",
            body=_text(chance, topic, chance.randint(450, 750)),
            url=f"https://playbooks.example/playbooks/playbook-{number}/",
            trust=chance.choice(tuple(Trust)),
            category=chance.choice(CATEGORIES),
            agents=tuple(sorted(chance.sample(AGENTS, chance.randint(1, 4)))),
        )


def questions(count: int, seed: int = 2, words: tuple[int, int] = (2, 6)) -> list[str]:
    """Questions of so many different words, of which each is a frequent or a rare one, as a coin falls."""
    chance = random.Random(seed)
    kinds = (_asked()[FREQUENT], _asked()[RARE])
    return [
        " ".join(dict.fromkeys(chance.choice(chance.choice(kinds)) for _ in range(chance.randint(*words))))
        for _ in range(count)
    ]


def _text(chance: random.Random, topic: list[str], length: int) -> str:
    every, weights = vocabulary()
    own = sum(chance.random() < TOPIC_SHARE for _ in range(length))
    found = chance.choices(every, cum_weights=weights, k=length - own) + chance.choices(topic, k=own)
    chance.shuffle(found)
    return " ".join(found)
