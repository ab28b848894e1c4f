"""One write over HTTP, tried again as the library says, within a bound, always with the same idempotency key."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx2
from pydantic import ValidationError

from library.interface.bodies import NotJson, parse
from library.interface.errors import ProblemDetails
from library.problems import LibraryError, UsageError, printable

SECONDS = 30.0
LONGEST_ANSWER = 1024 * 1024
FIRST_WAIT = 1.0
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses after which the same may be sent again: the idempotency key keeps it one record."""


class NotAnswered(LibraryError):
    """It is not known whether it arrived; the same command may be used again."""


class NotAccepted(LibraryError):
    """The library will not take it as it is."""


@dataclass(frozen=True)
class Sender:
    """Sends to one library. `patience` is how many seconds may be waited in all; `say` tells a person of it."""

    patience: float
    say: Callable[[str], None]
    sleep: Callable[[float], None] = time.sleep
    transport: httpx2.BaseTransport | None = None

    def post(self, url: str, body: bytes, headers: dict[str, str]) -> dict[str, Any]:
        """The receipt. Raises `NotAccepted`, or `NotAnswered` when no answer came within the patience."""
        waited, number = 0.0, 0
        with httpx2.Client(transport=self.transport, timeout=SECONDS, follow_redirects=False) as client:
            while True:
                wait = FIRST_WAIT * 2**number
                answer = ask(client, url, body, headers)
                if isinstance(answer, HttpReply) and answer.status not in AGAIN:
                    return receipt(answer)
                if isinstance(answer, HttpReply):
                    wait = retry_after(answer.headers.get("Retry-After"), wait)
                why = told(answer) if isinstance(answer, HttpReply) else f"No answer: {answer}."
                if waited + wait > self.patience:
                    text = f"{why}\nUse the same command again, in {wait:.0f} seconds or later: it is stored only once."
                    raise NotAnswered(text)
                self.say(f"{why}\nTrying again in {wait:.0f} seconds.")
                self.sleep(wait)
                waited, number = waited + wait, number + 1


@dataclass(frozen=True)
class HttpReply:
    """What came back; of a body that is longer than any receipt, the beginning."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def ask(client: httpx2.Client, url: str, body: bytes, headers: dict[str, str]) -> HttpReply | str:
    """The answer, or why there was none. Raises `UsageError` for an address that no client can use."""
    try:
        with client.stream("POST", url, content=body, headers=headers) as response:
            read = b""
            for chunk in response.iter_bytes():
                read += chunk
                if len(read) > LONGEST_ANSWER:
                    break
            return HttpReply(response.status_code, response.headers, read)
    except httpx2.RequestError as error:
        return printable(str(error)).rstrip(".") or type(error).__name__
    except (httpx2.InvalidURL, UnicodeError) as error:
        raise UsageError(f"{printable(url)} is no address that can be asked") from error


def retry_after(header: str | None, otherwise: float) -> float:
    """The seconds that a `Retry-After` asks for; a date or rubbish counts as none."""
    if header and header.isascii() and header.isdigit():
        return max(1.0, float(header[:9]))
    return otherwise


def receipt(answer: HttpReply) -> dict[str, Any]:
    """The receipt in an answer. Raises `NotAnswered` for a 201 that is none, `NotAccepted` for every other answer."""
    if answer.status != 201:
        raise NotAccepted(told(answer))
    try:
        value = parse(answer.body)
    except NotJson:
        value = None
    if not isinstance(value, dict) or not isinstance(value.get("id"), str):
        raise NotAnswered(
            "The answer is no receipt; is this the address of a library? It may be stored: use the same command again,"
            " and it is stored only once."
        )
    return value


def told(answer: HttpReply) -> str:
    """What an error says, in a sentence and a line for each place; nothing in it that a terminal would obey."""
    if 300 <= answer.status < 400:
        return f"The library is elsewhere: {printable(answer.headers.get('Location', ''))[:200]}. Give that address."
    try:
        problem = ProblemDetails.model_validate_json(answer.body)
    except ValidationError:
        return f"The answer was {answer.status}, and not in the words of a library."
    lines = [printable(f"{problem.title} ({answer.status}): {problem.detail}")]
    lines += (printable(f"  {item.pointer or '/'}: {item.detail} [{item.code}]") for item in problem.errors or ())
    return "\n".join(lines)
