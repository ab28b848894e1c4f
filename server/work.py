"""What follows from the queue, done by one process at a time: screened, published, built, settled, pruned.

Each step is a job: why it is due, what it does, a line in the log, a note in the store, and another try later where it
failed. Nothing is lost by ending it anywhere: each job begins from what the store and the content say.
"""

import logging
import os
import re
import signal
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import date
from functools import reduce
from pathlib import Path
from threading import Event, Thread
from types import FrameType
from typing import Any, TypeVar

import click
from watchfiles import watch

from build.commands import default_jobs
from build.output.compress import compress
from build.output.generations import manifest_identity
from build.pipeline import Resident
from build.reading import Sources, read_site
from build.settings import BuildSettings
from build.verify import damaged
from library.content.git import REMOTE_SECONDS, Git, GitError
from library.content.history import head_of
from library.problems import ContentError, LibraryError, UsageError, printable
from library.records.vocabulary import OutboxState
from writeapi.logs import log_job
from writeapi.review.publishing.publish import PublishResult, Target, publish
from writeapi.review.publishing.targets import BranchTarget, ContentTarget, author_of, start
from writeapi.review.screening.screen import Reviewer, screen_all
from writeapi.review.services import ReviewServices
from writeapi.store.engine import Unavailable
from writeapi.store.queue import WORKER

from .queue import ADDRESSES_DAYS, ANSWERS_DAYS, backup_name, published_runs, settled

F = TypeVar("F", bound=Callable[..., Any])

LEASE_SECONDS, RENEW_SECONDS = 20, 5
_LONGEST_LEASE = 64  # characters of a lease's name
STEP_MS = 20  # how long nothing more must change before a build begins: an editor's save is several changes
_NO_SOURCE = re.compile(r"/\.[^/]*$|~$|\.pyc$")  # files that are none of the site: hidden ones, and editors' copies
LOOK_MS = 500  # milliseconds between two looks at the queue; what is saved in the content is looked at sooner
PENDING_SECONDS = 10.0
"""How long a site may show other counts of waiting reports than the queue has: not oftener is it built for them."""
REVIEWER_SECONDS = 60.0  # how long the command in PLAYBOOKS_REVIEWER has for one item
LONGEST_WAIT = 300.0
"""Seconds after which a job that failed is tried again however often it did; before, they double from one."""


@dataclass(frozen=True)
class Publishing:
    """Where decisions go: into the folder, or on branches, which are pushed where a remote is named.

    With a remote, what was merged there comes into the checkout every `fetch_seconds`.
    """

    branch: bool = False
    remote: str | None = None
    base: str | None = None
    fetch_seconds: float = 10.0

    def __post_init__(self) -> None:
        """Refuse what is said of branches where there are none. Raises `UsageError`."""
        if not self.branch and (self.remote or self.base):
            raise UsageError("--push and --base need --branch")

    def base_of(self, content: Path, today: date) -> str:
        """The branch that accepted things go to."""
        site = None if self.base else read_site(content, today, None)
        return self.base or (site.branch if site else "main")

    def target(self, content: Path, review: ReviewServices, today: date, environment: Mapping[str, str]) -> Target:
        """The place of today's decisions. Raises `UsageError` or `GitError`; fetches the remote first."""
        if not self.branch:
            return ContentTarget(content, review.shelf)
        git = Git(content, environment)
        at = start(git, self.base_of(content, today), self.remote)
        return BranchTarget(git, at, author_of(git), today, self.remote)


_PUBLISHING = (
    click.option("--branch", is_flag=True, help="Put each on a git branch accepted/<id> instead of into the folder."),
    click.option("--push", "remote", metavar="REMOTE", help="With --branch: fetch this remote first, and push to it."),
    click.option("--base", help="With --branch: where branches begin.  [default: the branch in site.yaml]"),
)
reviewer_option = click.option(
    "--reviewer-timeout",
    type=click.FloatRange(0.1, 3_600),
    default=REVIEWER_SECONDS,
    show_default=True,
    help="Seconds that the command in PLAYBOOKS_REVIEWER has for one item.",
)


def publishing_options(command: F) -> F:
    """Give a command the options of `Publishing`."""
    return reduce(lambda so_far, option: option(so_far), reversed(_PUBLISHING), command)


Job = Callable[["Worker"], str | None]
"""One thing that follows: does it where it is due, and says in a sentence what was done; None where it is not due."""


@dataclass
class Worker:
    """What the jobs work with, and what they know of each other."""

    review: ReviewServices
    build: BuildSettings
    publishing: Publishing
    day: Callable[[], date]
    environment: Mapping[str, str]
    reviewer: Reviewer | None = None
    resident: Resident | None = None
    builds: bool = True  # whether it builds the site; `serve --watch` does so by itself
    compressed: bool = False
    built: Callable[[], None] = lambda: None  # called when another site is served
    keep_days: tuple[int, int] = (ADDRESSES_DAYS, ANSWERS_DAYS)
    backups: Path | None = None  # where a backup of the queue is written every day; it is made where it is missing
    clock: Callable[[], float] = time.monotonic
    stop: Event = field(default_factory=Event)
    holder: str = field(default_factory=lambda: f"{socket.gethostname()}:{os.getpid()}")
    unsettled: bool = True
    settled_in: object = None  # which site was looked at last; another process may have built the one that is served
    fetched: float | None = None
    verified: date | None = None
    made_from: object = None  # what the site was built from last, beside files
    saved: bool = True
    _pending: Mapping[str, int] = field(default_factory=dict)
    _shown: Mapping[str, int] = field(default_factory=dict)
    _shown_at: float = 0.0
    _mine: set[str] = field(default_factory=set)
    _again: dict[str, float] = field(default_factory=dict)
    _change: int = -1

    def run(self) -> None:
        """Work until it is stopped; what another process has the lease of waits for its end."""
        renewing = Thread(target=self._renew, daemon=True)
        renewing.start()
        try:
            for saved in saves(lambda: [self.build.content], self.stop, LOOK_MS):
                if saved:
                    self.saved = True
                    self._again.clear()
                if self._mine:
                    with suppress(Unavailable):  # whoever renews the leases says so
                        self._jobs()
        finally:
            self.stop.set()
            renewing.join()
            self.release()

    def once(self) -> bool:
        """Do what is due now, as far as nobody else has the lease; whether anything was. Raises `Unavailable`."""
        self.leased()
        return self._jobs()

    def _jobs(self) -> bool:
        done, change = False, self.review.store.last_change()
        if change != self._change:  # what failed may go well now
            self._again.clear()
        if change != self._change or self.saved:
            self._change, self._pending = change, self.review.store.pending_runs(published_runs(self.build.content))
        for name, job in JOBS.items():
            lease = self.place() if name in OF_THE_PLACE else WORKER
            due = lease in self._mine and not self.stop.is_set() and self._again.get(name, 0) <= self.clock()
            done |= due and self._tried(name, job)
        return done

    def _tried(self, name: str, job: Job) -> bool:
        began, failed = time.perf_counter(), False
        try:
            said = job(self)
        except Unavailable:
            raise
        except Exception as error:  # noqa: BLE001 - one job's fault stops no other, and is tried again
            failed, said = True, _words(error)
        if said is None:
            return False
        failures = self.review.store.job_ended(name, said, failed=failed)
        if failed:
            self._again[name] = self.clock() + min(2.0 ** (failures - 1), LONGEST_WAIT)
        log_job(name, said, time.perf_counter() - began, failed=failed)
        return True

    def waiting(self, *, anew: bool = False) -> Mapping[str, int]:
        """How many wait, by playbook, as the site shows it: `anew` with a build, else another every ten seconds."""
        if anew:  # a report that is in the site from then on does not wait as well
            self._pending = self.review.store.pending_runs(published_runs(self.build.content))
        if self._shown != self._pending and (anew or self.clock() - self._shown_at >= PENDING_SECONDS):
            self._shown, self._shown_at = self._pending, self.clock()
        return self._shown

    def place(self) -> str:
        """The lease of what is done to the site here: each machine has its own checkout and site."""
        return f"{socket.gethostname()}:{self.build.out.absolute()}"[-_LONGEST_LEASE:]

    def leased(self) -> bool:
        """Take or keep both leases, as far as they are free; whether it has that of the queue."""
        self._mine = {name for name in (WORKER, self.place()) if self._has(name)}
        return WORKER in self._mine

    def release(self) -> None:
        """Give back the leases that it has."""
        with suppress(Unavailable):
            for name in (WORKER, self.place()):
                self.review.store.release(name, self.holder)

    def _has(self, lease: str) -> bool:
        """Take or keep a lease; False where another process has it. One killed on this machine is not waited for."""
        store = self.review.store
        host, _, process = (store.leased(lease) or "").rpartition(":")
        if host == socket.gethostname() and process.isdigit() and not Path("/proc", process).exists():
            store.release(lease, f"{host}:{process}")
        return store.lease(lease, self.holder, LEASE_SECONDS)

    def _renew(self) -> None:
        """Take the leases when they are free, and keep them, however long a job takes. A queue that is away is said."""
        away = False
        while not self.stop.is_set():
            try:
                self.leased()
                if away:
                    log_job("queue", "the queue answers again", 0, failed=False)
                away = False
            except Unavailable as error:
                self._mine = set()
                if not away:
                    log_job("queue", f"nothing is done until the queue answers: {error}", 0, failed=True)
                away = True
            self.stop.wait(RENEW_SECONDS if len(self._mine) > 1 else 1)


def _words(error: Exception) -> str:
    """What went wrong, in a line; of what nobody foresaw the kind alone, and the log has its places."""
    if isinstance(error, ContentError):
        return printable(f"{error.problems[0]} ({len(error.problems)} in all)")
    if isinstance(error, LibraryError | OSError):
        return printable(str(error).partition("\n")[0])
    logging.getLogger("playbooks.work").exception("a job failed")
    return f"failed by a fault of the program: {type(error).__name__}"


def saves(folders: Callable[[], Iterable[Path | None]], stop: Event, look_ms: int = 1_000) -> Iterator[bool]:
    """Whether something was saved below the folders: at each save, and else every so many milliseconds.

    It was as soon as all are watched: whoever read them before may have missed something. A folder that is replaced is
    watched anew.
    """
    while not stop.is_set():
        places, begun = _places(folders()), False
        for changes in watch(
            *places,
            watch_filter=lambda _change, path: not _NO_SOURCE.search(path),
            step=STEP_MS,
            debounce=10 * STEP_MS,
            stop_event=stop,
            rust_timeout=look_ms,
            yield_on_timeout=True,
        ):
            moved = _places(folders()) != places
            yield bool(changes) or moved or not begun
            begun = True
            if moved:
                break


def _places(folders: Iterable[Path | None]) -> dict[Path, tuple[int, int]]:
    """Which folders there are, and which each is now: one that was replaced has to be watched anew."""
    found = dict[Path, tuple[int, int]]()
    for folder in filter(None, folders):
        with suppress(OSError):
            stat = folder.stat()
            found[folder] = stat.st_dev, stat.st_ino
    return found


@contextmanager
def stopping() -> Iterator[Event]:
    """Set by the first SIGINT or SIGTERM, so that a job is finished; a second one ends the process as ever."""
    stop, former = Event(), dict[int, Any]()

    def noted(number: int, _frame: FrameType | None) -> None:
        stop.set()
        signal.signal(number, former[number])

    for number in (signal.SIGINT, signal.SIGTERM):
        former[number] = signal.signal(number, noted)
    try:
        yield stop
    finally:
        for given, handler in former.items():
            signal.signal(given, handler)


@contextmanager
def meanwhile(run: Callable[[], None], stop: Event) -> Iterator[None]:
    """Run it in a thread of its own meanwhile; at the end it is told to stop, and waited for."""
    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _screen(worker: Worker) -> str | None:
    """Screen what no review agent has looked at."""
    if not worker.build.out.exists() or not worker.review.store.unscreened(1):
        return None
    screened = screen_all(worker.review, worker.reviewer, stop=worker.stop.is_set)
    tally = Counter(str(done.review.advice) if done.review else "skipped" for done in screened)
    return f"screened: {', '.join(f'{number} {advice}' for advice, number in sorted(tally.items()))}"


def _fetch(worker: Worker) -> str | None:
    """Bring what was merged at the remote into the checkout: forward only, never over what somebody changed there."""
    way, content, now = worker.publishing, worker.build.content, worker.clock()
    if way.remote is None or (worker.fetched is not None and now - worker.fetched < way.fetch_seconds):
        return None
    worker.fetched = now
    git = Git(content, worker.environment)
    base = way.base_of(content, worker.day())
    at = start(git, base, way.remote)
    if git.asks("symbolic-ref", "--quiet", "--short", "HEAD") != base:
        raise GitError(f"the checkout is not on {base}, so nothing that is merged there comes into it; check it out")
    if git.commit_at("HEAD") == at or git.asks("merge-base", "--is-ancestor", at, "HEAD") is not None:
        return f"{base} has nothing new"
    git("merge", "--ff-only", "--quiet", at, seconds=REMOTE_SECONDS)
    worker.saved = True
    return f"{base} is at {at[:12]} now"


def _publish(worker: Worker) -> str | None:
    """Write what was decided into the content, or put it on branches. What could not be written fails the job."""
    store, content = worker.review.store, worker.build.content
    if not store.outbox(OutboxState.WAITING) and not store.orphans():
        return None
    target = worker.publishing.target(content, worker.review, worker.day(), worker.environment)
    outcomes = list(publish(worker.review, content, target))
    worker.unsettled = worker.saved = True
    waits = [outcome for outcome in outcomes if outcome.result is PublishResult.WAITING]
    if waits:
        raise LibraryError(f"{len(waits)} of {len(outcomes)} could not be published: {waits[0]}")
    tally = Counter(str(outcome.result) for outcome in outcomes)
    return ", ".join(f"{number} {result}" for result, number in sorted(tally.items())) or "nothing to publish"


def _build(worker: Worker) -> str | None:
    """Build what changed, with the counts of the reports that wait."""
    if not worker.builds:
        return None
    around = worker.day(), head_of(worker.build.content), worker.waiting(anew=worker.saved)
    if not worker.saved and worker.made_from == around:
        return None
    worker.saved, worker.made_from = False, around
    settings = replace(worker.build, today=worker.day(), pending=around[2])
    worker.resident = worker.resident or Resident(Sources(settings.content))
    try:
        report = worker.resident.build(settings)
    except OSError:
        worker.saved = True  # what is wrong is not the content: the next try may go well
        raise
    if worker.compressed:
        compress(settings.out, settings.content, default_jobs())
    worker.unsettled = True
    if report.written or report.removed:
        worker.built()
    kind = "what changed" if report.edit else "everything"
    return f"built {kind}: {report.written:,} written, {report.removed:,} removed"


def _verify(worker: Worker) -> str | None:
    """Compare what is served with what was built, at the start and once a day; where it differs, all is built anew."""
    if not worker.builds or worker.verified == worker.day() or not worker.build.out.exists():
        return None
    worker.verified = worker.day()
    if not (wrong := damaged(worker.build.out)):
        return "the site is as it was built"
    worker.resident, worker.saved = None, True  # a build that fails says so itself
    return f"{len(wrong)} files were not as they were built, such as {wrong[0]}; all is built anew"


def _settle(worker: Worker) -> str | None:
    """Note as published what was accepted and is in the site that is served."""
    site = manifest_identity(worker.build.out.absolute().resolve().parent)
    if not (worker.unsettled or site != worker.settled_in) or not worker.review.store.accepted():
        return None
    worker.unsettled, worker.settled_in = False, site
    outcomes = list(settled(worker.review.store, worker.build.content, worker.build.out, worker.environment))
    done = sum(outcome.result is PublishResult.PUBLISHED for outcome in outcomes)
    left = "".join(f"; {outcome}" for outcome in outcomes if outcome.failed)
    return f"{done} in the site now{left}"


def _prune(worker: Worker) -> str | None:
    """Forget what is kept only for a time."""
    if worker.review.store.did("prune", worker.day()):
        return None
    addresses, answers = worker.keep_days
    return f"forgot {worker.review.store.prune(addresses_days=addresses, answers_days=answers)}"


def _back_up(worker: Worker) -> str | None:
    """Write the queue to a file of its own."""
    folder = worker.backups
    if folder is None or worker.review.store.did("backup", worker.day()):
        return None
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / backup_name()
    return f"{path.name}: {worker.review.store.back_up(path)}"


JOBS: Mapping[str, Job] = {
    "screen": _screen,
    "fetch": _fetch,
    "publish": _publish,
    "verify": _verify,
    "build": _build,
    "settle": _settle,
    "prune": _prune,
    "backup": _back_up,
}
"""All jobs, in the order of one look: what a job leaves to be done, the next ones do."""

OF_THE_PLACE = frozenset({"fetch", "verify", "build"})
"""The jobs that a worker on each machine does; one worker of all over the queue does the others."""
