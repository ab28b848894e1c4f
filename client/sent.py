"""The command `sent`: what was sent with a key, where it stands, and taking it back."""

import json
import os
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import click

from library.options import content_option, today_option
from library.problems import UsageError, printable
from library.variables import misspelt

from .sending import Sender, api_key, base_address, refuse_placeholder

_ID = re.compile(r"(run|sub)_[a-z2-7]{26}")
_TOKEN = re.compile(r"edt_[0-9A-Za-z]{43}")
_PATHS = {"run": "runs", "sub": "submissions"}
_PAGE = 100


@click.command(epilog="Example: playbooks sent, or: playbooks sent run_… --withdraw --token edt_…")
@click.argument("name", metavar="[ID]", required=False)
@click.option("--withdraw", is_flag=True, help="Take it back, for good.")
@click.option("--token", help="Its edit token, where no key of yours sent it.")
@click.option("--base-url", help="The library's address; else PLAYBOOKS_URL, else that of site.yaml.")
@click.option("--key-file", type=click.Path(path_type=Path), help="A file with your API key; else PLAYBOOKS_KEY.")
@click.option(
    "--wait",
    "patience",
    type=click.FloatRange(0, 3_600),
    default=30.0,
    show_default=True,
    help="How many seconds to wait in all where the library is busy or away.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How it is printed.",
)
@content_option
@today_option
def sent(
    name: str | None,
    withdraw: bool,
    token: str | None,
    base_url: str | None,
    key_file: Path | None,
    patience: float,
    form: str,
    content: Path,
    today: date,
) -> None:
    """List the reports and submissions that were sent with your key, or show where one of them stands.

    ID is from a receipt: then no key is needed, and its history is shown. To withdraw it takes the key that sent it,
    or its edit token.
    """
    if wrong := [*misspelt(os.environ), *_misuses(name, token, withdraw=withdraw)]:
        raise UsageError("\n".join(wrong))
    url = base_address(base_url, os.environ, content, today)
    key = api_key({"PLAYBOOKS_KEY": token}, None, url) if token else api_key(os.environ, key_file, url)
    refuse_placeholder(url)
    sender = Sender(patience, lambda text: click.echo(text, err=True))
    headers = {"Authorization": f"Bearer {key}"} if key and (withdraw or not name) else {}
    if name:
        kind = _PATHS[name.partition("_")[0]]
        found = sender.ask("DELETE" if withdraw else "GET", f"{url}/{kind}/{name}", headers)
        lines = [_line(found), *map(printable, _history(found))]
    elif key:
        found = {kind: list(_all(sender, f"{url}/contributors/me/{kind}", headers)) for kind in _PATHS.values()}
        items = sorted((item for part in found.values() for item in part), key=_when, reverse=True)
        lines = [*map(_line, items)] or ["Nothing was sent with this key."]
    else:
        raise UsageError("say whose: a key in PLAYBOOKS_KEY or --key-file; or give the ID of a receipt")
    click.echo(json.dumps(found) if form == "json" else "\n".join(lines))


def _misuses(name: str | None, token: str | None, *, withdraw: bool) -> Iterator[str]:
    if name is not None and not _ID.fullmatch(name):
        yield f"{printable(name[:40])} is no id: it is run_ or sub_ and 26 letters and digits, as the receipt has it"
    if name is None and withdraw:
        yield "say what to withdraw: playbooks sent ID --withdraw"
    if token is not None and not withdraw:
        yield "--token only goes with --withdraw: everybody may read where something stands"
    if token is not None and not _TOKEN.fullmatch(token):
        yield "--token is no edit token: it is edt_ and 43 letters and digits, as the receipt has it"


def _all(sender: Sender, url: str, headers: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Every item of a list, page by page."""
    after: str | None = ""
    while after is not None:
        page = sender.ask("GET", f"{url}?limit={_PAGE}&after={after}", headers)
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
        yield from (
            f"    {sentence} [{code}]" for code, sentence in zip(step["reasons"], step["sentences"], strict=True)
        )
        if step.get("note"):
            yield f"    Note: {step['note']}"
    if item.get("place"):
        yield f"  {item['place']}"
