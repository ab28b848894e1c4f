"""Options and manners that several commands share."""

import sys
import time
from datetime import UTC, date, datetime
from pathlib import Path
from urllib.parse import urlsplit

import click
from pydantic import TypeAdapter, ValidationError

from .problems import UsageError
from .records.fields import CalendarDate, is_address

_DAY = TypeAdapter[date](CalendarDate)


def day(given: str | date) -> date:
    """A calendar date as YYYY-MM-DD, or a usage error that says how to write one."""
    try:
        return _DAY.validate_python(given)
    except ValidationError as error:
        raise click.BadParameter(f"{given!r} {error.errors()[0]['msg']}") from error


def today() -> date:
    """Today in UTC."""
    return datetime.now(UTC).date()


CONTENT = Path("content")  # where the content is if nobody says otherwise
content_option = click.option(
    "--content",
    type=click.Path(path_type=Path, file_okay=False),
    default=CONTENT,
    show_default=True,
    help="The folder of YAML files.",
)
today_option = click.option(
    "--today",
    type=day,
    metavar="DATE",
    default=today,
    show_default="today",
    help="The day that dates are measured against.",
)
var_option = click.option(
    "--var",
    type=click.Path(path_type=Path),
    default=Path("var"),
    show_default=True,
    envvar="PLAYBOOKS_VAR",
    show_envvar=True,
    help="Where the queue is kept.",
)


def plain_address(text: str) -> str:
    """An absolute http(s) address without query or fragment. Raises `UsageError`."""
    if not is_address(text) or set("?#") & set(text):
        raise UsageError(f"{text!r} is no plain http(s) address, such as https://library.example")
    return text


def api_key(file: Path | None, variable: str | None, url: str) -> str | None:
    """The key to send, from a file or else from the variable; None to send without one.

    Raises `UsageError` for one that is no key, or that would go over the network in plain text.
    """
    try:
        key = (file.read_text(encoding="utf-8") if file else variable or "").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read as a key") from error
    if not key and not file:
        return None
    if not key.isascii() or not key.isprintable() or " " in key or not 1 <= len(key) <= 200:
        raise UsageError(f"{file or 'PLAYBOOKS_KEY'} holds no API key: one word, as it was shown once")
    if not url.startswith("https://") and urlsplit(url).hostname not in ("localhost", "127.0.0.1", "::1"):
        raise UsageError(f"a key goes over https only, and {url} is not; use its https address, or send without a key")
    return key


def on_terminal() -> bool:
    """Whether somebody watches what is said beside the output; nobody does where that was closed."""
    return bool(sys.stderr) and sys.stderr.isatty()


class Progress:
    """A bar on a terminal for work of over a second; silence elsewhere."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.began = time.monotonic()
        self.shown = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Say how far the work is."""
        now = time.monotonic()
        if not on_terminal() or now - self.began < 1 or (now - self.shown < 0.1 and done < total):
            return
        self.shown = now
        filled = round(30 * done / max(total, 1))
        ending = "\n" if done >= total else ""
        bar = f"[{'#' * filled}{'.' * (30 - filled)}]"
        click.echo(f"\r{self.label} {bar} {done:,}/{total:,}{ending}", nl=False, err=True)
