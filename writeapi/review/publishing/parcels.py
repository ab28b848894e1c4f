"""What one decision sends to the content: its files as bytes, who sent and who reviewed it, and how that is told."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from library.content.formatting import canonical
from library.content.yamlfile import Value
from library.problems import LibraryError
from library.records.collection import Library
from library.records.fields import SLUG
from library.records.models import Filed, Playbook, Run
from library.records.naming import MAX_SLUG, is_device, name_problem
from library.records.vocabulary import RunState, Status
from writeapi.keys import is_id
from writeapi.store import Store
from writeapi.store.records import OutboxEntry, RunRecord

from ..decisions.texts import digest
from ..screening.matching import present_slug

FORMS = "playbooks|lessons|tasks|agents/<slug>.yaml or runs/<slug>/<id>.yaml"


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


class Outdated(LibraryError):
    """A decision cannot be carried out any more; `reason` is the code that its editors are told."""

    def __init__(self, reason: str, why: str) -> None:
        super().__init__(why)
        self.reason = reason


@dataclass(frozen=True)
class Parcel:
    """Files of one version of a subject. `earlier` has, by file, the SHA-256 of what older versions had sent there.

    `dates` are the times of all decisions about it; `contributor` and `editor` are handles, where there are such.
    """

    subject: str
    entries: tuple[OutboxEntry, ...]
    files: Mapping[str, bytes]
    earlier: Mapping[str, frozenset[str]]
    dates: frozenset[str]
    contributor: str | None
    editor: str | None
    withdrawal: bool


def groups(entries: Iterable[OutboxEntry]) -> list[tuple[OutboxEntry, ...]]:
    """Entries by subject and version, in the order of the decisions."""
    found: dict[tuple[str, int], tuple[OutboxEntry, ...]] = {}
    for entry in sorted(entries, key=lambda entry: entry.id):
        key = (entry.subject, entry.version)
        found[key] = (*found.get(key, ()), entry)
    return list(found.values())


def pack(store: Store, library: Library, entries: tuple[OutboxEntry, ...]) -> Parcel:
    """The parcel of these entries, which are one version of one subject. Raises `CannotWrite`."""
    subject, version = entries[0].subject, entries[0].version
    if not is_subject(subject):
        raise CannotWrite("it belongs to nothing that publishing knows; see the row in the outbox")
    if not all(is_place(entry.file) for entry in entries):
        raise Outdated("check-failed", f"the name of a file is none that publishing writes; known are {FORMS}")
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
    for entry in past if run is None else ():
        if entry.version < version and entry.text is not None:
            earlier[entry.file] = earlier.get(entry.file, frozenset()) | {digest(entry.text)}
    return Parcel(
        subject,
        entries,
        files,
        earlier,
        frozenset(entry.created for entry in past),
        sent.contributor if sent else None,
        by.removeprefix("editor ") if by.startswith("editor ") else None,
        run is not None and run.state is RunState.WITHDRAWN,
    )


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
    names = ["playbook_version", "agent", "agent_version", "model", "outcome", "duration_minutes"]
    told: dict[str, Value] = {"playbook": playbook, "reported": run.created}
    if run.state is RunState.WITHDRAWN:
        told["status"] = RunState.WITHDRAWN
    else:
        names += ["what_changed", "lesson", "reporter"]
    told |= {name: str(value) for name in names if (value := getattr(run, name)) is not None}
    if run.contributor:
        told |= {"reporter": run.contributor, "verified": "true"}
    if run.contributor_since:
        told["contributor_since"] = run.contributor_since[:10]
    file = f"runs/{playbook}/{run.id}.yaml"
    return file, canonical(told, file)


def folder_of(run: RunRecord, library: Library) -> str | None:
    """The present slug of a run's playbook: where the report lies already, else by its own slug or a former one."""
    lies = (slug for slug, reports in library.runs.items() if any(report.slug == run.id for report in reports))
    return next(lies, None) or present_slug(library, run.playbook)


def message(parcel: Parcel, records: Mapping[str, Filed], present: Collection[str]) -> str:
    """A commit message: what a parcel does, made of slugs, ids and handles only, never of what was sent.

    `present` are the files that are there already.
    """
    first = next(iter(parcel.files))
    record, (folder, _, rest) = records.get(first), first.partition("/")
    if isinstance(record, Run):
        verb, link = ("Withdraw", "of") if record.status is RunState.WITHDRAWN else ("Add", "for")
        line = f"{verb} run report {parcel.subject} {link} {record.playbook}"
    else:
        gone = isinstance(record, Playbook) and record.status is Status.WITHDRAWN
        verb = "Withdraw" if gone else "Change" if first in present else "Add"
        more = f" and {len(parcel.files) - 1} more" if len(parcel.files) > 1 else ""
        line = f"{verb} {folder.removesuffix('s')} {rest.removesuffix('.yaml')}{more}"
    sender = "" if parcel.subject.startswith("playbook:") else f"Contributed-by: {parcel.contributor or 'anonymous'}\n"
    return f"{line}\n\n{sender}Reviewed-by: {parcel.editor or 'an editor'}\n{trailer(parcel.subject)}\n"


def trailer(subject: str) -> str:
    """The last line of a commit message: what the commit is of."""
    kind, _, slug = subject.partition(":")
    return f"Withdrawal: {kind} {slug}" if slug else f"Submission: {subject}"
