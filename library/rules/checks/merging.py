"""Rules for what comes into a library, beside those that each keeps: `check --for-merge` and the desk ask them.

A library is built without them: one that begins with a short example is a library all the same.
"""

from collections.abc import Iterator

from library.problems import Problem
from library.records.collection import Library
from library.records.models import Playbook
from library.records.vocabulary import ANY_AGENT, Status
from library.records.who import names

from .within import VARIABLE, inputs_of


def _bounded(book: Playbook, field: str, low: int, high: int, few: str, many: str) -> Iterator[Problem]:
    """What is said of a list with too few items, at the list, or with too many, at the first that is too many."""
    if not low <= (number := len(getattr(book, field))) <= high:
        message = f"{number} stand here, {low} to {high} are asked for; {few if number < low else many}"
        yield book.wrong(field if number < low else f"{field}.{high}", message)


def steps_are_five_to_nine(book: Playbook) -> Iterator[Problem]:
    """A playbook has five to nine steps."""
    few = "part what does several things, down to one thing to do and one thing to see each"
    return _bounded(book, "steps", 5, 9, few, "join those that one check can end")


def failures_are_three_to_six(book: Playbook) -> Iterator[Problem]:
    """A playbook has three to six known failures."""
    few = "add what accounts tell of, each with its fix"
    return _bounded(book, "failures", 3, 6, few, "keep the commonest, and make lessons of the others")


def prompts_take_an_input(book: Playbook) -> Iterator[Problem]:
    """A prompt has at least one input, written as a {{variable}}."""
    if not VARIABLE.search(book.prompt):
        mend = "write what differs from reader to reader as a variable, such as {{repository}}"
        yield book.wrong("prompt", f"takes no input; {mend}")


def playbooks_say_themselves_in_short(book: Playbook) -> Iterator[Problem]:
    """A playbook has an essence: what to do, the one check that matters and the one failure that bites."""
    if not book.essence:
        mend = "say in at most 90 words what to do, the check that matters and the failure that bites"
        yield book.wrong("essence", f"is missing; {mend}")


def inputs_are_explained(book: Playbook) -> Iterator[Problem]:
    """Each {{variable}} of a prompt stands in `inputs`, with its meaning, an example and where to find it."""
    explained = {item.name for item in book.inputs}
    if lacking := [name for name in inputs_of(book) if name not in explained]:
        yield book.wrong("inputs", f"say nothing of {', '.join(lacking)}; add name, meaning, example and where of each")


def playbooks_rest_on_something(library: Library) -> Iterator[Problem]:
    """A playbook rests on an account, a test or a report of it, or on a lesson."""
    unread = any(file.startswith(("lessons/", "runs/")) for file in library.unreadable)
    for book in library.all_books:
        told = book.evidence or book.tested or library.lessons_by_playbook.get(book.slug)
        if not (told or unread or library.runs.get(book.slug)):  # a withdrawn report too: it must not stand in the way
            mend = "add an account to `evidence`, or a lesson that names this playbook"
            yield book.wrong("evidence", f"nothing is told of this job; {mend}")


def agents_have_accounts(library: Library) -> Iterator[Problem]:
    """Every agent that a playbook names, but `any-agent`, has an account, a test or a report of it there."""
    unread = any(file.startswith("runs/") for file in library.unreadable)
    for book in () if unread else library.all_books:
        told = [account.agent for account in book.evidence] + [test.agent for test in book.tested]
        told += [run.agent for run in library.runs.get(book.slug, ())]  # a withdrawn report too, as above
        for index, slug in enumerate(book.agents):
            agent = None if slug == ANY_AGENT else library.agents.get(slug)
            if agent and not any(names(text, agent) for text in told):
                mend = f"add an account that names it to `evidence`, or write `{ANY_AGENT}` in its place"
                yield book.wrong(f"agents.{index}", f"no account, test or report is of {slug!r}; {mend}")


def playbooks_are_tried_or_say_why_not(library: Library) -> Iterator[Problem]:
    """A playbook that is in use has a trial, or says in `no_trial` why it has none; not both."""
    for book in (book for book in library.all_books if book.status is Status.ACTIVE):
        tried = book.slug in library.trials or f"trials/{book.slug}/trial.yaml" in library.unreadable
        if tried and book.no_trial:
            yield book.wrong("no_trial", "it has a trial; remove this")
        if not (tried or book.no_trial):
            mend = "say in a sentence or two why its checks cannot be proven, or what case would prove them"
            yield book.wrong("no_trial", f"it has no trial; {mend}")


def lessons_touch_a_playbook(library: Library) -> Iterator[Problem]:
    """A lesson names a playbook that it touches, or a playbook's failure names the lesson."""
    touched = {slug for lessons in library.lessons_by_playbook.values() for slug in lessons}
    unread = any(file.startswith("playbooks/") for file in library.unreadable)
    for slug in () if unread else sorted(library.lessons.keys() - touched):
        message = "none is named, and no playbook's failure names this lesson; name one that it touches"
        yield library.lessons[slug].wrong("playbooks", message)


def lessons_say_who_told_them(library: Library) -> Iterator[Problem]:
    """A lesson names the pages that report it in `sources`, or those who met it in `contributors`."""
    for lesson in library.lessons.values():
        if not (lesson.sources or lesson.contributors):
            message = "nobody is named; add the pages that report it, or who met it as `contributors`"
            yield lesson.wrong("sources", message)
