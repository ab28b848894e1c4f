"""The commands `verify` and `keys`: whether a site is as it was built, here or at an address, and what signs it."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import date
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple
from urllib.parse import quote, urljoin

import click
import httpx2

from library.options import content_option, today_option
from library.problems import LibraryError
from library.search.index import is_whole

from .commands import built_or_exit, jobs_option, say, summary_lines
from .output.generations import Generations
from .output.sums import NotAsBuilt, damage, make_key, private_key, public_pem, strangers, verified_sums
from .settings import BuildSettings

SHOWN = 20
_ASKERS = 8
_PATIENCE = 30.0
_HEADERS = {"Accept": "*/*", "Accept-Encoding": "identity", "User-Agent": "playbooks-verify"}
out_option = click.option(
    "--out", type=click.Path(path_type=Path), default=Path("site"), show_default=True, help="The folder of the site."
)


class CannotRead(LibraryError):
    """A site at an address does not answer."""


@click.command(epilog="Example: playbooks verify https://library.example --key trusted.pem")
@click.argument("site", default="site")
@click.option(
    "--repair", is_flag=True, help="Build the site anew where something is wrong; readers see it whole throughout."
)
@click.option("--key", type=click.File("rb"), help="The public key that has to have signed it; else the site's own.")
@content_option
@today_option
@jobs_option
def verify(site: str, repair: bool, key: BinaryIO | None, content: Path, today: date, jobs: int) -> None:
    """Compare every byte of a site with what its builder wrote: a folder, or an address.

    Exit code 1 when something is wrong. What a build wrote stands in SHA256SUMS at its top, which is signed where the
    builder has a key (`playbooks keys`).
    """
    remote = site.startswith(("http://", "https://"))
    if remote and repair:
        raise click.UsageError("--repair builds a folder anew; name one, and not an address")
    trusted = key.read() if key else None
    wrong = damaged_at(site, trusted) if remote else damaged(Path(site), trusted)
    for line in wrong[:SHOWN]:
        click.echo(line)
    if len(wrong) > SHOWN:
        click.echo(f"and {len(wrong) - SHOWN:,} more")
    if wrong and repair:
        settings = BuildSettings(content, Path(site), today, jobs, progress=say)
        for line in summary_lines(built_or_exit(settings), Path(site), profile=False):
            click.echo(line)
        wrong = damaged(Path(site), trusted)
    click.echo(f"{site}: {'as it was built' if not wrong else f'{len(wrong):,} files are not as they were built'}")
    if wrong:
        raise SystemExit(1)


def damaged(out: Path, trusted: bytes | None = None) -> list[str]:
    """What of the site behind a folder, and of the index beside it, is not as it was built, a line each."""
    public = out.resolve()

    def read(path: str) -> bytes | None:
        with suppress(OSError):
            place = public / path
            return None if place.is_symlink() else place.read_bytes()
        return None

    try:
        sums = verified_sums(read, trusted)
    except NotAsBuilt as error:
        return [str(error)]
    wrong = sorted(chain(damage(sums, read), strangers(public, sums)))
    if out.is_symlink() and public.name == "public" and not is_whole(public.parent):
        wrong.append("the search index beside it: is missing or damaged")
    return wrong


class _Fetched(NamedTuple):
    body: bytes | None = None
    to: str = ""  # where it is said to have moved


def damaged_at(site: str, trusted: bytes | None = None) -> list[str]:
    """The same of a site at an address, by asking for every file. Raises `NotAsBuilt` or `CannotRead`.

    The page of a former name may be answered by the way to a page that is verified itself.
    """
    base, client = site.rstrip("/"), httpx2.Client(timeout=_PATIENCE, headers=_HEADERS)

    def wrong(item: tuple[str, str]) -> list[str]:
        page = item[0].removesuffix("index.html") if f"/{item[0]}".endswith("/index.html") else item[0]
        names = [page.removesuffix(".json"), page] if page.startswith("api/") else [page]
        answers = (_fetched(client, f"{base}/{quote(name)}") for name in names)
        answer = next((one for one in answers if one.body is not None or one.to), _Fetched())
        if answer.to and f"{answer.to.removeprefix(f'{base}/')}index.html" in sums:
            return []
        return list(damage(dict([item]), lambda _: answer.body))

    with client, ThreadPoolExecutor(_ASKERS) as pool:
        sums = verified_sums(lambda path: _fetched(client, f"{base}/{path}").body, trusted)
        return sorted(chain.from_iterable(pool.map(wrong, sums.items())))


def _fetched(client: httpx2.Client, address: str, tries: int = 100) -> _Fetched:
    try:
        answer = client.get(address)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise CannotRead(f"{address} cannot be read: {error}") from error
    wait = answer.headers.get("Retry-After", "")
    if tries and answer.status_code == 429 and wait.isdecimal() and int(wait) <= _PATIENCE:  # beyond a caller's budget
        time.sleep(int(wait))
        return _fetched(client, address, tries - 1)
    if answer.status_code in (301, 308):  # followed nowhere: what lies elsewhere is not this file
        return _Fetched(to=urljoin(address, answer.headers.get("Location", "")))
    if answer.status_code not in (200, 404, 410):
        raise CannotRead(f"{address} answered {answer.status_code}")
    return _Fetched(answer.content if answer.status_code == 200 else None)


@click.command(epilog="Example: playbooks keys --out site > playbooks-key.pem")
@out_option
@content_option
def keys(out: Path, content: Path) -> None:
    """Make the key that builds of a site are signed with, once, and print its public half.

    The private half lies beside the site's generations, readable by its owner alone. Back it up: whoever trusts the
    public half has to be told of another. The next build signs; the public half is at /.well-known/playbooks-key.pem.
    """
    generations = Generations(out, content)
    with generations.alone():
        key = private_key(generations.store) or make_key(generations.store)
    click.echo(public_pem(key).decode(), nl=False)
