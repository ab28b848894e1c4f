"""An honest corpus: playbooks of the real sentences of this library, put together anew by a seed, in git.

Each record has the form of a real one (the same fields, as many steps and sentences), and takes every sentence from the
same field of some real record. So lengths, markup, code and the frequency of words are real; addresses, authors and
days are not. There are 80 tags, however large the library is: the real ones, and words of its jobs.

`python -m benchmarks.corpus FOLDER COUNT`: a content folder in a repository with 150 commits.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from library.records.collection import version
from library.records.models import Playbook
from library.rules.checks.within import VARIABLE

REAL = Path(__file__).resolve().parent.parent / "content"
TAGS, COMMITS = 80, 150
A_JOB = 12
"""So many playbooks do one job."""

_DAY = re.compile(rb"\b20\d\d-\d\d-\d\d\b")
DAYS = [f"2026-{month:02d}-{day:02d}" for month in range(1, 11) for day in range(1, 29)]
_SENTENCES = re.compile(r"""(?<=[.?!])\s+(?=[A-Z`"(])""")
_STEP = re.compile(r"(?i)^((?:before|after|during) step )(\d+)")
Record = dict[str, Any]


def write_corpus(folder: Path, count: int, *, seed: int = 1, runs: int = 0) -> Path:
    """Write a content folder of `count` playbooks and `runs` run reports; the same seed gives the same bytes."""
    for name, record in records(count, seed=seed, runs=runs):
        put(folder / name, as_yaml(record))
    return folder


def put(path: Path, data: bytes) -> None:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def records(count: int, *, seed: int = 1, runs: int = 0) -> Iterator[tuple[str, Record]]:
    """Every file of the corpus with its record. Jobs and lessons grow with the number of playbooks."""
    yield "site.yaml", real("site.yaml") | {"title": "Corpus", "site_url": "https://playbooks.example"}
    for name in ("categories.yaml", "synonyms.yaml", *_names("agents")):
        yield name, real(name)
    corpus = _Corpus(random.Random(seed), count)
    for number, slug in enumerate(corpus.tasks):
        task = _model("tasks", number)
        yield f"tasks/{slug}.yaml", task | {"name": f"{task['name']} {number}", "wanted": False}
    for number, slug in enumerate(corpus.lessons):
        yield f"lessons/{slug}.yaml", corpus.lesson(number)
    for number, slug in enumerate(corpus.slugs):
        yield f"playbooks/{slug}.yaml", corpus.playbook(number)
    for number in range(runs):
        run = corpus.run(number)
        yield f"runs/{run['playbook']}/run-{number}.yaml", run


@cache
def real(name: str) -> Record:
    """A real record, every value of it a text; a day after the corpus's own is its last, whenever it was written."""
    return texts_of(_DAY.sub(lambda found: min(found[0], DAYS[-1].encode()), (REAL / name).read_bytes()))


def texts_of(file: bytes) -> Record:
    """A file's values, every one of them a text."""
    found: Record = yaml.load(file, yaml.CBaseLoader)  # noqa: S506 - it makes texts alone
    return found


@cache
def _names(folder: str) -> list[str]:
    return sorted(f"{folder}/{path.name}" for path in (REAL / folder).glob("*.yaml"))


def _model(folder: str, number: int) -> Record:
    """The real record whose form the one of this number has."""
    names = _names(folder)
    return real(names[number % len(names)])


def _is_prose(text: str) -> bool:
    """Slugs, words of a vocabulary, days and addresses are single words; all else is recombined."""
    return " " in text


def _pieces(text: str) -> list[str]:
    """The paragraphs of a text of several lines, or the sentences of another."""
    return text.strip().split("\n\n") if "\n" in text.strip() else _SENTENCES.split(text.strip())


@cache
def _pools() -> tuple[dict[str, list[str]], dict[str, int]]:
    """What real records say in each field: every piece as often as it is there, and the longest text."""
    pieces: dict[str, list[str]] = defaultdict(list)
    longest: dict[str, int] = defaultdict(int)

    def gather(value: Any, field: str) -> None:  # noqa: ANN401 - a text, a list or a mapping
        if isinstance(value, str):
            found = _pieces(value) if _is_prose(value) else []
            pieces[field] += [piece for piece in found if piece.count("`") % 2 == 0]  # code is not taken apart
            longest[field] = max(longest[field], len(value))
        for key, item in value.items() if isinstance(value, dict) else ():
            gather(item, f"{field}.{key}")
        for item in value if isinstance(value, list) else ():
            gather(item, field)

    for folder in ("playbooks", "lessons"):
        for name in _names(folder):
            gather(real(name), folder)
    return pieces, longest


@cache
def _tags() -> tuple[list[str], list[int]]:
    """The vocabulary, and how often each tag is given: the real ones, then words of jobs, which are rare."""
    every = Counter(tag for folder in ("playbooks", "lessons") for name in _names(folder) for tag in real(name)["tags"])
    jobs = {word for name in _names("tasks") for word in Path(name).stem.split("-") if len(word) > 3}
    every.update(sorted(jobs - every.keys()))
    tags, times = zip(*every.most_common(TAGS), strict=True)
    return list(tags), list(times)


class _Corpus:
    """The names of everything, and one seeded chance from which each record takes its sentences in turn."""

    def __init__(self, chance: random.Random, count: int) -> None:
        self.chance = chance
        jobs = [Path(name).stem for name in _names("tasks")]
        self.tasks = [f"{jobs[job % len(jobs)]}-{job}" for job in range(max(1, count // A_JOB))]
        tasks = [self.tasks[number % len(self.tasks)] for number in range(count)]
        self.slugs = [f"{task[:50].rstrip('-')}-case-{number}" for number, task in enumerate(tasks)]
        self.lessons = [f"lesson-{number}" for number in range(max(5, count // 5))]
        self.people = [f"person-{number}" for number in range(max(5, count // 50))]
        self.versions: dict[str, str] = {}

    def remixed(self, model: Record, kind: str) -> Record:
        """A record of the model's form, other pieces of the same field in the place of each piece."""
        pools, longest = _pools()
        used: set[str] = set()

        def text(field: str, model: str) -> str:
            wanted, chosen = len(_pieces(model)), list[str]()
            for _ in range(wanted * 4):
                piece = self.chance.choice(pools[field])
                fits = sum(map(len, chosen)) + 2 * len(chosen) + len(piece) <= longest[field]
                if len(chosen) < wanted and piece not in used and fits:
                    used.add(piece)
                    chosen.append(piece)
            return ("\n\n" if "\n" in model.strip() else " ").join(chosen) or model

        def value(model: Any, field: str) -> Any:  # noqa: ANN401 - a text, a list or a mapping
            if isinstance(model, dict):
                return {key: value(item, f"{field}.{key}") for key, item in model.items()}
            if isinstance(model, list):
                return [value(item, field) for item in model]
            return text(field, model) if _is_prose(model) else model

        found: Record = value(model, kind)
        return found

    def playbook(self, number: int) -> Record:
        """One playbook in the form of a real one, with names of its own."""
        chance, slug = self.chance, self.slugs[number]
        model = _model("playbooks", number)
        record = self.remixed(model, "playbooks") | {
            "task": self.tasks[number % len(self.tasks)],
            "related": chance.sample(self.slugs[:number], min(number, len(model.get("related", [])))),
            "tags": self._some_tags(model),
            "updated": chance.choice(DAYS),
            "contributors": [{"handle": chance.choice(self.people)}],
        }
        record.pop("tested", None)  # runs are of the real one, and of its day
        record["title"] = f"{record['title'].rstrip('.')}, case {number}"
        steps = len(record["steps"])
        record["human_checkpoints"] = [
            _STEP.sub(lambda found: f"{found[1]}{min(int(found[2]), steps)}", text)
            for text in record["human_checkpoints"]
        ]
        for place, item in enumerate([*record.get("evidence", []), *record.get("references", [])]):
            invented = {"author": f"Author {number}-{place}", "vendor": f"Vendor {number % 60}"}
            item.update({key: name for key, name in invented.items() if key in item})
            item["url"] = f"https://site{number}-{place}.example.net/story"
        for failure in record["failures"]:
            if "lesson" in failure:
                failure["lesson"] = chance.choice(self.lessons)
        record |= self._explained(number, record)
        self.versions[slug] = version(Playbook.model_validate(record))
        return record | self._rare(number, record)

    def _explained(self, number: int, record: Record) -> Record:
        """What is said of the prompts' inputs, which the remixed sentences decide, and what few real ones have yet."""
        prompts = [record["prompt"], *(variant["prompt"] for variant in record.get("variants", []))]
        names = dict.fromkeys(name for prompt in prompts for name in VARIABLE.findall(prompt))
        explained = {"meaning": f"What case {number} is about.", "where": "Whoever asked for it knows."}
        return {
            "essence": f"{record['steps'][0]['title']}, then {record['steps'][-1]['title']}, in case {number}.",
            "minutes": {"from": 10 + number % 50, "to": 90 + number % 70, "depends_on": "How much there is to read."},
            "inputs": [{"name": name, "example": f"{name} {number}"} | explained for name in names],
            "tried_with": [{"tool": "git", "version": f"2.{number % 40}"}],
        }

    def _rare(self, number: int, record: Record) -> Record:
        """What some playbooks have: a test, a prompt for one agent, another name, an end."""
        found: Record = {}
        if number % 11 == 0:
            test = {"date": self.chance.choice(DAYS), "agent": record["agents"][0], "outcome": "worked"}
            test |= {"by": self.chance.choice(self.people), "version": self.versions[self.slugs[number]]}
            found["tested"] = [test]
        if number % 30 == 3:
            found["aliases"] = [f"former-{number}"]
        if number % 40 == 7:
            found |= {"status": "withdrawn" if number % 160 == 7 else "deprecated", "status_reason": "One is better."}
            found["replaced_by"] = self.slugs[number - 1]
        return found

    def _some_tags(self, model: Record) -> list[str]:
        return list(dict.fromkeys(self.chance.choices(*_tags(), k=len(model["tags"]))))

    def lesson(self, number: int) -> Record:
        """One lesson that names some playbooks."""
        model = _model("lessons", number)
        record = self.remixed(model, "lessons") | {
            "playbooks": self.chance.sample(self.slugs, min(2, len(self.slugs))),
            "tags": self._some_tags(model),
            "updated": self.chance.choice(DAYS),
        }
        record["title"] = f"{record['title'].rstrip('.')}, case {number}"
        for place, item in enumerate(record.get("sources", [])):
            item["url"] = f"https://lesson{number}-{place}.example.net/story"
        return record

    def run(self, number: int) -> Record:
        """One approved run report, two in three with a key."""
        book, who = self.chance.choice(self.slugs), self.chance.choice(self.people)
        known = {"reporter": who, "verified": True, "contributor_since": "2025-01-01"} if number % 3 else {}
        return known | {
            "playbook": book,
            "playbook_version": self.versions[book],
            "agent": Path(self.chance.choice(_names("agents"))).stem,
            "outcome": self.chance.choice(("worked", "worked", "worked_with_changes", "failed")),
            "lesson": self.chance.choice(_pools()[0]["playbooks.failures.problem"]),
            "reported": f"{self.chance.choice(DAYS)}T10:00:00Z",
        }


class _Dumper(yaml.CSafeDumper):
    """YAML the way contributors write it: long texts folded, those of several lines literal, days plain."""


def _text(dumper: yaml.CSafeDumper, text: str) -> yaml.ScalarNode:
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        return dumper.represent_scalar("tag:yaml.org,2002:timestamp", text)
    style = "|" if "\n" in text else ">" if len(text) > 80 else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def as_yaml(record: Record) -> bytes:
    """A record as its file; keys without a value are left out."""
    plain = {key: value for key, value in record.items() if value}
    text: bytes = yaml.dump(plain, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=98, encoding="utf-8")
    return text


def commit_corpus(content: Path, commits: int = COMMITS) -> None:
    """Make the folder above a repository into which the content came in so many commits; some files have two."""
    git = ["git", "-C", str(content.parent)]
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    files = sorted(content.rglob("*.yaml"))
    with subprocess.Popen([*git, "fast-import", "--quiet"], stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        for number in range(commits):
            who = f"person-{number % 5} <person@example.org> {1_767_225_600 + number * 86_400} +0000"
            head = f"commit refs/heads/main\ncommitter {who}\ndata <<END\nChange {number}\nEND\n"
            process.stdin.write(head.encode())
            first = set(files[number::commits][::5] if number + 1 < commits else ())
            again = files[number - 1 :: commits][::5] if number else []
            for path in (*files[number::commits], *again):
                data = path.read_bytes()
                if path in first:
                    data = re.sub(rb"(?m)^updated: .*$", b"updated: 2025-12-01", data)
                name = path.relative_to(content.parent).as_posix()
                process.stdin.write(f"M 100644 inline {name}\ndata {len(data)}\n".encode() + data + b"\n")
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, "git fast-import")
    subprocess.run([*git, "reset", "-q"], check=True)


if __name__ == "__main__":
    commit_corpus(write_corpus(Path(sys.argv[1], "content"), int(sys.argv[2]), runs=int(sys.argv[2]) // 2))
