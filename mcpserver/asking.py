"""One call to a tool: who asks, what is read and written for it, and how its arguments and errors are told."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from pydantic import BaseModel

from library.interface.errors import BAD_JSON, INVALID, FieldProblem
from library.problems import Pointer
from library.records.fields import SLUG
from library.records.validating import validate

from .ports import LibraryReader, Peer, Record, Refusal, Reply, Writer, with_retry

M = TypeVar("M", bound=BaseModel)
_KEY = re.compile(r"[!-~]{1,255}")
_LONGEST_SHOWN = 64


class Answered(Exception):
    """The write API refused; `problem` is what it said."""

    def __init__(self, problem: Record) -> None:
        super().__init__(problem.get("title"))
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Asking:
    """What a tool works with."""

    reader: LibraryReader
    writer: Writer
    caller: Peer

    async def answered(
        self, method: Literal["GET", "POST"], path: str, body: bytes = b"", key: str | None = None
    ) -> Record:
        """What the write API answers. Raises `Answered` with its problem details."""
        reply: Reply = await self.writer.send(method, path, self.caller, body, key)
        if reply.status >= 300:
            problem = {"title": "Refused", "status": reply.status, "detail": "", **reply.body}
            raise Answered(with_retry(problem, reply.retry_after))
        return reply.body


async def find_playbook(reader: LibraryReader, slug: str) -> Record | None:
    """The playbook of a slug, or of the one that a former slug leads to; None for what is no slug at all."""
    if not is_slug(slug):
        return None
    found = await reader.playbook(slug)
    if found is None and (present := (await reader.former()).get(slug)) is not None:
        found = await reader.playbook(present)
    return found


def is_slug(text: str) -> bool:
    """Whether a text has the form of a slug; nothing else is looked up."""
    return len(text) <= 64 and SLUG.fullmatch(text) is not None


async def written(asking: Asking, path: str, sent: Record) -> Record:
    """What the write API answers to the arguments of a tool: they are its body, but for the idempotency key."""
    body = dict(sent)
    key = body.pop("idempotency_key", None)
    if key is not None and not (isinstance(key, str) and _KEY.fullmatch(key)):
        detail = "must be 1-255 printable ASCII characters without a space, such as a UUID"
        problem = FieldProblem(pointer="/idempotency_key", code="idempotency-key", detail=detail)
        raise Refusal(INVALID, "The call cannot be taken as it is.", [problem])
    return await asking.answered("POST", path, _json(body), key)


def _json(body: Record) -> bytes:
    """A body as JSON, whatever is in it: the write API is the judge."""
    try:
        return json.dumps(body).encode()
    except RecursionError as error:
        raise Refusal(BAD_JSON, "The arguments are nested too deep.") from error


def read_arguments(model: type[M], sent: Mapping[str, Any]) -> M:
    """The arguments of a tool. Raises `Refusal` with everything that is wrong with them."""
    found = validate(model, sent, "arguments")
    if not isinstance(found, list):
        return found
    problems = [
        FieldProblem(pointer=_pointer(item.pointer), code=item.code, detail=item.message[:500]) for item in found
    ]
    raise Refusal(INVALID, "The arguments cannot be taken as they are; `errors` names every place.", problems)


def _pointer(parts: Pointer) -> str:
    """A JSON pointer, after RFC 6901; a name that the caller chose is not repeated at length."""
    return "".join("/" + str(part)[:_LONGEST_SHOWN].replace("~", "~0").replace("/", "~1") for part in parts)
