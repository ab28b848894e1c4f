"""The queue as the server and the commands open it: settings from the environment, the store migrated."""

import secrets
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import Any

from build.output.generations import manifest_identity, manifest_of
from build.views.routes import API
from library.interface.answers import PlaybookAnswer, VersionList
from library.interface.resolving import PlaybookNames, Unresolved, resolve_playbook
from library.problems import UsageError
from library.records.fields import SLUG
from library.records.vocabulary import Status
from library.variables import unread
from writeapi.limits import describe_limits, limit_problems
from writeapi.services import KnownPlaybook, Services
from writeapi.settings import ServiceSettings, read_settings, unsafe_problems
from writeapi.store import Store
from writeapi.store.engine import NotFound, Unavailable

from .environment import own_problems, refuse_wrong
from .files import SiteFiles, picked

RETRY_SECONDS = 1.0
ADDRESSES_DAYS, ANSWERS_DAYS = 30, 7
"""Days to keep from where something was sent, and the answers for repeated requests."""


def open_queue(
    environment: Mapping[str, str], site_url: str, var: Path, *, later: bool = False, wrong: Iterable[str] = ()
) -> tuple[ServiceSettings, Store]:
    """The settings and the migrated store. Raises `UsageError` with all that is wrong with the settings.

    `wrong` is what the caller found wrong with them, which is told with the rest.

    With `later`, a database that is away is migrated as soon as it answers, and until then every write is a 503: a
    worker that cannot start would take gunicorn with it.
    """
    settings, problems = read_settings(environment, site_url=site_url, var=var)
    problems += [*wrong, *own_problems(environment), *limit_problems(settings)]
    problems += unsafe_problems(settings, environment) if later else ()
    if problems:
        raise UsageError("\n".join(problems))
    var.mkdir(parents=True, exist_ok=True)
    store = Store(settings.database_url, clock=lambda: datetime.now(UTC))
    try:
        store.migrate()
    except Unavailable:
        if not later:
            raise
        Thread(target=_migrate, args=(store,), daemon=True).start()
    return settings, store


def _migrate(store: Store) -> None:
    while True:
        time.sleep(RETRY_SECONDS)
        with suppress(Unavailable):
            store.migrate()
            return


@contextmanager
def opened_queue(environment: Mapping[str, str], var: Path) -> Iterator[Store]:
    """The store for one command. Raises `UsageError` where there is none, or for what is not in it."""
    needs_queue(environment, var)
    _, store = open_queue(environment, "http://127.0.0.1", var)
    try:
        yield store
    except NotFound as error:
        raise UsageError(str(error)) from error
    finally:
        store.close()


def has_queue(environment: Mapping[str, str], var: Path) -> bool:
    """Whether there is a queue; a server that keeps one is not asked. Nothing is made by looking."""
    return (place := _place(environment, var)) is None or place.exists()


def needs_queue(environment: Mapping[str, str], var: Path) -> None:
    """Raise `UsageError` where there is no queue yet: only what takes part in it makes one."""
    refuse_wrong(environment)
    if not has_queue(environment, var):
        named = "PLAYBOOKS_DATABASE_URL" if environment.get("PLAYBOOKS_DATABASE_URL") else "--var"
        text = f"there is no queue at {_place(environment, var)}: nothing was ever sent to it, or it lies elsewhere;"
        raise UsageError(f"{text} {named} says where it is kept")


def _place(environment: Mapping[str, str], var: Path) -> Path | None:
    """The file of a queue on SQLite."""
    url = environment.get("PLAYBOOKS_DATABASE_URL", "")
    if not url:
        return var / "queue.db"
    return Path(url.removeprefix("sqlite:///")) if url.startswith("sqlite:////") else None


def _known(book: Mapping[str, Any]) -> KnownPlaybook:
    withdrawn, versions = book["status"] == Status.WITHDRAWN, tuple(book.get("known_versions", ()))
    return KnownPlaybook(book["slug"], book["version"], withdrawn, book.get("replaced_by", ""), versions)


def _titles(books: Mapping[str, Any]) -> dict[str, str]:
    return {book["slug"]: book["title"] for book in books["items"]}


def services_of(settings: ServiceSettings, store: Store, out: Path) -> Services:
    """What the write API works with, over the built site behind `out`."""
    site, folder = SiteFiles(out), out / API[1:] / "playbooks"

    def known(text: str) -> KnownPlaybook | Unresolved:
        """The playbook of the built library that a text names; only what is no slug of one takes its list."""
        if len(text) <= 64 and SLUG.fullmatch(text) and (book := picked(folder / f"{text}.json", _known)):
            return book
        titles = picked(folder.with_name("playbooks.json"), _titles) or {}
        found = resolve_playbook(text, PlaybookNames(titles, site.former(), settings.site_url))
        if isinstance(found, Unresolved):
            return found
        return picked(folder / f"{found.slug}.json", _known) or Unresolved(())

    def playbook(slug: str) -> PlaybookAnswer | None:
        return picked(folder / f"{slug}.json", PlaybookAnswer.model_validate)

    def versions(slug: str) -> VersionList | None:
        return picked(folder / slug / "versions.json", VersionList.model_validate)

    def has_agent(slug: str) -> bool:
        return (out / API[1:] / f"agents/{slug}.json").exists()

    runs = BuiltRuns(out).__contains__
    return Services(settings, store, secrets.token_bytes, known, runs, playbook, versions, has_agent)


class BuiltRuns:
    """The reports that the site behind `out` was made from; read once for as long as that stays the same."""

    def __init__(self, out: Path) -> None:
        self._out = out.absolute()
        self._known: tuple[object, frozenset[str]] = None, frozenset()

    def __contains__(self, run_id: object) -> bool:
        """Whether it was made from the file of this report; while one is written into, what was so before."""
        generation = self._out.resolve().parent
        if (identity := manifest_identity(generation)) and identity != self._known[0]:
            manifest = manifest_of(generation)
            files = (Path(file) for file in manifest or () if file.startswith("runs/"))
            self._known = identity, frozenset(file.stem for file in files)
        return run_id in self._known[1]


def backup_name() -> str:
    """What a backup that is written now is called."""
    return f"playbooks-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.backup"


def published_runs(content: Path) -> frozenset[str]:
    """The ids of the run reports that are content already."""
    return frozenset(path.stem for path in content.glob("runs/*/*.yaml"))


def start_report(
    settings: ServiceSettings, store: Store, environment: Mapping[str, str], content: Path, out: Path
) -> Iterator[str]:
    """What is used, in a line each, without anything secret."""
    proxies = settings.trusted_proxies
    yield f"  queue    {store.describe()}"
    yield f"  limits   {describe_limits(settings)}; {settings.write_limits}; contributors {settings.contributor_limits}"
    yield f"  proxies  {proxies or 'none'} trusted"
    yield f"  workers  {settings.workers}"
    secret = "PLAYBOOKS_SECRET" if environment.get("PLAYBOOKS_SECRET") else f"{settings.limits_path.parent / 'secret'}"
    yield f"  secret   in {secret}"
    if settings.limits_url and not environment.get("PLAYBOOKS_SECRET"):
        yield "           several machines that share their limits must share it too, as PLAYBOOKS_SECRET"
    yield f"  content  {content if content.is_dir() else f'missing at {content}: at /review nothing can be decided'}"
    index = (out.resolve().parent / "index").resolve()
    yield f"  index    {index if index.is_dir() else 'missing: searches are 503 until the next build'}"
    for told in unread(environment):
        yield f"  unknown  {told}"
