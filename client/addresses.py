"""The command `addresses`: whether the pages that the content names still answer. `check` never asks the network."""

import ipaddress
import socket
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

import click
import httpx2

from library.content.loading import is_typed, read, scan
from library.options import Progress, content_option, today
from library.problems import printable
from library.records.fields import texts_of
from library.rules import markdown

SECONDS, PAUSE, HOPS = 15.0, 1.0, 5
"""How long one answer may take; how long a host is left alone between two requests; how many redirects are followed."""
AGENT = "playbooks-addresses/1 (a weekly look whether linked pages are there)"
_REFUSED = frozenset({401, 403, 405, 406, 429, 451, 999})
"""Statuses by which servers turn programs away; they say nothing about what readers get."""


class LinkState(StrEnum):
    """What asking an address came to."""

    HERE = "here"
    GONE = "gone"
    UNSURE = "unsure"


class LinkCheck(NamedTuple):
    """What asking an address came to, with the reason."""

    state: LinkState
    reason: str = ""


@dataclass
class Asker:
    """Asks one address after the other; `allowed` says whether a host may be asked at all."""

    allowed: Callable[[str], bool]
    sleep: Callable[[float], None] = time.sleep
    pause: float = PAUSE
    _last: dict[str, float] = field(default_factory=dict)

    def ask(self, client: httpx2.Client, address: str) -> LinkCheck:
        """By HEAD, and by GET where that is refused; redirects are followed, each as carefully as the first."""
        found = LinkCheck(LinkState.UNSURE)
        for method in ("HEAD", "GET"):
            found = self._follow(client, method, address)
            if found.state == LinkState.HERE:
                return found
        return found

    def _follow(self, client: httpx2.Client, method: str, address: str) -> LinkCheck:
        for _ in range(HOPS + 1):
            host = urlsplit(address).hostname or ""
            if urlsplit(address).scheme not in ("http", "https") or not host:
                return LinkCheck(LinkState.UNSURE, "leads to no http(s) address")
            try:
                if not self.allowed(host):
                    return LinkCheck(LinkState.UNSURE, "leads to an address that is not public")
                waited = time.monotonic() - self._last.get(host, -self.pause)
                if waited < self.pause:
                    self.sleep(self.pause - waited)
                self._last[host] = time.monotonic()
                with client.stream(method, address) as reply:  # never the body: the status is all that is asked
                    status, target = reply.status_code, reply.headers.get("location")
            except socket.gaierror:
                return LinkCheck(LinkState.GONE, "there is no such host")
            except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as error:
                return LinkCheck(LinkState.UNSURE, f"did not answer ({type(error).__name__})")
            if not (300 <= status < 400 and target):
                state = LinkState.GONE if status in (404, 410) else LinkState.UNSURE
                here = status < 400 or status in _REFUSED
                return LinkCheck(LinkState.HERE) if here else LinkCheck(state, f"answers {status}")
            address = urljoin(address, target)
        return LinkCheck(LinkState.UNSURE, f"redirects more than {HOPS} times")


def is_public(host: str) -> bool:
    """Whether every address of a host is one of the public network. Raises `socket.gaierror` for a host without any."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return all(ipaddress.ip_address(str(row[4][0]).partition("%")[0]).is_global for row in found)


def named_in(content: Path) -> dict[str, list[str]]:
    """Every address that the content names, with the places that name it; files that cannot be read are `check`'s."""
    places: dict[str, list[str]] = defaultdict(list)
    for item in scan(content)[0]:
        if not is_typed(item.file):
            continue
        record = read(content, item.file, today()).record
        for pointer, text in texts_of(record) if record and not item.file.startswith("runs/") else ():
            links: Iterable[str] = [text] if text.startswith(("https://", "http://")) and " " not in text else ()
            for address in links or markdown.read(text).links:
                if address.startswith(("https://", "http://")):
                    places[address.partition("#")[0]].append(f"{item.file}: {'.'.join(map(str, pointer))}")
    return dict(places)


def lines(places: Mapping[str, list[str]], answers: Mapping[str, LinkCheck]) -> Iterator[str]:
    """What is gone and what is not sure, each with the places that name it."""
    for state, head in ((LinkState.GONE, "gone"), (LinkState.UNSURE, "not sure: look again")):
        found = sorted(address for address, answer in answers.items() if answer.state == state)
        yield f"{head}: {len(found)}"
        for address in found:
            yield f"  {printable(address)} {answers[address].reason}"
            yield from (f"    {printable(place)}" for place in places[address])
    yield f"asked: {len(answers)}"


@click.command(epilog="Example: playbooks addresses --limit 20")
@content_option
@click.option("--limit", type=click.IntRange(1), help="Ask so many at most.")
def addresses(content: Path, limit: int | None) -> None:
    """Ask whether the pages that the content names are there; exit 1 when some are gone. Made for once a week."""
    places = named_in(content)
    asked = sorted(places)[:limit]
    asker, progress = Asker(is_public), Progress("asking")
    answers: dict[str, LinkCheck] = {}
    with httpx2.Client(timeout=SECONDS, headers={"User-Agent": AGENT}, follow_redirects=False) as client:
        for done, address in enumerate(asked, 1):
            answers[address] = asker.ask(client, address)
            progress(done, len(asked))
    click.echo("\n".join(lines(places, answers)))
    if any(answer.state == LinkState.GONE for answer in answers.values()):
        raise SystemExit(1)
