"""The queue and the content as the server and the commands open them: settings read, the store migrated."""

import hashlib
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cache, partial
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from build.output.generations import manifest_identity, manifest_of
from build.reading import Sources
from build.settings import theme_beside
from build.views.draft import preview
from build.views.rendering import RenderEnvironment
from build.views.routes import API
from library.content.git import Git, GitError
from library.content.loading import read, read_bytes, some_bytes
from library.interface.answers import PlaybookAnswer, RunStatus, VersionList
from library.interface.resolving import PlaybookNames, Unresolved, resolve_playbook
from library.problems import UsageError
from library.records.collection import Library
from library.records.fields import SLUG
from library.records.models import Lesson, Playbook, Run, Task
from library.records.vocabulary import RunStatusWord, Status
from library.rules.judgment import with_records
from library.variables import unread
from writeapi.limits import describe_limits, limit_problems
from writeapi.review.publishing.publish import DecisionResult, is_merged, settle
from writeapi.services import KnownPlaybook, Services
from writeapi.settings import ServiceSettings, read_settings, unsafe_problems
from writeapi.store import Store
from writeapi.store.engine import NotFound, Unavailable
from writeapi.store.records import OutboxEntry

from .environment import own_problems, refuse_wrong, site_url_of
from .files import SiteFiles, picked


@dataclass
class ContentShelf:
    """A content folder. `today` is asked each time; calls may come from several threads."""

    content: Path
    today: Callable[[], date]
    site_url: str | None = None
    clock_ns: Callable[[], int] = time.time_ns
    _lock: Lock = field(default_factory=Lock)
    _library: Library | None = None

    def __post_init__(self) -> None:
        """Begin with nothing read."""
        self._sources = Sources(self.content)

    def library(self) -> Library:
        """The library of today; files that did not change are not read again. Raises `ContentError`."""
        with self._lock:
            today, known = self.today(), self._library
            if not self._sources.read(today, self.clock_ns()) and known is not None and known.today == today:
                return known
            self._library = None
            self._library, _ = self._sources.library(self.site_url, {})
            return self._library

    def text(self, file: str) -> str | None:
        """The text of a content file; None when there is none."""
        path = self.content / file
        try:
            return None if path.is_symlink() else some_bytes(path).decode()
        except (OSError, UnicodeDecodeError):
            return None

    def page(self, files: Mapping[str, bytes], file: str) -> bytes | None:
        """The HTML page that `file` would give if `files` were in the content; None when it cannot be made.

        Of a run report it is the page of its playbook.
        """
        library = self.library()
        records = {name: read_bytes(body, name, library.today).record for name, body in files.items()}
        after = with_records(library, filter(None, records.values()))
        record = records.get(file)
        if isinstance(record, Run):
            record = read(self.content, f"playbooks/{record.playbook}.yaml", library.today).record
        if not isinstance(record, Playbook | Lesson | Task):
            return None
        try:
            return preview(RenderEnvironment(after.site, theme=theme_beside(self.content)), after, record)
        except LookupError:
            return None


def settled(
    store: Store, content: Path, out: Path, environment: Mapping[str, str], site_url: str | None = None
) -> Iterator[DecisionResult]:
    """Publish what was accepted and is in the site behind `out`; nothing where no site was built.

    `environment` is that of git; `site_url` takes the place of the address that the site was built for.
    """
    manifest = manifest_of(out.absolute().resolve().parent) or {}
    if files := {entry.file for _, entries in store.accepted() for entry in entries} if manifest else set():
        built = {file: _still(content / file, mark) for file, mark in manifest.items() if file in files}
        repository = cache(partial(Git, content, environment))

        def merged(entry: OutboxEntry) -> bool:
            """Whether a change on a branch is merged; no, where the content is in no repository that can be asked."""
            try:
                return is_merged(repository(), entry)
            except GitError:
                return False

        yield from settle(store, built, site_url or site_url_of(out.absolute()), merged)


def _still(path: Path, built: str) -> str:
    """The SHA-256 of a file as the site was made from it; empty where it was changed since."""
    try:
        return built if hashlib.sha256(some_bytes(path)).hexdigest() == built else ""
    except OSError:
        return ""


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


def needs_queue(environment: Mapping[str, str], var: Path) -> None:
    """Raise `UsageError` where there is no queue yet. Nothing is made by looking, and no server is asked."""
    refuse_wrong(environment)
    url = environment.get("PLAYBOOKS_DATABASE_URL", "")
    place = Path(url.removeprefix("sqlite:///")) if url else var / "queue.db"
    if (not url or url.startswith("sqlite:////")) and not place.exists():
        text = f"there is no queue at {place}: nothing was ever sent to it, or it lies elsewhere;"
        raise UsageError(f"{text} {'PLAYBOOKS_DATABASE_URL' if url else '--var'} says where it is kept")


def _known(book: Mapping[str, Any]) -> KnownPlaybook:
    withdrawn, versions = book["status"] == Status.WITHDRAWN, tuple(book.get("known_versions", ()))
    return KnownPlaybook(book["slug"], book["version"], withdrawn, book.get("replaced_by", ""), versions)


def services_of(settings: ServiceSettings, store: Store, out: Path) -> Services:
    """What the write API works with, over the built site behind `out`."""
    site, folder = SiteFiles(out), out / API[1:] / "playbooks"

    def known(text: str) -> KnownPlaybook | Unresolved:
        """The playbook of the built library that a text names; only what is no slug of one takes its list."""
        if len(text) <= 64 and SLUG.fullmatch(text) and (book := picked(folder / f"{text}.json", _known)):
            return book
        books = picked(folder.with_name("playbooks.json"), lambda answer: answer["items"]) or []
        titles = {book["slug"]: book["title"] for book in books}
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

    runs = BuiltRuns(out)
    has_run, built_run = runs.__contains__, runs.find
    return Services(settings, store, secrets.token_bytes, known, has_run, playbook, versions, has_agent, built_run)


class BuiltRuns:
    """The reports that the site behind `out` was made from; read once for as long as that stays the same."""

    def __init__(self, out: Path) -> None:
        self._out = out.absolute()
        self._known: tuple[object, dict[str, str]] = None, {}

    def __contains__(self, run_id: object) -> bool:
        """Whether it was made from the file of this report; while one is written into, what was so before."""
        generation = self._out.resolve().parent
        if (identity := manifest_identity(generation)) and identity != self._known[0]:
            manifest = manifest_of(generation)
            files = (Path(file) for file in manifest or () if file.startswith("runs/"))
            self._known = identity, {file.stem: file.parent.name for file in files}
        return run_id in self._known[1]

    def find(self, run_id: str) -> RunStatus | None:
        """Where a report stands by the record of its playbook: all that is known of one that this queue never had."""
        page = f"{API}/runs/by-playbook/{self._known[1].get(run_id)}" if run_id in self else ""
        while page and (found := picked(self._out / f"{page[1:]}.json", _reports)):
            if run := found[0].get(run_id):
                word, at = RunStatusWord.WITHDRAWN, run["reported"]
                word = word if word in run else RunStatusWord.PUBLISHED
                names = {"id": run_id, "playbook": run["playbook"], "playbook_version": run.get("playbook_version")}
                return RunStatus(**names, status=word, received=at, updated=at, history=())
            page = found[1]
        return None


def _reports(page: Mapping[str, Any]) -> tuple[dict[str, Mapping[str, Any]], str]:
    """The reports of a page of the record by their ids, and the path of the next page; empty after the last."""
    _, api, rest = (page["next"] or "").partition(f"{API}/runs/")
    return {run["id"]: run for run in page["items"]}, api + rest


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
