"""Read, check, plan, write: an edit of the site that is served, or of none at all, which is a whole build.

A whole build writes into a folder of its own and moves the link at its end. A builder that stays keeps the library in
memory, and renders after an edit what read something that changed. What each rendering reads is recorded while it is
rendered, never declared. Another day, other templates or other settings of the site make a whole build.

What is rendered together is a unit: one subject of one slug. Several processes render and write them, and give the
search index the plain text of each record, taken from what its page is given.
"""

from __future__ import annotations

import gc
import hashlib
import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

from library.content.history import NO_HISTORY, read_history
from library.interface.answers import AgentAnswer, TaskAnswer
from library.problems import LibraryError, UsageError
from library.records.collection import Library
from library.records.vocabulary import ResultType, Status
from library.search.documents import Document
from library.search.index import is_whole, update_index
from library.search.words import Analyzer
from library.variables import missing

from .facts import Facts
from .output.generations import MANIFEST, Generations, write_manifest
from .output.sums import write_sums
from .output.writer import Artifact, remove, write
from .parallel import WorkerLost, in_processes
from .reading import Sources
from .recording import WHOLE, Reads, RecordedFacts, differences, stale
from .settings import PROJECT, BuildReport, BuildSettings
from .views.lists import Listing, listing, listings
from .views.page_contexts import LessonContext, ListContext
from .views.pages import PlaybookPage
from .views.rendering import RenderEnvironment
from .views.routes import ROUTES, Route, Subject

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
LISTS = "lists"  # what progress is told when every single record's files are written, and lists are not yet
AS_IT_WAS = "what is served stays as it was"
SOME_IS_NEW = "some of what is served is new already; the next build does the rest"


class BuildFailed(LibraryError):
    """The site could not be written: the disk is full, or a folder went away."""


def build(settings: BuildSettings) -> BuildReport:
    """Build the whole site anew.

    Raises `ContentError` with every problem, or `BuildFailed`; what is served stays as it was then.
    """
    return Resident(Sources(settings.content), recording=False).build(settings)


@dataclass(frozen=True)
class BuiltSite:
    """What is known of a site: what it is made of, what each unit of it read, and what each of its files holds."""

    folder: Path
    made_with: object
    env: RenderEnvironment
    facts: Facts
    reads: Reads = field(default_factory=dict)
    sums: Mapping[str, str] = field(default_factory=dict)

    def due(self, units: Sequence[Unit], facts: Facts) -> list[Unit]:
        """Those units that read something which is another now, and those that there were not."""
        known = {unit: self.reads[unit] for unit in units if unit in self.reads}
        some = stale(known, self.facts, facts)
        return [unit for unit in units if unit in some or unit not in known]


class Resident:
    """One library in memory. The first build is a whole one, and so is each that cannot go on from the last."""

    def __init__(self, sources: Sources, *, recording: bool = True) -> None:
        self.sources = sources
        self.site: BuiltSite | None = None
        self.library: Library | None = None
        """The library that was built last."""
        self._recording = recording
        self._left = AS_IT_WAS

    def build(self, settings: BuildSettings) -> BuildReport:
        """Build what changed. Raises `ContentError`, and all is as it was then, or `BuildFailed`."""
        if settings.release and (away := missing("release")):
            raise UsageError(f"--release: {away}")
        generations, self._left = Generations(settings.out, settings.content), AS_IT_WAS
        with generations.alone(lambda: settings.progress("waiting for another build")):
            generations.drop_unpublished()
            try:
                return self._build(settings, generations)
            except OSError as error:
                raise BuildFailed(f"cannot write the site: {error.strerror}; {self._left}") from error
            except WorkerLost as error:
                raise BuildFailed(f"{error}; {self._left}") from error
            finally:
                gc.unfreeze()
                generations.drop_unpublished()

    def _build(self, settings: BuildSettings, generations: Generations) -> BuildReport:
        report, known = BuildReport(progress=settings.progress), self.site
        made_with = looks(settings), settings.site_url, settings.release, settings.today
        with report.stage("read"):
            before = known.facts.history if known else NO_HISTORY
            history = settings.history or read_history(settings.content, before)
            self.sources.read(settings.today, settings.clock(), settings.jobs)
        with report.stage("check"):
            library, report.warnings = self.sources.library(settings.site_url, settings.pending)
        with report.stage("plan"):
            same = known and known.made_with == made_with and known.facts.library.site == library.site
            if known and same and known.folder == generations.current and is_whole(known.folder):
                changed = differences(known.facts.library.playbooks, library.playbooks) - {WHOLE}
                facts = Facts(library, self.sources.books, history, known.facts.near, cast("set[str]", changed))
                site, report.edit = known, True
            else:
                facts = Facts(library, self.sources.books, history)
                look = settings.templates
                env = RenderEnvironment(library.site, look, theme=settings.theme, release=settings.release)
                env.warm()
                site = BuiltSite(generations.fresh(), made_with, env, facts)
            site.env.texts = history.texts
            facts.prepare()
        if report.edit:  # files are written where readers are: what is known is so no more
            self.site, self._left = None, SOME_IS_NEW
            (site.folder / MANIFEST).unlink(missing_ok=True)  # a builder that ends meanwhile leaves none
        gc.freeze()  # no collector looks at what is there by now, so its pages stay shared with forks
        built = self._write(settings, report, site, facts)
        report.files += write_sums(site.folder / "public", built.sums, generations.store)
        write_manifest(site.folder, {file: source.digest for file, source in self.sources.used.items()})
        if not report.edit:
            with report.stage("publish"):
                generations.publish(site.folder, durable=settings.durable)
        self.site, self.library = built if self._recording else None, library
        return report

    def _write(self, settings: BuildSettings, report: BuildReport, site: BuiltSite, facts: Facts) -> BuiltSite:
        """Single records first, then lists, so that a list never names what is not there; last what is gone goes."""
        library, public = facts.library, site.folder / "public"
        writing = Writing(public, facts, site.env, settings.jobs, self._recording)
        with report.stage("write"):
            single_records = records(facts)
            written = writing.write(site.due(single_records, facts))
        with report.stage(LISTS):
            slugs = [book.slug for book in library.all_books]
            facts.tables[listings] = _now(slugs, site.facts.tables.get(listings, {}), written.listings)
            facts.written = _now(slugs, site.facts.written, written.skills)
            all_lists = lists(facts)
            written.add(writing.write(site.due(all_lists, facts)))
        units = [*single_records, *all_lists]
        gone, new = site.reads.keys() - units, set(units) - site.reads.keys()
        with report.stage("index"):
            hidden = [*written.hidden, *(unit.name for unit in gone)]
            analyzer = Analyzer(library.site.search_language, library.site.stop_words)
            update_index(site.folder, written.documents, gone=hidden, synonyms=library.synonyms, analyzer=analyzer)
        left = {path for unit in gone for path in unit.files} - {path for unit in new for path in unit.files}
        written.take(public, sorted(left))
        written.put(public, site.env.assets.values())
        if settings.release and (written.files or written.removed):
            written.put(public, bulk(public, library))
        _put_search(site.folder, written)
        sums = {path: digest for path, digest in site.sums.items() if path not in written.gone} | written.sums
        report.playbooks, report.files = len(library.playbooks), len(sums)
        report.written, report.removed = written.files, written.removed
        return replace(site, facts=facts, reads=_now(units, site.reads, written.reads), sums=sums)


def looks(settings: BuildSettings) -> bytes:
    """The digest of what pages are made with beside the content: templates, theme, and the project's documents."""
    found = hashlib.sha256()
    for root in (settings.templates, PROJECT / "docs", *([settings.theme] if settings.theme else [])):
        for folder, _, names in sorted(os.walk(root)):
            for name in sorted(name for name in names if not name.startswith(".") and not name.endswith("~")):
                body = Path(folder, name).read_bytes()
                found.update(f"{folder}/{name}:{len(body)}:".encode() + body)
    return found.digest()


def _now(names: Iterable[K], before: Mapping[K, V], fresh: Mapping[K, V]) -> dict[K, V]:
    """What is known of each by name: what is fresh, and else what was before."""
    known = {**before, **fresh}
    return {name: known[name] for name in names}


def bulk(public: Path, library: Library) -> list[Artifact]:
    """The whole-library files, joined from the files that were written: all playbooks as JSON and as markdown.

    For release builds only: they are large, and change with every edit. Withdrawn playbooks are tombstones in the first
    and are left out of the second.
    """
    folder = public / "api/v1/playbooks"
    items = b",".join((folder / f"{book.slug}.json").read_bytes() for book in library.all_books)
    offered = (book.slug for book in library.all_books if book.status is not Status.WITHDRAWN)
    texts = [(public / "playbooks" / f"{slug}.md").read_bytes() for slug in offered]
    texts += [(public / "lessons" / f"{slug}.md").read_bytes() for slug in sorted(library.lessons)]
    full = b'{"total":%d,"items":[%b]}' % (len(library.all_books), items)
    return [Artifact("api/v1/playbooks/full.json", full), Artifact("llms-full.txt", b"\n".join(texts))]


def _put_search(folder: Path, written: Written) -> None:
    """Bring the index that browsers search, `folder/index`, into `folder/public/search`.

    The file that names the others is written last, and what it named before goes after that.
    """
    public = folder / "public"
    made = sorted((folder / "index").glob("*.bin"), key=lambda path: (path.name == "search.bin", path.name))
    written.put(public, [Artifact(f"search/{path.name}", path.read_bytes()) for path in made])
    known = {path.name for path in (public / "search").glob("*.bin")}
    written.take(public, [f"search/{name}" for name in sorted(known - {path.name for path in made})])


SKILL_FILE = "skills/{slug}/SKILL.md"
BUNDLE_FILE = "s/{slug}/skill.zip"
"""The files of a playbook's skill: the second where it is offered. Indexes show the digest of what they name."""


class Unit(NamedTuple):
    """One subject, by its name, of one slug: all its routes are rendered together."""

    subject: str
    slug: str

    @property
    def name(self) -> str:
        """What the search index calls it too."""
        return f"{self.subject}/{self.slug}"

    @property
    def files(self) -> list[str]:
        """The files that it may have."""
        return [route.file_of(self.slug) for route in GROUPS[self.subject][1]]


GROUPS: dict[str, tuple[Subject, list[Route]]] = {}  # the static routes by the names of their subjects

for _route in ROUTES:
    if _route.view:
        GROUPS.setdefault(_route.subject.name, (_route.subject, []))[1].append(_route)


def records(facts: Facts) -> list[Unit]:
    """The units of single records."""
    return [Unit(name, slug) for name, (of, _) in GROUPS.items() if of.record for slug in of.slugs(facts)]


def lists(facts: Facts) -> list[Unit]:
    """The units of lists, and of all else that an edit of a record can move: those of one page come last."""
    subjects = [subject for subject, _ in GROUPS.values() if not subject.record]
    found = [Unit(subject.name, slug) for subject in subjects for slug in subject.slugs(facts)]
    return sorted(found, key=lambda unit: not unit.slug)


def _document_of_playbook(page: PlaybookPage) -> Document:
    book = page.answer
    body = [book.outcome, book.prompt, book.task.name, *book.tags]
    body += [text for step in book.steps for text in (step.title, step.detail, step.check)]
    body += [text for failure in book.failures for text in (failure.problem, failure.fix)]
    body += [need.name for need in book.needs]
    return Document(
        type=ResultType.PLAYBOOK,
        slug=book.slug,
        title=book.title,
        summary=book.summary,
        body="\n".join(body),
        url=book.url,
        trust=book.trust,
        category=book.category,
        agents=book.agents,
        names=tuple(link.title for link in page.context.agents),
        former=book.aliases,
        job=book.task.name,
        asked=page.asked,
        status=book.status,
        proven=bool(book.proven),
    )


def _document_of_lesson(page: LessonContext) -> Document:
    lesson = page.lesson
    said = ResultType.LESSON, lesson.slug, lesson.title, lesson.problem, "\n".join([lesson.fix, *lesson.tags])
    return Document(*said, lesson.url, agents=lesson.agents)


def _document_of_agent(page: ListContext) -> Document:
    agent = cast("AgentAnswer", page.subject)
    said = ResultType.AGENT, agent.slug, agent.name, agent.summary, agent.vendor, agent.url
    return Document(*said, former=agent.aliases, agents=(agent.slug,))


def _document_of_task(page: ListContext) -> Document:
    task = cast("TaskAnswer", page.subject)
    return Document(ResultType.TASK, task.slug, task.name, task.summary, "", task.url, category=task.category)


DOCUMENTS: dict[str, Callable[[Any], Document]] = {
    "playbook": _document_of_playbook,
    "lesson": _document_of_lesson,
    "agent": _document_of_agent,
    "task": _document_of_task,
}
"""By the name of the subject: what makes its document."""


@dataclass
class Written:
    """What was written: counts, what each file holds by its SHA-256, which are `gone`, and what each rendering read.

    `listings` are the playbooks as lists show them, which were worked out on the way; `skills` the digests of their
    instruction files; `documents` are for the search, and `hidden` are those that no search may find.
    """

    reads: Reads = field(default_factory=dict)
    listings: dict[str, Listing] = field(default_factory=dict)
    skills: dict[str, bytes] = field(default_factory=dict)
    documents: list[Document] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    sums: dict[str, str] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    files: int = 0
    removed: int = 0

    def add(self, other: Written) -> None:
        """Add what else was written."""
        for name, value in vars(other).items():
            mine = getattr(self, name)
            setattr(self, name, mine | value if isinstance(value, dict | set) else mine + value)

    def put(self, public: Path, artifacts: Iterable[Artifact]) -> None:
        """Write files that differ."""
        for artifact in artifacts:
            self.files += write(public, artifact)
            self.sums[artifact.path] = artifact.digest.hex()

    def take(self, public: Path, paths: Sequence[str]) -> None:
        """Remove files that are there."""
        self.removed += remove(public, paths)
        self.gone.update(paths)


@dataclass
class Writing:
    """What it takes to write units: where to, and all that they are made of. `recording` notes reads."""

    public: Path
    facts: Facts
    env: RenderEnvironment
    jobs: int
    recording: bool

    def write(self, units: Sequence[Unit]) -> Written:
        """Render and write some units."""
        total = Written()
        for written in in_processes(self._portion, units, self.jobs):
            total.add(written)
        return total

    def _portion(self, units: Sequence[Unit]) -> Written:
        written, recorded = Written(), RecordedFacts(self.facts)
        for unit in units:
            self._one(unit, recorded, written)
        return written

    def _one(self, unit: Unit, recorded: RecordedFacts, written: Written) -> None:
        """Render and write one unit, and note what the search index is given of it."""
        facts = cast("Facts", recorded) if self.recording else self.facts
        subject, routes = GROUPS[unit.subject]
        page = subject.ready(self.env, facts, unit.slug)
        bodies = ((route, route.view(self.env, page)) for route in routes if route.view)
        artifacts = {route.file: Artifact(route.file_of(unit.slug), body) for route, body in bodies if body is not None}
        if isinstance(page, PlaybookPage):
            written.skills[unit.slug] = (artifacts.get(BUNDLE_FILE) or artifacts[SKILL_FILE]).digest
            written.listings[unit.slug] = listing(facts, facts.library.playbooks[unit.slug])
        written.reads[unit] = recorded.taken()
        written.put(self.public, artifacts.values())
        there = {artifact.path for artifact in artifacts.values()}
        written.take(self.public, [path for path in unit.files if path not in there])
        document = DOCUMENTS[unit.subject](page) if unit.subject in DOCUMENTS else None
        if document and document.status is Status.WITHDRAWN:  # it has its address, and is offered to nobody
            written.hidden.append(unit.name)
        elif document:
            written.documents.append(document)
