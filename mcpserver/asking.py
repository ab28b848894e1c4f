"""One call: who asks, what is read and written for it, in which pages, and how its arguments and errors are told."""

import base64
import json
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel

from library.interface.errors import BAD_JSON, INVALID, FieldProblem
from library.interface.resolving import PlaybookNames, Resolved, resolve_playbook
from library.records.fields import SLUG
from library.records.validating import IN_JSON, validate
from library.records.vocabulary import ResultType, Status

from .ports import LibraryReader, Method, Peer, Record, Refusal, Writer, with_retry

M = TypeVar("M", bound=BaseModel)
PAGE = 50
_LONGEST_CURSOR = 400
_LONGEST_QUESTION = 500
_LONGEST_TEXT = 100
_KEY = re.compile(r"[!-~]{1,255}")


class Answered(Exception):
    """The write API refused; `problem` is what it said."""

    def __init__(self, problem: Record) -> None:
        super().__init__(problem.get("title"))
        self.problem = problem


class BadCursor(Exception):
    """A cursor that this list did not give."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What a tool works with."""

    reader: LibraryReader
    writer: Writer
    caller: Peer
    site_url: str

    async def answered(self, method: Method, path: str, body: bytes = b"", key: str | None = None) -> Record:
        """What the write API answers. Raises `Answered` with its problem details."""
        reply = await self.writer.send(method, path, self.caller, body, key)
        if reply.status >= 300:
            problem = {"title": "Refused", "status": reply.status, "detail": "", **reply.body}
            raise Answered(with_retry(problem, reply.retry_after))
        return reply.body


def slug_of(item: Record) -> str:
    """What lists are ordered by."""
    return str(item["slug"])


def is_slug(text: str) -> bool:
    """Whether a text has the form of a slug; nothing else is looked up."""
    return len(text) <= 64 and SLUG.fullmatch(text) is not None


async def find_playbook(reader: LibraryReader, slug: str) -> Record | None:
    """The playbook of a slug, or of the one that a former slug leads to; None for what is no slug at all."""
    if not is_slug(slug):
        return None
    found = await reader.playbook(slug)
    if found is None and (present := (await reader.listed("aliases"))["items"].get(slug)) is not None:
        found = await reader.playbook(present)
    return found


async def resolved(asking: Asking, text: str) -> tuple[str, list[str]]:
    """The slug that a text means, and a sentence if it was not written so; the text as it is where none is meant.

    Only to read: what is like one playbook and no other is taken for it, which the write API never does.
    """
    if await find_playbook(asking.reader, text) is not None:
        return text, []
    books, aliases = await asking.reader.listed("playbooks"), await asking.reader.listed("aliases")
    titles = {slug_of(item): str(item["title"]) for item in books["items"]}
    found = resolve_playbook(text, PlaybookNames(titles, aliases["items"], asking.site_url))
    if isinstance(found, Resolved):
        meant, how = found.slug, f"by its {found.how}"
    elif len(found.suggestions) != 1:
        return text, []
    else:
        meant, how = found.suggestions[0], "because no other is like it"
    return meant, [f"{text[:_LONGEST_TEXT]!r} was read as the playbook `{meant}`, {how}."]


async def nearest(reader: LibraryReader, text: str) -> str:
    """The playbooks that a text is nearest to, in words; empty where search has none or is away."""
    with suppress(Refusal):
        found = await reader.search({"q": text[:_LONGEST_QUESTION], "type": ResultType.PLAYBOOK, "limit": "3"})
        return ", ".join(f"`{hit['slug']}` ({hit['title']})" for hit in found["items"])
    return ""


async def offered(reader: LibraryReader) -> Sequence[Record]:
    """The playbooks that are offered, by slug: all but withdrawn ones."""
    return [item for item in (await reader.listed("playbooks"))["items"] if item["status"] != Status.WITHDRAWN]


def page(
    items: Sequence[Record], cursor: str | None, name: str, size: int = PAGE
) -> tuple[Sequence[Record], str | None]:
    """The items after the cursor, at most `size`, and the cursor of the next page; None at the end.

    A cursor says after which slug of which list the page begins, whatever was built meanwhile. Raises `BadCursor`.
    """
    start = 0 if cursor is None else bisect_right(items, _after(cursor, name), key=slug_of)
    found = items[start : start + size]
    if not found or start + size >= len(items):
        return found, None
    return found, base64.urlsafe_b64encode(f"{name}\n{slug_of(found[-1])}".encode()).decode("ascii").rstrip("=")


def _after(cursor: str, name: str) -> str:
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        told, gap, after = raw.decode("ascii").partition("\n")
    except ValueError as error:
        raise BadCursor from error
    if len(cursor) > _LONGEST_CURSOR or told != name or not gap:
        raise BadCursor
    return after


async def written(asking: Asking, path: str, sent: Record) -> Record:
    """What the write API answers to the arguments of a tool: they are its body, but for the idempotency key."""
    body = dict(sent)
    key = body.pop("idempotency_key", None)
    if key is not None and not (isinstance(key, str) and _KEY.fullmatch(key)):
        detail = "must be 1-255 printable ASCII characters without a space, such as a UUID"
        problem = FieldProblem(pointer="/idempotency_key", code="idempotency-key", detail=detail)
        raise Refusal(INVALID, "The call cannot be taken as it is.", [problem])
    try:
        raw = json.dumps(body).encode()  # whatever is in it: the write API is the judge
    except RecursionError as error:
        raise Refusal(BAD_JSON, "The arguments are nested too deep.") from error
    return await asking.answered("POST", path, raw, key)


def read_arguments(model: type[M], sent: Mapping[str, Any]) -> M:
    """The arguments of a tool. Raises `Refusal` with everything that is wrong with them."""
    found = validate(model, sent, "arguments", IN_JSON)
    if not isinstance(found, list):
        return found
    problems = []
    for (
        item
    ) in found:  # each with a JSON pointer, after RFC 6901; a name that the caller chose is not repeated at length
        parts = (str(part)[:64].replace("~", "~0").replace("/", "~1") for part in item.pointer)
        pointer = "".join(f"/{part}" for part in parts)
        problems.append(FieldProblem(pointer=pointer, code=item.code, detail=item.message[:500]))
    raise Refusal(INVALID, "The arguments cannot be taken as they are; `errors` names every place.", problems)
