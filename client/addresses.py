"""The command `addresses`: whether the pages that the content names still answer. `check` never asks the network."""

import ipaddress
import socket
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

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


@dataclass
class Asker:
    """Asks one address after the other; `addresses_of` gives those of a host, or refuses it by `PermissionError`."""

    addresses_of: Callable[[str], Sequence[str]]
    sleep: Callable[[float], None] = time.sleep
    pause: float = PAUSE
    _last: dict[str, float] = field(default_factory=dict)

    def client(self) -> httpx2.Client:
        """What asks; redirects are followed, each as carefully as the first. No proxy: it would look hosts up anew."""
        way = Way(self._careful)
        client = httpx2.Client(timeout=SECONDS, headers={"User-Agent": AGENT}, follow_redirects=True, transport=way)
        client.max_redirects = HOPS
        return client

    def _careful(self, host: str) -> Sequence[str]:
        """Let a host alone for a while after the last request; its addresses, which are looked up this once."""
        found = self.addresses_of(host)
        waited = time.monotonic() - self._last.get(host, -self.pause)
        if waited < self.pause:
            self.sleep(self.pause - waited)
        self._last[host] = time.monotonic()
        return found

    def ask(self, client: httpx2.Client, address: str) -> tuple[LinkState, str]:
        """What asking an address came to, and why: by HEAD, and by GET where that is refused."""
        for method in ("HEAD", "GET"):
            state = LinkState.UNSURE
            try:
                with client.stream(method, address) as reply:  # never the body: the status is all that is asked
                    status = reply.status_code
            except socket.gaierror:
                state, reason = LinkState.GONE, "there is no such host"
            except PermissionError:
                reason = "leads to an address that is not public"
            except httpx2.TooManyRedirects:
                reason = f"redirects more than {HOPS} times"
            except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as error:
                reason = f"did not answer ({type(error).__name__})"
            else:
                if status < 400 or status in _REFUSED:
                    return LinkState.HERE, ""
                state, reason = LinkState.GONE if status in (404, 410) else state, f"answers {status}"
        return state, reason


class Way(httpx2.HTTPTransport):
    """Goes to the very addresses that were looked at: a name that is looked up again may lead elsewhere."""

    def __init__(self, found: Callable[[str], Sequence[str]]) -> None:
        super().__init__()
        self._found = found

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The answer of the first address of the host that can be reached; its certificate is the host's."""
        host = request.url.host
        refused: httpx2.TransportError = httpx2.ConnectError("no address")
        for address in self._found(host):
            url, more = request.url.copy_with(host=address), {**request.extensions, "sni_hostname": host}
            try:
                return super().handle_request(
                    httpx2.Request(request.method, url, headers=request.headers, extensions=more)
                )
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                refused = error
        raise refused


def public_addresses(host: str) -> Sequence[str]:
    """The addresses of a host. Raises `PermissionError` where one is not public, `socket.gaierror` without any."""
    found = dict.fromkeys(str(row[4][0]) for row in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM))
    if not all(map(is_public, found)):
        raise PermissionError
    return tuple(found)


def is_public(text: str) -> bool:
    """Whether an address is one of the public network: no other is reached by it (NAT64, 6to4), and no group."""
    address = ipaddress.ip_address(text.partition("%")[0])
    inside = isinstance(address, ipaddress.IPv6Address) and (address.sixtofour or address.is_site_local)
    return address.is_global and not (address.is_multicast or address.is_reserved or inside)


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


def lines(places: Mapping[str, list[str]], answers: Mapping[str, tuple[LinkState, str]]) -> Iterator[str]:
    """What is gone and what is not sure, each with the places that name it."""
    for state, head in ((LinkState.GONE, "gone"), (LinkState.UNSURE, "not sure: look again")):
        found = sorted(address for address, answer in answers.items() if answer[0] == state)
        yield f"{head}: {len(found)}"
        for address in found:
            yield f"  {printable(address)} {answers[address][1]}"
            yield from (f"    {printable(place)}" for place in places[address])
    yield f"asked: {len(answers)}"


@click.command(epilog="Example: playbooks addresses --limit 20")
@content_option
@click.option("--limit", type=click.IntRange(1), help="Ask so many at most.")
def addresses(content: Path, limit: int | None) -> None:
    """Ask whether the pages that the content names are there; exit 1 when some are gone. Made for once a week."""
    places = named_in(content)
    asked = sorted(places)[:limit]
    asker, progress = Asker(public_addresses), Progress("asking")
    answers: dict[str, tuple[LinkState, str]] = {}
    with asker.client() as client:
        for done, address in enumerate(asked, 1):
            answers[address] = asker.ask(client, address)
            progress(done, len(asked))
    click.echo("\n".join(lines(places, answers)))
    if any(state == LinkState.GONE for state, _ in answers.values()):
        raise SystemExit(1)
