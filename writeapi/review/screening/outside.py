"""An outside reviewer: a command that is given an item as JSON and answers with a verdict; it can only be stricter."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, WithJsonSchema
from pydantic_core import PydanticCustomError

from library.interface import bodies
from library.interface.reasons import codes_for
from library.problems import UsageError, printable
from library.records.fields import Text
from library.records.validating import json_schema, validate
from library.records.vocabulary import Advice, Decision

from .bounded import Bounds, run
from .rules import Flag
from .sent import Sent

VARIABLE = "PLAYBOOKS_REVIEWER"
_HANDED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TZ")
_OWN_PREFIX = "REVIEWER_"
CODES = tuple(dict.fromkeys([*codes_for(Decision.REJECT), *codes_for(Decision.REQUEST_CHANGES)]))
"""What an outside reviewer may find: the reasons that an editor may give a sender."""
_POINTER = r"^(/[A-Za-z0-9_~-]{1,64}){0,6}$"
_CUT = 300


def _known(code: str) -> str:
    if code not in CODES:
        raise PydanticCustomError("unknown-code", "must be one of the codes that came with the item")
    return code


def _one_line(text: str) -> str:
    if not text.isprintable():
        raise PydanticCustomError("one-line", "must be one line without control characters")
    return text


Code = Annotated[str, AfterValidator(_known), WithJsonSchema({"enum": list(CODES)})]


class _Message(BaseModel):
    """What every part of the conversation is: unchangeable, and closed to keys that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class FindingSeen(_Message):
    """Something that the rules of the review agent found."""

    code: str = Field(description="What sort of thing it is.")
    pointer: str = Field(description="The field, as a JSON pointer into `fields`; empty for the whole item.")
    detail: str = Field(description="A sentence for editors.")


class ReviewerInput(_Message):
    """What an outside reviewer is given on standard input. Everything in `fields` was written by a stranger: data."""

    format: Literal[1] = Field(description="The version of this form.")
    id: str = Field(description="The item's id.")
    kind: Literal["run", "use_case", "lesson", "correction", "playbook"] = Field(description="What the item is.")
    fields: dict[str, JsonValue] = Field(description="The item as it was sent.")
    findings: tuple[FindingSeen, ...] = Field(description="What the rules found.")
    codes: tuple[str, ...] = Field(description="The codes that a finding of the verdict may have.")


class FindingMade(_Message):
    """Something that an outside reviewer found."""

    code: Code = Field(description="One of the codes that came with the item.")
    pointer: Annotated[str, Field(max_length=200, pattern=_POINTER)] = Field(
        "", description="The field, as a JSON pointer into `fields`; empty, or a field that is not there: the whole."
    )
    detail: Annotated[Text, Field(max_length=500), AfterValidator(_one_line)] = Field(
        description="A sentence for editors, without control characters."
    )


class ReviewerVerdict(_Message):
    """What an outside reviewer answers on standard output: this and nothing else."""

    advice: Advice = Field(description="What to do. Nothing is accepted or rejected because of it alone.")
    findings: Annotated[tuple[FindingMade, ...], Field(max_length=20)] = Field((), description="What there is to find.")


SCHEMAS: Mapping[str, type[BaseModel]] = {
    "docs/reviewer-input.schema.json": ReviewerInput,
    "docs/reviewer-verdict.schema.json": ReviewerVerdict,
}
"""The files that publish both forms."""


def schema_text(model: type[BaseModel]) -> str:
    """The text of a published schema."""
    return json.dumps(json_schema(model), indent=2, ensure_ascii=False) + "\n"


def given(item: Sent, found: Sequence[Flag]) -> ReviewerInput:
    """What an outside reviewer is given of an item."""
    seen = tuple(FindingSeen(code=one.code, pointer=one.pointer, detail=one.detail) for one in found)
    return ReviewerInput.model_validate(
        {"format": 1, "id": item.subject, "kind": item.kind, "fields": item.values, "findings": seen, "codes": CODES}
    )


@dataclass(frozen=True)
class OutsideReviewer:
    """The command of an outside reviewer. `say` is told what a failed one wrote to standard error, line by line."""

    command: Sequence[str]
    environment: Mapping[str, str]
    bounds: Bounds
    say: Callable[[str], None]

    def __call__(self, item: Sent, found: Sequence[Flag]) -> list[Flag]:
        """What it found; a failure of it is a finding too. Whatever it answers, nothing that was found goes away."""
        told = given(item, found).model_dump_json().encode()
        ended = run(self.command, told, self.environment, self.bounds)
        verdict = ended.why or read_verdict(ended.out)
        if isinstance(verdict, ReviewerVerdict):
            return list(_findings(verdict, item))
        for line in ended.errors.decode(errors="replace").splitlines():
            self.say(f"reviewer: {printable(line)}")
        return [Flag("reviewer-failed", "", f"the outside reviewer {verdict}")]


def read_verdict(raw: bytes) -> ReviewerVerdict | str:
    """The verdict in an outside reviewer's output, or what is wrong with it; what it wrote is not repeated."""
    try:
        value = bodies.parse(raw)
    except bodies.NotJson:
        return "wrote something else than one JSON object"
    result = validate(ReviewerVerdict, value, "verdict")
    if isinstance(result, ReviewerVerdict):
        return result
    places = ", ".join(dict.fromkeys(f"{_place(one.pointer)} ({one.code})" for one in result))
    return f"wrote no verdict of the schema: {places}"[:_CUT]


def _place(pointer: Sequence[str | int]) -> str:
    """Where in a verdict: its own words for what the schema knows, nothing that the reviewer made up."""
    known = {"advice", "findings", "code", "pointer", "detail"}
    return "/" + "/".join(str(part) if isinstance(part, int) or part in known else "…" for part in pointer)


def _findings(verdict: ReviewerVerdict, item: Sent) -> list[Flag]:
    found = [
        Flag(one.code, one.pointer if one.pointer in item.texts else "", f"outside reviewer: {one.detail}")
        for one in verdict.findings
    ]
    if verdict.advice is Advice.REJECT or (verdict.advice is Advice.EDITOR and not found):
        words = "to reject it" if verdict.advice is Advice.REJECT else "that an editor looks at it"
        found.append(Flag("reviewer", "", f"the outside reviewer advises {words}"))
    return found


def reviewer_from(environment: Mapping[str, str], seconds: float, say: Callable[[str], None]) -> OutsideReviewer | None:
    """The outside reviewer that `PLAYBOOKS_REVIEWER` names; None where it names none.

    Raises `UsageError` for a command that cannot be split or found.
    """
    try:
        words = shlex.split(environment.get(VARIABLE, ""))
    except ValueError as error:
        raise UsageError(f"{VARIABLE} cannot be split into words: {error}") from error
    if not words:
        return None
    found = shutil.which(words[0], path=environment.get("PATH"))
    if found is None:
        raise UsageError(f"{VARIABLE} names the command {words[0]!r}, which cannot be found or run")
    # The command runs in another folder, so a relative name of it would lead nowhere.
    return OutsideReviewer((str(Path(found).absolute()), *words[1:]), seen_by(environment), Bounds(seconds), say)


def seen_by(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that an outside reviewer sees: none that hold our secrets."""
    return {name: value for name, value in environment.items() if name in _HANDED_ON or name.startswith(_OWN_PREFIX)}
