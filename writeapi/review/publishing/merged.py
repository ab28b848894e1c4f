"""Whether a change that was put on a branch is in the repository that the site is built from."""

import re
from collections import Counter
from datetime import datetime

from library.content.git import Git
from writeapi.keys import is_id
from writeapi.store import OutboxEntry

from .parcels import trailer

_COMMIT = re.compile(r"branch \S+ at ([0-9a-f]{12})\b")


def is_merged(git: Git, entry: OutboxEntry, built: bytes) -> bool:
    """Whether a written entry is merged into what is checked out, though its file is not what was sent any more.

    It is when its commit is an ancestor of the checkout, when a commit there that is not older names the submission (a
    squashed merge), or when `built`, the bytes of its file now, have every line that it added. Raises `GitError`.
    """
    found = _COMMIT.match(entry.went or "")
    commit = git.commit_at(found[1]) if found else None
    if commit and git.asks("merge-base", "--is-ancestor", commit, "HEAD") is not None:
        return True
    return _is_named(git, entry) or bool(commit and _has_lines(git, commit, entry, built))


def _is_named(git: Git, entry: OutboxEntry) -> bool:
    """Whether a commit that is merged has the submission's line in its message, and is not of an older decision."""
    if not is_id(entry.subject):
        return False
    times = git.asks("log", "--fixed-strings", f"--grep={trailer(entry.subject)}", "--format=%ct", "HEAD", "--")
    decided = int(datetime.fromisoformat(entry.created).timestamp())
    return any(int(time) >= decided for time in (times or "").split())


def _has_lines(git: Git, commit: str, entry: OutboxEntry, built: bytes) -> bool:
    """Whether each line is there that the commit added; where it only took lines out, whether those are out."""
    old = git.asks("cat-file", "blob", f"{commit}^:{git.prefix}{entry.file}")
    if old is None or entry.text is None:
        return False
    was, sent, now = (_lines(text) for text in (old, entry.text, built.decode(errors="replace")))
    if added := sent - was:
        return all(now[line] >= sent[line] for line in added)
    return all(now[line] <= sent[line] for line in was - sent)


def _lines(text: str) -> Counter[str]:
    return Counter(line.strip() for line in text.splitlines() if line.strip())
