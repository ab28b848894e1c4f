"""Rules across files: what one record says of another must hold."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from library.problems import OPEN, Problem, Severity, did_you_mean, sure, wrong
from library.records.collection import Library, PlaybookEntry, grouped
from library.records.fields import texts_of
from library.records.models import Lesson, Playbook, Task
from library.records.vocabulary import ANY_AGENT, UNLISTED_AGENTS
from library.records.who import folded
from library.search.words import ENGLISH, LONGEST, Analyzer

Reference = tuple[PlaybookEntry | Lesson | Task, str, str | None]
"""A record, the field in which it names another one, and the slug that stands there."""
_ADD = "add FILE or name another"
_REMOVE = "name another or remove it"
COPY_WORDS = 10
TAGS_FROM = 20  # in a library of fewer playbooks a tag may well stand alone for a while
_SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+|\n+")
_WORD = re.compile(r"[\w'’-]+")
_SMALL_WORDS = frozenset("a an and at by for from in into of on or the to with your its".split())


def _unknown(library: Library, folder: str, references: Iterable[Reference], mend: str) -> Iterator[Problem]:
    """A problem for each slug that no record of this folder has; the `mend` is said where no other slug is near."""
    known, noun = library.known(folder), "category" if folder == "categories" else folder.removesuffix("s")
    for record, field, slug in references:
        if slug and slug not in known:
            former = library.playbook(slug) if folder == "playbooks" else None
            meant, names = (former.slug, [former.slug]) if former else (slug, library.names(folder))
            end = did_you_mean(meant, names) or "; " + mend.replace("FILE", f"{folder}/{slug}.yaml")
            found = record.wrong(field, f"no {noun} named {slug!r}{end}")
            yield found.mended("write", former.slug if former else sure(slug, names, OPEN))


def _each(records: Iterable[PlaybookEntry | Lesson], field: str) -> Iterator[Reference]:
    return ((record, f"{field}.{at}", slug) for record in records for at, slug in enumerate(getattr(record, field)))


def _tasks(library: Library) -> Iterator[Reference]:
    return ((book, "task", book.task) for book in library.all_books)


def _agents(library: Library) -> Iterator[Reference]:
    return chain(_each(library.all_books, "agents"), _each(library.lessons.values(), "agents"))


def _agents_beside(library: Library) -> Iterator[Reference]:
    """The agents of tests, which may be not known at all, and those of variants that are not the playbook's own."""
    for book in library.all_books:
        tested = ((at, test.agent) for at, test in enumerate(book.tested) if test.agent not in UNLISTED_AGENTS)
        yield from ((book, f"tested.{at}.agent", agent) for at, agent in tested)
        varied = enumerate(book.variants) if ANY_AGENT in book.agents else ()
        yield from ((book, f"variants.{at}.agent", agent) for at, agent in varied if agent not in book.agents)


def task_exists(library: Library) -> Iterator[Problem]:
    """The task of a playbook is a task of this library."""
    return _unknown(library, "tasks", _tasks(library), _ADD)


def category_exists(library: Library) -> Iterator[Problem]:
    """The category of a task is a category of this library."""
    tasks = () if "categories.yaml" in library.unreadable else library.tasks.values()
    named = ((task, "category", task.category) for task in tasks)
    return _unknown(library, "categories", named, f"known are {', '.join(library.categories)}")


def agents_exist(library: Library) -> Iterator[Problem]:
    """Every agent that a playbook or a lesson names is an agent of this library."""
    return _unknown(library, "agents", _agents(library), _ADD)


def variants_and_tests_know_their_agents(library: Library) -> Iterator[Problem]:
    """Every agent that a test or a variant names is of this library; a test's may be not known at all."""
    return _unknown(library, "agents", _agents_beside(library), _ADD)


def related_exist(library: Library) -> Iterator[Problem]:
    """Every `related` slug names a playbook of this library."""
    return _unknown(library, "playbooks", _each(library.all_books, "related"), _REMOVE)


def synonyms_can_be_met(library: Library) -> Iterator[Problem]:
    """A synonym's phrase has a word that searches look for, is short enough to be met, and stands once in its entry."""
    phrase_of = Analyzer(library.site.search_language).phrase_of
    for entry, item in enumerate(library.synonyms):
        for name, phrases in (("words", item.words), ("mean", item.mean)):
            stems = [phrase_of(phrase) for phrase in phrases]
            for index, said in enumerate(stems):
                fault = "says the same as one before it in this entry; leave it out" if said in stems[:index] else ""
                if name == "words" and len(said) > LONGEST:
                    fault = f"has more than {LONGEST} words that count, and is never met in a question; shorten it"
                if not said:
                    fault = "holds only words that searches leave out; add one that says something"
                if fault:
                    place = f"synonyms.{entry}.{name}.{index}"
                    yield wrong("synonyms.yaml", place, f"{phrases[index]!r} {fault}", Severity.WARNING)


def replacement_exists(library: Library) -> Iterator[Problem]:
    """A playbook is replaced by a playbook of this library that is itself not replaced by it."""
    named = ((book, "replaced_by", book.replaced_by) for book in library.all_books)
    yield from _unknown(library, "playbooks", named, _REMOVE)
    for book in library.all_books:
        other = library.playbooks.get(book.replaced_by or "")
        if other and other.replaced_by == book.slug:
            yield book.wrong("replaced_by", f"{book.replaced_by!r} is replaced by this one; break the circle")


def lessons_exist(library: Library) -> Iterator[Problem]:
    """Every lesson that a failure names is a lesson of this library."""
    named = ((book, at, slug) for book in library.all_books for at, slug in enumerate(book.failure_lessons))
    return _unknown(library, "lessons", ((book, f"failures.{at}.lesson", slug) for book, at, slug in named), _ADD)


def lessons_name_known_playbooks(library: Library) -> Iterator[Problem]:
    """Every playbook that a lesson touches is a playbook of this library."""
    return _unknown(library, "playbooks", _each(library.lessons.values(), "playbooks"), _REMOVE)


def aliases_are_unique(library: Library) -> Iterator[Problem]:
    """An alias is no playbook's slug and no other playbook's alias."""
    owner: dict[str, str] = {}
    for book in library.all_books:
        for index, alias in enumerate(book.aliases):
            if library.has("playbooks", alias) and f"playbooks/{alias}.yaml" not in library.drafts:
                yield book.wrong(f"aliases.{index}", f"{alias!r} is a playbook itself; remove it")
            elif alias in owner:
                yield book.wrong(f"aliases.{index}", f"{alias!r} leads to {owner[alias]!r} already; remove it")
            owner.setdefault(alias, book.slug)


def names_are_one_agents(library: Library) -> Iterator[Problem]:
    """No two agents, and no two models, share a name or an alias, whatever its letters."""
    known, models = library.agents_by_name, library.models_by_name
    named = [(agent.file, "aliases", slug, agent.aliases, known) for slug, agent in library.agents.items()]
    for at, model in enumerate(library.models):
        named.append(("models.yaml", f"models.{at}.aliases", model.slug, model.aliases, models))
    for file, field, slug, aliases, owners in named:
        for index, alias in enumerate(aliases):
            if (owner := owners[folded(alias)]) != slug:
                yield wrong(file, f"{field}.{index}", f"{alias!r} is what {owner!r} is called already; remove it")


def titles_differ(library: Library) -> Iterator[Problem]:
    """No two playbooks, and no two lessons, have titles that say the same but for small words, order and endings."""
    for records in (library.playbooks, library.lessons):
        for first, *others in grouped((_said(records[slug].title), slug) for slug in sorted(records)).values():
            for slug in others:
                yield records[slug].wrong("title", f"says the same as {first!r}; merge the two, or say how they differ")


def _said(title: str) -> frozenset[str]:
    """What a title says: its words without small ones and endings, in no order; C++ and C# are words."""
    words = (ENGLISH.stem(word) for word in re.findall(r"\w+(?:\+\+|#)?", title.casefold()) if word not in _SMALL_WORDS)
    return frozenset(words) or frozenset({title})


def runs_belong(library: Library) -> Iterator[Problem]:
    """Every run report belongs to a playbook of this library."""
    for slug, runs in library.runs.items():
        if not library.has("playbooks", slug):
            yield runs[0].wrong("playbook", f"no playbook named {slug!r}; its run reports belong to nothing, move them")


def no_draft_is_needed(library: Library) -> Iterator[Problem]:
    """What a published record rests on is published: its task and agents are no drafts; what was tried is no draft."""
    for folder, named in ("tasks", _tasks), ("agents", _agents), ("agents", _agents_beside):
        for record, field, slug in named(library) if library.drafts else ():
            if f"{folder}/{slug}.yaml" in library.drafts:
                message = f"{slug!r} is a draft, which no reader can see; publish it too, or make this one a draft"
                yield record.wrong(field, message)
    for slug, runs in library.runs.items():
        if f"playbooks/{slug}.yaml" in library.drafts:
            mend = "set `status: deprecated` or `withdrawn` with a `status_reason` there"
            yield runs[0].wrong("playbook", f"{slug!r} is a draft, and what was run is published; {mend}")


def tasks_are_done_or_wanted(library: Library) -> Iterator[Problem]:
    """A task has a playbook, or is marked as wanted; not both."""
    for slug, task in library.tasks.items():
        done = slug in library.playbooks_by_task or any(file.startswith("playbooks/") for file in library.unreadable)
        if not done and not task.wanted:
            mend = "write one, set `wanted: true`, or `status: draft` until there is one"
            yield task.wrong("name", f"no playbook does this task; {mend}", severity=Severity.WARNING)
        if task.wanted and slug in library.playbooks_by_task:
            yield task.wrong("wanted", "a playbook does this task now; remove `wanted`", severity=Severity.WARNING)


def sentences_are_our_own(book: Playbook, seen: dict[int, str]) -> Iterator[Problem]:
    """No sentence of ten or more words stands in two playbooks."""
    for pointer, text in texts_of(book):  # `seen` is of the playbooks that were shown before
        ours = pointer[0] not in ("evidence", "references")  # an account's title and outcome belong to its page
        for sentence in _SENTENCE_END.split(text) if ours else ():
            words = _WORD.findall(sentence.casefold())
            if len(words) < COPY_WORDS:
                continue
            other = seen.setdefault(hash(tuple(words)), book.slug)
            if other != book.slug:
                said = f"“{sentence.strip()[:60]}…”; say it anew"
                message = f"a sentence stands in {other!r} too, word for word: {said}"
                yield Problem(book.file, pointer, "sentences-are-our-own", message, Severity.WARNING)


def tags_are_shared(library: Library) -> Iterator[Problem]:
    """A tag stands on more than one playbook, once the library has twenty."""
    used = Counter(tag for book in library.all_books for tag in book.tags)
    for book in library.all_books if len(library.playbooks) >= TAGS_FROM else ():
        for index, tag in enumerate(book.tags):
            if used[tag] == 1:
                shared = [other for other, times in used.items() if times > 1 and other not in book.tags]
                end = did_you_mean(tag, shared, "; use one that does, or leave it out")
                message = f"the tag {tag!r} stands on no other playbook{end}"
                yield book.wrong(f"tags.{index}", message, Severity.WARNING)
