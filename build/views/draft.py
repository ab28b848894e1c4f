"""The page of a draft: all of it that can be shown already, in the templates that it will have, under what is left."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import reduce
from operator import getitem
from typing import Any
from zlib import compress

from library.content.loading import FOLDERS, TYPED
from library.content.yamlfile import parse
from library.problems import Pointer, Problem, printable
from library.records.collection import Library, naming
from library.records.fields import words_of
from library.records.models import Agent, Category, Filed, Lesson, Playbook, Task
from library.records.validating import is_draft, unwritten, validate
from library.rules.judgment import with_records

from ..facts import Facts
from .pages import PlaybookPage
from .rendering import RenderEnvironment
from .routes import AGENT, LESSON, PAGE_ROUTES, PLAYBOOK, TASK, Subject

WithPage = Playbook | Lesson | Task | Agent  # the records that have pages
UNWRITTEN = "Still to be written"
_SLUG = "still-to-be-written"
_WORD = "unwritten"
_ADDRESS = "https://unwritten.example/"
_MOST_ROUNDS = 400
_LONGEST = 200
_MAIN = re.compile(rb"<main\b[^>]*>")
_SCRIPT = re.compile(rb"<script [^>]*></script>\n?")
_SUBJECTS: dict[type, Subject] = {Playbook: PLAYBOOK, Lesson: LESSON, Task: TASK, Agent: AGENT}


def preview(env: RenderEnvironment, library: Library, record: Playbook | Lesson | Task) -> bytes:
    """The HTML page of `record`, which is in `library`. It is shown where no script may run, so it asks for none."""
    return _SCRIPT.sub(b"", _page_of(env, library, record))


def _page_of(env: RenderEnvironment, library: Library, record: WithPage, unsure: Collection[str] = ()) -> bytes:
    """The HTML page of `record`; of a playbook, the fields of few words that are `unsure` say so, and no word."""
    facts = Facts(library, {record.slug: compress(record.model_dump_json().encode())})
    facts.near = {}  # neighbours are not worked out: that takes the whole library
    route = next(route for route in PAGE_ROUTES if route.subject is _SUBJECTS[type(record)])
    ready = route.subject.ready(env, facts, record.slug)
    if unsure and isinstance(ready, PlaybookPage):
        ready = replace(ready, answer=ready.answer.model_copy(update=dict.fromkeys(unsure, _WORD)))
    if route.view is None or (page := route.view(env, ready)) is None:
        raise LookupError(route.path)
    return page


def _record_of(model: type[Filed], file: str, values: dict[str, Any], today: date) -> tuple[Filed | None, set[str]]:
    """A record with a stand-in for each value that is missing or wrong, and the fields of few words that have one."""
    words, tried = set[str](), Counter[Pointer]()
    for problem in list(unwritten(values, file)):
        told = problem.message.partition(": ")[2]
        _put(values, problem.pointer, f"{UNWRITTEN}: {told}" if told else UNWRITTEN)
    for _ in range(_MOST_ROUNDS):
        found = validate(model, values, file)
        if not isinstance(found, list):
            return found.filed(file), words
        for pointer, unknown in [(problem.pointer, problem.code == "unknown-key") for problem in found]:
            info = model.model_fields.get(str(pointer[0])) if len(pointer) == 1 and not unknown else None
            few = words_of(info)[:1] if info else []
            words |= {str(pointer[0])} if few else set()
            choices = few or _stand_ins(values, pointer, today)
            if unknown or tried[pointer] >= len(choices):  # what nothing can stand for goes, item and all
                _put(values, pointer if unknown or len(pointer) == 1 else pointer[:-1])
            else:
                _put(values, pointer, choices[tried[pointer]])
            tried[pointer] += 1
    return None, words


def _stand_ins(values: dict[str, Any], pointer: Pointer, today: date) -> list[Any]:
    """What is tried in the place of a value, one after the other; of a text first its beginning, on one line."""
    rest = [UNWRITTEN, _SLUG, today.isoformat(), _ADDRESS, [], [_SLUG], [{}]]
    with suppress(LookupError, TypeError):
        now = reduce(getitem, pointer, values)  # type: ignore[arg-type]  # a pointer may lead nowhere
        if isinstance(now, str) and isinstance(pointer[-1], str) and now.strip():
            return [" ".join(now.split())[:_LONGEST], *rest]
    return rest


def _put(values: dict[str, Any], pointer: Pointer, *value: object) -> None:
    """Put a value where a pointer leads, or drop what is there without one; it may lead nowhere."""
    with suppress(LookupError, TypeError):
        parent: Any = reduce(getitem, pointer[:-1], values)  # type: ignore[arg-type]  # as above
        if value:
            parent[pointer[-1]] = value[0]
        else:
            del parent[pointer[-1]]


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
    record, words = _record_of(FOLDERS[file.split("/", 1)[0]], file, values, library.today)
    if not isinstance(record, WithPage):
        return None
    record = naming(record, lambda folder, slug: slug in getattr(library, folder))
    page = _page_of(env, _with_places(with_records(library, [record]), record), record, words - {"status"})
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
