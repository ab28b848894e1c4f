"""The history of a content folder as plain values, from one `git log`."""

import os
import re
import subprocess
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from .git import Git, GitError

MOST_BYTES = 1 << 20  # a version that is larger is not read: no record of this library is
LONGEST_NAME = 80
EMPTY = "0" * 40  # the id of no text: of a file before it was added, and after it was removed
_FILE = re.compile(r"(playbooks|lessons)/[a-z0-9-]+\.yaml")
_START = "\x01"
_LOG = ("log", "-z", "--first-parent", "-m", "--raw", "--no-abbrev", "--no-renames", "--encoding=UTF-8",
        "--no-show-signature", "--no-color", "--no-ext-diff",
        f"--format={_START}%H%x00%ct%x00%an%x00%s%x00%b%x00")  # fmt: skip


class Change(msgspec.Struct, frozen=True):
    """One change of one file, in one commit on the main line.

    `number` counts the commits from the oldest; `at` is when it was made, in seconds since 1970; `by` is its author's
    name, empty where it is not shown. `before` and `after` are the ids of the file's texts, and `former` is
    the slug that it had before, if it had another.
    """

    commit: str
    number: int
    at: int
    by: str
    title: str
    before: str
    after: str
    former: str = ""

    @property
    def time(self) -> datetime:
        """When it was made, in UTC."""
        return datetime.fromtimestamp(self.at, UTC)

    @property
    def day(self) -> str:
        """The day of the change, in UTC, as YYYY-MM-DD."""
        return self.time.date().isoformat()

    @property
    def kind(self) -> Literal["added", "changed", "renamed", "removed"]:
        """What was done to the file."""
        if self.before == EMPTY:
            return "added"
        if self.after == EMPTY:
            return "removed"
        return "renamed" if self.former else "changed"


Changes = Mapping[str, Sequence[Change]]  # the changes of each file, newest first, by its name below the content folder
Texts = Callable[[str], bytes | None]  # the text of a version by its id; None where it cannot be had


class History(msgspec.Struct, frozen=True):
    """All changes of a content folder, and the texts that they lead from and to.

    `head` is the commit that they were read up to; it is empty where nothing is known, because there is no git or
    only its newest part.
    """

    head: str = ""
    files: Changes = msgspec.field(default_factory=dict)
    texts: Texts = lambda _id: None

    def of(self, slug: str, former: Sequence[str] = ()) -> tuple[Change, ...]:
        """The changes of one playbook, newest first, those under its former slugs included.

        A commit that removes the file of a former slug and adds a file of another one is a renaming.
        """
        found = [(change, name) for name in (slug, *former) for change in self.files.get(f"playbooks/{name}.yaml", ())]
        if not former:
            return tuple(change for change, _ in found)
        return tuple(_joined(sorted(found, key=lambda pair: -pair[0].number)))

    def last_day(self, file: str) -> str:
        """The day, as YYYY-MM-DD in UTC, when a file last changed; empty where that is not known."""
        return next((change.day for change in self.files.get(file, ())), "")


NO_HISTORY = History()  # where nothing is known of earlier versions


def _joined(found: Sequence[tuple[Change, str]]) -> list[Change]:
    """Changes of one playbook under all its slugs; what a commit removed and added is one change."""
    removed = {change.commit: (change, name) for change, name in found if change.kind == "removed"}
    renamed = set()
    joined = []
    for change, name in found:
        if change.kind == "added" and change.commit in removed and removed[change.commit][1] != name:
            gone, former = removed[change.commit]
            joined.append(msgspec.structs.replace(change, before=gone.before, former=former))
            renamed.add(change.commit)
        else:
            joined.append(change)
    return [change for change in joined if change.kind != "removed" or change.commit not in renamed]


def read_history(content: Path, known: History = NO_HISTORY) -> History:
    """The history of a content folder; what is `known` from the last reading stays where nothing was committed since.

    It is empty where git does not answer, where the folder lies in no repository or in one that has no commit, and in
    a shallow clone, which would take the oldest commit that it has for the one that added everything.
    """
    try:
        git = Git(content, os.environ)
        shallow, head = git("rev-parse", "--is-shallow-repository", "HEAD").decode().split()
        if shallow != "false":
            return NO_HISTORY
        return known if known.head == head else History(head, _changes(git, head), Versions(git).text)
    except GitError:
        return NO_HISTORY


def head_of(content: Path) -> str | None:
    """The commit that is checked out; None where there is none."""
    try:
        return Git(content, os.environ).commit_at("HEAD")
    except GitError:
        return None


def _changes(git: Git, head: str) -> Changes:
    folders = [f"{git.prefix}playbooks", f"{git.prefix}lessons"]
    log = git(*_LOG, f"--relative={git.prefix}", head, "--", *folders, environment={"GIT_NO_LAZY_FETCH": "1"})
    commits = list(_read(log))
    files: dict[str, list[Change]] = {}
    for number, (commit, touched) in zip(reversed(range(len(commits))), commits, strict=True):
        for file, before, after in touched:
            change = msgspec.structs.replace(commit, number=number, before=before, after=after)
            files.setdefault(file, []).append(change)
    return files


def _read(out: bytes) -> Iterator[tuple[Change, list[tuple[str, str, str]]]]:
    """The commits of a log, newest first, each with the files that it touched: name, id before, id after."""
    tokens = iter(out.decode("utf-8", "replace").split("\0"))
    commit, touched = None, list[tuple[str, str, str]]()
    for token in (part.lstrip("\n") for part in tokens):
        if token.startswith(":"):
            _, _, before, after, _ = token.split()
            file = next(tokens, "")
            if before != after and _FILE.fullmatch(file):
                touched.append((file, before, after))
        elif token:
            if commit and touched:
                yield commit, touched
            commit, touched = _commit(token, [next(tokens, "") for _ in range(4)]), []
    if commit and touched:
        yield commit, touched


def _commit(token: str, fields: list[str]) -> Change:
    """A commit by the first part of its entry and the four that follow; an address of e-mail is nobody's name."""
    at, by, subject, body = fields
    if not token.startswith(_START) or not at.isdecimal():
        raise GitError("the log has another form than was asked for")
    name = "" if "@" in by else " ".join(by.split())[:LONGEST_NAME]
    if subject.startswith("Merge pull request "):  # which says what it is in the first line of its body
        subject = next((line.strip() for line in body.splitlines() if line.strip()), subject)
    title = " ".join("".join(letter if letter.isprintable() else " " for letter in subject).split())
    return Change(token[1:], 0, int(at), name, title, "", "")


class Versions:
    """The texts of former versions, from one git process in each process of the build, begun when first asked."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._owner = 0
        self._process: subprocess.Popen[bytes] | None = None

    def text(self, name: str) -> bytes | None:
        """The text of one version; None where there is none of this id, or it is too large."""
        try:
            if self._process is None or self._owner != os.getpid():
                self._owner, self._process = os.getpid(), self._git.batch()
                weakref.finalize(self, _end, self._process, self._owner)
            return _ask(self._process, name)
        except (OSError, ValueError):
            self._process = None
            return None


def _ask(process: subprocess.Popen[bytes], name: str) -> bytes | None:
    if process.stdin is None or process.stdout is None:
        raise ValueError("the process has no pipes")
    process.stdin.write(name.encode() + b"\n")
    process.stdin.flush()
    head = process.stdout.readline().split()
    if head[1:] == [b"missing"]:
        return None
    _, kind, size = head
    text = process.stdout.read(int(size) + 1)[: int(size)]
    return text if kind == b"blob" and len(text) <= MOST_BYTES else None


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    """End the process, which does so when its input ends; a fork that inherited it leaves it alone."""
    if os.getpid() == owner:
        process.communicate()
