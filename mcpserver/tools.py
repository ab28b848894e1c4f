"""The table of tools: for each its words, its schemas, its hints and what it does."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Literal

from mcp_types import Tool, ToolAnnotations
from pydantic import BaseModel

from library.interface.answers import (
    PROVENANCE_NOTE,
    Answer,
    PlaybookAnswer,
    RunReceipt,
    SubmissionReceipt,
    SubmissionStatus,
)
from library.interface.errors import INVALID, NOT_FOUND, FieldProblem

from . import arguments, results
from .asking import Asking, find_playbook, written
from .paging import BadCursor, page
from .ports import Record, Refusal

CONSENT = "Call this only after the end user has agreed to this very report."
Text = Callable[[Record], str]


@dataclass(frozen=True, slots=True)
class LibraryTool:
    """One tool. `run` gives its structured result, and its text where `text` cannot make it from that alone."""

    name: str
    title: str
    description: str
    takes: type[BaseModel]
    gives: type[Answer]
    run: Callable[[Asking, Any], Awaitable[tuple[Record, str | None]]]
    text: Text | None = None
    writes: bool = False
    passes_on: bool = False
    """Whether what it takes is judged by the write API alone, so that there is one judge of it."""

    def as_tool(self) -> Tool:
        """The tool as clients see it."""
        hints = ToolAnnotations(
            title=self.title,
            read_only_hint=not self.writes,
            destructive_hint=False if self.writes else None,
            idempotent_hint=False if self.writes else None,
            open_world_hint=True,
        )
        return Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=self.takes.model_json_schema(),
            output_schema=self.gives.model_json_schema(mode="serialization"),
            annotations=hints,
        )


async def _search(asking: Asking, sent: arguments.Search) -> tuple[Record, None]:
    told = sent.model_dump(mode="json", exclude_none=True)
    found = await asking.reader.search({name: _as_parameter(value) for name, value in told.items()})
    return {**found, "provenance_note": PROVENANCE_NOTE}, None


def _as_parameter(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


async def _playbook(asking: Asking, sent: arguments.OnePlaybook) -> tuple[Record, str]:
    found = await find_playbook(asking.reader, sent.slug)
    if found is None:
        raise Refusal(NOT_FOUND, f"There is no playbook with the slug {sent.slug!r}; search_playbooks finds them.")
    return found, await asking.reader.markdown(found["slug"]) or str(found["provenance_note"])


async def _list(
    kind: Literal["agents", "tasks", "lessons"], asking: Asking, sent: arguments.Page
) -> tuple[Record, None]:
    whole = await asking.reader.listed(kind)
    try:
        items, following = page(whole["items"], sent.cursor, kind, lambda item: str(item["slug"]), sent.limit)
    except BadCursor as error:
        problem = FieldProblem(pointer="/cursor", code="cursor", detail="is none that this list gave; leave it out")
        raise Refusal(INVALID, "The list begins at no such place.", [problem]) from error
    return {**whole, "items": items, "next_cursor": following}, None


async def _send(path: str, asking: Asking, sent: Record) -> tuple[Record, None]:
    return await written(asking, path, sent), None


async def _status(asking: Asking, sent: arguments.OneSubmission) -> tuple[Record, None]:
    if not sent.id.isascii() or not sent.id.replace("_", "").isalnum():
        raise Refusal(NOT_FOUND, "There is no submission with this id.")
    return await asking.answered("GET", f"/submissions/{sent.id}"), None


TOOLS: tuple[LibraryTool, ...] = (
    LibraryTool(
        "search_playbooks",
        "Search the library",
        "Finds playbooks, and lessons, agents and jobs, for a job told in plain words. Begin here; then read one with"
        " get_playbook. A playbook is third-party reference, as far tested as its trust level says.",
        arguments.Search,
        results.SearchResult,
        _search,
        results.search_text,
    ),
    LibraryTool(
        "get_playbook",
        "Read a playbook",
        "One whole playbook: prompt, variants for single agents, steps with their checks and scripts, known failures"
        " with fixes, public evidence, trust level and how reported runs ended. " + PROVENANCE_NOTE,
        arguments.OnePlaybook,
        PlaybookAnswer,
        _playbook,
    ),
    LibraryTool(
        "list_tasks",
        "List jobs and categories",
        "All jobs that the library has or looks for playbooks of, by slug, and the categories.",
        arguments.Page,
        results.TaskPage,
        partial(_list, "tasks"),
        results.tasks_text,
    ),
    LibraryTool(
        "list_agents",
        "List agents",
        "All agents that playbooks name, by slug, with the playbooks that apply to each.",
        arguments.Page,
        results.AgentPage,
        partial(_list, "agents"),
        results.agents_text,
    ),
    LibraryTool(
        "list_lessons",
        "List lessons",
        "Failures that were met in real work, and what mends each, by slug.",
        arguments.Page,
        results.LessonPage,
        partial(_list, "lessons"),
        results.lessons_text,
    ),
    LibraryTool(
        "report_run",
        "Report how a run went",
        f"Reports how a run of a playbook ended. {CONSENT} It must hold no private data: no names, addresses, keys,"
        " paths or content of the user. The report waits for an editor before it counts. Works without a key; with"
        " one (Authorization: Bearer) it counts as that contributor's.",
        arguments.ReportArguments,
        RunReceipt,
        partial(_send, "/runs"),
        results.reported_text,
        writes=True,
        passes_on=True,
    ),
    LibraryTool(
        "submit",
        "Submit something to the library",
        "Sends a use case, a lesson, a correction or a whole playbook (kind `playbook`, with `payload`) for review."
        " Call this only after the end user has agreed to it; it must hold no private data.",
        arguments.SubmissionArguments,
        SubmissionReceipt,
        partial(_send, "/submissions"),
        results.submitted_text,
        writes=True,
        passes_on=True,
    ),
    LibraryTool(
        "submission_status",
        "Look at a submission's status",
        "Where a submission stands in review, and why.",
        arguments.OneSubmission,
        SubmissionStatus,
        _status,
        results.status_text,
    ),
)

BY_NAME = {tool.name: tool for tool in TOOLS}


@cache
def all_tools() -> list[Tool]:
    """All tools as clients see them; their schemas are made once."""
    return [tool.as_tool() for tool in TOOLS]
