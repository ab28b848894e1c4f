"""Reads the history of a content folder from git: one `git log`, kept, and asked only for what is new since."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import weakref
from collections.abc import Iterator
from pathlib import Path

import msgspec

from .changelog import Change, Changes, History

FORMAT = 2
SECONDS = 120
"""A git that takes longer is ended, and nothing is known of the history then."""

MOST_BYTES = 1 << 20
"""A version that is larger is not read: no record of this library is."""

LONGEST_NAME = 80
_FOLDERS = ("playbooks", "lessons")
_FILE = re.compile(r"(playbooks|lessons)/[a-z0-9-]+\.yaml")
_SEAL = 32
_START = "\x01"
_FORM = f"--format={_START}%H%x00%ct%x00%an%x00%s%x00%b%x00"
_GIT = ("git", "--no-replace-objects", "-c", "log.showRoot=true", "-c", "core.quotePath=false",
        "-c", "log.diffMerges=separate")  # fmt: skip
_LOG = ("log", "-z", "--first-parent", "-m", "--raw", "--no-abbrev", "--no-renames", "--relative", "--encoding=UTF-8",
        "--no-show-signature", "--no-color", "--no-ext-diff", _FORM)  # fmt: skip


class GitTrouble(Exception):
    """Git is not there, or did not answer; nothing is known of the history then, and the build goes on."""


class HistoryCache(msgspec.Struct):
    """What the last reading found, up to the commit `head`; `folder` is where in the repository the content lies."""

    format: int
    folder: str
    head: str
    count: int
    files: dict[str, list[Change]]


def read_history(content: Path, kept: Path) -> History:
    """The history of a content folder; `kept` is the file that remembers it between builds.

    It is empty where the folder lies in no git repository, in one that has no commit, or in a shallow clone, which
    would take the oldest commit that it has for the one that added everything.
    """
    try:
        told = _git(content, "rev-parse", "--is-shallow-repository", "HEAD", "--show-prefix")
        shallow, head, folder = told.decode("utf-8", "surrogateescape").split("\n")[:3]
    except (GitTrouble, ValueError):
        return History()
    if shallow != "false":
        return History()
    texts = Versions(content)
    folder = folder.encode("utf-8", "replace").decode()
    return History(f"{head} {folder}".rstrip(), lambda: _changes(content, kept, head, folder), texts.text)


def head_of(content: Path) -> bytes:
    """The commit that is checked out; empty where there is none."""
    try:
        return _git(content, "rev-parse", "--quiet", "--verify", "HEAD")
    except GitTrouble:
        return b""


def _git(content: Path, *arguments: str) -> bytes:
    """What git prints. The folder alone says which repository: not the environment, which a hook fills with another."""
    try:
        done = subprocess.run(
            [*_GIT, *arguments], cwd=content, env=_environment(), capture_output=True, timeout=SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise GitTrouble(str(error)) from error
    return done.stdout


def _environment() -> dict[str, str]:
    others = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**others, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}


def _changes(content: Path, path: Path, head: str, folder: str) -> Changes | None:
    """All changes: those that are kept, and before them what is new; everything anew where the main line is another.

    None where git does not answer.
    """
    kept = _load(path)
    if kept and kept.folder != folder:
        kept = None
    if kept and kept.head == head:
        return kept.files
    try:
        since = kept if kept and _follows(content, kept.head, head) else HistoryCache(FORMAT, folder, "", 0, {})
        count = since.count
        fresh = list(_read(_git(content, *_LOG, f"{since.head}..{head}" if since.head else head, "--", *_FOLDERS)))
    except GitTrouble:
        return None
    for number, (commit, touched) in enumerate(reversed(fresh), count):
        for file, before, after in touched:
            change = msgspec.structs.replace(commit, number=number, before=before, after=after)
            since.files.setdefault(file, []).insert(0, change)
    _save(path, HistoryCache(FORMAT, folder, head, count + len(fresh), since.files))
    return since.files


def _follows(content: Path, known: str, head: str) -> bool:
    """Whether the known commit lies on the main line of `head`: only then nothing before it can be another.

    One that was amended and cleared away, or is of a repository that lay here before, is not even there.
    """
    try:
        lines = _git(content, "rev-list", "--first-parent", "--parents", f"{known}..{head}").decode().splitlines()
    except GitTrouble:
        return False
    return bool(lines) and lines[-1].split()[1:2] == [known]


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
    """A commit by the first part of its entry and the four that follow."""
    at, by, title, body = fields
    if not token.startswith(_START) or not at.isdecimal():
        raise GitTrouble("the log has another form than was asked for")
    return Change(token[1:], 0, int(at), _shown(by), _title(title, body), "", "")


def _shown(name: str) -> str:
    """An author's name as it may be shown: on one line, and never an address of e-mail."""
    one_line = " ".join(name.split())
    return "" if "@" in one_line else one_line[:LONGEST_NAME]


def _title(subject: str, body: str) -> str:
    """What a commit says of itself; a merge of a pull request says it in the first line of its body."""
    first = next((line.strip() for line in body.splitlines() if line.strip()), "")
    said = first if subject.startswith("Merge pull request ") and first else subject
    return " ".join("".join(letter if letter.isprintable() else " " for letter in said).split())


def _load(path: Path) -> HistoryCache | None:
    """What was kept; None where it is not there, damaged, or of another form."""
    try:
        raw = path.read_bytes()
        kept = msgspec.msgpack.decode(raw[_SEAL:], type=HistoryCache)
    except (OSError, msgspec.DecodeError):
        return None
    return kept if hashlib.sha256(raw[_SEAL:]).digest() == raw[:_SEAL] and kept.format == FORMAT else None


def _save(path: Path, kept: HistoryCache) -> None:
    """Keep it in one piece. It is only a cache: where it cannot be written, the next build reads the log again."""
    body = msgspec.msgpack.encode(kept)
    fresh = path.with_suffix(".new")
    try:
        fresh.write_bytes(hashlib.sha256(body).digest() + body)
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)


class Versions:
    """The texts of former versions, from one git process in each process of the build, begun when first asked."""

    def __init__(self, content: Path) -> None:
        self._content = content
        self._of = 0
        self._process: subprocess.Popen[bytes] | None = None

    def text(self, name: str) -> bytes | None:
        """The text of one version; None where there is none of this id, or it is too large."""
        try:
            process = self._process if self._process and self._of == os.getpid() else self._begin()
            return _ask(process, name)
        except (OSError, ValueError):
            self._process = None
            return None

    def _begin(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [*_GIT, "cat-file", "--batch"],
            cwd=self._content,
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._of, self._process = os.getpid(), process
        weakref.finalize(self, _end, process, os.getpid())
        return process


def _ask(process: subprocess.Popen[bytes], name: str) -> bytes | None:
    if process.stdin is None or process.stdout is None:
        raise ValueError("the process has no pipes")
    process.stdin.write(name.encode() + b"\n")
    process.stdin.flush()
    head = process.stdout.readline().split()
    if len(head) != 3:  # id, type, size; or two words: the id and `missing`
        if head[1:] != [b"missing"]:
            raise ValueError("git does not answer")
        return None
    size = int(head[2])
    text = process.stdout.read(size + 1)[:size]
    return text if head[1] == b"blob" and size <= MOST_BYTES else None


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    """End the process, which does so when its input ends; a fork that inherited it leaves it alone."""
    if os.getpid() != owner:
        return
    process.communicate()
