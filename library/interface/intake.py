"""Models of what is sent in: run reports, contributors, submissions. Strangers write them, so they are strict."""

import re
import unicodedata
from collections.abc import Callable
from typing import Annotated

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)
from pydantic_core import PydanticCustomError

from ..records.fields import (
    HANDLE,
    Heading,
    Label,
    Line,
    LongText,
    Name,
    Passage,
    SourceName,
    Url,
    is_address,
    must,
    optional,
)
from ..records.vocabulary import Outcome, ResultType, SubmissionKind, Trust
from .bodies import Json

RESERVED_HANDLES = frozenset(
    "admin administrator anonymous api by-hand editor editors everyone library maintainer maintainers me moderator"
    " nobody null official operator playbook-library playbooks publisher review review-agent reviewer root security"
    " sender support system team undefined unknown unnamed-ai-agent".split()
)


def _read_as(change: Callable[[str], str]) -> BeforeValidator:
    """What is done to a text before it is looked at."""
    return BeforeValidator(lambda value: change(value) if isinstance(value, str) else value)


_unix_lines = _read_as(lambda text: text.replace("\r\n", "\n").replace("\r", "\n"))
"""Text from a form on Windows, with the line ends of everybody else."""
_word = _read_as(lambda text: re.sub(r"[\s_-]+", "_", text.strip().lower()))
"""A word of a closed set, in whatever letters and with whatever between its parts."""


def _whole_number(value: Json) -> Json:
    """A whole number: 5, 5.0 and "5" are; "5 minutes" and true are not."""
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}(?:\.0+)?", value.strip()):
        return int(value.partition(".")[0])
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        raise PydanticCustomError("whole-number", "must be a whole number, such as 30, without quotes")
    return int(value)


def _handle(value: Json) -> Json:
    """A handle in its one spelling: ASCII capitals are folded, anything else is refused by the field."""
    if not isinstance(value, str):
        return value
    folded = re.sub("[A-Z]", lambda letter: letter[0].lower(), value)
    if not HANDLE.fullmatch(folded):
        raise PydanticCustomError("handle", "must be 2-39 of a-z, 0-9 and single hyphens between them")
    if folded in RESERVED_HANDLES:
        raise PydanticCustomError("reserved", "is reserved; choose another")
    return folded


_MAIL = re.compile(r"[^\s@<>\"]{1,64}@[^\s@<>\"]{1,190}\.[^\s@<>\".]{2,63}")
_ANY_CASE = WithJsonSchema(
    {"type": "string", "pattern": "^[A-Za-z0-9](?:-?[A-Za-z0-9]){1,38}$", "minLength": 2, "maxLength": 39}
)
Mail = Annotated[
    str,
    Field(max_length=254),
    must("e-mail", lambda text: _MAIL.fullmatch(unicodedata.normalize("NFC", text)), "must be an e-mail address"),
    WithJsonSchema({"type": "string", "format": "email", "maxLength": 254}),
]
_WITH_SCHEME = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//|(?:javascript|data|vbscript|file|mailto):", re.IGNORECASE)
SourceText = Annotated[
    SourceName,
    _unix_lines,
    must(
        "address",
        lambda text: not _WITH_SCHEME.match(text) or is_address(text),
        "must be a whole http(s) address, such as https://example.com/page, or words that begin like none",
    ),
]
Short = Annotated[Label, _unix_lines]
WhoOrWhich = Annotated[Name, _unix_lines]
PlaybookName = Annotated[Line, _read_as(str.strip)]
VERSION = re.compile(r"[0-9a-f]{12}")
SentVersion = Annotated[
    str,
    _read_as(lambda text: text.strip().lower()),
    must(
        "version",
        VERSION.fullmatch,
        "must be 12 hex digits, as every rendition prints them; leave it out for the present version",
    ),
    WithJsonSchema({"type": "string", "pattern": "^[0-9a-fA-F]{12}$"}),
]
Title = Annotated[Heading, _unix_lines]
SentLine = Annotated[Line, _unix_lines]
Long = Annotated[Passage, _unix_lines]
Longs = Annotated[tuple[Long, ...], Field(max_length=30)]


class Intake(BaseModel):
    """What every model here is: unchangeable, and closed to fields that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class LongSearch(Intake):
    """A question as `GET /search` asks it, of any length: a task, a log or a mail may be pasted whole."""

    q: Annotated[str, must("missing", str.strip, "say what job you want to get done")] = Field(
        description="The job in plain words; never a query language."
    )
    type: ResultType | None = optional("Only results of this type.")
    agent: str | None = optional("The slug of an agent; what names it comes first, then playbooks for any agent.")
    category: str | None = optional("The slug of a category.")
    min_trust: Trust | None = optional("Only playbooks at or above this level.")
    proven: StrictBool = Field(default=False, description="Only playbooks whose checks are proven.")
    limit: Annotated[int, Field(ge=1, le=50), BeforeValidator(_whole_number)] = Field(
        10, description="How many results."
    )


class RunReport(Intake):
    """How a run of a playbook went. Ask the end user before sending one; it must hold no private data."""

    playbook: PlaybookName = Field(description="The playbook that was run: its name in addresses, its title or a link.")
    agent: WhoOrWhich = Field(description="The agent that ran it.")
    outcome: Annotated[Outcome, _word] = Field(description="How it ended.")
    agent_version: WhoOrWhich | None = optional("The agent's version.")
    model: WhoOrWhich | None = optional("The model behind the agent.")
    what_changed: Long | None = optional("What had to be done otherwise than written.")
    lesson: Long | None = optional("What the next one should know.")
    duration_minutes: Annotated[int, Field(ge=0, le=525_600), BeforeValidator(_whole_number)] | None = optional(
        "How long it took, in minutes."
    )
    reporter: Short | None = optional("A label for the reporter; with a key the contributor's handle takes its place.")
    playbook_version: SentVersion | None = optional("The version that was run, as every rendition prints it.")


class NewContributor(Intake):
    """Someone who wants a key."""

    handle: Annotated[str, BeforeValidator(_handle), _ANY_CASE] = Field(
        description="2-39 of a-z, 0-9 and single hyphens; unique."
    )
    email: Mail | None = optional("Never shown.")


class PlaybookPayload(Intake):
    """A playbook as it is submitted; an editor makes a record of it."""

    title: Title = Field(description="The job, verb first.")
    agents: Annotated[tuple[WhoOrWhich, ...], Field(min_length=1, max_length=30)] = Field(
        description="The agents it is for."
    )
    summary: Long = Field(description="What it does and when to use it.")
    prompt: Annotated[LongText, _unix_lines] = Field(description="The prompt.")
    steps: Annotated[tuple[Long, ...], Field(min_length=1, max_length=30)] = Field(description="The steps in order.")
    job: SentLine | None = optional("The job that it does.")
    category: Short | None = optional("The category that it belongs to.")
    what_went_wrong: Longs | None = optional("What went wrong on the way.")
    human_checkpoints: Longs | None = optional("Where a person decides.")
    sources: Annotated[tuple[SourceText, ...], Field(max_length=30)] | None = optional(
        "What it rests on: addresses, or words."
    )
    outcome: Long | None = optional("What the reader ends up with.")
    agent_version: WhoOrWhich | None = optional("The version of the agent that it was tried with.")
    time_taken: SentLine | None = optional("How long it took.")


class Submission(Intake):
    """Something for the library: a use case, a lesson, a correction or a whole playbook."""

    kind: Annotated[SubmissionKind, _word] = Field(SubmissionKind.USE_CASE, description="What it is.")
    title: Title = Field(description="What it says, in a line.")
    body: Long = Field(description="The whole of it.")
    agent: WhoOrWhich | None = optional("The agent that it is about.")
    playbook: PlaybookName | None = optional(
        "The playbook that it refers to: its name in addresses, its title or a link."
    )
    source_url: Url | None = optional("Where it can be read.")
    reporter: Short | None = optional("A label for the sender; with a key the contributor's handle takes its place.")
    payload: PlaybookPayload | None = Field(
        None, validate_default=True, description="The playbook itself; required when kind is playbook."
    )

    @field_validator("payload")
    @classmethod
    def _a_playbook_has_a_payload(cls, value: PlaybookPayload | None, info: ValidationInfo) -> PlaybookPayload | None:
        if value is None and info.data.get("kind") is SubmissionKind.PLAYBOOK:
            raise PydanticCustomError("missing-field", "is missing; a submission of kind playbook needs it")
        return value
