"""One write over HTTP: where to, with which key, and tried again as the library says with one idempotency key.

That key lies in a small file until an answer came, so that a retry is no second report.
"""

import hashlib
import json
import os
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import httpx2
from filelock import FileLock
from pydantic import TypeAdapter, ValidationError

from library.content import loading
from library.durable import sync_folder
from library.interface.bodies import NotJson, parse
from library.interface.errors import ProblemDetails
from library.problems import LibraryError, UsageError, printable
from library.records.fields import Url
from library.records.models import Site

API = "/api/v1"
SECONDS = 30.0
LONGEST_ANSWER = 1024 * 1024
LONGEST_KEY = 200
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

    def post(self, url: str, body: bytes, headers: dict[str, str]) -> dict[str, Any]:
        """The receipt. Raises `NotAccepted`, or `NotAnswered` when no answer came within the patience."""
        return _receipt(*self._asked("POST", url, body, headers, ": it is stored only once"))

    def ask(self, method: Literal["GET", "DELETE"], url: str, headers: dict[str, str]) -> dict[str, Any]:
        """The answer to what has no body. Raises as `post` does."""
        reply, answer = self._asked(method, url, b"", headers, "")
        if reply.status_code != 200:
            raise NotAccepted(_words_of(reply, answer))
        if (value := _object(answer)) is None:
            raise NotAccepted("The answer is none of a library's; is this the address of one?")
        return value

    def _asked(
        self, method: str, url: str, body: bytes, headers: dict[str, str], again: str
    ) -> tuple[httpx2.Response, bytes]:
        """The answer, which is none of those after which the same may be sent again; `again` says what that does."""
        waited, next_wait = 0.0, 1.0
        with httpx2.Client(transport=self.transport, timeout=SECONDS, follow_redirects=False) as client:
            while True:
                wait = next_wait
                try:
                    with client.stream(method, url, content=body or None, headers=headers) as reply:
                        answer = next(reply.iter_bytes(LONGEST_ANSWER), b"")
                    if reply.status_code not in AGAIN:
                        return reply, answer
                    why, after = _words_of(reply, answer), reply.headers.get("Retry-After", "")
                    if after.isascii() and after.isdigit():  # a date or rubbish counts as none
                        wait = max(1.0, float(after[:9]))
                except httpx2.RequestError as error:
                    why = f"No answer: {printable(str(error)).rstrip('.') or type(error).__name__}."
                except (httpx2.InvalidURL, UnicodeError) as error:
                    raise UsageError(f"{printable(url)} is no address that can be asked") from error
                if waited + wait > self.patience:
                    raise NotAnswered(f"{why}\nUse the same command again, in {wait:.0f} seconds or later{again}.")
                self.say(f"{why}\nTrying again in {wait:.0f} seconds.")
                self.sleep(wait)
                waited, next_wait = waited + wait, next_wait * 2


def _receipt(reply: httpx2.Response, answer: bytes) -> dict[str, Any]:
    """The receipt in an answer. Raises `NotAnswered` for a 201 that is none, `NotAccepted` for every other answer."""
    if reply.status_code != 201:
        raise NotAccepted(_words_of(reply, answer))
    value = _object(answer)
    if value is None or not isinstance(value.get("id"), str):
        why = (
            "The answer is no receipt; is this the address of a library? It may be stored: use the same command again,"
        )
        raise NotAnswered(f"{why} and it is stored only once.")
    return value


def _object(answer: bytes) -> dict[str, Any] | None:
    try:
        value = parse(answer)
    except NotJson:
        return None
    return value if isinstance(value, dict) else None


def _words_of(reply: httpx2.Response, answer: bytes) -> str:
    """What an error says, in a sentence and a line for each place; nothing in it that a terminal would obey."""
    if reply.is_redirect:
        return f"The library is elsewhere: {printable(reply.headers.get('Location', ''))[:200]}. Give that address."
    try:
        problem = ProblemDetails.model_validate_json(answer)
    except ValidationError:
        return f"The answer was {reply.status_code}, and not in the words of a library."
    lines = [f"{problem.title} ({problem.status}): {problem.detail}"]
    lines += (f"  {item.pointer or '/'}: {item.detail} [{item.code}]" for item in problem.errors or ())
    return "\n".join(map(printable, lines))


def base_address(given: str | None, environment: Mapping[str, str], content: Path, today: date) -> str:
    """The base address of the API; an address of a site has its API below it.

    The option comes first, then `PLAYBOOKS_URL`, then `site.yaml` in the content. Raises `UsageError`.
    """
    text = given if given is not None else environment.get("PLAYBOOKS_URL", "")
    if given is None and not text and (content / "site.yaml").is_file():
        record = loading.read(content, "site.yaml", today).record
        text = (record.api_url or record.base_url) if isinstance(record, Site) else ""
    if not text:
        raise UsageError(f"say where the library is: --base-url, PLAYBOOKS_URL, or a site.yaml in {content}")
    try:
        url: str = TypeAdapter(Url).validate_python(text)
    except ValidationError:
        url = ""
    if not url or set("?#") & set(url):
        raise UsageError(f"{text!r} is no plain http(s) address, such as https://library.example")
    return url.rstrip("/").removesuffix(API) + API


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


def api_key(environment: Mapping[str, str], file: Path | None, url: str) -> str | None:
    """The key to send, from a file or from `PLAYBOOKS_KEY`; None to send without one.

    Raises `UsageError` for one that is no key, or that would go over the network in plain text.
    """
    try:
        text = file.read_text(encoding="utf-8") if file else environment.get("PLAYBOOKS_KEY", "")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read as a key") from error
    key = text.strip()
    if not key and not file:
        return None
    if not key.isascii() or not key.isprintable() or " " in key or not 1 <= len(key) <= LONGEST_KEY:
        raise UsageError(f"{file or 'PLAYBOOKS_KEY'} holds no API key: one word, as it was shown once")
    if not url.startswith("https://") and not _is_here(urlsplit(url).hostname or ""):
        raise UsageError(f"a key goes over https only, and {url} is not; use its https address, or send without a key")
    return key


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


_ENTRIES = TypeAdapter(dict[str, tuple[str, str]])


def state_file(environment: Mapping[str, str]) -> Path:
    """Where the file lies, after the XDG rules: `$XDG_STATE_HOME/playbooks/sending.json`."""
    state = environment.get("XDG_STATE_HOME", "")
    home = environment.get("HOME") or str(Path.home())
    folder = Path(state) if state.startswith("/") else Path(home) / ".local/state"
    return folder / "playbooks/sending.json"


def digest_of(url: str, key: str | None, values: object) -> str:
    """What names one sending: the address, the sender and the values, from which nothing can be read."""
    text = json.dumps([url, key, values], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class UnansweredKeys:
    """The file. Raises `UsageError` where it cannot be read or written: then nothing may be sent."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def begin(self, name: str, fresh: Callable[[], str], now: str) -> tuple[str, str | None]:
        """The idempotency key to send with, on the disk before it is used.

        With it since when it is kept, where the same was sent before and no answer came.
        """
        with self._locked() as entries:
            if name in entries:
                return entries[name]
            entries[name] = (fresh(), now)
            self._write(entries)
            return entries[name][0], None

    def end(self, name: str) -> None:
        """Forget a sending that was answered."""
        with self._locked() as entries:
            if entries.pop(name, None):
                self._write(entries)

    @contextmanager
    def _locked(self) -> Iterator[dict[str, tuple[str, str]]]:
        """The entries, while no other process changes them."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with FileLock(self.path.with_suffix(".lock")):
                yield _ENTRIES.validate_json(self.path.read_bytes() if self.path.exists() else b"{}")
        except ValidationError as error:
            text = f"{self.path} is no file of this command; move it away, or choose another with --state"
            raise UsageError(text) from error
        except OSError as error:
            raise UsageError(f"{self.path}: {error.strerror}; choose another file with --state") from error

    def _write(self, entries: dict[str, tuple[str, str]]) -> None:
        """Replace the file in one piece; only its owner may read it, since an edit token is made from a key in it."""
        fresh = self.path.with_suffix(".new")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(_ENTRIES.dump_json(entries))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)
        sync_folder(self.path.parent)  # the new name is on the disk before anything is sent
