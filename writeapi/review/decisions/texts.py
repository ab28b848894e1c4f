"""Editors' texts before they count: their names, what they replace, and every check of the content on them."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pydantic import TypeAdapter, ValidationError

from library.content.formatting import format_bytes
from library.interface.errors import codes_for
from library.problems import ContentError, LibraryError, Problem, count_of, in_order
from library.records.fields import Text
from library.records.naming import name_problem
from library.records.vocabulary import Decision
from library.rules.judgment import Trial, trial
from writeapi.store.records import DraftFile

from ..services import ReviewServices

MAX_FILES = 20  # how many files one submission may become
MAX_CHARACTERS = 400_000  # how much the texts of one submission may hold together: no file of the content comes near
OLDER = (
    "the file was changed since this was begun; begin again from it as it is, or compare, and confirm that your text"
    " takes its place"
)
"""What a text is told that was made from an older file: saving it anew would undo what somebody else changed."""

_TEXT = TypeAdapter[str](Text)


class EditRefused(LibraryError):
    """What an editor asked for breaks a rule; `problems` names every place and its mend. Nothing was changed."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(in_order(problems))
        super().__init__("\n".join(sentence(problem) for problem in self.problems))


def sentence(problem: Problem) -> str:
    """A problem as people read it."""
    if problem.file:
        return str(problem)
    return f"{problem.field}: {problem.message} [{problem.code}]" if problem.field else problem.message


def of_library(error: ContentError) -> str:
    """What keeps everything from being tried, apart from the problems of what was sent or typed."""
    found = error.problems
    told = f"{count_of(len(found), 'problem')}, the first: {found[0]}" if found else str(error)
    return f"the library itself does not pass its checks: {told}; `playbooks check` says them all"


def refuse(problems: Iterable[Problem]) -> None:
    """Raise `EditRefused` with these problems, in order, if there are any."""
    if found := tuple(problems):
        raise EditRefused(found)


def digest(text: str | bytes) -> str:
    """What a file is known by when somebody changes it: the SHA-256 of its bytes, in hexadecimal."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def unix(text: str) -> str:
    """A text as files hold it: forms send CRLF, and some editors a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def raw(text: str) -> bytes:
    """The bytes of a text; half of a surrogate pair becomes bytes that the checks refuse."""
    return text.encode("utf-8", "surrogatepass")


def text_problems(**texts: str | None) -> list[Problem]:
    """What is wrong with texts that an editor typed, each under its name; one that is None was left out."""
    found: list[Problem] = []
    for name, value in texts.items():
        try:
            _TEXT.validate_python(value or "" if value is not None else "-")
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            message = "is empty; write it" if not (value or "").strip() else first["msg"]
            found.append(Problem("", (name,), first["type"].replace("_", "-"), message))
    return found


def reason_problems(decision: Decision, reasons: Sequence[str], note: str | None) -> list[Problem]:
    """What is wrong with the reasons of a decision: there is at least one, each known, and `other` explains itself."""
    known = codes_for(decision)
    found = text_problems(note=note)
    words = f"known are {', '.join(known)}"
    if not reasons:
        found.append(Problem("", ("reasons",), "missing-field", f"name at least one; {words}"))
    for reason in (reason for reason in reasons if reason not in known):
        message = f"{reason[:40]!r} is no reason for this decision; {words}"
        found.append(Problem("", ("reasons",), "unknown-reason", message))
    if "other" in reasons and note is None:
        found.append(Problem("", ("note",), "missing-field", "say why: the reason `other` says nothing by itself"))
    return found


def try_texts(review: ReviewServices, texts: Mapping[str, str]) -> Trial:
    """These texts tried in the content: the problems of those with a good name, and the names that are not."""
    named = {file: name_problem(file) for file in texts}
    bytes_of = {file: raw(unix(text)) for file, text in texts.items() if named[file] is None}

    def present(file: str) -> bytes | None:
        return None if (text := review.shelf.text(file)) is None else raw(text)

    attempt = trial(review.shelf.library(), bytes_of, present)
    return replace(attempt, problems=tuple(in_order([*attempt.problems, *filter(None, named.values())])))


def size_problems(texts: Mapping[str, str]) -> list[Problem]:
    """Where texts, by file name, are more than one submission may become."""
    found: list[Problem] = []
    if len(texts) > MAX_FILES:
        message = f"one submission becomes 1 to {MAX_FILES} files; here are {len(texts)}"
        found.append(Problem("", (), "files", message))
    if (size := sum(map(len, texts.values()))) > MAX_CHARACTERS:
        message = f"its texts hold {size:,} characters together, and {MAX_CHARACTERS:,} are the most; shorten them"
        found.append(Problem("", (), "too-long", message))
    return found


def base_problems(review: ReviewServices, files: Sequence[DraftFile]) -> list[Problem]:
    """Where a file does not stand any more on what it was made from, or its name is another's."""
    found: list[Problem] = []
    for item in files:
        now = None if name_problem(item.file) else review.shelf.text(item.file)
        if now is None and item.base is not None:
            wrong = ("base-changed", "the file that this changes is there no more")
        elif now is not None and item.base is None:
            wrong = ("place-taken", "there is a record of this name; choose another, or edit that one")
        elif now is not None and digest(now) != item.base:
            wrong = ("base-changed", OLDER)
        else:
            continue
        found.append(Problem(item.file, (), *wrong))
    return found


def ready(review: ReviewServices, files: Sequence[DraftFile]) -> list[DraftFile]:
    """The files as the outbox takes them, in canonical form; those that would change nothing are left out.

    Raises `EditRefused` with every problem of every file.
    """
    texts = {item.file: unix(item.text) for item in files}
    problems = [*try_texts(review, texts).problems, *size_problems(texts), *base_problems(review, files)]
    if not files:
        problems.append(Problem("", (), "files", f"one submission becomes 1 to {MAX_FILES} files; here are 0"))
    refuse(problems)
    sent: list[DraftFile] = []
    for item in files:
        shaped = format_bytes(raw(texts[item.file]), item.file)
        if isinstance(shaped, list):
            problems.extend(shaped)
            continue
        before = None if item.base is None else review.shelf.text(item.file)
        if before is None or shaped != format_bytes(raw(unix(before)), item.file):
            sent.append(DraftFile(item.file, shaped.decode(), item.base, before))
    if not sent and not problems:  # only values and comments are a change
        message = "nothing is changed here; make the change, or reject it"
        problems.append(Problem(files[0].file, (), "nothing-changed", message))
    refuse(problems)
    return sent
