"""What one decision sends to the content: its files as bytes, who sent and who reviewed it, and how that is told."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from library.content.formatting import canonical, changed
from library.content.yamlfile import Value, parse
from library.problems import LibraryError
from library.records.collection import Library
from library.records.fields import HANDLE, SLUG
from library.records.models import Filed, Playbook, Run
from library.records.naming import MAX_SLUG, is_device, name_problem
from library.records.vocabulary import RunState, Status
from writeapi.keys import is_id
from writeapi.store import Store
from writeapi.store.records import OutboxEntry, RunRecord

from ..decisions.texts import digest
from ..screening.matching import present_slug

FORMS = "playbooks|lessons|tasks|agents/<slug>.yaml or runs/<slug>/<id>.yaml"
WITHDRAWAL_FIELDS = ("status", "status_reason", "updated", "replaced_by")
"""A withdrawal of a playbook is a change of these, whatever else becomes of its file on its way."""

Announce = Callable[[str], None]
"""Told the name of each point at which publishing may be cut off; tests cut it off there."""


class CannotWrite(LibraryError):
    """A file or a branch cannot be written or read now; the text says why. What was decided stays waiting."""


class ChangedSince(LibraryError):
    """What was written is not there any more as it was written; only a person can take it back."""


def is_place(file: str) -> bool:
    """Whether a name has one of the forms that publishing writes; every other is refused, whoever decided it."""
    top, *inner = file.split("/")
    if top != "runs" or len(inner) != 2:
        return name_problem(file) is None
    book, name = inner
    slug = len(book) <= MAX_SLUG and SLUG.fullmatch(book) and not is_device(book)
    return bool(slug) and name.endswith(".yaml") and is_id(name.removesuffix(".yaml"))


class BadName(CannotWrite):
    """A file has a name that publishing never writes; no later try can mend that."""


@dataclass(frozen=True)
class Parcel:
    """Files of one version of a subject. `earlier` has, by file, the SHA-256 of what older versions had sent there.

    `dates` are the times of all decisions about it; `contributor` and `editor` are handles, where there are such.
    """

    subject: str
    version: int
    entries: tuple[OutboxEntry, ...]
    files: Mapping[str, bytes]
    earlier: Mapping[str, frozenset[str]]
    dates: frozenset[str]
    contributor: str | None
    editor: str | None
    withdrawal: bool

    @property
    def at(self) -> str:
        """When it was decided."""
        return self.entries[0].created


def groups(entries: Iterable[OutboxEntry]) -> list[tuple[OutboxEntry, ...]]:
    """Entries by subject and version, in the order of the decisions."""
    ordered = sorted(entries, key=lambda entry: (entry.subject, entry.version, entry.id))
    found = [tuple(group) for _, group in groupby(ordered, key=lambda entry: (entry.subject, entry.version))]
    return sorted(found, key=lambda group: group[0].id)


def pack(store: Store, library: Library, entries: tuple[OutboxEntry, ...]) -> Parcel:
    """The parcel of these entries, which are one version of one subject. Raises `CannotWrite`."""
    subject, version = entries[0].subject, entries[0].version
    if not is_subject(subject):
        raise CannotWrite("it belongs to nothing that publishing knows; see the row in the outbox")
    if not all(is_place(entry.file) for entry in entries):
        raise BadName(f"the name of a file is none that publishing writes; known are {FORMS}")
    run = store.run(subject) if subject.startswith("run_") else None
    if run is None and any(entry.text is None for entry in entries):
        raise CannotWrite("its run report is not in the queue, and nothing else says what its file holds")
    sent = run or (store.submission(subject) if subject.startswith("sub_") else None)
    past = store.outbox(subject=subject)
    by = next((step.by for step in store.steps(subject) if step.version == version), "")
    files = {entry.file: entry.text.encode() for entry in entries if entry.text is not None}
    earlier: dict[str, frozenset[str]] = {}
    if run is not None:
        slug = folder_of(run, library)
        if slug is None:
            raise CannotWrite(f"there is no playbook {run.playbook} in the content, nor one that was called so")
        files.update([run_file(run, slug)])
        file, body = run_file(replace(run, state=RunState.APPROVED), slug)
        earlier = {file: frozenset({digest(body)})}
    else:
        for entry in past:
            if entry.version < version and entry.text is not None:
                earlier[entry.file] = earlier.get(entry.file, frozenset()) | {digest(entry.text)}
    return Parcel(
        subject,
        version,
        entries,
        files,
        earlier,
        frozenset(entry.created for entry in past),
        _handle(sent.contributor if sent else None),
        _handle(by.removeprefix("editor ")) if by.startswith("editor ") else None,
        run is not None and run.state is RunState.WITHDRAWN,
    )


def set_on(parcel: Parcel, present: Callable[[str], bytes | None]) -> Parcel:
    """A playbook's withdrawal set on its file as it is now; every other parcel, and one of no file, as it was.

    Raises `CannotWrite` where the file as it is cannot be changed.
    """
    if not parcel.subject.startswith("playbook:"):
        return parcel
    files, bases = dict(parcel.files), {}
    for file, sent in parcel.files.items():
        here = present(file)
        if here is None or here == sent:
            continue
        value = parse(sent.decode(), file).value
        told: Mapping[str, Value] = value if isinstance(value, dict) else {}
        body = changed(here, file, fields={name: told.get(name) for name in WITHDRAWAL_FIELDS})
        if isinstance(body, list):
            raise CannotWrite(f"{file} cannot be changed as it is: {body[0]}")
        files[file], bases[file] = body, digest(here)
    entries = tuple(replace(entry, base=bases.get(entry.file, entry.base)) for entry in parcel.entries)
    return replace(parcel, files=files, entries=entries)


def is_subject(subject: str) -> bool:
    """Whether a subject is a run report, a submission, or a playbook that an editor withdrew."""
    kind, _, slug = subject.partition(":")
    return is_id(subject) or (kind == "playbook" and len(slug) <= 64 and SLUG.fullmatch(slug) is not None)


def files_written(store: Store, library: Library, entries: tuple[OutboxEntry, ...]) -> dict[str, bytes]:
    """The files of these entries as they were written; of a report, as it was when it was approved."""
    run = store.run(entries[0].subject) if entries[0].subject.startswith("run_") else None
    files = {entry.file: entry.text.encode() for entry in entries if entry.text is not None}
    if run is not None and (slug := folder_of(run, library)) is not None:
        files.update([run_file(replace(run, state=RunState.APPROVED), slug)])
    return {file: body for file, body in files.items() if is_place(file)}


def run_file(run: RunRecord, playbook: str) -> tuple[str, bytes]:
    """The name and the bytes of a report's file; `playbook` is the present slug of its playbook.

    Of a withdrawn report what it said is left out: what stays says that there was one.
    """
    withdrawn = run.state is RunState.WITHDRAWN
    values: dict[str, str | None] = {
        "playbook": playbook,
        "playbook_version": run.playbook_version,
        "agent": run.agent,
        "agent_version": run.agent_version,
        "model": run.model,
        "outcome": run.outcome,
        "what_changed": None if withdrawn else run.what_changed,
        "lesson": None if withdrawn else run.lesson,
        "duration_minutes": None if run.duration_minutes is None else str(run.duration_minutes),
        "reporter": run.contributor or (None if withdrawn else run.reporter),
        "verified": "true" if run.contributor else None,
        "contributor_since": run.contributor_since[:10] if run.contributor_since else None,
        "reported": run.created,
        "status": RunState.WITHDRAWN if withdrawn else None,
    }
    file = f"runs/{playbook}/{run.id}.yaml"
    given: dict[str, Value] = {name: value for name, value in values.items() if value is not None}
    return file, canonical(given, file)


def folder_of(run: RunRecord, library: Library) -> str | None:
    """The present slug of a run's playbook: where the report lies already, else by its own slug or a former one."""
    lies = (slug for slug, reports in library.runs.items() if any(report.slug == run.id for report in reports))
    return next(lies, None) or present_slug(library, run.playbook)


def _handle(text: str | None) -> str | None:
    return text if text and HANDLE.fullmatch(text) else None


def summary(parcel: Parcel, records: Mapping[str, Filed], present: Collection[str]) -> str:
    """What a parcel does, in a line of slugs and ids. `present` are the files that are there already."""
    first = next(iter(parcel.files))
    more = f" and {len(parcel.files) - 1} more" if len(parcel.files) > 1 else ""
    record = records.get(first)
    folder, _, rest = first.partition("/")
    if isinstance(record, Run):
        verb, link = ("Withdraw", "of") if record.status is RunState.WITHDRAWN else ("Add", "for")
        return f"{verb} run report {parcel.subject} {link} {record.playbook}"
    gone = isinstance(record, Playbook) and record.status is Status.WITHDRAWN
    verb = "Withdraw" if gone else "Change" if first in present else "Add"
    return f"{verb} {folder.removesuffix('s')} {rest.removesuffix('.yaml')}{more}"


def message(parcel: Parcel, line: str) -> str:
    """A commit message: made of slugs, ids and checked handles only, never of what was sent."""
    reviewed = f"Reviewed-by: {parcel.editor or 'an editor'}\n"
    if parcel.subject.startswith("playbook:"):  # nobody contributed it, and nobody sent it
        return f"{line}\n\n{reviewed}{trailer(parcel.subject)}\n"
    return f"{line}\n\nContributed-by: {parcel.contributor or 'anonymous'}\n{reviewed}{trailer(parcel.subject)}\n"


def trailer(subject: str) -> str:
    """The last line of a commit message: what the commit is of."""
    kind, _, slug = subject.partition(":")
    return f"Withdrawal: {kind} {slug}" if slug else f"Submission: {subject}"
