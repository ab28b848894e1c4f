"""What each tool answers: the models of the API, with what a tool adds; and the same in words."""

from collections.abc import Iterable, Iterator

from pydantic import Field

from library.interface.answers import AgentList, Answer, LessonList, TaskList
from library.search.answers import SearchAnswer

from .ports import Record, advice_for


class SearchResult(SearchAnswer):
    """Search results across playbooks, lessons, agents and jobs."""

    provenance_note: str = Field(description="What to keep in mind with every playbook.")


class _Paged(Answer):
    next_cursor: str | None = Field(description="Give it as `cursor` for the next page; null at the end.")


class AgentPage(AgentList, _Paged):
    """A page of the agents; `total` counts all."""


class TaskPage(TaskList, _Paged):
    """A page of the jobs, with every category; `total` counts all jobs."""


class LessonPage(LessonList, _Paged):
    """A page of the lessons; `total` counts all."""


def search_text(answer: Record) -> str:
    """Search results, one a line."""
    lines = [f"{answer['total']} found. {answer['provenance_note']}"]
    lines += answer.get("notes") or ()
    if answer.get("suggestion"):
        lines.append(f"Did you mean: {answer['suggestion']}")
    for hit in answer["items"]:
        marks = ", ".join(str(hit[name]) for name in ("trust", "status") if hit.get(name))
        marks += ", checks proven" if hit.get("proven") else ""
        lines.append(f"- {hit['type']} `{hit['slug']}`: {hit['title']}{marks and f' ({marks})'}. {hit['summary']}")
    return "\n".join(lines)


def agents_text(answer: Record) -> str:
    """Agents, one a line."""
    return _list(
        answer, (f"`{item['slug']}`: {item['name']} by {item['vendor']}. {item['summary']}" for item in answer["items"])
    )


def tasks_text(answer: Record) -> str:
    """Jobs, one a line."""
    return _list(
        answer,
        (
            f"`{item['slug']}` ({item['category']}, {item['playbooks']} playbooks): {item['name']}. {item['summary']}"
            for item in answer["items"]
        ),
    )


def lessons_text(answer: Record) -> str:
    """Lessons: failure and fix."""
    return _list(
        answer, (f"`{item['slug']}`: {item['problem'].strip()} Fix: {item['fix'].strip()}" for item in answer["items"])
    )


def _list(answer: Record, lines: Iterable[str]) -> str:
    more = f"\nMore with cursor {answer['next_cursor']}" if answer["next_cursor"] else ""
    return f"{len(answer['items'])} of {answer['total']}:\n" + "\n".join(f"- {line}" for line in lines) + more


def reported_text(answer: Record) -> str:
    """That a run report was taken."""
    return f"Taken as {answer['id']} for {answer['playbook']} {answer['playbook_version']}; it waits for an editor."


def submitted_text(answer: Record) -> str:
    """That a submission was taken, with what its sender must keep."""
    return (
        f"Taken as {answer['id']}; it waits for review. Its status: {answer['status_url']}. Keep its edit token, which"
        f" is not shown again and is needed to change or withdraw it: {answer['edit_token']}"
    )


def status_text(answer: Record) -> str:
    """Where a submission stands."""
    return "\n".join([f"{answer['id']} ({answer['kind']}: {answer['title']}): {answer['status']}", *_steps(answer)])


def _steps(answer: Record) -> Iterator[str]:
    for step in answer["history"]:
        said = ", ".join([*step["reasons"], *([step["note"]] if step.get("note") else [])])
        yield f"- {step['at']} {step['status']} by {step['by']}{said and f': {said}'}"


def problem_text(problem: Record) -> str:
    """An error in words: what is wrong, at which places, and what to do."""
    lines = [f"{problem['title']} ({problem['status']}). {problem['detail']}"]
    lines += [f"- {item['pointer'] or 'the whole'}: {item['detail']}" for item in problem.get("errors") or ()]
    if "retry_after" in problem:
        lines.append(f"Retry-After: {problem['retry_after']} seconds.")
    return "\n".join([*lines, advice_for(problem)])
