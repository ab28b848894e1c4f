"""The table of tools, and those that write: for each what it takes and gives, its hints, what it does and says."""

import inspect
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Annotated, Any, TypeVar

from mcp_types import Tool, ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from library.interface import answers, finding
from library.interface.answers import Answer
from library.interface.bodies import pointer
from library.interface.errors import BAD_JSON, BROKEN, INVALID, KINDS, NOT_FOUND, FieldProblem
from library.interface.intake import Intake, RunReport, Submission
from library.problems import sure
from library.records.fields import must, optional
from library.records.validating import IN_JSON, validate
from library.records.vocabulary import RunStatusWord, SubmissionState

from . import reading
from .library import Asking, Record, Refusal

Schema = dict[str, Any]
Notes = list[str]
_MEANT = {
    "q": "query question text search keywords task prompt",
    "task": "query q question text prompt request description message input log",
    "slug": "playbook name title id url playbook_slug playbook_id playbook_name",
    "playbook": "slug playbook_slug playbook_id playbook_name name url",
    "id": "run_id submission_id run submission",
    "limit": "max_results top_k count page_size size n",
    "cursor": "next_cursor page_token",
    "outcome": "result status",
    "duration_minutes": "minutes duration",
    "edit_token": "token",
    "agent": "agent_name agent_slug agent_id",
    "kind": "type",
    "body": "content text description message",
    "steps": "checks",
    "full": "verbose",
}
"""Other words by which models call an argument, or one of its few values."""
_LAX: Mapping[str, TypeAdapter[Any]] = {
    "integer": TypeAdapter(int),
    "boolean": TypeAdapter(bool),
    "string": TypeAdapter(str, config=ConfigDict(coerce_numbers_to_str=True)),
}
_SHORT = 64
_KEY, _KEY_WORDS = re.compile("[!-~]{1,255}"), "must be 1-255 printable ASCII characters without a space"
_TOKEN, _TOKEN_WORDS = re.compile("edt_[0-9A-Za-z]{43}"), "must be the edit token of the receipt: edt_ and 43 more"
_ID, _ID_WORDS = re.compile("(?:run|sub)_[a-z2-7]{26}"), "must be the id of its receipt: run_ or sub_ and 26 more"
_OF_THE_CALL = ("idempotency_key", "edit_token")  # no part of what is shown to the user: they say nothing to a reader
M = TypeVar("M", bound=BaseModel)


class Repeatable(Intake):
    """What a body of the write API has beside it."""

    idempotency_key: Annotated[str, must("idempotency-key", _KEY.fullmatch, _KEY_WORDS)] | None = optional(
        "Any text: the same call with the same key is taken once."
    )


class ReportArguments(Repeatable, RunReport):
    """How a run of a playbook went."""


class SubmissionArguments(Repeatable, Submission):
    """Something for the library."""


class OneSent(Intake):
    """Which report or submission."""

    id: Annotated[str, must("unknown-id", _ID.fullmatch, _ID_WORDS)] = Field(
        description="The id that `report_run` or `submit` answered with."
    )


class Withdrawal(OneSent):
    """Which report or submission, and the token of its sender."""

    edit_token: Annotated[str, must("edit-token", _TOKEN.fullmatch, _TOKEN_WORDS)] | None = optional(
        "The edit token of its receipt; absent where the key that sent it comes with the call."
    )


class SentStatus(Answer):
    """Where a run report or a submission stands: what both have."""

    id: str
    status: SubmissionState | RunStatusWord
    updated: str
    history: tuple[answers.HistoryStep | answers.RunStep, ...]


@dataclass(frozen=True, slots=True)
class LibraryTool:
    """One tool. `run` gives its structured result and the same in words; its name and what it says are the tool's.

    `Arguments` are judged before it runs; a body that is sent on, by the write API alone: there is one judge of it.
    """

    run: Callable[[Asking, Any], Awaitable[tuple[Record, str]]]
    title: str
    takes: type[BaseModel]
    gives: type[Answer]
    writes: bool = False
    destroys: bool = False

    @property
    def name(self) -> str:
        """By which it is called."""
        return self.run.__name__

    async def taken(self, asking: Asking, sent: Mapping[str, Any]) -> tuple[Any, Notes]:
        """The arguments that were meant, and what is to be said of that. Raises `Refusal` for wrong ones."""
        meant, notes = _taken(schema_of(self.takes), sent)
        if isinstance(text := meant.get("slug"), str):
            meant["slug"], said = await reading.resolved(asking.library, text)
            notes += said
        return (meant if issubclass(self.takes, Repeatable) else _judged(self.takes, meant)), notes

    def question(self, site_url: str, sent: BaseModel | dict[str, Any]) -> str:
        """What the user is asked before it runs: all that would be sent. Raises `Refusal` for what is wrong in form."""
        told = sent if isinstance(sent, dict) else sent.model_dump(mode="json", exclude_none=True)
        _judged(self.takes, told)
        means = "This cannot be undone." if self.destroys else "An editor reads it, and it may be published."
        lines = [f"{self.title} ({site_url})? {means}"]
        for name, value in told.items():
            if name not in _OF_THE_CALL:
                words = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
                lines.append(f"{name}: {words}".replace("\n", "\n  "))
        return "\n".join(lines)


def _judged(model: type[M], sent: Mapping[str, Any]) -> M:
    """The arguments of a tool. Raises `Refusal` with everything that is wrong with them."""
    found = validate(model, sent, "arguments", IN_JSON)
    if not isinstance(found, list):
        return found
    wrong = [FieldProblem(pointer=pointer(item.pointer), code=item.code, detail=item.message[:500]) for item in found]
    raise Refusal(INVALID, "The arguments cannot be taken as they are; `errors` names every place.", wrong)


async def _written(path: str, asking: Asking, sent: Record) -> Record:
    """What the write API answers to the arguments of a tool: they are its body, but for the idempotency key."""
    body = dict(sent)
    key = _judged(Repeatable, {"idempotency_key": body.pop("idempotency_key", None)}).idempotency_key
    try:
        raw = json.dumps(body).encode()  # whatever is in it: the write API is the judge
    except RecursionError as error:
        raise Refusal(BAD_JSON, "The arguments are nested too deep.") from error
    return await asking.library.send("POST", path, asking.caller, raw, key)


_KEEP = "Keep its edit token, which is not shown again and is needed to"


async def report_run(asking: Asking, sent: Record) -> tuple[Record, str]:
    """Reports how a run of a playbook ended.

    Call this only after the end user has agreed to this very report. It must hold no private data: no names,
    addresses, keys, paths or content of the user. The report waits for an editor before it counts. With a
    key (Authorization: Bearer) it counts as that contributor's.
    """
    made = await _written("/runs", asking, sent)
    about = f"{made['id']} for {made['playbook']} {made['playbook_version']}; it waits for an editor"
    return made, f"Taken as {about}. Its status: {made['status_url']}. {_KEEP} withdraw it: {made['edit_token']}"


async def submit(asking: Asking, sent: Record) -> tuple[Record, str]:
    """Sends a use case, a lesson, a correction or a whole playbook (kind `playbook`, with `payload`) for review.

    Call this only after the end user has agreed to it; it must hold no private data.
    """
    made = await _written("/submissions", asking, sent)
    words = f"Taken as {made['id']}; it waits for review. Its status: {made['status_url']}."
    return made, f"{words} {_KEEP} change or withdraw it: {made['edit_token']}"


async def submission_status(asking: Asking, sent: OneSent) -> tuple[Record, str]:
    """Where a report or a submission stands, and why."""
    return _standing(await asking.library.send("GET", _path_of(sent.id), asking.caller))


async def withdraw(asking: Asking, sent: Withdrawal) -> tuple[Record, str]:
    """Takes a run report or a submission back, for good.

    Call this only after the end user has agreed to it. It needs the edit token of its receipt, or the key that sent
    it (Authorization: Bearer).
    """
    caller = asking.caller
    if sent.edit_token:  # in place of the caller's key
        kept = tuple(header for header in caller.headers if header[0] != b"authorization")
        own = (b"authorization", f"Bearer {sent.edit_token}".encode())
        caller = replace(caller, headers=(own, *kept))
    return _standing(await asking.library.send("DELETE", _path_of(sent.id), caller))


def _path_of(name: str) -> str:
    return f"/{'runs' if name.startswith('run_') else 'submissions'}/{name}"


def _standing(answer: Record) -> tuple[Record, str]:
    about = f"{answer['kind']}: {answer['title']}" if "kind" in answer else f"run of {answer['playbook']}"
    lines = [f"{answer['id']} ({about}): {answer['status']}"]
    for step in answer["history"]:
        said = ", ".join([*step["reasons"], *([step["note"]] if step.get("note") else [])])
        lines.append(f"- {step['at']} {step['status']} by {step['by']}{said and f': {said}'}")
    return answer, "\n".join(lines)


def problem_text(problem: Record) -> str:
    """An error in words: what is wrong, at which places, and what to do."""
    if errors := problem.get("errors"):
        places = [f"- {item['pointer'] or 'the whole'}: {item['detail']}" for item in errors]
        lines = [f"{problem['title']} ({problem['status']}):", *places, "Mend each of these, and call the tool again."]
    else:
        kind = next((kind for kind in KINDS if problem["type"].endswith(f"#{kind.slug}")), BROKEN)
        advice = [kind.advice] if kind is not NOT_FOUND else []  # which is where to look by HTTP
        lines = [f"{problem['title']} ({problem['status']}). {problem['detail']}", *advice]
    if "retry_after" in problem:
        lines.append(f"Retry-After: {problem['retry_after']} seconds.")
    return "\n".join(lines)


def _taken(schema: Schema, sent: Mapping[str, Any]) -> tuple[dict[str, Any], Notes]:
    """The arguments as the schema has them, and a sentence for each that was read otherwise than it was written.

    What cannot be meant is left as it is, for whoever judges.
    """
    known, needed = schema["properties"], schema.get("required", ())
    notes: Notes = []
    found = {}
    inner = _meant({"type": "object"}, *sent.values()) if len(sent) == 1 else None
    if isinstance(inner, dict) and inner.keys() & known.keys() and not sent.keys() & known.keys():
        notes.append(f"What is in `{next(iter(sent))[:_SHORT]}` was read as the arguments.")
        sent = inner
    free = [name for name in known if name not in sent]
    for said, value in sent.items():
        name = said if said in known else _name(said, free) or said
        if name != said:
            notes.append(f"`{said[:_SHORT]}` was read as `{name}`.")
            free.remove(name)
        if name in known and name not in needed and value in (None, ""):
            continue  # absent, as some clients write it
        found[name] = _read(name, known.get(name, {}), value, notes)
    return found, notes


def _name(said: str, free: list[str]) -> str | None:
    word = re.sub(r"[\s-]+", "_", re.sub("([a-z])([A-Z])", r"\1_\2", said[:_SHORT])).lower()
    return next((own for own in free if word == own or word in _MEANT.get(own, "").split()), None) or sure(word, free)


def _read(name: str, schema: Schema, value: object, notes: Notes) -> object:
    kind, meant = schema.get("type"), _meant(schema, value)
    if meant != value and (meant in schema.get("enum", ()) or "enum" in schema.get("items", {})):
        notes.append(f"{name} was read as {meant}.")
    if isinstance(meant, dict) and kind == "object" and "properties" in schema:
        meant, inner = _taken(schema, meant)
        notes += inner
    if kind == "integer" and type(meant) is int and "default" in schema:
        bounded = max(schema.get("minimum", meant), min(meant, schema.get("maximum", meant)))
        if bounded != meant:  # what has a default is a wish, and no datum
            notes.append(f"{name} {str(meant)[:_SHORT]} was taken as {bounded}.")
        return bounded
    return meant


def _meant(schema: Schema, value: object) -> object:
    """What a value stands for where another type is asked for, or one word of a few; else the value."""
    kind, words = schema.get("type", ""), {str(own).replace("-", "_"): own for own in schema.get("enum", ())}
    if isinstance(value, str) and words:
        return words.get(_name(value.strip(), list(words)) or "", value)
    items = schema.get("items", {})
    if isinstance(value, str) and kind in ("array", "object"):
        with suppress(ValueError, RecursionError):
            return _meant(schema, json.loads(value))
        value = value.split(",") if "enum" in items else [value] if items.get("type") == "string" else value
    if isinstance(value, list) and "enum" in items:
        return [_meant(items, item) for item in value]
    if kind in _LAX and not isinstance(value, bool):
        with suppress(ValidationError):
            return _LAX[kind].validate_python(value)
    return value


@cache
def schema_of(model: type[BaseModel]) -> Schema:
    """The schema of arguments with each reference replaced by what it names; what may be null there is absent."""
    schema = model.model_json_schema(by_alias=True, mode="validation")
    return _plain(schema, schema.get("$defs", {}), null=True)


def of_arguments(schema: Schema) -> Schema:
    """What clients see of the schema of a tool's arguments; the bounds are the reader's, which clamps or names them."""
    told = _told(schema, ("type", "enum", "additionalProperties"), 9)
    for name, inner in schema["properties"].items():
        if "description" in inner:
            told["properties"][name]["description"] = inner["description"]
    return told


def of_result(model: type[BaseModel]) -> Schema:
    """What clients see of the schema of a tool's result: the names and types of the upper levels."""
    schema = model.model_json_schema(by_alias=True, mode="serialization")
    return _told(_plain(schema, schema.get("$defs", {}), null=False), ("type",), 3)


def _plain(schema: Schema, definitions: Mapping[str, Schema], *, null: bool) -> Schema:
    """A schema without references; what may be `null` has its other type, or where that must be said, any."""
    if "$ref" in schema:
        named = definitions[schema["$ref"].rpartition("/")[2]]
        beside = {name: value for name, value in schema.items() if name != "$ref"}
        return _plain({**named, **beside}, definitions, null=null)
    if "anyOf" in schema:
        kinds = [kind for kind in schema["anyOf"] if kind != {"type": "null"}]
        beside = {name: value for name, value in schema.items() if name not in ("anyOf", "default")}
        return _plain({**kinds[0], **beside}, definitions, null=null) if null and len(kinds) == 1 else {}
    plain = {name: value for name, value in schema.items() if name not in ("$defs", "title")}
    if "items" in plain:
        plain["items"] = _plain(plain["items"], definitions, null=null)
    if "properties" in plain:
        plain["properties"] = {
            name: _plain(inner, definitions, null=null) for name, inner in plain["properties"].items()
        }
    return plain


def _told(schema: Schema, names: tuple[str, ...], depth: int) -> Schema:
    told = {name: schema[name] for name in names if name in schema}
    if depth and "properties" in schema:
        told["properties"] = {name: _told(inner, names, depth - 1) for name, inner in schema["properties"].items()}
        told["required"] = schema.get("required", [])
    if depth and "items" in schema:
        told["items"] = _told(schema["items"], names, depth - 1)
    return told


TOOLS: tuple[LibraryTool, ...] = (
    LibraryTool(reading.find_playbook, "Find the playbook for a task", finding.FindTask, finding.FindAnswer),
    LibraryTool(reading.search_playbooks, "Search the library", reading.Search, reading.SearchResult),
    LibraryTool(reading.get_playbook, "Read a playbook", reading.OnePlaybook, reading.SomeSections),
    LibraryTool(reading.list_tasks, "List jobs", reading.Page, reading.ToolPage),
    LibraryTool(reading.list_agents, "List agents", reading.Page, reading.ToolPage),
    LibraryTool(reading.list_lessons, "List lessons", reading.Page, reading.ToolPage),
    LibraryTool(report_run, "Report how a run went", ReportArguments, answers.RunReceipt, writes=True),
    LibraryTool(submit, "Submit something to the library", SubmissionArguments, answers.SubmissionReceipt, writes=True),
    LibraryTool(submission_status, "Look at the status of what was sent", OneSent, SentStatus),
    LibraryTool(withdraw, "Withdraw what was sent", Withdrawal, SentStatus, writes=True, destroys=True),
)

BY_NAME = {tool.name: tool for tool in TOOLS}


@cache
def all_tools() -> list[Tool]:
    """All tools as clients see them; their schemas are made once."""
    return [
        Tool(
            name=tool.name,
            title=tool.title,
            description=" ".join((inspect.getdoc(tool.run) or "").split()),
            input_schema=of_arguments(schema_of(tool.takes)),
            output_schema=of_result(tool.gives),
            annotations=ToolAnnotations(
                read_only_hint=not tool.writes, destructive_hint=tool.destroys if tool.writes else None
            ),
        )
        for tool in TOOLS
    ]
