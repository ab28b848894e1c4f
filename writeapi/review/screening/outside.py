"""An outside reviewer: a command that is given an item as JSON and answers with a verdict; it can only be stricter."""

import json
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
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from library.interface import bodies
from library.interface.errors import codes_for
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
_LOOK = 0.05  # seconds between two looks at how much the command has written


class FindingMade(BaseModel):
    """Something that an outside reviewer found."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: Annotated[str, Field(pattern=f"^({'|'.join(CODES)})$")] = Field(
        description="One of the codes that came with the item."
    )
    pointer: Annotated[str, Field(max_length=200, pattern=_POINTER)] = Field(
        "", description="The field, as a JSON pointer into `fields`; empty, or a field that is not there: the whole."
    )
    detail: Annotated[Text, Field(max_length=500, pattern=r"^[^\n\r\t]+$")] = Field(
        description="A sentence for editors, without control characters."
    )


class ReviewerVerdict(BaseModel):
    """What an outside reviewer answers on standard output: this and nothing else."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
        seen = [{"code": one.code, "pointer": one.pointer, "detail": one.detail} for one in found]
        told = {"format": 1, "id": item.subject, "kind": item.kind, "fields": item.values}
        complaints = b""
        try:
            # What it leaves and nobody can delete stays: that is the operator's to see, and no reason to stop.
            with (
                TemporaryDirectory(prefix="reviewer-", ignore_cleanup_errors=True) as folder,
                TemporaryFile() as question,
                TemporaryFile("a+b") as out,  # files, not pipes: a grandchild that keeps them open delays nothing
                TemporaryFile("a+b") as errors,
            ):
                question.write(json.dumps({**told, "findings": seen, "codes": CODES}).encode())
                question.seek(0)
                why = self._run(folder, question.fileno(), out.fileno(), errors.fileno())
                for file in (out, errors):
                    file.seek(0)
                verdict = why or read_verdict(out.read(_MOST_OUTPUT))
                complaints = errors.read(_MOST_ERRORS)
        except OSError as error:
            verdict = f"could not be run ({error.strerror or type(error).__name__})"
        if isinstance(verdict, ReviewerVerdict):
            return list(_findings(verdict, item))
        for line in complaints.decode(errors="replace").splitlines():
            self.say(f"reviewer: {printable(line)}")
        return [Flag("reviewer-failed", "", f"the outside reviewer {verdict}")]

    def _run(self, folder: str, question: int, out: int, errors: int) -> str:
        """Run the command without a shell, in an empty folder and a session of its own; says why it failed, or nothing.

        Its process group is killed when it ends, or at a bound; a child that began a session of its own escapes that.
        What standard error holds beyond its bound is thrown away.
        """
        process = subprocess.Popen(
            self.command,
            stdin=question,
            stdout=out,
            stderr=errors,
            cwd=folder,
            env=dict(self.environment),
            start_new_session=True,
        )
        until = time.monotonic() + self.seconds
        try:
            code = None
            while code is None and os.fstat(out).st_size <= _MOST_OUTPUT:
                if time.monotonic() >= until:
                    return f"gave no verdict within {self.seconds:g} s"
                with suppress(subprocess.TimeoutExpired):
                    code = process.wait(_LOOK)
                if os.fstat(errors).st_size > _MOST_ERRORS:
                    os.ftruncate(errors, _MOST_ERRORS)  # it goes on at the new end
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if os.fstat(out).st_size > _MOST_OUTPUT:
            return f"wrote more than {_MOST_OUTPUT // 1024} KiB"
        if code:
            return f"ended with the code {code}" if code > 0 else f"was ended by the signal {-code}"
        return ""


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
    told = [[str(part) if isinstance(part, int) or part in known else "…" for part in one.pointer] for one in result]
    places = [f"/{'/'.join(parts)} ({one.code})" for parts, one in zip(told, result, strict=True)]
    return f"wrote no verdict of the schema: {', '.join(dict.fromkeys(places))}"[:_CUT]


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
