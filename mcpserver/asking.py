"""One call: who asks, which playbook is meant, in which pages a list comes, and how arguments are judged."""

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, Field

from library.interface.errors import BAD_JSON, INVALID, FieldProblem
from library.interface.intake import Intake
from library.interface.resolving import PlaybookNames, Resolved, resolve_playbook
from library.records.fields import optional
from library.records.validating import IN_JSON, validate
from library.records.vocabulary import ResultType, Status

from .library import LibraryAccess, Peer, Record, Refusal

M = TypeVar("M", bound=BaseModel)
PAGE = 50
_LONGEST_QUESTION = 500


class Repeatable(Intake):
    """What a body of the write API has beside it."""

    idempotency_key: Annotated[str, Field(pattern=r"^[!-~]{1,255}$")] | None = optional(
        "Any text, such as a UUID: the same call with the same key is taken once."
    )


@dataclass(frozen=True, slots=True)
class Asking:
    """What a tool works with."""

    library: LibraryAccess
    caller: Peer


def slug_of(item: Record) -> str:
    """What lists are ordered by."""
    return str(item["slug"])


async def resolved(library: LibraryAccess, text: str) -> tuple[str, list[str]]:
    """The slug that a text means, and a sentence if it was not written so; the text as it is where none is meant.

    Only to read: what is like one playbook and no other is taken for it, which the write API never does.
    """
    if await library.playbook(text) is not None:
        return text, []
    books, aliases = await library.listed("playbooks"), await library.listed("aliases")
    titles = {slug_of(item): str(item["title"]) for item in books["items"]}
    found = resolve_playbook(text, PlaybookNames(titles, aliases["items"], library.site_url))
    if isinstance(found, Resolved):
        meant, how = found.slug, f"by its {found.how}"
    elif len(found.suggestions) != 1:
        return text, []
    else:
        meant, how = found.suggestions[0], "because no other is like it"
    return meant, [f"{text[:100]!r} was read as the playbook `{meant}`, {how}."]


async def nearest(library: LibraryAccess, text: str) -> str:
    """The playbooks that a text is nearest to, in words; empty where search has none or is away."""
    with suppress(Refusal):
        found = await library.search({"q": text[:_LONGEST_QUESTION], "type": ResultType.PLAYBOOK, "limit": "3"})
        return ", ".join(f"`{hit['slug']}` ({hit['title']})" for hit in found["items"])
    return ""


async def offered(library: LibraryAccess) -> Sequence[Record]:
    """The playbooks that are offered, by slug: all but withdrawn ones."""
    return [item for item in (await library.listed("playbooks"))["items"] if item["status"] != Status.WITHDRAWN]


def page(
    items: Sequence[Record], cursor: str | None, name: str, size: int = PAGE
) -> tuple[Sequence[Record], str | None]:
    """The items after the cursor, at most `size`, and the cursor of the next page; None at the end.

    A cursor says after which slug of which list the page begins, whatever was built meanwhile. Raises `Refusal`.
    """
    start = 0
    if cursor is not None:
        of, gap, after = cursor.partition(".")
        if of != name or not gap:
            problem = FieldProblem(pointer="/cursor", code="cursor", detail="is none that this list gave; leave it out")
            raise Refusal(INVALID, "The cursor is none that this list gave.", [problem])
        start = bisect_right(items, after, key=slug_of)
    found = items[start : start + size]
    more = bool(found) and start + size < len(items)
    return found, f"{name}.{slug_of(found[-1])}" if more else None


async def written(asking: Asking, path: str, sent: Record) -> Record:
    """What the write API answers to the arguments of a tool: they are its body, but for the idempotency key."""
    body = dict(sent)
    key = read_arguments(Repeatable, {"idempotency_key": body.pop("idempotency_key", None)}).idempotency_key
    try:
        raw = json.dumps(body).encode()  # whatever is in it: the write API is the judge
    except RecursionError as error:
        raise Refusal(BAD_JSON, "The arguments are nested too deep.") from error
    return await asking.library.send("POST", path, asking.caller, raw, key)


def read_arguments(model: type[M], sent: Mapping[str, Any]) -> M:
    """The arguments of a tool. Raises `Refusal` with everything that is wrong with them."""
    found = validate(model, sent, "arguments", IN_JSON)
    if not isinstance(found, list):
        return found
    problems = []
    for item in found:  # a JSON pointer, after RFC 6901; a name that the caller chose is not repeated at length
        parts = (str(part)[:64].replace("~", "~0").replace("/", "~1") for part in item.pointer)
        pointer = "".join(f"/{part}" for part in parts)
        problems.append(FieldProblem(pointer=pointer, code=item.code, detail=item.message[:500]))
    raise Refusal(INVALID, "The arguments cannot be taken as they are; `errors` names every place.", problems)
