"""What the search index knows of each record: plain text, taken from what its page is given."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from library.interface.answers import AgentAnswer, TaskAnswer
from library.records.vocabulary import ResultType
from library.search.documents import Document

from .page_contexts import LessonContext, ListContext
from .pages import PlaybookPage


def _playbook(page: PlaybookPage) -> Document:
    book = page.answer
    body = [book.outcome, book.prompt, book.task.name, *book.tags]
    body += [text for step in book.steps for text in (step.title, step.detail, step.check)]
    body += [text for failure in book.failures for text in (failure.problem, failure.fix)]
    body += [need.name for need in book.needs]
    return Document(
        type=ResultType.PLAYBOOK,
        slug=book.slug,
        title=book.title,
        summary=book.summary,
        body="\n".join(body),
        url=book.url,
        trust=book.trust,
        category=book.category,
        agents=book.agents,
        names=tuple(link.title for link in page.context.agents),
        former=book.aliases,
        job=book.task.name,
        asked=page.asked,
        status=book.status,
        proven=bool(book.proven),
    )


def _lesson(page: LessonContext) -> Document:
    lesson = page.lesson
    return Document(
        type=ResultType.LESSON,
        slug=lesson.slug,
        title=lesson.title,
        summary=lesson.problem,
        body="\n".join([lesson.fix, *lesson.tags]),
        url=lesson.url,
        agents=lesson.agents,
    )


def _agent(page: ListContext) -> Document:
    agent = cast("AgentAnswer", page.subject)
    return Document(
        type=ResultType.AGENT,
        slug=agent.slug,
        title=agent.name,
        summary=agent.summary,
        body=agent.vendor,
        former=agent.aliases,
        url=agent.url,
        agents=(agent.slug,),
    )


def _task(page: ListContext) -> Document:
    task = cast("TaskAnswer", page.subject)
    return Document(
        type=ResultType.TASK,
        slug=task.slug,
        title=task.name,
        summary=task.summary,
        body="",
        url=task.url,
        category=task.category,
    )


DOCUMENTS: Mapping[str, Callable[[Any], Document]]
DOCUMENTS = {"playbook": _playbook, "lesson": _lesson, "agent": _agent, "task": _task}
"""By the name of the subject: what makes its document."""
