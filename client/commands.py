"""The commands `report`, `submit` and `sent`: what is sent, where it stands, and taking it back."""

import errno
import hashlib
import json
import os
import re
import socket
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial, reduce
from pathlib import Path
from typing import Any, BinaryIO, TypeVar
from urllib.parse import urlsplit

import click
import httpx2
from filelock import FileLock
from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from library.content import loading
from library.content.loading import placed_in
from library.content.yamlfile import MAX_BYTES, decode
from library.content.yamlfile import parse as parse_yaml
from library.durable import replace_file
from library.interface import bodies
from library.interface.bodies import NotJson, parse
from library.interface.errors import ProblemDetails
from library.interface.intake import Intake, RunReport, Submission
from library.options import api_key, content_option, plain_address, today
from library.problems import ContentError, LibraryError, Problem, Severity, UsageError, in_order, printable
from library.records.fields import models_in, words_of
from library.records.models import Site
from library.records.validating import typed_keys, validate
from library.variables import misspelt, unread

API = "/api/v1"
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})  # after these the same may be sent again: it stays one record
MAX_ANSWER = 1 << 20  # so many bytes of an answer are read: one may have no end
_RESERVED = (".example", ".invalid", ".test")  # no library on the internet is named so (RFC 2606)


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
                    with client.stream(method, url, content=body or None, headers=headers) as told:
                        answer = next(told.iter_bytes(MAX_ANSWER), b"")  # one without an end is read so far
                    told.headers.pop("Content-Encoding", None)
                    reply = httpx2.Response(told.status_code, headers=told.headers, content=answer)
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


def base_address(given: str | None, content: Path) -> str:
    """The base address of the API: as it was given, as that of a site, or as `site.yaml` in the content has it.

    Raises `UsageError`.
    """
    if given is None and (content / "site.yaml").is_file():
        record = loading.read(content, "site.yaml", today()).record
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
                replace_file(path, _ENTRIES.dump_json(entries), durable=True, mode=0o600)
    except ValidationError as error:
        text = f"{path} is no file of this command; move it away, or choose another with --state"
        raise UsageError(text) from error
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; choose another file with --state") from error


Command = TypeVar("Command", bound=Callable[..., Any])
CONSENT = "Does the end user agree that this is sent, and published once it is approved?"
LICENCE = "Sending it means agreeing that it is published under the library's content licence."
KEY = "PLAYBOOKS_KEY"
_NUMBER = re.compile(r"[-+.]?[0-9]")
"""How a text begins that is meant as it stands, such as a version: it is sent as text."""
OPTIONS = "the options"  # where a value was given that stands in no file

_say = partial(click.echo, err=True)
_PATH = click.Path(path_type=Path)
_WAIT = "How many seconds to wait in all where the library is busy or away."
_base_url = click.option(
    "--base-url", envvar="PLAYBOOKS_URL", show_envvar=True, help="The library's address; else that of site.yaml."
)
_key_file = click.option("--key-file", type=_PATH, help="A file with your API key; else PLAYBOOKS_KEY.")
_wait = partial(click.option, "--wait", "patience", type=click.FloatRange(0, 3_600), show_default=True, help=_WAIT)
_form = partial(
    click.option, "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
_SENDING = (
    click.argument("file", type=click.File("rb"), required=False),
    click.option("--yes", is_flag=True, help="The end user was asked and agreed; for scripts."),
    click.option("--dry-run", is_flag=True, help="Check it and show it; send nothing."),
    _base_url,
    _key_file,
    click.option("--state", type=_PATH, help="Where retries are remembered; else the XDG state folder."),
    _wait(default=120.0),
    _form(help="How the receipt is printed."),
    content_option,
)


def _plain_fields(model: type[Intake]) -> dict[str, FieldInfo]:
    """The fields that one word or one line can fill; an object in a body needs a file."""
    return {name: info for name, info in model.model_fields.items() if not models_in(info.annotation)}


def _options_of(model: type[Intake]) -> Callable[[Command], Command]:
    """The options that say how to send, and one for each field that one line can fill."""
    options = [*_SENDING]
    for name, info in _plain_fields(model).items():
        kind = click.Choice(words) if (words := words_of(info)) else click.STRING
        options.append(click.option(f"--{name.replace('_', '-')}", name, type=kind, help=info.description))
    return lambda command: reduce(lambda made, option: option(made), reversed(options), command)


@click.command(epilog="Example: playbooks report run.yaml, or: playbooks report --playbook fix-flaky-tests --dry-run")
@_options_of(RunReport)
def report(**options: Any) -> None:
    """Report how a run of a playbook went. Ask the end user first; send no private data.

    FILE is JSON or YAML, `-` the standard input. Options take the place of what the file says; what is needed and
    missing is asked on a terminal.
    """
    _send(RunReport, "/runs", **options)
    _say(
        "It waits for an editor, and is public once it is approved. `playbooks sent` and its id say where it stands."
        " Keep the edit token: with it you take the report back. It is not shown again."
    )


@click.command(epilog="Example: playbooks submit playbook.yaml, or: playbooks submit --kind lesson --dry-run")
@_options_of(Submission)
def submit(**options: Any) -> None:
    """Send a use case, a lesson, a correction or a whole playbook. Ask whoever it is about; send no private data.

    FILE is JSON or YAML, `-` the standard input; a whole playbook needs one. Options take the place of what the file
    says; what is needed and missing is asked on a terminal.
    """
    _send(Submission, "/submissions", **options)
    _say(
        "Its status stands at that address. Keep the edit token: with it you answer an editor or take it back. It is"
        " not shown again."
    )


def _send(
    model: type[Intake],
    path: str,
    /,
    *,
    file: BinaryIO | None,
    yes: bool,
    dry_run: bool,
    base_url: str | None,
    key_file: Path | None,
    state: Path | None,
    patience: float,
    form: str,
    content: Path,
    **fields: str | None,
) -> None:
    """Check it, show it, ask for consent, send it and print the receipt."""
    if wrong := list(misspelt(os.environ)):
        raise UsageError("\n".join(wrong))
    for warning in unread(os.environ):
        _say(f"warning: {warning}")
    url = base_address(base_url, content) + path
    key = api_key(key_file, os.environ.get(KEY), url)
    if not dry_run:
        refuse_placeholder(url)
    asks = _terminal(file)
    try:
        values = _checked(model, file, {name: text for name, text in fields.items() if text is not None}, ask=asks)
    except ContentError as error:
        for problem in error.problems:
            _say(str(problem).removeprefix(f"{OPTIONS}:1:1: "))
        raise SystemExit(1) from error
    _say(f"POST {printable(url)}, {f'with the key that begins {printable(key[:8])}…' if key else 'without a key'}:")
    _say("\n".join(map(printable, json.dumps(values, indent=2, ensure_ascii=False).splitlines())))
    if dry_run:
        raise SystemExit(0)
    _say(LICENCE)
    if not (yes or asks):
        raise UsageError("nothing was sent: ask the end user, and say with --yes that they agreed")
    if not (yes or click.confirm(CONSENT, err=True)):
        _say("Nothing was sent.")
        raise SystemExit(1)
    xdg = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
    _post(url, values, key, state or xdg / "playbooks/sending.json", patience, form)


def _post(url: str, values: dict[str, Any], key: str | None, state: Path, patience: float, form: str) -> None:
    """Send it and print the receipt. Its idempotency key is forgotten only then, so that a retry brings it again."""
    body = json.dumps(values, ensure_ascii=False).encode()
    if len(body) > bodies.MAX_BODY:
        raise UsageError(f"it has {len(body):,} bytes, and a library takes {bodies.MAX_BODY:,}; shorten it")
    name = hashlib.sha256(json.dumps([url, key, values], sort_keys=True).encode()).hexdigest()
    with unanswered_keys(state) as keys:
        again = name in keys
        once, since = keys.setdefault(name, (str(uuid.uuid4()), datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")))
    if again:
        _say(f"The same was sent at {since}, and no answer came; it is stored only once.")
    headers = {"Content-Type": "application/json", "Idempotency-Key": once, **_bearer(key)}
    refused = None
    try:
        _print(Sender(patience, _say).ask("POST", url, headers, body), form)
    except NotAccepted as error:
        refused = error
    with unanswered_keys(state) as keys:
        keys.pop(name, None)
    if refused:
        raise refused


def _checked(model: type[Intake], file: BinaryIO | None, given: Mapping[str, Any], *, ask: bool) -> dict[str, Any]:
    """What will be sent: the values of the file, those given in their place, and on a terminal what is asked for.

    Raises `ContentError` with everything that the library would refuse, as far as it can be seen from here, each with
    its place.
    """
    values: dict[str, Any] = {}
    name, text, doubts = OPTIONS, "", list[Problem]()
    if file:
        name = getattr(file, "name", "<stdin>")
        values, text, doubts = _read(file.read(MAX_BYTES + 1), name, model)
    values |= given
    if ask:
        values |= _asked(model, values)
    result = validate(model, values, name)
    found = [*doubts, *(result if isinstance(result, list) else ())]
    found += (
        Problem(name, place, "private-data", f"holds {kind}; take it out")
        for place, kind in bodies.private_matter(values)
    )
    if found:
        at = placed_in(text, name, found) if text else found  # a key that holds something private is not repeated
        told = (tuple(part if isinstance(part, int) else bodies.repeatable(part) for part in one.pointer) for one in at)
        raise ContentError(in_order(replace(one, pointer=place) for one, place in zip(at, told, strict=True)))
    return model.model_validate(values).model_dump(mode="json", exclude_unset=True, exclude_none=True)


def _read(raw: bytes, name: str, model: type[Intake]) -> tuple[dict[str, Any], str, list[Problem]]:
    """The values of JSON or YAML, the text of it, and words in it that YAML readers take for different things.

    Raises `ContentError` with every problem of the text.
    """
    raw = raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    as_json = name.endswith(".json") or (not name.endswith((".yaml", ".yml")) and raw.lstrip()[:1] in (b"{", b"["))
    if not isinstance(text := decode(raw, name), str):
        raise ContentError([text])
    doubts: list[Problem] = []
    try:
        values = bodies.parse(raw) if as_json else None
    except bodies.NotJson as error:
        raise ContentError([Problem(name, (), "not-json", str(error)).at(error.line, error.column)]) from error
    if not as_json:
        document = parse_yaml(text, name, typed=typed_keys(model))
        if any(item.severity is Severity.ERROR for item in document.problems):
            raise ContentError(document.problems)
        values, doubts = document.value, [item for item in document.problems if not _NUMBER.match(item.message)]
    if not isinstance(values, dict):
        raise ContentError([Problem(name, (), "object", "must be one object of keys and values")])
    # A warning about a file is a problem here, since nobody can look at what is meant after it was sent.
    return (
        values,
        text,
        [replace(item, severity=Severity.ERROR, message=item.message.partition(", or run ")[0]) for item in doubts],
    )


def _asked(model: type[Intake], given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are needed and were not given, asked one by one; where nothing was given, the others too."""
    answers: dict[str, Any] = {}
    for name, info in _plain_fields(model).items():
        needed = info.is_required()
        if name in given or (given and not needed):
            continue
        words = words_of(info)
        answers[name] = click.prompt(
            f"{name.replace('_', ' ')}: {info.description}{'' if needed else ' (Enter leaves it out)'}",
            default=None if needed else "",
            show_default=False,
            type=click.Choice(words if needed else [*words, ""]) if words else str,
            show_choices=bool(words),
            err=True,
        )
    return {name: text for name, text in answers.items() if text}


def _bearer(key: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"} if key else {}


def _terminal(file: BinaryIO | None) -> bool:
    return sys.stdin.isatty() and not (file and file.name == "<stdin>")


def _print(receipt: dict[str, Any], form: str) -> None:
    """The receipt: a line for each field, or JSON. Raises `LibraryError` unless all of it was written."""
    lines = [printable(f"{name.replace('_', ' '):<17}{value}") for name, value in receipt.items()]
    try:
        if sys.stdout is None:  # it was closed before we began
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        click.echo(json.dumps(receipt) if form == "json" else "\n".join(lines))
    except (OSError, ValueError) as error:  # ValueError: a character that the output's encoding lacks
        # what could not be written is let go: at the end Python would try once more, and exit with a code of its own
        with suppress(OSError, ValueError, AttributeError), Path(os.devnull).open("wb") as nothing:
            os.dup2(nothing.fileno(), sys.stdout.fileno())
        why = (error.strerror if isinstance(error, OSError) else None) or error
        text = f"the receipt could not be written: {why}\nIt is stored. The same command prints the receipt again."
        raise LibraryError(text) from error


_ID = re.compile(r"(run|sub)_[a-z2-7]{26}")
_TOKEN = re.compile(r"edt_[0-9A-Za-z]{43}")
_KINDS = {"run": "runs", "sub": "submissions"}


@click.command(epilog="Example: playbooks sent, or: playbooks sent run_… --withdraw --token edt_…")
@click.argument("name", metavar="[ID]", required=False)
@click.option("--withdraw", is_flag=True, help="Take it back, for good.")
@click.option("--token", help="Its edit token, where no key of yours sent it.")
@_base_url
@_key_file
@_wait(default=30.0)
@_form(help="How it is printed.")
@content_option
def sent(
    name: str | None,
    withdraw: bool,
    token: str | None,
    base_url: str | None,
    key_file: Path | None,
    patience: float,
    form: str,
    content: Path,
) -> None:
    """List the reports and submissions that were sent with your key, or show where one of them stands.

    ID is from a receipt: then no key is needed, and its history is shown. To withdraw it takes the key that sent it,
    or its edit token.
    """
    if wrong := [*misspelt(os.environ), *_misuses(name, token, withdraw=withdraw)]:
        raise UsageError("\n".join(wrong))
    url = base_address(base_url, content)
    key = api_key(None if token else key_file, token or os.environ.get(KEY), url)
    refuse_placeholder(url)
    ask = Sender(patience, _say).ask
    if name:
        address = f"{url}/{_KINDS[name[:3]]}/{name}"
        answer = ask("DELETE", address, _bearer(key)) if withdraw else ask("GET", address, {})
        lines = [_line(answer), *map(printable, _history(answer))]
    elif key:
        answer = {
            kind: list(_all(partial(ask, headers=_bearer(key)), f"{url}/contributors/me/{kind}"))
            for kind in _KINDS.values()
        }
        items = sorted((item for part in answer.values() for item in part), key=_when, reverse=True)
        lines = [*map(_line, items)] or ["Nothing was sent with this key."]
    else:
        raise UsageError("say whose: a key in PLAYBOOKS_KEY or --key-file; or give the ID of a receipt")
    click.echo(json.dumps(answer) if form == "json" else "\n".join(lines))


def _misuses(name: str | None, token: str | None, *, withdraw: bool) -> Iterator[str]:
    if name is not None and not _ID.fullmatch(name):
        yield f"{printable(name[:40])} is no id: it is run_ or sub_ and 26 letters and digits, as the receipt has it"
    if name is None and withdraw:
        yield "say what to withdraw: playbooks sent ID --withdraw"
    if token is not None and not withdraw:
        yield "--token only goes with --withdraw: everybody may read where something stands"
    if token is not None and not _TOKEN.fullmatch(token):
        yield "--token is no edit token: it is edt_ and 43 letters and digits, as the receipt has it"


def _all(ask: Callable[..., dict[str, Any]], url: str) -> Iterator[dict[str, Any]]:
    after: str | None = ""
    while after is not None:
        page = ask("GET", f"{url}?limit=100&after={after}")
        yield from page["items"]
        after = page["next"]


def _when(item: dict[str, Any]) -> str:
    return str(item.get("received") or item.get("created"))


def _line(item: dict[str, Any]) -> str:
    about = f"{item['kind']}: {item['title']}" if "kind" in item else f"run of {item['playbook']}"
    return printable(f"{item['id']}  {_when(item)[:10]}  {item['status']:<17}  {about}")


def _history(item: dict[str, Any]) -> Iterator[str]:
    for step in item["history"]:
        yield f"  {step['at']}  {step['status']} by {step['by']}"
        for code, sentence in zip(step["reasons"], step["sentences"], strict=True):
            yield f"    {sentence} [{code}]"
        if step.get("note"):
            yield f"    Note: {step['note']}"
    if item.get("place"):
        yield f"  {item['place']}"
