"""The table of tools: for each its words, what it takes and gives, its hints, what it does, and the same in words."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Annotated, Any, Literal

from mcp_types import Tool, ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field

from library.interface import answers
from library.interface.answers import PROVENANCE_NOTE, Answer
from library.interface.errors import INVALID, NOT_FOUND, FieldProblem
from library.interface.intake import RunReport, Submission
from library.records.fields import optional
from library.records.naming import slug_of
from library.records.vocabulary import ResultType, RunStatusWord, SubmissionKind, SubmissionState, Trust
from library.search.answers import SearchAnswer

from .asking import Asking, BadCursor, find_playbook, is_slug, nearest, page, read_arguments, resolved, written
from .ports import Record, Refusal, advice_for
from .schemas import of_arguments, of_result, whole
from .taking import Notes, taken

CONSENT = "Call this only after the end user has agreed to this very report."
Lists = Literal["agents", "tasks", "lessons"]
Key = Annotated[str, Field(pattern=r"^[!-~]{1,255}$")]
Cursor = Annotated[str, Field(max_length=400)]


class Arguments(BaseModel):
    """What every model here is: unchangeable, strict, and closed to names that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Search(Arguments):
    """A question in plain words."""

    q: Annotated[str, Field(min_length=1)] = Field(
        description="The job to get done, in plain words, such as `fix flaky tests`; or the task, log or mail itself."
    )
    type: ResultType | None = Field(None, strict=False, description="Only results of this type.")
    agent: str | None = Field(None, max_length=64, description="Only what names the agent of this slug, or is for any.")
    category: str | None = Field(None, max_length=64, description="Only this category, by its slug.")
    min_trust: Trust | None = Field(
        None, strict=False, description="Only playbooks at or above this trust level: reported is the lowest."
    )
    proven: bool | None = Field(None, description="True: only playbooks whose checks are proven.")
    limit: Annotated[int, Field(ge=1, le=50)] = Field(10, description="At most so many results.")


class OnePlaybook(Arguments):
    """Which playbook."""

    slug: Annotated[str, Field(min_length=1, max_length=300)] = Field(
        description="Its slug, such as `fix-flaky-tests`; its title or address will do."
    )


class Page(Arguments):
    """Which page of a list."""

    cursor: Cursor | None = Field(None, description="`next_cursor` of the page before; absent for the first page.")
    limit: Annotated[int, Field(ge=1, le=100)] = Field(50, description="At most so many items on the page.")


_ONCE = "A text of your choice, such as a UUID: the same call with the same key is taken once."


class ReportArguments(RunReport):
    """How a run of a playbook went."""

    idempotency_key: Key | None = optional(_ONCE)


class SubmissionArguments(Submission):
    """Something for the library."""

    idempotency_key: Key | None = optional(_ONCE)


class OneSent(Arguments):
    """Which report or submission."""

    id: Annotated[str, Field(min_length=1, max_length=64)] = Field(
        description="The id that `report_run` or `submit` answered with: it begins with `run_` or `sub_`."
    )


class Withdrawal(OneSent):
    """Which report or submission, and the token of its sender."""

    edit_token: str | None = Field(
        None,
        pattern="^edt_[0-9A-Za-z]{43}$",
        description="The edit token of its receipt; absent where the key that sent it comes with the call.",
    )


class SentStatus(Answer):
    """Where a run report or a submission stands. A report has a playbook, a submission a kind and a title."""

    id: str
    kind: SubmissionKind | None = optional()
    title: str | None = optional()
    playbook: str | None = optional()
    playbook_version: str | None = optional()
    status: SubmissionState | RunStatusWord
    received: str | None = optional()
    created: str | None = optional()
    updated: str
    history: tuple[answers.HistoryStep | answers.RunStep, ...]
    what_to_change: tuple[str, ...] | None = optional()
    place: str | None = optional()


class SearchResult(SearchAnswer):
    """Search results across playbooks, lessons, agents and jobs."""

    provenance_note: str = Field(description="What to keep in mind with every playbook.")


class _Paged(Answer):
    next_cursor: str | None = Field(description="Give it as `cursor` for the next page; null at the end.")


class AgentPage(answers.AgentList, _Paged):
    """A page of the agents; `total` counts all."""


class TaskPage(answers.TaskList, _Paged):
    """A page of the jobs, with every category; `total` counts all jobs."""


class LessonPage(answers.LessonList, _Paged):
    """A page of the lessons; `total` counts all."""


@dataclass(frozen=True, slots=True)
class LibraryTool:
    """One tool. `run` gives its structured result, and its text where `text` cannot make it from that alone.

    `Arguments` are judged before it runs; a body that is sent on, by the write API alone: there is one judge of it.
    """

    name: str
    title: str
    description: str
    takes: type[BaseModel]
    gives: type[Answer]
    run: Callable[[Asking, Any], Awaitable[tuple[Record, str | None]]]
    text: Callable[[Record], str] | None = None
    writes: bool = False
    destroys: bool = False

    async def taken(self, asking: Asking, sent: Mapping[str, Any]) -> tuple[Any, Notes]:
        """The arguments that were meant, and what is to be said of that. Raises `Refusal` for wrong ones."""
        meant, notes = taken(_schema(self.takes), sent)
        if isinstance(text := meant.get("slug"), str):
            meant["slug"], said = await resolved(asking, text)
            notes += said
        return (read_arguments(self.takes, meant) if issubclass(self.takes, Arguments) else meant), notes

    def as_tool(self) -> Tool:
        """The tool as clients see it."""
        hints = ToolAnnotations(
            title=self.title,
            read_only_hint=not self.writes,
            destructive_hint=self.destroys if self.writes else None,
            idempotent_hint=False if self.writes else None,
            open_world_hint=True,
        )
        return Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=of_arguments(_schema(self.takes)),
            output_schema=of_result(self.gives),
            annotations=hints,
        )


_schema = cache(whole)


async def _search(asking: Asking, sent: Search) -> tuple[Record, None]:
    told = sent.model_dump(mode="json", exclude_none=True)
    if sent.agent and not is_slug(sent.agent):
        told["agent"] = slug_of(sent.agent, sent.agent)
    asked = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in told.items()}
    return {**await asking.reader.search(asked), "provenance_note": PROVENANCE_NOTE}, None


async def _playbook(asking: Asking, sent: OnePlaybook) -> tuple[Record, str]:
    found = await find_playbook(asking.reader, sent.slug)
    if found is None:
        near = await nearest(asking.reader, sent.slug)
        which = f" Nearest are {near}." if near else " search_playbooks finds them."
        raise Refusal(NOT_FOUND, f"There is no playbook {sent.slug!r}.{which}")
    return found, await asking.reader.markdown(found["slug"]) or str(found["provenance_note"])


async def _list(kind: Lists, asking: Asking, sent: Page) -> tuple[Record, None]:
    whole = await asking.reader.listed(kind)
    try:
        items, following = page(whole["items"], sent.cursor, kind, sent.limit)
    except BadCursor as error:
        problem = FieldProblem(pointer="/cursor", code="cursor", detail="is none that this list gave; leave it out")
        raise Refusal(INVALID, "The list begins at no such place.", [problem]) from error
    return {**whole, "items": items, "next_cursor": following}, None


async def _send(path: str, asking: Asking, sent: Record) -> tuple[Record, None]:
    return await written(asking, path, sent), None


async def _status(asking: Asking, sent: OneSent) -> tuple[Record, None]:
    return await asking.answered("GET", _path_of(sent.id)), None


async def _withdraw(asking: Asking, sent: Withdrawal) -> tuple[Record, None]:
    if sent.edit_token:  # in place of the caller's key
        kept = tuple(header for header in asking.caller.headers if header[0].lower() != b"authorization")
        own = (b"authorization", f"Bearer {sent.edit_token}".encode())
        asking = replace(asking, caller=replace(asking.caller, headers=(own, *kept)))
    return await asking.answered("DELETE", _path_of(sent.id)), None


def _path_of(name: str) -> str:
    """The address of what was sent. Raises `Refusal` for what is no id."""
    if not name.isascii() or not name.replace("_", "").isalnum():
        raise Refusal(NOT_FOUND, "There is no report or submission with this id.")
    return f"/{'runs' if name.startswith('run_') else 'submissions'}/{name}"


def _search_text(answer: Record) -> str:
    lines = [f"{answer['total']} found. {answer['provenance_note']}"]
    lines += answer.get("notes") or ()
    if answer.get("suggestion"):
        lines.append(f"Did you mean: {answer['suggestion']}")
    for hit in answer["items"]:
        marks = ", ".join(str(hit[name]) for name in ("trust", "status") if hit.get(name))
        marks += ", checks proven" if hit.get("proven") else ""
        lines.append(f"- {hit['type']} `{hit['slug']}`: {hit['title']}{marks and f' ({marks})'}. {hit['summary']}")
    return "\n".join(lines)


_LINES = {
    "agents": "- `{slug}`: {name} by {vendor}. {summary}",
    "tasks": "- `{slug}` ({category}, {playbooks} playbooks): {name}. {summary}",
    "lessons": "- `{slug}`: {problem} Fix: {fix}",
}
"""An item of each list in words."""


def _list_text(kind: Lists, answer: Record) -> str:
    items = ({name: str(value).strip() for name, value in item.items()} for item in answer["items"])
    more = f"\nMore with cursor {answer['next_cursor']}" if answer["next_cursor"] else ""
    return f"{len(answer['items'])} of {answer['total']}:\n" + "\n".join(map(_LINES[kind].format_map, items)) + more


def _status_text(answer: Record) -> str:
    about = f"{answer['kind']}: {answer['title']}" if "kind" in answer else f"run of {answer['playbook']}"
    lines = [f"{answer['id']} ({about}): {answer['status']}"]
    for step in answer["history"]:
        said = ", ".join([*step["reasons"], *([step["note"]] if step.get("note") else [])])
        lines.append(f"- {step['at']} {step['status']} by {step['by']}{said and f': {said}'}")
    return "\n".join(lines)


def problem_text(problem: Record) -> str:
    """An error in words: what is wrong, at which places, and what to do."""
    if errors := problem.get("errors"):
        places = [f"- {item['pointer'] or 'the whole'}: {item['detail']}" for item in errors]
        lines = [f"{problem['title']} ({problem['status']}):", *places, "Mend each of these, and call the tool again."]
    else:
        lines = [f"{problem['title']} ({problem['status']}). {problem['detail']}", advice_for(problem)]
    if "retry_after" in problem:
        lines.append(f"Retry-After: {problem['retry_after']} seconds.")
    return "\n".join(lines)


_REPORTED = (
    "Taken as {id} for {playbook} {playbook_version}; it waits for an editor. Its status: {status_url}. Keep its edit"
    " token, which is not shown again and is needed to withdraw it: {edit_token}"
)
_SUBMITTED = (
    "Taken as {id}; it waits for review. Its status: {status_url}. Keep its edit token, which is not shown again and is"
    " needed to change or withdraw it: {edit_token}"
)
_LISTED: tuple[tuple[Lists, str, str, type[Answer]], ...] = (
    (
        "tasks",
        "List jobs and categories",
        "All jobs that the library has or looks for playbooks of, by slug, and the categories.",
        TaskPage,
    ),
    (
        "agents",
        "List agents",
        "All agents that playbooks name, by slug, with the playbooks that name each.",
        AgentPage,
    ),
    ("lessons", "List lessons", "Failures that were met in real work, and what mends each, by slug.", LessonPage),
)
TOOLS: tuple[LibraryTool, ...] = (
    LibraryTool(
        "search_playbooks",
        "Search the library",
        "Finds playbooks, and lessons, agents and jobs, for a job told in plain words. Begin here; then read one with"
        " get_playbook. A playbook is third-party reference, as far tested as its trust level says.",
        Search,
        SearchResult,
        _search,
        _search_text,
    ),
    LibraryTool(
        "get_playbook",
        "Read a playbook",
        "One whole playbook: prompt, variants for single agents, steps with their checks and scripts, known failures"
        " with fixes, public evidence, trust level and how reported runs ended. " + PROVENANCE_NOTE,
        OnePlaybook,
        answers.PlaybookAnswer,
        _playbook,
    ),
    *(
        LibraryTool(f"list_{kind}", title, about, Page, gives, partial(_list, kind), partial(_list_text, kind))
        for kind, title, about, gives in _LISTED
    ),
    LibraryTool(
        "report_run",
        "Report how a run went",
        f"Reports how a run of a playbook ended. {CONSENT} It must hold no private data: no names, addresses, keys,"
        " paths or content of the user. The report waits for an editor before it counts. Works without a key; with"
        " one (Authorization: Bearer) it counts as that contributor's.",
        ReportArguments,
        answers.RunReceipt,
        partial(_send, "/runs"),
        _REPORTED.format_map,
        writes=True,
    ),
    LibraryTool(
        "submit",
        "Submit something to the library",
        "Sends a use case, a lesson, a correction or a whole playbook (kind `playbook`, with `payload`) for review."
        " Call this only after the end user has agreed to it; it must hold no private data.",
        SubmissionArguments,
        answers.SubmissionReceipt,
        partial(_send, "/submissions"),
        _SUBMITTED.format_map,
        writes=True,
    ),
    LibraryTool(
        "submission_status",
        "Look at the status of what was sent",
        "Where a run report or a submission stands in review, and why.",
        OneSent,
        SentStatus,
        _status,
        _status_text,
    ),
    LibraryTool(
        "withdraw",
        "Withdraw what was sent",
        "Takes a run report or a submission back, for good. Call this only after the end user has agreed to it. It"
        " needs the edit token of its receipt, or the key that sent it (Authorization: Bearer).",
        Withdrawal,
        SentStatus,
        _withdraw,
        _status_text,
        writes=True,
        destroys=True,
    ),
)

BY_NAME = {tool.name: tool for tool in TOOLS}


@cache
def all_tools() -> list[Tool]:
    """All tools as clients see them; their schemas are made once."""
    return [tool.as_tool() for tool in TOOLS]
