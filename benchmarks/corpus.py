"""A seeded generator of realistic content: playbooks of 6.6-8.8 KB of YAML, all fields, no two alike, runs, lessons."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.corpus_yaml import as_yaml
from benchmarks.search_corpus import vocabulary
from library.records.entries import version
from library.records.models import Playbook

SIZE = (6_600, 8_800)
"""The least and the most bytes of a playbook's file."""
VERBS = "fix migrate review write clean merge plan debug profile port translate triage audit draft build".split()
AGENTS = [f"agent-{number}" for number in range(24)]
CATEGORIES = ["software", "operations", "data", "research", "writing", "business", "personal"]
OUTCOMES = ["worked", "worked", "worked_with_changes", "failed"]
DAYS = [f"2026-{month:02d}-{day:02d}" for month in range(1, 11) for day in range(1, 29)]

Record = dict[str, Any]
Put = Callable[[str, Record], None]


def write_corpus(folder: Path, count: int, *, seed: int = 1, runs: int = 0) -> Path:
    """Write a content folder of `count` playbooks and `runs` run reports; the same seed gives the same bytes."""

    def put(name: str, value: Record) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(as_yaml(value))

    for name, value in records(count, seed=seed, runs=runs):
        put(name, value)
    return folder


def records(count: int, *, seed: int = 1, runs: int = 0) -> Iterator[tuple[str, Record]]:
    """Every file of the corpus with its record. Jobs, tags and lessons grow with the number of playbooks."""
    yield "site.yaml", _site()
    yield "categories.yaml", {"categories": [_category(name) for name in CATEGORIES]}
    for agent in AGENTS:
        yield f"agents/{agent}.yaml", _agent(agent)
    made = _Corpus(random.Random(seed), count)  # noqa: S311 - a corpus, not a secret
    for number, task in enumerate(made.tasks):
        yield f"tasks/{task}.yaml", _task(task, CATEGORIES[number % len(CATEGORIES)])
    for number, slug in enumerate(made.lessons):
        yield f"lessons/{slug}.yaml", made.lesson(number)
    for number, slug in enumerate(made.slugs):
        yield f"playbooks/{slug}.yaml", made.playbook(number)
    for number in range(runs):
        run = made.run(number)
        yield f"runs/{run['playbook']}/run-{number}.yaml", run


def _site() -> Record:
    return {
        "title": "Corpus",
        "tagline": "For measuring",
        "site_url": "https://playbooks.example",
        "licence": {"name": "CC BY 4.0", "url": "https://creativecommons.org/licenses/by/4.0/"},
        "contact": "https://playbooks.example/docs/takedown/",
    }


def _category(slug: str) -> Record:
    return {"slug": slug, "name": slug.capitalize(), "summary": f"All that is {slug}."}


def _agent(slug: str) -> Record:
    return {"name": slug.title(), "vendor": "A vendor", "url": f"https://example.com/{slug}", "summary": "An agent."}


def _task(slug: str, category: str) -> Record:
    name = slug.replace("-", " ")
    return {"name": name.capitalize(), "category": category, "summary": f"To {name}."}


@cache
def _words() -> tuple[list[str], list[int]]:
    """English words in small letters that no file format reads as anything else, with their running weights."""
    words, weights = vocabulary()
    plain = [word if word.isascii() and word.isalpha() and word not in _TRAPS else "thing" for word in words]
    return plain, weights


_TRAPS = frozenset("null true false yes no on off y n".split())


class _Corpus:
    """The names of everything, and one seeded chance from which each record takes its words in turn."""

    def __init__(self, chance: random.Random, count: int) -> None:
        self.chance = chance
        words, _ = _words()
        named = [word for word in dict.fromkeys(words[300:15_000]) if len(word) > 3]
        jobs = max(20, count // 12)
        self.tasks = [f"{VERBS[job % len(VERBS)]}-{named[job % 997]}-{named[1000 + job]}" for job in range(jobs)]
        self.topics = [chance.sample(named, 60) for _ in range(jobs)]
        self.tags = named[200 : 240 + count // 50]
        self.slugs = [f"{self.tasks[number % jobs]}-{number}"[:64] for number in range(count)]
        self.lessons = [f"lesson-{number}-{named[number % 5_000]}" for number in range(max(5, count // 5))]
        self.people = [f"person-{number}" for number in range(max(5, count // 50))]
        self.versions: dict[str, str] = {}

    def sentence(self, topic: list[str], low: int = 8, high: int = 18) -> str:
        """English words as often as English has them, a quarter of them the topic's; now and then code or a colon."""
        chance, length = self.chance, self.chance.randint(low, high)
        words, weights = _words()
        own = length // 4
        found = chance.choices(words, cum_weights=weights, k=length - own) + chance.choices(topic, k=own)
        chance.shuffle(found)
        kind = chance.random()
        if kind < 0.12:
            found[length // 2] = f"`{found[length // 2]} --{found[-1]}`"
        elif kind < 0.3:
            found[length // 2] += "," if kind < 0.24 else ":"
        return " ".join(found).capitalize() + "."

    def prose(self, topic: list[str], low: int, high: int) -> str:
        """Some sentences."""
        return " ".join(self.sentence(topic) for _ in range(self.chance.randint(low, high)))

    def day(self) -> str:
        return self.chance.choice(DAYS)

    def playbook(self, number: int) -> Record:
        """One playbook of the size that is wanted: steps are added until it is large enough."""
        topic = self.topics[number % len(self.tasks)]
        while True:
            record = self._playbook(number, topic)
            size = len(as_yaml(record))
            wanted = self.chance.randint(SIZE[0] + 100, SIZE[1] - 700)
            while size < wanted and len(record["steps"]) < 14:
                record["steps"].append(self._step(topic, len(record["steps"])))
                size = len(as_yaml(record))
            if SIZE[0] <= size <= SIZE[1] - 200:  # a test on record comes to some
                break
        self.versions[self.slugs[number]] = version(Playbook.model_validate(record))
        if number % 11 == 0:
            record["tested"] = [self._tested(record["agents"][0], self.versions[self.slugs[number]])]
        return record

    def _playbook(self, number: int, topic: list[str]) -> Record:
        chance, task = self.chance, self.tasks[number % len(self.tasks)]
        agents = chance.sample(AGENTS, chance.randint(1, 4))
        title = " ".join([task.partition("-")[0], *chance.sample(topic, 4), "case", str(number)])
        record = {
            "title": title.capitalize(),
            "task": task,
            "agents": agents,
            "summary": self.prose(topic, 2, 2)[:390],
            "outcome": self.prose(topic, 2, 3)[:590],
            "difficulty": chance.choice(["beginner", "intermediate", "advanced"]),
            "time": f"{1 + number % 3}-{4 + number % 5} hours, longer where a run is slow",
            "cost": "Tokens, growing with the size of the input",
            "risk": chance.choice(["low", "medium", "high"]),
            "risk_note": self.sentence(topic),
            "human_checkpoints": [f"Before step 3: {self.sentence(topic).lower()}", self.sentence(topic)],
            "prompt": self._prompt(topic),
            "variants": [self._variant(topic, agents[0])] if number % 10 == 0 else [],
            "needs": [self._need(topic, item) for item in range(chance.randint(2, 4))],
            "steps": [self._step(topic, step) for step in range(4)],
            "failures": [self._failure(topic) for _ in range(chance.randint(3, 4))],
            "evidence": [self._account(topic, number, item) for item in range(chance.randint(1, 4))],
            "references": [self._reference(topic, number)],
            "related": [self.slugs[number - 1]] if number % 3 == 0 and number else [],
            "tags": self._tags(),
            "asked": [" ".join(chance.sample(topic, 3)) for _ in range(3)],
            "updated": self.day(),
            "contributors": [{"handle": chance.choice(self.people)}],
        }
        if number % 40 == 7:
            record |= {"status": "withdrawn" if number % 160 == 7 else "deprecated", "status_reason": "One is better."}
            record |= {"replaced_by": self.slugs[number - 1]}
        if number % 30 == 3:
            record["aliases"] = [f"former-{number}"]
        return record

    def _tags(self) -> list[str]:
        """Three tags, the first ones of the list oftener, as tags are."""
        least = [min(self.chance.random() for _ in range(2)) for _ in range(3)]
        return sorted({self.tags[int(share * len(self.tags))] for share in least})

    def _prompt(self, topic: list[str]) -> str:
        lines = [f"In {{{{repository}}}}, with {{{{limit}}}} at hand: {self.sentence(topic).lower()}"]
        lines += ["", *(f"{item}. {self.sentence(topic)}" for item in range(1, 5)), ""]
        return "\n".join([*lines, self.prose(topic, 3, 4)])

    def _variant(self, topic: list[str], agent: str) -> Record:
        return {"agent": agent, "prompt": self._prompt(topic), "note": self.sentence(topic)}

    def _need(self, topic: list[str], item: int) -> Record:
        need = {"name": f"{' '.join(self.chance.sample(topic, 2)).capitalize()}", "kind": "tool"}
        need["note"] = self.sentence(topic)
        return need | ({"url": f"https://example.org/{topic[item]}"} if item == 1 else {})

    def _step(self, topic: list[str], number: int) -> Record:
        title = f"{' '.join(self.chance.sample(topic, 4)).capitalize()} {number}"
        check = f"`run --step {number}` prints 0. {self.sentence(topic)}"
        return {"title": title, "detail": self.prose(topic, 2, 3), "check": check}

    def _failure(self, topic: list[str]) -> Record:
        failure = {"problem": self.sentence(topic), "fix": self.prose(topic, 1, 2)}
        return failure | ({"lesson": self.chance.choice(self.lessons)} if self.chance.random() < 0.2 else {})

    def _reference(self, topic: list[str], number: int) -> Record:
        title = " ".join(self.chance.sample(topic, 4))
        return {"title": title, "url": f"https://docs{number}.example.org/page", "checked": self.day()}

    def _tested(self, agent: str, tested: str) -> Record:
        person = self.chance.choice(self.people)
        return {"date": self.day(), "agent": agent, "outcome": "worked", "by": person, "version": tested}

    def _account(self, topic: list[str], number: int, item: int) -> Record:
        record = {
            "title": " ".join(self.chance.sample(topic, 6)),
            "url": f"https://site{number}-{item}.example.net/story",
            "platform": "blog",
            "agent": self.chance.choice(AGENTS),
            "reported_outcome": self.sentence(topic),
            "author": f"Author {number}-{item}",
            "date": self.day(),
            "outcome": self.chance.choice(OUTCOMES),
            "account": self.chance.choice(["first-hand", "third-party", "vendor"]),
        }
        if record["account"] == "vendor":
            record["vendor"] = f"Vendor {number % 60}"
        return record | {"checked": self.day()} | ({"incident": f"incident-{number}"} if item == 3 else {})

    def lesson(self, number: int) -> Record:
        """One lesson that names some playbooks."""
        topic = self.topics[number % len(self.topics)]
        return {
            "title": f"{' '.join(self.chance.sample(topic, 5)).capitalize()} {number}",
            "problem": self.prose(topic, 2, 3),
            "fix": self.prose(topic, 2, 3),
            "agents": self.chance.sample(AGENTS, 2),
            "playbooks": self.chance.sample(self.slugs, min(2, len(self.slugs))),
            "tags": self._tags(),
            "updated": self.day(),
            "sources": [{"title": " ".join(topic[:4]), "url": f"https://lesson{number}.example.net/told"}],
        }

    def run(self, number: int) -> Record:
        """One approved run report, two in three with a key."""
        book = self.chance.choice(self.slugs)
        who = self.chance.choice(self.people)
        known = {"reporter": who, "verified": "true", "contributor_since": "2025-01-01"} if number % 3 else {}
        return {
            "playbook": book,
            "playbook_version": self.versions[book],
            "agent": self.chance.choice(AGENTS),
            "outcome": self.chance.choice(OUTCOMES),
            "lesson": self.sentence(self.topics[number % len(self.topics)]),
            **known,
            "reported": f"{self.day()}T10:00:00Z",
        }
