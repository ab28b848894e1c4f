"""The table of tools: for each its words, what it takes and gives, its hints, what it does, and the same in words."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Annotated, Any

from mcp_types import Tool, ToolAnnotations
from pydantic import BaseModel, Field

from library.interface import answers
from library.interface.answers import Answer
from library.interface.errors import BROKEN, KINDS, NOT_FOUND
from library.interface.finding import FindAnswer
from library.interface.intake import RunReport, Submission
from library.records.fields import optional
from library.records.vocabulary import RunStatusWord, SubmissionKind, SubmissionState

from .asking import Asking, Repeatable, read_arguments, resolved, written
from .library import Record, Refusal
from .reading import (
    Arguments,
    Lists,
    OnePlaybook,
    Page,
    Search,
    SearchResult,
    SomeSections,
    TaskAsked,
    ToolPage,
    find,
    listed,
    read,
    search,
    search_text,
)
from .schemas import of_arguments, of_result, whole
from .taking import Notes, taken

CONSENT = "Call this only after the end user has agreed to this very report."


class ReportArguments(Repeatable, RunReport):
    """How a run of a playbook went."""


class SubmissionArguments(Repeatable, Submission):
    """Something for the library."""


class OneSent(Arguments):
    """Which report or submission."""

    id: Annotated[str, Field(min_length=1, max_length=64)] = Field(
        description="The id that `report_run` or `submit` answered with."
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
            meant["slug"], said = await resolved(asking.library, text)
            notes += said
        return (read_arguments(self.takes, meant) if issubclass(self.takes, Arguments) else meant), notes

    def as_tool(self) -> Tool:
        """The tool as clients see it."""
        destroys = self.destroys if self.writes else None
        hints = ToolAnnotations(read_only_hint=not self.writes, destructive_hint=destroys)
        return Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=of_arguments(_schema(self.takes)),
            output_schema=of_result(self.gives),
            annotations=hints,
        )


_schema = cache(whole)


async def _send(path: str, asking: Asking, sent: Record) -> tuple[Record, None]:
    return await written(asking, path, sent), None


async def _status(asking: Asking, sent: OneSent) -> tuple[Record, None]:
    return await asking.library.send("GET", _path_of(sent.id), asking.caller), None


async def _withdraw(asking: Asking, sent: Withdrawal) -> tuple[Record, None]:
    caller = asking.caller
    if sent.edit_token:  # in place of the caller's key
        kept = tuple(header for header in caller.headers if header[0] != b"authorization")
        own = (b"authorization", f"Bearer {sent.edit_token}".encode())
        caller = replace(caller, headers=(own, *kept))
    return await asking.library.send("DELETE", _path_of(sent.id), caller), None


def _path_of(name: str) -> str:
    """The address of what was sent. Raises `Refusal` for what is no id."""
    if not name.isascii() or not name.replace("_", "").isalnum():
        raise Refusal(NOT_FOUND, "There is no report or submission with this id.")
    return f"/{'runs' if name.startswith('run_') else 'submissions'}/{name}"


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
        kind = next((kind for kind in KINDS if problem["type"].endswith(f"#{kind.slug}")), BROKEN)
        lines = [f"{problem['title']} ({problem['status']}). {problem['detail']}", kind.advice]
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
_LISTED: tuple[tuple[Lists, str, str], ...] = (
    ("tasks", "List jobs", "All jobs that the library has playbooks of, or looks for, by slug; and the categories."),
    ("agents", "List agents", "All agents that playbooks name, by slug."),
    ("lessons", "List lessons", "Failures that were met in real work, and what mends each, by slug."),
)
TOOLS: tuple[LibraryTool, ...] = (
    LibraryTool(
        "find_playbook",
        "Find the playbook for a task",
        "Begin here. Takes the user's whole task and gives the one playbook for it, ready to use: prompt, its inputs,"
        " where to stop, what goes wrong, how to report; or the nearest, where none fits.",
        TaskAsked,
        FindAnswer,
        find,
    ),
    LibraryTool(
        "search_playbooks",
        "Search the library",
        "Lists playbooks, lessons, agents and jobs by plain words, to choose among several.",
        Search,
        SearchResult,
        search,
        search_text,
    ),
    LibraryTool(
        "get_playbook",
        "Read a playbook",
        "Reads a playbook, or some sections of it: steps with checks, known failures, public evidence, trust, runs.",
        OnePlaybook,
        SomeSections,
        read,
    ),
    *(
        LibraryTool(f"list_{kind}", title, about, Page, ToolPage, partial(listed, kind))
        for kind, title, about in _LISTED
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
        "Where a report or a submission stands, and why.",
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
