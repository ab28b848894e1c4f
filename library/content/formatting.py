"""The canonical form of a content file, what `fmt` writes, and small changes that keep it. Comments stay."""

import io
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import reduce
from itertools import groupby, takewhile
from operator import getitem
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML, scalarstring
from ruamel.yaml.comments import CommentedMap, CommentedSeq

from ..durable import replace_file
from ..problems import FORM, Mend, Problem, UsageError
from ..records.collection import Library
from ..records.schemas import MARK, schema_line
from .loading import FILES, FOLDERS, TYPED, check, errors_in, is_typed, placed_in, scan, some_bytes
from .yamlfile import Value, comments, decode, is_trap, parse

FindProblems = Callable[[Path, date], tuple[Library, list[Problem]]]
"""What finds the problems of a content folder: `loading.check`, or the judgment before a merge."""

Tree = Any
"""A mapping, a list or a text, plain or of ruamel.yaml, whose trees have no types."""
WIDTH = 100
_ROUNDS = 20
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_FOLDABLE = re.compile("[!-~\u00a1-\U0010ffff]+(?: [!-~\u00a1-\U0010ffff]+)+")
"""Words with single spaces between them and nothing that a folded block could not hold."""
_NOT_LITERAL = re.compile(r"\A\s|[ \t]+(?:\n|\Z)|\n\n\Z|[^\n -~\u00a1-\U0010ffff]")
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
    with suppress(OSError):  # `check` says so itself
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
    mended = raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    text = decode(mended, file)
    if isinstance(text, Problem):
        return [text]
    document = parse(text, file, typed=TYPED)
    errors = list(errors_in(document.problems))
    if errors or document.value is None:
        return placed_in(text, file, errors)
    text = _with_schema(text, file)
    try:
        shaped = _settled(_mended(text, document.value, problems), document.value, file)
    except Exception:  # noqa: BLE001 - ruamel.yaml raises errors of many kinds on layouts that it cannot keep
        shaped = None
    if shaped is None or comments(shaped) != comments(text):
        message = "cannot be brought into the canonical form without a loss of values or comments; simplify its layout"
        return [Problem(file, (), "not-formatted", message)]
    return shaped.encode()


def _mended(text: str, value: Tree, problems: Iterable[Problem]) -> str:
    """The text with the changes of these problems in it, as `value` has them then; its comments stay."""
    changes = {problem.pointer: problem.mend for problem in problems if problem.mend and problem.mend != FORM}
    if not changes:
        return text
    tree = _yaml().load(_dumped(text, value))
    for pointer in sorted(changes, reverse=True):  # a removed item moves those behind it
        for top in (tree, value):
            _change(reduce(getitem, pointer[:-1], top), pointer[-1], changes[pointer])
    return _dump(tree)


def _change(inside: Tree, key: Tree, mend: Mend) -> None:
    if mend.change == "write":
        inside[key] = mend.word
    elif mend.change == "remove":
        del inside[key]
    elif isinstance(inside, CommentedMap):
        place, beside = list(inside).index(key), inside.ca.items.pop(key, None)
        inside.insert(place, mend.word, inside.pop(key))
        if beside:
            inside.ca.items[mend.word] = beside
    else:
        inside[mend.word] = inside.pop(key)


def _settled(text: str, value: Value, file: str) -> str | None:
    """The form that a further round would not change; None when there is none, or its values are not these."""
    for _ in range(3):
        shaped = in_order(_dumped(text, value), file)
        again = parse(shaped, file, typed=TYPED)
        if again.value != value or list(errors_in(again.problems)):
            return None
        if shaped == text:
            return shaped
        text = shaped
    return None


def _with_schema(text: str, file: str) -> str:
    line = schema_line(file)
    return text if not line or text.startswith(MARK) else f"{line}\n{text}"


def canonical(value: Value, file: str) -> bytes:
    """A record's values as a new file in the canonical form."""
    return _with_schema(canonical_text(value, file), file).encode()


def canonical_text(value: Value, file: str) -> str:
    """Values in the canonical form, as they stand in a file below its first line."""
    return in_order(_dump(_styled(value, 0, "")), file)


def _yaml() -> YAML:
    yaml = YAML(typ="rt")
    yaml.indent(mapping=2, sequence=4, offset=2)
    yaml.width = 1_000_000  # where a line breaks is decided here, in `_folded`
    yaml.allow_unicode = True
    return yaml


def _dumped(text: str, value: Value) -> str:
    """The text's own tree, so that its comments stay, with each scalar in the style that its value wants."""
    tree = _yaml().load(text)
    if not isinstance(tree, CommentedMap | CommentedSeq):
        return text
    _restyle(tree, value, 0)
    return _dump(tree)


def _dump(tree: Tree) -> str:
    out = io.StringIO()
    _yaml().dump(tree, out)
    return re.sub(r"[ \t]+$", "", out.getvalue(), flags=re.MULTILINE)


def _restyle(tree: Tree, value: Tree, indent: int) -> None:
    """Put the parsed strings in the tree's places; the tree keeps its comments."""
    tree.fa.set_block_style()
    for key, inner in _pairs(value):
        if isinstance(inner, str):
            tree[key] = _scalar(inner, _deeper(value, inner, indent), str(key))
        elif inner:
            _restyle(tree[key], inner, _deeper(value, inner, indent))


def _styled(value: Value, indent: int, key: str) -> Tree:
    if isinstance(value, str):
        return _scalar(value, indent, key)
    styled = [(name, _styled(inner, _deeper(value, inner, indent), str(name))) for name, inner in _pairs(value)]
    return CommentedMap(styled) if isinstance(value, dict) else CommentedSeq([inner for _, inner in styled])


def _pairs(value: Tree) -> Iterable[tuple[Tree, Tree]]:
    return value.items() if isinstance(value, dict) else enumerate(value)


def _deeper(outer: Tree, inner: Tree, indent: int) -> int:
    """The column at which the keys, items or text of `inner` begin, those of `outer` beginning at `indent`."""
    if isinstance(outer, list):
        return indent + 4
    return indent + 2 if isinstance(inner, dict) else indent


def _scalar(text: str, indent: int, key: str) -> object:
    """A string in its style.

    Literal with line breaks, folded when long, quoted where another reader would see no string.
    """
    plain: object = _plain_value(text, typed=key in TYPED)
    if plain is not None:
        return plain
    if key in TYPED or _DATE.fullmatch(text) or is_trap(text):
        return scalarstring.DoubleQuotedScalarString(text)
    if "\n" in text and not _NOT_LITERAL.search(text):
        return scalarstring.LiteralScalarString(text)
    start = indent if key.isdigit() else indent + len(key) + 2
    if start + len(text) > WIDTH and _FOLDABLE.fullmatch(text):
        return _folded(text, WIDTH - indent - 2)
    same = parse(f"k: {text}\n", "").value == {"k": text}
    return scalarstring.PlainScalarString(text) if same or '"' in text else scalarstring.DoubleQuotedScalarString(text)


def _plain_value(text: str, *, typed: bool) -> object:
    """The number or truth value of a field that holds such, or a date, which stand plain; None of any other text."""
    if typed and text in ("true", "false"):
        return text == "true"
    if typed:
        return int(text) if re.fullmatch(r"0|[1-9]\d{0,8}", text) else None
    with suppress(ValueError):
        return date.fromisoformat(text) if _DATE.fullmatch(text) else None
    return None


def _folded(text: str, width: int) -> scalarstring.FoldedScalarString:
    """A long line as a folded block: broken at the last space before `width`."""
    breaks: list[int] = []
    start = 0
    for match in re.finditer(" ", text):
        end = text.find(" ", match.end())
        if (len(text) if end < 0 else end) - start > width:
            breaks.append(match.start())
            start = match.end()
    folded: scalarstring.FoldedScalarString = scalarstring.FoldedScalarString(text)
    setattr(folded, "fold_pos", breaks)  # noqa: B010 - ruamel makes the attribute when it reads a folded block
    return folded


def in_order(text: str, file: str) -> str:
    """Top-level keys in the model's order, each with the comment above it; what stands at the very top stays there."""
    head, blocks = blocks_of(text)
    model = FILES.get(file) or FOLDERS.get(file.split("/", 1)[0])
    places = {key: place for place, key in enumerate(model.model_fields if model else ())}
    blocks.sort(key=lambda block: places.get(key_of(block), len(places)))
    return "\n".join([*head, *(line for block in blocks for line in block)]).rstrip("\n") + "\n"


def blocks_of(text: str) -> tuple[list[str], list[list[str]]]:
    """A text as its head and one block of lines for each top-level key.

    Blank lines stay only within a value and under the head.
    """
    head: list[str] = []
    blocks: list[list[str]] = []
    comments: list[str] = []
    blanks = 0
    for line in text.splitlines():
        if not line:
            blanks += 1
            if not blocks and comments:
                head, comments = [*head, *comments, ""], []
            continue
        if line.startswith("#"):
            comments.append(line)
        elif line[0] in " -" and blocks:
            blocks[-1].extend([*comments, *[""] * blanks, line])
            comments = []
        else:
            blocks.append([*comments, line])
            comments = []
        blanks = 0
    if comments and blocks:
        blocks[-1].extend(comments)
    if not head and blocks and blocks[0][0].startswith("# yaml-language-server"):
        head = [blocks[0].pop(0)]
    return head, blocks


def key_of(block: list[str]) -> str:
    """The key that a block is of."""
    line = next((line for line in block if line and line[0] not in " #"), "")
    return line.split(":", 1)[0].strip("\"'")


def changed(
    raw: bytes,
    file: str,
    *,
    fields: Mapping[str, Value | None] | None = None,
    items: Mapping[str, Sequence[Value]] | None = None,
) -> bytes | list[Problem]:
    """The canonical form of a file with top-level fields set (None removes one) and items put after those of lists.

    Every comment stays but those within a field that is set. What keeps the file from being changed is given instead.
    """
    shaped = format_bytes(raw, file)
    if isinstance(shaped, list):
        return shaped
    head, blocks = blocks_of(shaped.decode())
    old = parse(shaped.decode(), file, typed=TYPED).value
    if not isinstance(old, dict):
        return [Problem(file, (), "not-a-mapping", "the file must hold a mapping of keys to values")]
    for key, value in (fields or {}).items():
        _put(blocks, key, [] if value is None else canonical_text({key: value}, file).splitlines())
    for key, more in (items or {}).items():
        lines = canonical_text({key: [*more]}, file).splitlines()
        if old.get(key):
            block = next(block for block in blocks if key_of(block) == key)
            block[_end(block) : _end(block)] = lines[1:]
        else:
            _put(blocks, key, lines)
    text = "\n".join([*head, *(line for block in blocks for line in block)]) + "\n"
    return format_bytes(in_order(text, file).encode(), file)


def _put(blocks: list[list[str]], key: str, lines: list[str]) -> None:
    """Set the lines of a key's block; the comments above it stay."""
    for block in blocks:
        if key_of(block) == key:
            above = takewhile(lambda line: line.startswith("#"), block)
            block[:] = [*above, *lines, *block[_end(block) :]]
            return
    if lines:
        blocks.insert(0, lines)  # not at the end, where a comment that ends the file would become its own


def _end(block: list[str]) -> int:
    """Where the value of a block ends; what comes after it are comments that end the file."""
    end = len(block)
    while block[end - 1].startswith("#") or not block[end - 1]:
        end -= 1
    return end
