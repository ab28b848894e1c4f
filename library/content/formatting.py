"""The canonical form of a content file, what `fmt` writes, and small changes that keep it. Comments stay."""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import lru_cache, reduce
from itertools import groupby
from operator import getitem
from pathlib import Path
from textwrap import wrap
from typing import Any

import yaml

from ..durable import replace_file
from ..problems import FORM, Mend, Pointer, Problem, UsageError
from ..records.collection import Library
from ..records.schemas import MARK, schema_line
from .loading import FILES, FOLDERS, TYPED, check, errors_in, is_typed, scan, some_bytes
from .yamlfile import Value, comments, decode, is_trap, parse

FindProblems = Callable[[Path, date], tuple[Library, list[Problem]]]
"""What finds the problems of a content folder: `loading.check`, or the judgment before a merge."""
Tree = Any  # a value whose parts are changed in their place; None stands for one that is removed
Notes = dict[tuple[Pointer, str], list[str]]
"""The comments of a file by the value that they belong to, and where: `above` it, `beside` it or `below` it; those of
the whole file are its `head` and its `tail`."""
WIDTH = 100
_NO_WIDTH = 1 << 20
_LONGEST_KEY = 128  # a key that is longer stands after a question mark, its value below it after a colon
_ROUNDS = 20
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_FOLDABLE = re.compile("[!-~\u00a1-\U0010ffff]+(?: [!-~\u00a1-\U0010ffff]+)+")
"""Words with single spaces between them and nothing that a folded block could not hold."""
_NOT_LITERAL = re.compile(r"\A\s|[ \t](?:\n|\Z)|\n\n\Z|[^\n -~\u00a1-\U0010ffff]")
"""What a literal block cannot hold: a blank beginning, blanks at line ends, a blank end, odd characters."""


def format_files(paths: Collection[Path], content: Path, *, write: bool) -> tuple[list[Path], list[Problem]]:
    """Bring files of the content into the canonical form: what changed (or would), and what kept others from it.

    Raises `UsageError` for a path that is no file of the content.
    """
    found, problems = scan(content)
    files = [item.file for item in found if is_typed(item.file)]
    wanted = {file for path in paths for file in _files_of(path, content, files)} if paths else files
    changed: list[Path] = []
    problems = [problem for problem in problems if problem.code == "unreadable"]
    for file in filter(wanted.__contains__, files):
        path = content / file
        try:
            raw = some_bytes(path)
            result = format_bytes(raw, file)
            if isinstance(result, list):
                problems.extend(result)
            elif result != raw:
                if write:
                    replace_file(path, result)
                changed.append(path)
        except OSError as error:
            problems.append(Problem(file, (), "unreadable", f"cannot be read or written: {error.strerror}"))
    return changed, problems


def _files_of(path: Path, content: Path, files: Iterable[str]) -> list[str]:
    """The files of the content that a path is, or holds."""
    top, whole = content.resolve(), path.resolve()
    found = [file for file in files if f"{top}/{file}/".startswith(f"{whole}/")] if whole.is_relative_to(top) else []
    if not found:
        raise UsageError(f"{path} is no file of {content}; fmt formats nothing else (name another with --content)")
    return found


def fix_files(content: Path, today: date, find: FindProblems = check) -> list[Problem]:
    """Make the changes that mend problems for sure, in files that can be read: the problems that are mended by them.

    One change may show what the next is (a key is read once it has its name), so it goes on as long as there is one.
    """
    done: list[Problem] = []
    for _ in range(_ROUNDS):
        mendable = [problem for problem in find(content, today)[1] if problem.mend]
        files = groupby(mendable, key=lambda problem: problem.file)
        fixed = [problem for file, group in files for problem in _fix_file(content / file, file, list(group))]
        if not fixed:
            break
        done.extend(fixed)
    return done


def _fix_file(path: Path, file: str, problems: list[Problem]) -> list[Problem]:
    """The problems that were mended in one file, one a place: all, or the first that loses no comment."""
    problems = list({(problem.pointer, problem.mend == FORM): problem for problem in problems}.values())
    with suppress(OSError, LookupError):  # `check` says so itself; it may have been changed since
        raw = some_bytes(path)
        for chosen in (problems, *([problem] for problem in problems)):
            result = format_bytes(raw, file, chosen)
            if not isinstance(result, list) and result != raw:
                replace_file(path, result)
                return chosen
    return []


def format_bytes(raw: bytes, file: str, problems: Iterable[Problem] = ()) -> bytes | list[Problem]:
    """The canonical form of a file, with these problems mended, or what keeps it from having one.

    A byte order mark, CR and CRLF are mended on the way. The result holds exactly the same values and comments and
    needs no further change, or it is not given.
    """
    found = _read(raw, file)
    if isinstance(found, list):
        return found
    value, notes = found
    changes = {problem.pointer: problem.mend for problem in problems if problem.mend and problem.mend != FORM}
    for pointer in sorted(changes, reverse=True):  # what a key holds before the key has another name
        notes = _change(value, notes, pointer, changes[pointer])
    return _shaped(value, notes, file)


def changed(
    raw: bytes,
    file: str,
    *,
    fields: Mapping[str, Value | None] | None = None,
    items: Mapping[str, Sequence[Value]] | None = None,
) -> bytes | list[Problem]:
    """The canonical form of a file with top-level fields set (None removes one) and items put after those of lists.

    Every comment stays but those of a field that is removed and within one that is set. What keeps the file from being
    changed is given instead.
    """
    found = _read(raw, file)
    if isinstance(found, list):
        return found
    value, notes = found
    if not isinstance(value, dict):
        return [Problem(file, (), "not-a-mapping", "the file must hold a mapping of keys to values")]
    for key, new in (fields or {}).items():
        stays = {((key,), "above")} if new is not None else set()
        notes = {at: lines for at, lines in notes.items() if at in stays or at[0][:1] != (key,)}
        value[key] = new
    for key, more in (items or {}).items():
        value[key] = [*(value.get(key) or ()), *more]
    return _shaped(value, notes, file)


def canonical(value: Value, file: str) -> bytes:
    """A record's values as a new file in the canonical form."""
    return _written(value, {((), "head"): [schema_line(file)] if schema_line(file) else []}, file).encode()


def _read(raw: bytes, file: str) -> tuple[Tree, Notes] | list[Problem]:
    """What a file holds, and its comments; or what keeps it from being read."""
    text = decode(raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n"), file)
    if isinstance(text, Problem):
        return [text]
    document = parse(text, file, typed=TYPED)
    errors = list(errors_in(document.problems))
    if errors or document.value is None:
        return errors
    notes = _notes(text, document.marks)
    if not text.startswith(MARK) and (line := schema_line(file)):
        notes[(), "head"].insert(0, line)
    return document.value, notes


def _notes(text: str, marks: Mapping[Pointer, tuple[int, int]]) -> Notes:
    """The comments of a text, by what they belong to."""
    lines = text.split("\n")
    pointers = [pointer for pointer in marks if pointer]
    places = [marks[pointer] for pointer in pointers]
    top = lines[: places[0][0] - 1] if places else []
    headed = max((number for number, line in enumerate(top, 1) if not line.strip()), default=0)
    headed = headed or int(text.startswith(MARK))
    notes: dict[tuple[Pointer, str], list[str]] = defaultdict(list)
    head = notes[(), "head"]
    for text_line in map(str.strip, top[:headed]):
        if text_line.startswith("#") or (head and head[-1] and not text_line):
            head.append(text_line)
    for line, column, comment in comments(text):
        before, index = lines[line - 1][: column - 1], bisect_left(places, (line, column))
        last, following = pointers[index - 1 : index], pointers[index : index + 1]
        if line <= headed and not before.strip():
            continue
        if last and before.strip(" -[{") and (last[0], "beside") not in notes:
            spaces = len(before) - len(before.rstrip())
            notes[last[0], "beside"] = [" " * spaces + comment]
        elif last and not before.strip() and column > (places[index][1] if following else 1):
            notes[last[0], "below"].append(comment)
        else:
            notes[(following[0], "above") if following else ((), "tail")].append(comment)
    return notes


def _change(value: Tree, notes: Notes, pointer: Pointer, mend: Mend) -> Notes:
    """Make one change in these values, in their place: the comments as they are then. What is removed is None."""
    inside, key = reduce(getitem, pointer[:-1], value), pointer[-1]
    if mend.change != "rename":
        inside[key] = mend.word if mend.change == "write" else None
        return notes
    entries = [(mend.word if name == key else name, inner) for name, inner in inside.items()]
    inside.clear()
    inside.update(entries)
    size, fresh = len(pointer), (*pointer[:-1], mend.word)
    return {((*fresh, *at[size:]) if at[:size] == pointer else at, where): text for (at, where), text in notes.items()}


def _shaped(value: Tree, notes: Notes, file: str) -> bytes | list[Problem]:
    """The canonical form, once it holds these values and comments and needs no further change."""
    kept = Counter(line.strip() for lines in notes.values() for line in lines if line)
    if isinstance(value, dict | list):
        shaped = _written(value, notes, file)
        again = parse(shaped, file, typed=TYPED)
        same = again.value == _without_removed(value) and not any(errors_in(again.problems))
        same = same and Counter(comment for *_, comment in comments(shaped)) == kept
        if same and _written(again.value, _notes(shaped, again.marks), file) == shaped:
            return shaped.encode()
    message = "cannot be brought into the canonical form without a loss of values or comments; simplify its layout"
    return [Problem(file, (), "not-formatted", message)]


def _without_removed(value: Tree) -> Tree:
    if isinstance(value, dict):
        return {key: _without_removed(inner) for key, inner in value.items() if inner is not None}
    return [_without_removed(inner) for inner in value if inner is not None] if isinstance(value, list) else value


def _written(value: Tree, notes: Notes, file: str) -> str:
    """Values and comments as text, top-level keys in the model's order."""
    if isinstance(value, dict):
        model = FILES.get(file) or FOLDERS.get(file.split("/", 1)[0])
        places = {key: place for place, key in enumerate(model.model_fields if model else ())}
        value = dict(sorted(value.items(), key=lambda entry: places.get(entry[0], len(places))))
    lines = [*notes.get(((), "head"), ()), *_block(value, (), 0, notes), *notes.get(((), "tail"), ())]
    return "\n".join(lines) + "\n"


def _block(value: Tree, pointer: Pointer, indent: int, notes: Notes) -> Iterator[str]:
    """The lines of a mapping or a list whose keys or dashes stand `indent` columns in."""
    pad = " " * indent
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        place = (*pointer, key)
        above, beside, below = (notes.get((place, where), ()) for where in ("above", "beside", "below"))
        yield from (pad + comment for comment in above)
        label, end = "-" if isinstance(key, int) else f"{_word(key)}:", "".join(beside)
        if len(label) > _LONGEST_KEY and inner is not None:
            yield f"{pad}? {label[:-1]}"
            label = ":"
        if isinstance(inner, str):
            first, *rest = _scalar(str(inner), key, indent)  # words of closed sets are texts too
            yield from (f"{pad}{label} {first}{end}", *rest)
        elif inner and label in ("-", ":"):
            lines = list(_block(inner, place, indent + 2, notes))
            begin = next(number for number, line in enumerate(lines) if not line.lstrip().startswith("#"))
            yield from (pad + line.strip() for line in (*beside, *lines[:begin]))
            yield from (f"{pad}{label} {lines[begin].lstrip()}", *lines[begin + 1 :])
        elif inner:
            yield from (f"{pad}{label}{end}", *_block(inner, place, indent + 2, notes))
        elif inner is not None:
            yield f"{pad}{label} {'{}' if isinstance(inner, dict) else '[]'}{end}"
        yield from (pad + comment for comment in below)


def _scalar(text: str, key: str | int, indent: int) -> list[str]:
    """A string in its style, for a key or dash `indent` columns in: its first line, and those below.

    Literal with line breaks, folded when long, quoted where another reader would see no string.
    """
    if _stands_plain(text, typed=key in TYPED):
        return [text]
    if key in TYPED or _DATE.fullmatch(text) or is_trap(text):
        return [_quoted(text)]
    pad = " " * (indent + 2)
    if "\n" in text:
        if _NOT_LITERAL.search(text):
            return [_quoted(text)]
        body = [pad + line if line else "" for line in text.removesuffix("\n").split("\n")]
        return ["|" if text.endswith("\n") else "|-", *body]
    column = indent + 2 if isinstance(key, int) else indent
    start = column if str(key).isdigit() else column + len(str(key)) + 2
    if start + len(text) > WIDTH and _FOLDABLE.fullmatch(text):
        width = WIDTH - column - 2
        return [">-", *(pad + line for line in wrap(text, width, break_long_words=False, break_on_hyphens=False))]
    same = parse(f"k: {text}\n", "").value == {"k": text}
    return [_word(text) if same or ('"' in text and "'" not in text) else _quoted(text)]


def _stands_plain(text: str, *, typed: bool) -> bool:
    """Whether it is the number or truth value of a field that holds such, or a date, which stand plain."""
    if typed:
        return re.fullmatch(r"true|false|0|[1-9]\d{0,8}", text, re.ASCII) is not None
    with suppress(ValueError):
        return bool(_DATE.fullmatch(text) and date.fromisoformat(text))
    return False


def _quoted(text: str) -> str:
    quoted: str = yaml.safe_dump(text, default_style='"', allow_unicode=True, width=_NO_WIDTH)
    return quoted.rstrip("\n")


@lru_cache(maxsize=1024)
def _word(text: str) -> str:
    """A text in one line, plain where it can be, else in single quotes."""
    dumped: str = yaml.safe_dump([text], default_flow_style=False, allow_unicode=True, width=_NO_WIDTH)
    return dumped.removeprefix("- ").rstrip("\n")
