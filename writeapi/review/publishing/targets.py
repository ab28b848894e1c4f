"""What a decision sends, as a parcel, and where it goes: files of the content folder, or a git branch of its own.

In the folder there are fixed names only, no symbolic link on the way, and each file is whole. A branch
`accepted/<subject>` is made beside the checkout, and pushed where wished.
"""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from filelock import lock_descriptor

from library.content.formatting import canonical
from library.content.git import REMOTE_SECONDS, Git
from library.content.loading import FILES, FOLDERS, Loaded, errors_in, loaded, read_bytes
from library.content.yamlfile import Value
from library.durable import replace_file, sync_folder
from library.problems import LibraryError, UsageError
from library.records.collection import Library, assemble
from library.records.fields import SLUG
from library.records.models import Filed, Playbook, Run
from library.records.naming import MAX_SLUG, is_device, name_problem
from library.records.vocabulary import RunState, Status
from library.rules import checks
from library.rules.judgment import Trial
from writeapi.keys import is_id
from writeapi.store import Store
from writeapi.store.records import OutboxEntry, RunRecord

from ..decisions.texts import digest
from ..screening.matching import present_slug
from ..services import Shelf

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


ON_ITS_WAY = "{} has a symbolic link or a file where a folder should be on its way; put the folder itself there"


@contextmanager
def alone(content: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """One publisher at a time for a content folder; a second one says that it waits for the first, and does.

    Raises `UsageError` where there is no such folder.
    """
    try:
        folder = os.open(content, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        link = "is a symbolic link; name the folder itself" if content.is_symlink() else f"({error.strerror})"
        raise UsageError(f"cannot publish to {content}: {link}") from error
    try:
        if not lock_descriptor(folder, blocking=False):
            waiting()
            lock_descriptor(folder)
        yield
    finally:
        os.close(folder)


@contextmanager
def _told(file: str) -> Iterator[None]:
    """Turn what the system says of a file into a sentence."""
    try:
        yield
    except OSError as error:
        raise CannotWrite(f"{file} cannot be read or written: {error.strerror}; mend that and publish again") from error


@dataclass(frozen=True)
class ContentTarget:
    """The content folder: a parcel is there when its files are."""

    content: Path
    shelf: Shelf
    kind = "content"

    def library(self) -> Library:
        """The library of today."""
        return self.shelf.library()

    def present(self, file: str) -> bytes | None:
        """The bytes of a file of the folder; None when there is none."""
        path = self._path(file)
        with _told(file):
            if not os.path.lexists(path):
                return None
            if path.is_symlink() or not path.is_file():
                raise CannotWrite(f"{file} is a symbolic link or no ordinary file; move it out of the content")
            return path.read_bytes()

    def put(self, parcel: Parcel, _tried: Trial) -> str:
        """Write the files that are not there yet."""
        for file, body in parcel.files.items():
            if self.present(file) != body:
                self.write(file, body)
        return self.kind

    def remove(self, _subject: str, files: Mapping[str, bytes], _dates: frozenset[str]) -> str:
        """Remove the files, unless one was changed since, or something else rests on them."""
        here = {file: self.present(file) for file in files}
        for file, body in files.items():
            if here[file] not in (None, body):
                raise ChangedSince(f"{file} was changed since; take it back by hand")
        there = [file for file, body in here.items() if body is not None]
        library = self.library()
        known = set(checks.across(library))
        for problem in errors_in(checks.across(_without(library, there))):
            if problem not in known:
                raise ChangedSince(f"{', '.join(there)}: {problem.file} rests on it; take it back by hand")
        for file in there:
            with _told(file):
                path = self._path(file)
                path.unlink()
                sync_folder(path.parent)
        return f"{', '.join(files)} is not in the content any more"

    def write(self, file: str, body: bytes) -> None:
        """Put a file in its place, whole or not at all, and on the disk when this returns. Raises `CannotWrite`."""
        path = self._path(file)
        with _told(file):
            for folder in reversed(path.parents[: file.count("/")]):
                folder.mkdir(exist_ok=True)
                sync_folder(folder.parent)
            for left in path.parent.glob(f".{path.name}.*.new"):  # by a publisher that was killed
                left.unlink()
            replace_file(path, body, durable=True)

    def _path(self, file: str) -> Path:
        """Where a file lies. Raises `CannotWrite` for a name that is no place, or a link on its way."""
        if not is_place(file):
            raise CannotWrite(f"a name is none that publishing writes; known are {FORMS}")
        path = self.content / file
        inner = path.parents[: file.count("/")]
        if any(os.path.lexists(folder) and (folder.is_symlink() or not folder.is_dir()) for folder in inner):
            raise CannotWrite(ON_ITS_WAY.format(file))
        return path


def _without(library: Library, files: list[str]) -> Library:
    gone = set(files)
    kept: dict[str, Any] = {
        kind: {slug: record for slug, record in getattr(library, kind).items() if record.file not in gone}
        for kind in ("playbooks", "lessons", "agents", "tasks")
    }
    runs = {slug: tuple(run for run in found if run.file not in gone) for slug, found in library.runs.items()}
    return replace(library, **kept, runs={slug: found for slug, found in runs.items() if found})


NAME = "playbooks publisher"
EMAIL = "publisher@localhost"
_REMOTE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,99}")
_PLAIN = ("100644", "100755")


def author_of(git: Git) -> str:
    """Who makes the commits, as `name <address>`: the repository's user, else the publisher. Raises `UsageError`."""
    told = (git.asks("config", "user.name") or NAME, git.asks("config", "user.email") or EMAIL)
    if not all(text.isprintable() and not set(text) & set("<>") for text in told):
        raise UsageError("git's user.name and user.email are one line each, without < and >")
    return f"{told[0]} <{told[1]}>"


def start(git: Git, base: str, remote: str | None) -> str:
    """The commit that branches begin at: of `base`, or with a remote of its branch `base`, which is fetched first.

    Raises `UsageError` for a remote or a ref that there is not, `GitError` where the remote cannot be reached.
    """
    ref = base
    if remote is not None:
        if not _REMOTE.fullmatch(remote) or remote not in git("remote").decode().splitlines():
            raise UsageError(f"there is no remote {remote!r}; `git remote` lists those that there are")
        if base.startswith("-") or git.asks("check-ref-format", f"refs/heads/{base}") is None:
            raise UsageError(f"{base!r} is no name of a branch; name one with --base")
        ref = f"refs/remotes/{remote}/{base}"
        wanted = (f"+refs/heads/{base}:{ref}", f"+refs/heads/accepted/*:refs/remotes/{remote}/accepted/*")
        how = ("--quiet", "--no-tags", "--prune", "--no-write-fetch-head", "--no-recurse-submodules")
        git("fetch", *how, "--", remote, *wanted, seconds=REMOTE_SECONDS)
    found = git.commit_at(ref)
    if found is None:
        raise UsageError(f"there is no commit {base!r}; name the branch that accepted things go to with --base")
    return found


class BranchTarget:
    """Branches that begin at the commit `base`; with a `remote`, a parcel is there when it is pushed."""

    kind = "branch"

    def __init__(self, git: Git, base: str, author: str, today: date, remote: str | None = None) -> None:
        self._git, self._base, self._author, self._today, self._remote = git, base, author, today, remote
        self._tree = _tree(git, base)

    def library(self) -> Library:
        """The library of the commit that branches begin at, as of today."""
        return self._library

    @cached_property
    def _library(self) -> Library:
        names = [name for name, (mode, _) in self._tree.items() if mode in _PLAIN and _is_content(name)]
        given = "".join(f"{self._tree[name][1]}\n" for name in names).encode()
        out = self._git("cat-file", "--batch", given=given)
        records: list[Loaded] = []
        broken: list[str] = []
        drafts: list[str] = []
        at = 0
        for name in names:
            end = out.index(b"\n", at)
            size = int(out[at:end].split()[2])
            reading = read_bytes(out[end + 1 : end + 1 + size], name, self._today)
            at = end + 2 + size
            if reading.record is None:
                (drafts if reading.draft else broken).append(name)
            else:
                records.append(loaded(reading.record))
        return assemble(records, self._today, unreadable=broken, left_out=drafts)

    def present(self, file: str) -> bytes | None:
        """The bytes of a file in the commit that branches begin at. A link on the way is refused."""
        if any(str(folder) in self._tree for folder in Path(file).parents):
            raise CannotWrite(ON_ITS_WAY.format(file))
        mode, blob = self._tree.get(file, ("", ""))
        if not blob:
            return None
        if mode not in _PLAIN:
            raise CannotWrite(f"{file} is a symbolic link or a submodule; put the file itself there")
        return self._git("cat-file", "blob", blob)

    def holds(self, subject: str) -> bool:
        """Whether there is a branch of this subject."""
        return self._git.commit_at(_ref(subject)) is not None

    def put(self, parcel: Parcel, tried: Trial) -> str:
        """Commit on the parcel's branch, and push it; nothing where the base has the files already."""
        if all(self.present(file) == body for file, body in parcel.files.items()):
            return "branch not needed: the base has it already"
        ref = _ref(parcel.subject)
        here = commit = self._git.commit_at(ref)
        dates = frozenset(entry.created for entry in parcel.entries)
        if not (commit and self._is_ours(commit, parcel.subject, dates) and self._has(commit, parcel.files)):
            if here and not self._is_ours(here, parcel.subject, parcel.dates):
                raise CannotWrite(f"{_short(ref)} has a commit that is not the publisher's; merge or delete it")
            commit = self._commit(parcel, message(parcel, tried.records, self._tree))
            if commit != here:
                self._git("update-ref", ref, commit, here or "")
        if self._remote:
            theirs = self._there(ref)
            if not theirs or self._git.asks("merge-base", "--is-ancestor", commit, theirs) is None:
                if theirs and not self._is_ours(theirs, parcel.subject, parcel.dates):
                    raise CannotWrite(f"{_short(ref)} at {self._remote} has a commit that is not the publisher's")
                self._push(ref, commit, theirs)
        return f"{_short(ref)} at {commit[:12]}{f', pushed to {self._remote}' if self._remote else ''}"

    def remove(self, subject: str, files: Mapping[str, bytes], dates: frozenset[str]) -> str:
        """Delete the branch, here and at the remote, if it is as the publisher made it and was not merged."""
        if any(self.present(file) == body for file, body in files.items()):
            raise ChangedSince("was merged already; take it back by hand")
        ref = _ref(subject)
        here, theirs = self._git.commit_at(ref), self._there(ref)
        for commit in filter(None, {here, theirs}):
            if not self._is_ours(commit, subject, dates):
                raise ChangedSince(f"{_short(ref)} was changed since; delete it by hand")
        if theirs:
            self._push(ref, "", theirs)
        if here:
            self._git("update-ref", "-d", ref, here)
        return f"{_short(ref)} is not there any more"

    def _commit(self, parcel: Parcel, text: str) -> str:
        """The commit of a parcel on the base: the same parcel and base give the same commit."""
        who = f"{self._author} {_epoch(parcel.entries[0].created)} +0000"
        head = f"commit {_SCRATCH}\nmark :1\nauthor {who}\ncommitter {who}\n"
        told = [head.encode(), _data(text.encode()), f"from {self._base}\n".encode()]
        for file, body in parcel.files.items():
            mode = self._tree.get(file, _PLAIN)[0]
            told += [f"M {mode} inline {self._git.prefix}{file}\n".encode(), _data(body)]
        told.append(f"get-mark :1\nreset {_SCRATCH}\nfrom {'0' * len(self._base)}\n".encode())
        return self._git("fast-import", "--quiet", given=b"".join(told)).decode().strip()

    def _push(self, ref: str, commit: str, theirs: str | None) -> None:
        """Let the remote have this commit (empty: none) at a branch, where that is as it was when this run began."""
        lease = f"--force-with-lease={ref}:{theirs or ''}"
        remote = str(self._remote)
        self._git("push", "--quiet", "--no-verify", lease, "--", remote, f"{commit}:{ref}", seconds=REMOTE_SECONDS)

    def _there(self, ref: str) -> str | None:
        """The commit of a branch at the remote, as it was when this run began."""
        name = ref.removeprefix("refs/heads/")
        return self._git.commit_at(f"refs/remotes/{self._remote}/{name}") if self._remote else None

    def _is_ours(self, commit: str, subject: str, dates: frozenset[str]) -> bool:
        """Whether the publisher made this commit for this subject, at the time of one of these decisions.

        A commit that somebody added or amended has another committer or another time than its author's.
        """
        shown = self._git.asks("show", "--no-patch", "--format=%an <%ae> %at%n%cn <%ce> %ct%n%B", commit) or "\n"
        author, committer, *text = shown.splitlines()
        ours = committer in {f"{self._author} {_epoch(moment)}" for moment in dates}
        return ours and author == committer and text[-1:] == [trailer(subject)]

    def _has(self, commit: str, files: Mapping[str, bytes]) -> bool:
        blobs = {file: blob for file, (_, blob) in _tree(self._git, commit).items() if file in files}
        return dict(files) == {file: self._git("cat-file", "blob", blob) for file, blob in blobs.items()}


_SCRATCH = "refs/playbooks/publishing"  # where a commit is made; no branch is, until it is known not to be another's


def _data(body: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(body), body)


def _tree(git: Git, commit: str) -> dict[str, tuple[str, str]]:
    out = git("ls-tree", "-r", "-z", "--full-tree", commit, "--", *([git.prefix] if git.prefix else []))
    found: dict[str, tuple[str, str]] = {}
    for line in out.decode(errors="surrogateescape").split("\0")[:-1]:
        told, _, name = line.partition("\t")
        mode, _kind, blob = told.split(" ")
        found[name.removeprefix(git.prefix)] = (mode, blob)
    return found


def _is_content(name: str) -> bool:
    """Whether a file of a commit would be read from the folder; hidden ones are not."""
    inner = name.partition("/")[0] in FOLDERS and name.endswith(".yaml") and "/." not in name
    beside = name.startswith("trials/") and not re.fullmatch("trials/[^/]+/trial.yaml", name)
    return (inner and not beside) or name in FILES


def _ref(subject: str) -> str:
    return f"refs/heads/accepted/{subject.replace(':', '-')}"


def _short(ref: str) -> str:
    return f"branch {ref.removeprefix('refs/heads/')}"


def _epoch(moment: str) -> int:
    return int(datetime.fromisoformat(moment).timestamp())
