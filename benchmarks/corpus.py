"""A seeded generator of realistic content: playbooks of 6-9 KB of YAML, all fields, no two alike, with runs."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from library.formatting import canonical

VERBS = "fix migrate review write clean merge plan debug profile port translate triage audit draft build".split()
THINGS = (
    "flaky tests;a database schema;pull requests;release notes;spreadsheets;an inbox;terraform modules;a cluster"
    ";slow queries;a code base;documentation;contracts;support tickets;invoices;slides;an interface;a newsletter"
    ";a home server;alerts;a trip"
).split(";")
PLACES = (
    "in a monorepo;for a small team;before a release;after an outage;with no tests;under audit;on a deadline;offline"
).split(";")
WORDS = (
    "read run check compare count diff commit branch log line table row column sample schema test assertion fixture"
    " seed worker timeout retry cache index query plan cost budget owner reviewer person step output input file folder"
    " path version release change rollback backup restore export import parse match filter group sort limit threshold"
    " window report summary outline section paragraph source quote claim date author page link reference account key"
).split()
TAGS = "testing ci code-review refactoring migration debugging incident data-cleaning research writing planning".split()
AGENTS = [f"agent-{number}" for number in range(12)]
CATEGORIES = ["software", "operations", "data", "research", "writing", "business", "personal"]


def write_corpus(folder: Path, count: int, *, seed: int = 1, runs: int = 0) -> Path:
    """Write a whole content folder of `count` playbooks and `runs` run reports; the same seed gives the same bytes."""
    chance = random.Random(seed)  # noqa: S311 - a corpus, not a secret
    _put(folder, "site.yaml", _site())
    _put(folder, "categories.yaml", {"categories": [_category(name) for name in CATEGORIES]})
    for agent in AGENTS:
        _put(folder, f"agents/{agent}.yaml", _agent(agent))
    tasks = [f"{verb}-{thing.replace(' ', '-')}" for verb in VERBS for thing in THINGS]
    for number, task in enumerate(tasks):
        _put(folder, f"tasks/{task}.yaml", _task(task, CATEGORIES[number % len(CATEGORIES)]))
    slugs = [f"{tasks[number % len(tasks)]}-{number}"[:64] for number in range(count)]
    for number, slug in enumerate(slugs):
        _put(folder, f"playbooks/{slug}.yaml", _playbook(chance, number, tasks[number % len(tasks)], slugs))
    for number in range(runs):
        book = chance.choice(slugs)
        _put(folder, f"runs/{book}/run-{number}.yaml", _run(chance, number, book))
    return folder


def _put(folder: Path, name: str, value: dict[str, Any]) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(canonical(value, name))


def _site() -> dict[str, Any]:
    return {
        "title": "Corpus",
        "tagline": "For measuring",
        "site_url": "https://playbooks.example",
        "licence": {"name": "CC BY 4.0", "url": "https://creativecommons.org/licenses/by/4.0/"},
        "contact": "https://playbooks.example/docs/takedown/",
    }


def _category(slug: str) -> dict[str, Any]:
    return {"slug": slug, "name": slug.capitalize(), "summary": f"All that is {slug}."}


def _agent(slug: str) -> dict[str, Any]:
    return {"name": slug.title(), "vendor": "A vendor", "url": f"https://example.com/{slug}", "summary": "An agent."}


def _task(slug: str, category: str) -> dict[str, Any]:
    return {
        "name": slug.replace("-", " ").capitalize(),
        "category": category,
        "summary": f"To {slug.replace('-', ' ')}.",
    }


def _sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(WORDS, k=words)).capitalize() + "."


def _prose(chance: random.Random, sentences: int) -> str:
    return " ".join(_sentence(chance, chance.randint(8, 16)) for _ in range(sentences))


def _playbook(chance: random.Random, number: int, task: str, slugs: list[str]) -> dict[str, Any]:
    agents = chance.sample(AGENTS, chance.randint(1, 4))
    title = f"{task.replace('-', ' ').capitalize()} {chance.choice(PLACES)} {number}"
    return {
        "title": title,
        "task": task,
        "agents": agents,
        "summary": _prose(chance, 2)[:390],
        "outcome": _prose(chance, 2)[:500],
        "difficulty": chance.choice(["beginner", "intermediate", "advanced"]),
        "time": "1-4 hours, longer where a run takes over five minutes",
        "cost": "Tokens, growing with the size of the input",
        "risk": chance.choice(["low", "medium", "high"]),
        "risk_note": _prose(chance, 1),
        "human_checkpoints": ["Before step 3: a person reads the plan.", _sentence(chance, 12)],
        "prompt": "\n".join([f"In {{{{repository}}}} number {number}:", *(_prose(chance, 1) for _ in range(9))]),
        "variants": [_variant(chance, agents[0])] if number % 4 == 0 else [],
        "needs": [{"name": f"Need {item}", "kind": "tool", "note": _sentence(chance, 8)} for item in range(2)],
        "steps": [_step(chance, step) for step in range(chance.randint(5, 8))],
        "failures": [{"problem": _sentence(chance, 12), "fix": _prose(chance, 2)} for _ in range(4)],
        "evidence": [_account(chance, number, item) for item in range(chance.randint(1, 4))],
        "references": [_reference(chance, number)],
        "related": [slugs[number - 1]] if number % 3 == 0 and number else [],
        "tags": chance.sample(TAGS, 3),
        "updated": f"2026-{chance.randint(1, 10):02d}-{chance.randint(1, 28):02d}",
    }


def _variant(chance: random.Random, agent: str) -> dict[str, Any]:
    return {"agent": agent, "prompt": _prose(chance, 6), "note": _sentence(chance, 8)}


def _step(chance: random.Random, number: int) -> dict[str, Any]:
    title = f"{_sentence(chance, 5)[:-1]} {number}"
    check = f"`run --step {number}` prints 0. {_prose(chance, 1)}"
    return {"title": title, "detail": _prose(chance, 3), "check": check}


def _reference(chance: random.Random, number: int) -> dict[str, Any]:
    return {"title": _sentence(chance, 4), "url": f"https://docs{number}.example.org/page", "checked": "2026-06-01"}


def _account(chance: random.Random, number: int, item: int) -> dict[str, Any]:
    return {
        "title": _sentence(chance, 6),
        "url": f"https://site{number}-{item}.example.net/story",
        "platform": "blog",
        "agent": chance.choice(AGENTS),
        "reported_outcome": _sentence(chance, 20),
        "author": f"Author {number}-{item}",
        "outcome": chance.choice(["worked", "worked_with_changes", "failed"]),
        "account": "first-hand",
    }


def _run(chance: random.Random, number: int, book: str) -> dict[str, Any]:
    return {
        "playbook": book,
        "playbook_version": f"{number:012x}",
        "agent": chance.choice(AGENTS),
        "outcome": chance.choice(["worked", "worked", "worked_with_changes", "failed"]),
        "reporter": f"reporter-{number % 50}",
        "verified": "true",
        "contributor_since": "2025-01-01",
        "reported": f"2026-{number % 10 + 1:02d}-{number % 28 + 1:02d}T10:00:00Z",
    }
