"""What the whole library has to know of one playbook.

An entry is small, quick to keep and to read back, and enough for lists and rules.
"""

import hashlib
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

import msgspec
import orjson

from ..problems import Problem, Severity, wrong
from .models import Evidence, Playbook, Step, Tested, Variant
from .vocabulary import Account, Arm, Difficulty, Outcome, Risk, SandboxKind, Status

_CODE_FORGES = frozenset({"github.com", "gitlab.com", "codeberg.org", "bitbucket.org", "sr.ht"})


class EvidenceEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the trust rule asks of one account."""

    site: str
    author: str | None = None
    account: Account | None = None
    vendor: str | None = None
    outcome: Outcome | None = None
    incident: str | None = None


class TestedEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the trust rule asks of one test by an editor."""

    version: str
    agent: str
    outcome: Outcome
    arm: Arm | None = None
    case_digest: str | None = None
    watched: bool = False
    """Of a run on a trial: whether its commands ran in a sandbox, and its transcript was kept and read."""


class PlaybookEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One playbook as the others see it."""

    slug: str
    title: str
    summary: str
    task: str
    agents: tuple[str, ...]
    difficulty: Difficulty
    risk: Risk
    time: str
    version: str
    updated: str
    status: Status = Status.ACTIVE
    status_reason: str | None = None
    replaced_by: str | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    contributors: tuple[str, ...] = ()
    failure_lessons: tuple[str | None, ...] = ()
    evidence: tuple[EvidenceEntry, ...] = ()
    tested: tuple[TestedEntry, ...] = ()
    references_checked: tuple[str, ...] = ()
    no_trial: str | None = None
    essence: str | None = None
    least_minutes: int | None = None
    """The least that it takes, which lists sort by."""

    @property
    def file(self) -> str:
        """The playbook's file, relative to the content folder."""
        return f"playbooks/{self.slug}.yaml"

    def wrong(
        self, field: str, message: str, *, index: int | None = None, severity: Severity = Severity.ERROR
    ) -> Problem:
        """A problem with one field of this playbook, or with one item of it."""
        return wrong(self.file, field, message, index, severity)


def entry(book: Playbook) -> PlaybookEntry:
    """The entry of one playbook: what has the same name in both is as it was typed."""
    worked_out: dict[str, Any] = {
        "version": version(book),
        "updated": book.updated.isoformat(),
        "contributors": tuple(contributor.handle for contributor in book.contributors),
        "failure_lessons": tuple(failure.lesson for failure in book.failures),
        "evidence": tuple(map(_evidence, book.evidence)),
        "tested": tuple(map(_tested, book.tested)),
        "least_minutes": book.minutes.least if book.minutes else None,
        "references_checked": tuple(reference.checked.isoformat() for reference in book.references),
    }
    typed = {name: getattr(book, name) for name in PlaybookEntry.__struct_fields__ if name not in worked_out}
    return PlaybookEntry(**typed, **worked_out)


def version(book: Playbook) -> str:
    """The version of what an agent is told to do.

    It is 12 hex digits over the canonical JSON of prompt, variants and steps, each without what is not there.
    """

    def texts(items: Iterable[Variant | Step]) -> list[dict[str, str]]:
        return [{name: text for name, text in vars(item).items() if text is not None} for item in items]

    told = {"prompt": book.prompt, "variants": texts(book.variants), "steps": texts(book.steps)}
    return hashlib.sha256(orjson.dumps(told, option=orjson.OPT_SORT_KEYS)).hexdigest()[:12]


def site_of(url: str) -> str:
    """What counts as one site: the host; on a code forge the owner and repository too."""
    address = urlsplit(url)
    host = (address.hostname or "").removeprefix("www.")
    if host in _CODE_FORGES:
        return "/".join([host, *[part.lower() for part in address.path.split("/") if part][:2]])
    return host


def folded(name: str) -> str:
    """A name without what does not make it another one: case, space, punctuation."""
    return re.sub(r"[\W_]+", "", name.casefold())


def _tested(item: Tested) -> TestedEntry:
    sandboxed = item.sandbox is not None and item.sandbox is not SandboxKind.NONE
    watched = sandboxed and item.transcript_digest is not None and item.transcript_read is True
    return TestedEntry(item.version, item.agent, item.outcome, item.arm, item.case_digest, watched)


def _evidence(item: Evidence) -> EvidenceEntry:
    return EvidenceEntry(
        site=site_of(item.url),
        author=folded(item.author or "") or None,
        account=item.account,
        vendor=folded(item.vendor or "") or None,
        outcome=item.outcome,
        incident=item.incident,
    )
