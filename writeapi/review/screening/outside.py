"""An outside reviewer: a command that is given an item as JSON and answers with a verdict; it can only be stricter."""

import os
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, WithJsonSchema
from pydantic_core import PydanticCustomError

from library.interface import bodies
from library.interface.reasons import codes_for
from library.problems import UsageError, printable
from library.records.fields import Text
from library.records.validating import validate
from library.records.vocabulary import Advice, Decision

from .matching import Sent
from .screen import Flag

VARIABLE = "PLAYBOOKS_REVIEWER"
_HANDED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TZ")
_OWN_PREFIX = "REVIEWER_"
CODES = tuple(dict.fromkeys([*codes_for(Decision.REJECT), *codes_for(Decision.REQUEST_CHANGES)]))
"""What an outside reviewer may find: the reasons that an editor may give a sender."""
_POINTER = r"^(/[A-Za-z0-9_~-]{1,64}){0,6}$"
_CUT = 300
_MOST_OUTPUT = 64 * 1024
_MOST_ERRORS = 4 * 1024
_LOOK = 0.05
"""Seconds between two looks at how much the command has written."""


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


@dataclass(frozen=True)
class OutsideReviewer:
    """The command of an outside reviewer. `say` is told what a failed one wrote to standard error, line by line."""

    command: Sequence[str]
    environment: Mapping[str, str]
    seconds: float
    say: Callable[[str], None]

    def __call__(self, item: Sent, found: Sequence[Flag]) -> list[Flag]:
        """What it found; a failure of it is a finding too. Whatever it answers, nothing that was found goes away."""
        seen = [FindingSeen(code=one.code, pointer=one.pointer, detail=one.detail) for one in found]
        told = {"id": item.subject, "kind": item.kind, "fields": item.values, "findings": seen, "codes": CODES}
        try:
            # What it leaves and nobody can delete stays: that is the operator's to see, and no reason to stop.
            with (
                TemporaryDirectory(prefix="reviewer-", ignore_cleanup_errors=True) as folder,
                TemporaryFile() as question,
                TemporaryFile("a+b") as out,  # files, not pipes: a grandchild that keeps them open delays nothing
                TemporaryFile("a+b") as errors,
            ):
                question.write(ReviewerInput.model_validate({"format": 1, **told}).model_dump_json().encode())
                question.seek(0)
                why = self._run(folder, question.fileno(), out.fileno(), errors.fileno())
                verdict = why or read_verdict(_first(out, _MOST_OUTPUT))
                complaints = _first(errors, _MOST_ERRORS)
        except OSError as error:
            verdict, complaints = f"could not be run ({error.strerror or type(error).__name__})", b""
        if isinstance(verdict, ReviewerVerdict):
            return list(_findings(verdict, item))
        for line in complaints.decode(errors="replace").splitlines():
            self.say(f"reviewer: {printable(line)}")
        return [Flag("reviewer-failed", "", f"the outside reviewer {verdict}")]

    def _run(self, folder: str, question: int, out: int, errors: int) -> str:
        """Run the command without a shell, in an empty folder and a session of its own; says why it failed, or nothing.

        Its process group is killed when it ends, or at a bound; a child that began a session of its own escapes that.
        """
        try:
            process = subprocess.Popen(
                self.command,
                stdin=question,
                stdout=out,
                stderr=errors,
                cwd=folder,
                env=dict(self.environment),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            return f"could not be started ({getattr(error, 'strerror', None) or 'its name is none'})"
        try:
            return self._watch(process, out, errors)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _watch(self, process: subprocess.Popen[bytes], out: int, errors: int) -> str:
        """Wait until it ends or a bound is met; what standard error holds beyond its bound is thrown away."""
        until = time.monotonic() + self.seconds
        while True:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_LOOK)
            if os.fstat(out).st_size > _MOST_OUTPUT:
                return f"wrote more than {_MOST_OUTPUT // 1024} KiB"
            if os.fstat(errors).st_size > _MOST_ERRORS:
                os.ftruncate(errors, _MOST_ERRORS)  # it goes on at the new end
            if code := process.returncode:
                return f"ended with the code {code}" if code > 0 else f"was ended by the signal {-code}"
            if code == 0:
                return ""
            if time.monotonic() >= until:
                return f"gave no verdict within {self.seconds:g} s"


def _first(file: IO[bytes], most: int) -> bytes:
    file.seek(0)
    return file.read(most)


def read_verdict(raw: bytes) -> ReviewerVerdict | str:
    """The verdict in an outside reviewer's output, or what is wrong with it; what it wrote is not repeated."""
    try:
        value = bodies.parse(raw)
    except bodies.NotJson:
        return "wrote something else than one JSON object"
    result = validate(ReviewerVerdict, value, "verdict")
    if isinstance(result, ReviewerVerdict):
        return result
    known = {"advice", "findings", "code", "pointer", "detail"}  # nothing that the reviewer made up is repeated
    places: dict[str, None] = {}
    for one in result:
        parts = (str(part) if isinstance(part, int) or part in known else "…" for part in one.pointer)
        places[f"/{'/'.join(parts)} ({one.code})"] = None
    return f"wrote no verdict of the schema: {', '.join(places)}"[:_CUT]


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
    own = {name: text for name, text in environment.items() if name in _HANDED_ON or name.startswith(_OWN_PREFIX)}
    # The command runs in another folder, so a relative name of it would lead nowhere; it sees none of our secrets.
    return OutsideReviewer((str(Path(found).absolute()), *words[1:]), own, seconds, say)
