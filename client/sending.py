"""One write over HTTP: where to, with which key, and tried again as the library says with one idempotency key.

That key lies in a small file until an answer came, so that a retry is no second report.
"""

import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
from filelock import FileLock
from pydantic import TypeAdapter, ValidationError

from library.content import loading
from library.durable import sync_folder
from library.interface.bodies import NotJson, parse
from library.interface.errors import ProblemDetails
from library.options import plain_address
from library.problems import LibraryError, UsageError, printable
from library.records.models import Site

API = "/api/v1"
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses after which the same may be sent again: the idempotency key keeps it one record."""
_RESERVED = (".example", ".invalid", ".test")
"""Names that no library on the internet has (RFC 2606): they stand where an address is still to be written."""


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

    def ask(self, method: str, url: str, headers: dict[str, str], body: bytes = b"") -> dict[str, Any]:
        """The answer. Raises `NotAccepted`, or `NotAnswered` when none came within the patience, or no receipt."""
        once = " and it is stored only once" if body else ""
        reply = self._answer(method, url, headers, body, once)
        try:
            answer = parse(reply.content)
        except NotJson:
            answer = None
        if reply.status_code == 201 and not (isinstance(answer, dict) and isinstance(answer.get("id"), str)):
            why = "The answer is no receipt; is this the address of a library? It may be stored"
            raise NotAnswered(f"{why}: use the same command again,{once}.")
        if reply.status_code not in (200, 201) or not isinstance(answer, dict):
            raise NotAccepted(_words_of(reply))
        return answer

    def _answer(self, method: str, url: str, headers: dict[str, str], body: bytes, once: str) -> httpx2.Response:
        """The first answer that is none of those after which the same may be sent again."""
        waited, pause = 0.0, 1.0
        with httpx2.Client(transport=self.transport, timeout=30.0) as client:
            while True:
                wait = pause
                try:
                    reply = client.request(method, url, content=body or None, headers=headers)
                    if reply.status_code not in AGAIN:
                        return reply
                    why, after = _words_of(reply), reply.headers.get("Retry-After", "")
                    if after.isascii() and after.isdigit():  # a date or rubbish counts as none
                        wait = max(1.0, float(after[:9]))
                except httpx2.RequestError as error:
                    why = f"No answer: {printable(str(error)).rstrip('.') or type(error).__name__}."
                except (httpx2.InvalidURL, UnicodeError) as error:
                    raise UsageError(f"{printable(url)} is no address that can be asked") from error
                if waited + wait > self.patience:
                    raise NotAnswered(f"{why}\nUse the same command again, in {wait:.0f} seconds or later{once}.")
                self.say(f"{why}\nTrying again in {wait:.0f} seconds.")
                self.sleep(wait)
                waited, pause = waited + wait, pause * 2


def _words_of(reply: httpx2.Response) -> str:
    """What an error says, in a sentence and a line for each place; nothing in it that a terminal would obey."""
    if reply.is_redirect:
        return f"The library is elsewhere: {printable(reply.headers.get('Location', ''))[:200]}. Give that address."
    try:
        problem = ProblemDetails.model_validate_json(reply.content)
    except ValidationError:
        return f"The answer was {reply.status_code}, and not in the words of a library."
    lines = [f"{problem.title} ({problem.status}): {problem.detail}"]
    lines += (f"  {item.pointer or '/'}: {item.detail} [{item.code}]" for item in problem.errors or ())
    return "\n".join(map(printable, lines))


def base_address(given: str | None, content: Path, today: date) -> str:
    """The base address of the API: as it was given, as that of a site, or as `site.yaml` in the content has it.

    Raises `UsageError`.
    """
    if given is None and (content / "site.yaml").is_file():
        record = loading.read(content, "site.yaml", today).record
        given = (record.api_url or record.base_url) if isinstance(record, Site) else None
    if given is None:
        raise UsageError(f"say where the library is: --base-url, PLAYBOOKS_URL, or a site.yaml in {content}")
    return plain_address(given).rstrip("/").removesuffix(API) + API


def refuse_placeholder(url: str) -> None:
    """Raise `UsageError` for an address that only holds a place: nothing would answer, however long one waits."""
    host = urlsplit(url).hostname or ""
    try:
        if host.endswith(_RESERVED):
            socket.getaddrinfo(host, None)  # on a machine of one's own such a name may be a library's
    except OSError as error:
        mend = "say where yours is with --base-url, PLAYBOOKS_URL, or base_url in site.yaml"
        text = f"{host} is a placeholder, no library is there: {mend}; --dry-run shows what would be sent"
        raise UsageError(text) from error


_ENTRIES = TypeAdapter(dict[str, tuple[str, str]])


@contextmanager
def unanswered_keys(path: Path) -> Iterator[dict[str, tuple[str, str]]]:
    """The idempotency keys of sendings without an answer, each with its time; a change is on the disk afterwards.

    No other process changes them meanwhile. Raises `UsageError` where they cannot be read or written: then nothing
    may be sent.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with FileLock(path.with_suffix(".lock")):
            entries = _ENTRIES.validate_json(path.read_bytes() if path.exists() else b"{}")
            before = dict(entries)
            yield entries
            if entries != before:  # only its owner may read it, since an edit token is made from a key in it
                fresh = path.with_suffix(".new")
                with open(fresh, "wb", opener=partial(os.open, mode=0o600)) as file:
                    file.write(_ENTRIES.dump_json(entries))
                    file.flush()
                    os.fsync(file.fileno())
                fresh.replace(path)
                sync_folder(path.parent)  # the new name is on the disk before anything is sent
    except ValidationError as error:
        text = f"{path} is no file of this command; move it away, or choose another with --state"
        raise UsageError(text) from error
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; choose another file with --state") from error
