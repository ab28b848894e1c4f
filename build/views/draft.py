"""The page of a draft: all of it that can be shown already, in the templates that it will have, under what is left."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, reduce
from operator import getitem
from typing import Any

from pydantic.fields import FieldInfo

from library.content.loading import FOLDERS, TYPED
from library.content.yamlfile import parse
from library.problems import Pointer, Problem, printable
from library.records.collection import Library, naming
from library.records.drafts import is_draft, unwritten
from library.records.fields import words_of
from library.records.models import Agent, Category, Filed, Lesson, Playbook, Task
from library.records.validating import validate
from library.rules.judgment import with_records
from library.rules.related import Near

from ..facts import Facts
from .pages import PlaybookPage
from .rendering import RenderEnvironment
from .routes import AGENT, LESSON, PAGE_ROUTES, PLAYBOOK, TASK, Subject

WithPage = Playbook | Lesson | Task | Agent
"""The records that have pages."""

UNWRITTEN = "Still to be written"
_SLUG = "still-to-be-written"
_WORD = "unwritten"
_ADDRESS = "https://unwritten.example/"
_MOST_ROUNDS = 400
_LONGEST = 200
_MAIN = re.compile(rb"<main\b[^>]*>")
_SCRIPT = re.compile(rb"<script [^>]*></script>\n?")
_SUBJECTS: dict[type, Subject] = {Playbook: PLAYBOOK, Lesson: LESSON, Task: TASK, Agent: AGENT}


class _PreviewFacts(Facts):
    """Facts for the page of one record: neighbours are not worked out, because that takes the whole library."""

    def __init__(self, library: Library, record: WithPage) -> None:
        super().__init__(library)
        self._record = record

    def book(self, slug: str) -> Playbook:
        """The playbook that is looked at."""
        if not isinstance(self._record, Playbook):
            raise LookupError(slug)
        return self._record

    @cached_property
    def near(self) -> Mapping[str, Near]:
        """No computed neighbours."""
        return {}


def preview(env: RenderEnvironment, library: Library, record: Playbook | Lesson | Task) -> bytes:
    """The HTML page of `record`, which is in `library`. It is shown where no script may run, so it asks for none."""
    return _SCRIPT.sub(b"", _page_of(env, library, record))


def _page_of(env: RenderEnvironment, library: Library, record: WithPage, unsure: Collection[str] = ()) -> bytes:
    """The HTML page of `record`; of a playbook, the fields of few words that are `unsure` say so, and no word."""
    route = next(route for route in PAGE_ROUTES if route.subject is _SUBJECTS[type(record)])
    ready = route.subject.ready(env, _PreviewFacts(library, record), record.slug)
    if unsure and isinstance(ready, PlaybookPage):
        ready = replace(ready, answer=ready.answer.model_copy(update=dict.fromkeys(unsure, _WORD)))
    if route.view is None or (page := route.view(env, ready)) is None:
        raise LookupError(route.path)
    return page


@dataclass
class _Values:
    """The values of a draft on the way to a record: what does not fit gives way to what stands for it."""

    model: type[Filed]
    file: str
    today: date
    values: dict[str, Any]
    words: set[str] = field(default_factory=set)
    tried: Counter[Pointer] = field(default_factory=Counter)

    def record(self) -> Filed | None:
        """The record with a stand-in for each value that is missing or wrong; `words` are fields of few words then."""
        for problem in list(unwritten(self.values, self.file)):
            told = problem.message.partition(": ")[2]
            self._put(problem.pointer, f"{UNWRITTEN}: {told}" if told else UNWRITTEN)
        for _ in range(_MOST_ROUNDS):
            found = validate(self.model, self.values, self.file)
            if not isinstance(found, list):
                return found.filed(self.file)
            for problem in found:
                self._mend(problem)
        return None

    def _mend(self, problem: Problem) -> None:
        """The next stand-in for a value; what is unknown goes, and what nothing can stand for, item and all."""
        pointer = problem.pointer
        info = self.model.model_fields.get(str(pointer[0])) if pointer else None
        choices = [] if problem.code == "unknown-key" else self._stand_ins(pointer, info)
        number = self.tried[pointer]
        self.tried[pointer] += 1
        if number < len(choices):
            self._put(pointer, choices[number])
        else:
            self._drop(pointer if problem.code == "unknown-key" or len(pointer) == 1 else pointer[:-1])

    def _stand_ins(self, pointer: Pointer, info: FieldInfo | None) -> list[Any]:
        now = self._at(pointer) if isinstance(pointer[-1], str) else None
        shorter = [" ".join(now.split())[:_LONGEST]] if isinstance(now, str) and now.strip() else []
        words = words_of(info) if info and len(pointer) == 1 else []
        if words:
            self.words.add(str(pointer[0]))
            return words[:1]
        return [*shorter, UNWRITTEN, _SLUG, self.today.isoformat(), _ADDRESS, [], [_SLUG], [{}]]

    def _at(self, pointer: Pointer) -> Any:  # noqa: ANN401 - what a file says may be anything
        with suppress(LookupError, TypeError):
            return reduce(getitem, pointer, self.values)  # type: ignore[arg-type]  # a pointer may lead nowhere
        return None

    def _put(self, pointer: Pointer, value: object) -> None:
        with suppress(LookupError, TypeError):
            self._at(pointer[:-1])[pointer[-1]] = value

    def _drop(self, pointer: Pointer) -> None:
        with suppress(LookupError, TypeError):
            del self._at(pointer[:-1])[pointer[-1]]


def draft_page(
    env: RenderEnvironment, library: Library, file: str, raw: bytes, problems: Sequence[Problem]
) -> bytes | None:
    """The HTML page of a file as it is, whatever is wrong with it, marked, and under its problems.

    None where it is of no kind that has pages.
    """
    values = _values_of(raw, file)
    declared = is_draft(values, file)
    if values.get("status") == "draft":
        del values["status"]
    held = _Values(FOLDERS[file.split("/", 1)[0]], file, library.today, values)
    record = held.record()
    if not isinstance(record, WithPage):
        return None
    record = naming(record, lambda folder, slug: slug in getattr(library, folder))
    page = _page_of(env, _with_places(with_records(library, [record]), record), record, held.words - {"status"})
    first = problems[0].file if problems else ""
    mark = env.page("draft.html", problems=problems, first=first, printable=printable, declared=declared)
    page = page.replace(b"</head>", b'<meta name="robots" content="noindex">\n</head>', 1)
    end = place.end() if (place := _MAIN.search(page)) else 0
    return page[:end] + mark + b"\n" + page[end:]


def _values_of(raw: bytes, file: str) -> dict[str, Any]:
    """What a file says; where it cannot be read as a whole, what each of its top-level keys says that can."""
    text = raw.decode("utf-8", "replace").replace("\r\n", "\n").replace("\0", "")
    value = parse(text, file, typed=TYPED).value
    if isinstance(value, dict):
        return value
    found: dict[str, Any] = {}
    for block in re.split(r"^(?=[^\s#-])", text, flags=re.MULTILINE):
        part = parse(block, file, typed=TYPED).value
        if isinstance(part, dict):
            found.update(part)
    return found


def _with_places(library: Library, record: Filed) -> Library:
    """The library with a job, a category and agents for a record whose own are not there."""
    tasks, categories, agents = dict(library.tasks), dict(library.categories), dict(library.agents)
    named = record.agents if isinstance(record, Playbook | Lesson) else ()
    for slug in (*named, *(item.agent for item in record.variants)) if isinstance(record, Playbook) else named:
        if slug not in agents:
            made = Agent(name=UNWRITTEN if slug == _SLUG else slug, vendor=UNWRITTEN, url=_ADDRESS, summary=UNWRITTEN)
            agents[slug] = made.filed(f"agents/{slug}.yaml")
    if isinstance(record, Playbook) and record.task not in tasks:
        nowhere = Task(name=UNWRITTEN, category=_SLUG, summary=UNWRITTEN)
        tasks[record.task] = nowhere.filed(f"tasks/{record.task}.yaml")
    for task in tasks.values():
        if task.category not in categories:
            categories[task.category] = Category(slug=task.category, name=UNWRITTEN, summary=UNWRITTEN)
    return replace(library, tasks=tasks, categories=categories, agents=agents)
