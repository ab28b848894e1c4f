"""Where parcels go: files of the content folder, or for each a git branch of its own, pushed where wished.

In the folder there are fixed names only, no symbolic link on the way, and each file is whole. A branch
`accepted/<subject>` is made beside the checkout.
"""

import errno
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from filelock import lock_descriptor

from library.content.git import REMOTE_SECONDS, Git
from library.content.loading import FILES, FOLDERS, Loaded, errors_in, loaded, read_bytes
from library.problems import UsageError
from library.records.collection import Library, assemble
from library.rules import checks
from library.rules.judgment import Trial

from ..services import Shelf
from .parcels import FORMS, Announce, CannotWrite, ChangedSince, Parcel, is_place, message, summary, trailer

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""Without waiting: somebody may have put a pipe there."""
_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True)
class ContentFolder:
    """A content folder, opened anew for each file, from the top down, so that a link is met and never followed."""

    path: Path

    def read(self, file: str) -> bytes | None:
        """The bytes of a file; None when there is none. Raises `CannotWrite`."""
        try:
            with self._folder(file, make=False) as folder, open(_base(file), "rb", opener=_in(folder, _READ)) as body:
                if not stat.S_ISREG(os.fstat(body.fileno()).st_mode):
                    raise CannotWrite(f"{file} is no ordinary file; move it out of the content")
                return body.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise CannotWrite(_why(file, error)) from error

    def write(self, file: str, body: bytes, step: Announce) -> None:
        """Put a file in its place, whole or not at all, and on the disk when this returns. Raises `CannotWrite`."""
        fresh = f".{_base(file)}.new"  # the content is never read from a hidden name
        try:
            with self._folder(file, make=True, step=step) as folder:
                step("opened")
                with suppress(FileNotFoundError):
                    os.unlink(fresh, dir_fd=folder)
                with open(fresh, "wb", opener=_in(folder, _MAKE)) as new:
                    step("made")
                    new.write(body)
                    new.flush()
                    step("wrote")
                    os.fsync(new.fileno())
                step("synced")
                os.rename(fresh, _base(file), src_dir_fd=folder, dst_dir_fd=folder)
                step("renamed")
                os.fsync(folder)
                step("folder-synced")
        except OSError as error:
            with suppress(OSError), self._folder(file, make=False) as folder:
                os.unlink(fresh, dir_fd=folder)
            raise CannotWrite(_why(file, error)) from error

    def remove(self, file: str, step: Announce) -> None:
        """Take a file out; one that is not there is out already. Raises `CannotWrite`."""
        try:
            with self._folder(file, make=False) as folder:
                os.unlink(_base(file), dir_fd=folder)
                step("unlinked")
                os.fsync(folder)
        except FileNotFoundError:
            return
        except OSError as error:
            raise CannotWrite(_why(file, error)) from error

    @contextmanager
    def _folder(self, file: str, *, make: bool, step: Announce = lambda _name: None) -> Iterator[int]:
        """The folder that a file lies in, below the content folder. A new one is on the disk before it is used."""
        if not is_place(file):
            raise CannotWrite(f"a name is none that publishing writes; known are {FORMS}")
        above = os.open(self.path, _FOLDER)
        try:
            for name in file.split("/")[:-1]:
                if make:
                    with suppress(FileExistsError):
                        os.mkdir(name, 0o777, dir_fd=above)
                        step("folder-made")
                    os.fsync(above)
                    step("parent-synced")
                below = os.open(name, _FOLDER, dir_fd=above)
                os.close(above)
                above = below
            yield above
        finally:
            os.close(above)


def _in(folder: int, flags: int) -> Callable[[str, int], int]:
    """Opens a name in this folder, whatever `open` would do by its mode."""
    return lambda name, _mode: os.open(name, flags, 0o666, dir_fd=folder)


def _base(file: str) -> str:
    return file.rpartition("/")[2]


def _why(file: str, error: OSError) -> str:
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        return f"{file} has a symbolic link or a file where a folder should be on its way; put the folder itself there"
    if error.errno == errno.EISDIR:
        return f"{file} is no ordinary file; move it out of the content"
    return f"{file} cannot be read or written: {error.strerror}; mend that and publish again"


@contextmanager
def alone(content: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """One publisher at a time for a content folder; a second one says that it waits for the first, and does.

    Raises `UsageError` where there is no such folder.
    """
    try:
        folder = os.open(content, _FOLDER)
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


@dataclass(frozen=True)
class ContentTarget:
    """The content folder: a parcel is there when its files are."""

    folder: ContentFolder
    shelf: Shelf
    kind = "content"

    def library(self) -> Library:
        """The library of today."""
        return self.shelf.library()

    def present(self, file: str) -> bytes | None:
        """The bytes of a file of the folder."""
        return self.folder.read(file)

    def put(self, parcel: Parcel, _tried: Trial, step: Announce) -> str:
        """Write the files that are not there yet."""
        for file, body in parcel.files.items():
            if self.present(file) != body:
                self.folder.write(file, body, step)
        return self.kind

    def remove(self, _subject: str, files: Mapping[str, bytes], _dates: frozenset[str], step: Announce) -> str:
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
            self.folder.remove(file, step)
        return f"{', '.join(files)} is not in the content any more"


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


@dataclass(frozen=True, slots=True)
class Author:
    """Who makes the commits."""

    name: str
    email: str


def author_of(git: Git, name: str | None, email: str | None) -> Author:
    """The author by settings, else as the repository has its user, else the publisher. Raises `UsageError`."""
    told = Author(name or git.asks("config", "user.name") or NAME, email or git.asks("config", "user.email") or EMAIL)
    if not all(text.isprintable() and not set(text) & set("<>") for text in (told.name, told.email)):
        raise UsageError("an author's name and e-mail address are one line each, without < and >")
    return told


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

    def __init__(self, git: Git, base: str, author: Author, today: date, remote: str | None = None) -> None:
        self._git = git
        self._base = base
        self._author = author
        self._today = today
        self._remote = remote
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
        parts = file.split("/")
        for depth in range(1, len(parts)):
            if "/".join(parts[:depth]) in self._tree:
                raise CannotWrite(f"{file} has a symbolic link or a file where a folder should be on its way")
        mode, blob = self._tree.get(file, ("", ""))
        if not blob:
            return None
        if mode not in _PLAIN:
            raise CannotWrite(f"{file} is a symbolic link or a submodule; put the file itself there")
        return self._git("cat-file", "blob", blob)

    def holds(self, subject: str) -> bool:
        """Whether there is a branch of this subject."""
        return self._git.commit_at(_ref(subject)) is not None

    def put(self, parcel: Parcel, tried: Trial, step: Announce) -> str:
        """Commit on the parcel's branch, and push it; nothing where the base has the files already."""
        if all(self.present(file) == body for file, body in parcel.files.items()):
            return "branch not needed: the base has it already"
        ref = _ref(parcel.subject)
        here = self._git.commit_at(ref)
        dates = frozenset(entry.created for entry in parcel.entries)
        if here and self._is_ours(here, parcel.subject, dates) and self._has(here, parcel.files):
            commit = here
        else:
            if here and not self._is_ours(here, parcel.subject, parcel.dates):
                raise CannotWrite(f"{_short(ref)} has a commit that is not the publisher's; merge or delete it")
            line = summary(parcel, tried.records, self._tree)
            commit = self._commit(parcel, message(parcel, line), step)
            if commit != here:
                self._git("update-ref", ref, commit, here or "")
        step("branched")
        if self._remote:
            theirs = self._there(ref)
            if not theirs or self._git.asks("merge-base", "--is-ancestor", commit, theirs) is None:
                if theirs and not self._is_ours(theirs, parcel.subject, parcel.dates):
                    raise CannotWrite(f"{_short(ref)} at {self._remote} has a commit that is not the publisher's")
                self._push(ref, commit, theirs)
            step("pushed")
        return f"{_short(ref)} at {commit[:12]}{f', pushed to {self._remote}' if self._remote else ''}"

    def remove(self, subject: str, files: Mapping[str, bytes], dates: frozenset[str], step: Announce) -> str:
        """Delete the branch, here and at the remote, if it is as the publisher made it and was not merged."""
        if any(self.present(file) == body for file, body in files.items()):
            raise ChangedSince("was merged already; take it back by hand")
        ref = _ref(subject)
        theirs = self._there(ref)
        for commit in {self._git.commit_at(ref), theirs} - {None}:
            if not self._is_ours(str(commit), subject, dates):
                raise ChangedSince(f"{_short(ref)} was changed since; delete it by hand")
        if theirs:
            self._push(ref, "", theirs)
            step("unpushed")
        here = self._git.commit_at(ref)
        if here:
            self._git("update-ref", "-d", ref, here)
            step("unbranched")
        return f"{_short(ref)} is not there any more"

    def _commit(self, parcel: Parcel, text: str, step: Announce) -> str:
        """The commit of a parcel on the base: the same parcel and base give the same commit."""
        git, index = self._git, self._git.own / "playbooks-index"
        lines = []
        for file, body in parcel.files.items():
            blob = git("hash-object", "-w", "--stdin", "--no-filters", given=body).decode().strip()
            lines.append(f"{self._tree.get(file, (_PLAIN[0], ''))[0]} {blob}\t{git.prefix}{file}\0")
        step("hashed")
        for left in (index, index.with_name(f"{index.name}.lock")):
            left.unlink(missing_ok=True)
        apart = {"GIT_INDEX_FILE": str(index)}
        git("read-tree", self._base, environment=apart)
        step("indexed")
        git("update-index", "-z", "--index-info", given="".join(lines).encode(), environment=apart)
        tree = git("write-tree", environment=apart).decode().strip()
        index.unlink(missing_ok=True)
        step("tree-written")
        moment = f"{_epoch(parcel.at)} +0000"
        who = {
            f"GIT_{role}_{part}": text
            for role in ("AUTHOR", "COMMITTER")
            for part, text in (("NAME", self._author.name), ("EMAIL", self._author.email), ("DATE", f"@{moment}"))
        }
        commit = git("commit-tree", tree, "-p", self._base, "-F", "-", given=text.encode(), environment=who)
        step("committed")
        return commit.decode().strip()

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
        head, _, text = self._git("cat-file", "commit", commit).decode(errors="replace").partition("\n\n")
        told = dict(line.split(" ", 1) for line in head.splitlines() if line.startswith(("author ", "committer ")))
        who, moment, _zone = told.get("committer", "? 0 +").rsplit(" ", 2)
        ours = who == f"{self._author.name} <{self._author.email}>" and told["committer"] == told.get("author")
        dated = any(moment == str(_epoch(date)) for date in dates)
        return ours and dated and text.endswith(f"\n{trailer(subject)}\n")

    def _has(self, commit: str, files: Mapping[str, bytes]) -> bool:
        blobs = {file: blob for file, (_, blob) in _tree(self._git, commit).items() if file in files}
        return dict(files) == {file: self._git("cat-file", "blob", blob) for file, blob in blobs.items()}


def _tree(git: Git, commit: str) -> dict[str, tuple[str, str]]:
    out = git("ls-tree", "-r", "-z", "--full-tree", commit, "--", *([git.prefix] if git.prefix else []))
    found: dict[str, tuple[str, str]] = {}
    for line in out.decode(errors="surrogateescape").split("\0")[:-1]:
        told, _, name = line.partition("\t")
        if name.startswith(git.prefix):
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
