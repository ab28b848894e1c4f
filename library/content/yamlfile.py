"""YAML text to plain values by PyYAML's C parser events.

Every scalar is a string, every trap is refused, and every place is known.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec.yaml
import yaml
from yaml.cyaml import CParser  # type: ignore[attr-defined]  # the types of PyYAML leave its export out

from ..problems import FORM, Mend, Pointer, Problem, Severity

Place = tuple[int, int]  # line and column, from 0 as libyaml counts
PlacedMessage = tuple[Place, str]
_MARKER = re.compile(r"(?:<{7}|\|{7}|={7}|>{7})(?= |\Z)")
_KEY = re.compile(r"[ ]*(?:- +)*[\w-]+:(?= |\Z)")
_BEGINS = re.compile(r"[ ]*(?:- +)*(?:[\w-]+: +)?")  # what stands before the value: indentation, dashes, a key
_TAB = "a tab stands where YAML wants spaces; indent with two spaces"
_COLON = "a colon followed by a space begins a new key here; put the text in quotes, or after `>-` on the next line"
_MENDS = msgspec.yaml.decode(Path(__file__).with_name("mends.yaml").read_bytes(), type=dict[str, str])
_CURLY = 'the curly quotes “ ” are no quotes to YAML; put the text in straight ones (") because of the colon in it'


def syntax_problems(error: yaml.YAMLError, text: str, file: str) -> list[Problem]:
    """The problems behind an error: one for each merge that was left open, else a single one."""
    lines = text.splitlines()
    markers = [(number, found[0]) for number, line in enumerate(lines) if (found := _MARKER.match(line))]
    begun = [(number, sign) for number, sign in markers if sign[0] == "<"] or markers[:1]
    mend = "keep one side and delete the lines with <<<<<<<, ======= and >>>>>>>"
    told = [((number, 0), f"a merge left its marker {sign} here; {mend}") for number, sign in begun]
    told = told or [_told(error, text, lines)]
    return [Problem(file, (), "syntax", message).at(line + 1, column + 1) for (line, column), message in told]


def _told(error: yaml.YAMLError, text: str, lines: list[str]) -> PlacedMessage:
    mark, context = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    problem, within = str(getattr(error, "problem", "") or "this is not YAML"), str(getattr(error, "context", "") or "")
    place = (mark.line, mark.column) if mark else (0, 0)
    opened = (context.line, context.column) if context else place
    line = lines[place[0]] if place[0] < len(lines) else ""
    quoted = _quoted_before(text, place[0])
    if quoted is not None and quoted[0] < place[0]:
        return quoted, "the quote that opens here is closed only lines below; close it, or take it away"
    if "\t" in line[: place[1] + 1] and "quoted" not in within:
        return (place[0], line.index("\t")), _TAB
    if "mapping values are not allowed" in problem:
        return _colon(place, lines)
    if "expected key" in problem or "expected '-' indicator" in problem:
        return _unexpected(place, line, lines, quoted)
    if "simple key" in within:
        return opened, _no_key(lines[opened[0]].strip())
    said = next((said for words, said in _MENDS.items() if words in within or words in problem), None)
    own_words = f"{problem} ({within})" if within else problem
    return opened, said.replace("SIGN", line[place[1] : place[1] + 1]) if said else own_words


def _colon(place: Place, lines: list[str]) -> PlacedMessage:
    """A key where none can be: in a text, deeper than the value above, or below a line that is no key."""
    number, column = place
    line = lines[number]
    key = _KEY.match(line)
    above = next((index for index in range(number - 1, -1, -1) if lines[index].strip()), None)
    if key is None or key.end() - 1 != column or above is None:
        value = line[_BEGINS.match(line).end() :]  # type: ignore[union-attr]  # it matches every line
        return place, _CURLY if value[:1] in ("“", "”", "„") else _COLON
    if _KEY.match(lines[above]):
        begin = len(line) - len(line.lstrip())
        fault = f"this line stands deeper than line {above + 1}, which holds its value already"
        return (number, begin), f"{fault}; begin both in the same column"
    return (above, len(lines[above]) - len(lines[above].lstrip())), _no_key(lines[above].strip())


def _no_key(line: str) -> str:
    if re.match(r"-\S", line):
        return "a dash begins an item only with a space after it; write `- ` before the item"
    if re.match(r"[\w-]+:\S", line):
        return "a colon ends a key only with a space after it; write `: ` between key and value"
    return "there is no key and colon here; write `key: value`, or indent what goes on with the text above"


def _unexpected(place: Place, line: str, lines: list[str], quoted: Place | None) -> PlacedMessage:
    """Something after a value that had ended, or in a column where nothing begins."""
    number, column = place
    if line[:column].strip():
        if quoted is not None:
            return place, "text stands after the closing quote; put all of it in quotes, and write ' twice inside of '"
        begin = _BEGINS.match(line).end()  # type: ignore[union-attr]  # it matches every line
        return (number, begin), f"a text that begins with {line[begin : begin + 1]} must stand in quotes, or after `>-`"
    columns = sorted(set(_columns(lines[:number], column)))
    if column in columns:
        return place, "items of a list and keys are mixed here; give each item its `- `, and keys none"
    known = " or ".join(str(known + 1) for known in columns)
    return place, f"this line begins in column {column + 1}, what stands above it in column {known}; indent it alike"


def _columns(above: list[str], column: int) -> Iterator[int]:
    """The columns in which the lines begin that are still open above, each dash of theirs too."""
    least = column + 1_000
    for line in reversed(above):
        begin = len(line) - len(line.lstrip())
        if line.strip() and not line.lstrip().startswith("#") and begin < least:
            least = begin
            yield begin
            if line[begin : begin + 2] == "- ":
                yield begin + 2
        if least == 0:
            return


def _quoted_before(text: str, line: int) -> Place | None:
    """Where the last scalar before the error begins, if it stands in quotes and ends on the line of the error."""
    parser = CParser(text)
    last: Any = None
    with suppress(yaml.YAMLError):
        while not isinstance(event := parser.get_event(), yaml.StreamEndEvent):
            last = event if isinstance(event, yaml.ScalarEvent) else last
    if last is None or last.style not in ("'", '"') or last.end_mark.line != line:
        return None
    return last.start_mark.line, last.start_mark.column


Value = str | list["Value"] | dict[str, "Value"]
Event = Any  # one of PyYAML's events; its types describe the Python parser's, not the C parser's
MAX_BYTES = 256 * 1024
MAX_DEPTH = 50
MAX_EVENTS = 20_000

_TRAP = re.compile(
    "~|null|true|false|yes|no|on|off|y|n"
    r"|[-+]?(0x[0-9a-f]+|0o?[0-7]+|[0-9][0-9_]*(:[0-9]+)*|(\.[0-9]+|[0-9]+(\.[0-9]*)?)(e[-+]?[0-9]+)?)"
    r"|[-+]?\.(inf|nan)",
    re.IGNORECASE,
)
"""What some reader takes for a truth value, for nothing or for a number."""
_TRAP_FIRST = frozenset("~nNtTfFyYoO0123456789+-.")
_CUT_OFF = re.compile(r"[ \t]+(#[^\s#!]\S*)")
"""What reads like a part of the text before it, and is a comment: a number of an issue, a channel."""
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*", re.MULTILINE)


@dataclass(slots=True)
class YamlDocument:
    """What a text holds: its value (None when it could not be read), its problems, and its marks in their order.

    `marks` maps a pointer to `(line, column)`, from 1. A mapping's entry is marked at its key.
    """

    value: Value | None = None
    problems: list[Problem] = field(default_factory=list)
    marks: dict[Pointer, tuple[int, int]] = field(default_factory=dict)


class _Stop(Exception):
    """The text cannot be read any further."""


_BYTE_ORDER_MARK = "the file begins with a byte order mark; save it as UTF-8 without one, or run `playbooks fmt`"
_REFUSED = (
    (re.compile(rb"\A\xef\xbb\xbf"), "byte-order-mark", _BYTE_ORDER_MARK),
    (re.compile(rb"\A(?:\xff\xfe|\xfe\xff)"), "encoding", "the file is UTF-16; save it as UTF-8"),
    (re.compile(rb"\0"), "binary", "there is a NUL byte here; this is not a text file"),
    (re.compile(rb"\r"), "line-ending", "lines end with CR or CRLF; save with LF, or run `playbooks fmt`"),
)
"""What no text of the content holds: the bytes, the code and the message of each."""


def decode(raw: bytes, file: str) -> str | Problem:
    """The text of a file, or the one problem that keeps it from being text."""
    if len(raw) > MAX_BYTES:
        message = f"the file has more than {MAX_BYTES // 1024} KiB; split it or shorten it"
        return Problem(file, (), "too-large", message)
    for pattern, code, message in _REFUSED:
        if found := pattern.search(raw):
            mend = FORM if code in ("byte-order-mark", "line-ending") else None
            return Problem(file, (), code, message, mend=mend).at(*_line_column(raw[: found.start()]))
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = raw[error.start]
        message = f"the byte 0x{byte:02X} here is not UTF-8 (Latin-1?); save the file as UTF-8"
        return Problem(file, (), "encoding", message).at(*_line_column(raw[: error.start]))


def _line_column(before: bytes) -> tuple[int, int]:
    """Where that stands, from 1, which comes after these bytes."""
    start = before.rfind(b"\n") + 1
    return before.count(b"\n") + 1, len(before[start:].decode("utf-8", "replace")) + 1


def is_trap(scalar: str) -> bool:
    """Whether an unquoted scalar is read as something else than a string by some YAML reader."""
    return not scalar or (scalar[0] in _TRAP_FIRST and _TRAP.fullmatch(scalar) is not None)


def parse(text: str, file: str, *, typed: frozenset[str] = frozenset()) -> YamlDocument:
    """Read one YAML document.

    `typed` names the keys whose scalars are meant to be numbers or truth values, so that an unquoted one is no
    trap there. Never raises; never follows an alias; never recurses deeper than `MAX_DEPTH`.
    """
    document = YamlDocument()
    try:
        document.value = _Reader(text, file, typed, document).read()
    except _Stop:
        pass
    except yaml.YAMLError as error:
        if getattr(error, "problem_mark", None) is not None:
            found = syntax_problems(error, text, file)
        else:  # libyaml's reader gives an offset in bytes instead
            place = _line_column(text.encode()[: getattr(error, "position", None) or 0])
            message = "a control character is not allowed here; delete it"
            found = [Problem(file, (), "character", message).at(*place)]
        misread = {problem.line for problem in found}
        document.problems[:] = [*(kept for kept in document.problems if kept.line not in misread), *found]
    except UnicodeEncodeError:
        message = "half of a surrogate pair is not a character; delete it"
        document.problems.append(Problem(file, (), "character", message))
    except UnicodeDecodeError:  # libyaml lets a tag's %-escapes name half of a surrogate pair, and keeps no place of it
        message = "a tag here is not text, and tags are not allowed; delete it"
        document.problems.append(Problem(file, (), "tag", message))
    return document


class _Reader:
    """One walk over the events of a text."""

    def __init__(self, text: str, file: str, typed: frozenset[str], document: YamlDocument) -> None:
        self.file = file
        self.typed = typed
        self.document = document
        self.next_event = CParser(text).get_event
        self.events = 0
        self.text = text

    def mark(self, event: Event, pointer: Pointer) -> None:
        self.document.marks.setdefault(pointer, (event.start_mark.line + 1, event.start_mark.column + 1))

    def problem(
        self,
        event: Event,
        pointer: Pointer,
        code: str,
        message: str,
        severity: Severity = Severity.ERROR,
        mend: Mend | None = None,
    ) -> None:
        mark = event.start_mark
        found = Problem(self.file, pointer, code, message, severity, mark.line + 1, mark.column + 1, mend)
        self.document.problems.append(found)

    def event(self) -> Event:
        event = self.next_event()
        self.events += 1
        if self.events > MAX_EVENTS:
            self.problem(event, (), "too-many-values", f"the file has more than {MAX_EVENTS:,} values; split it")
            raise _Stop
        return event

    def read(self) -> Value | None:
        self.event()  # the start of the stream
        event = self.event()
        if isinstance(event, yaml.StreamEndEvent):
            self.problem(event, (), "empty", "the file is empty; write a record or delete the file")
            return None
        value = self.value(self.event(), (), 0)
        self.event()  # the end of the document
        after = self.event()
        if not isinstance(after, yaml.StreamEndEvent):
            self.problem(after, (), "two-documents", "a second document begins here; one file holds one record")
            return None
        return value

    def value(self, event: Event, pointer: Pointer, depth: int) -> Value:
        self.mark(event, pointer)
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event, pointer)
        if isinstance(event, yaml.AliasEvent):
            message = f"the alias *{event.anchor} is not allowed; write the value out, or put a text in quotes"
            self.problem(event, pointer, "alias", message)
            return ""
        if depth >= MAX_DEPTH:
            message = f"values are nested more than {MAX_DEPTH} levels deep; flatten them"
            self.problem(event, pointer, "too-deep", message)
            raise _Stop
        self.plain_node(event, pointer)
        if isinstance(event, yaml.MappingStartEvent):
            return self.mapping(pointer, depth)
        return list(self.items(pointer, depth))

    def plain_node(self, event: Event, pointer: Pointer) -> None:
        if event.anchor is not None:
            message = f"the anchor &{event.anchor} is not allowed; write the value out where it is used"
            self.problem(event, pointer, "anchor", message)
        if event.tag is not None:
            message = f"the tag {event.tag} is not allowed; delete it, or put a text that begins with ! in quotes"
            self.problem(event, pointer, "tag", message)

    def scalar(self, event: Event, pointer: Pointer) -> str:
        value: str = event.value
        if event.anchor is not None or event.tag is not None:
            self.plain_node(event, pointer)
        if not event.style and is_trap(value) and pointer[-1:] and "" not in pointer and pointer[-1] not in self.typed:
            shown = value or "an empty value"
            message = f'{shown} without quotes is not text to every reader; write "{value}", or run `playbooks fmt`'
            self.problem(event, pointer, "unquoted", message, Severity.WARNING, FORM)
        if not event.style and (cut := _CUT_OFF.match(self.text, event.end_mark.index)):
            message = f"{cut[1]!r} is cut off as a comment; put the text in quotes, or a space after the #"
            self.problem(event, pointer, "cut-off", message, Severity.WARNING)
        return value

    def items(self, pointer: Pointer, depth: int) -> Iterator[Value]:
        index = 0
        while not isinstance(event := self.event(), yaml.SequenceEndEvent):
            yield self.value(event, (*pointer, index), depth + 1)
            index += 1

    def mapping(self, pointer: Pointer, depth: int) -> dict[str, Value]:
        values: dict[str, Value] = {}
        while not isinstance(event := self.event(), yaml.MappingEndEvent):
            key = self.key(event, pointer, depth)
            place = (*pointer, key)
            self.mark(event, place)
            value = self.value(self.event(), place, depth + 1)
            if key in values:
                self.problem(event, place, "duplicate-key", f"the key {key!r} stands here a second time; keep one")
            elif key:
                values[key] = value
        return values

    def key(self, event: Event, pointer: Pointer, depth: int) -> str:
        """The key's text; empty when it is refused (its value is still read, for further problems)."""
        if not isinstance(event, yaml.ScalarEvent):
            message = "a key must be a plain word; put a text that begins with { or [ in quotes"
            self.problem(event, pointer, "key", message)
            self.value(event, (*pointer, ""), depth + 1)
            return ""
        if event.value == "<<" and not event.style:
            self.problem(event, pointer, "merge-key", "the merge key << is not allowed; write the values out")
            return ""
        self.plain_node(event, (*pointer, event.value))
        if not event.value or (not event.style and is_trap(event.value)):
            message = f"the key {event.value or '(empty)'} is not text; a key must be a plain word"
            self.problem(event, pointer, "key", message)
            return ""
        return str(event.value)


def comments(text: str) -> list[tuple[int, int, str]]:
    """The comments of a text that `parse` can read, in order: line and column, from 1, and the comment."""
    next_event: Any = CParser(text).get_event
    gaps: list[tuple[int, int]] = []
    end = 0
    while not isinstance(event := next_event(), yaml.StreamEndEvent):
        start, stop = event.start_mark.index, event.end_mark.index
        if isinstance(event, yaml.ScalarEvent) and stop > end:
            gaps.append((end, start))
            if event.style in ("|", ">"):  # its first line may end in a comment, the rest is its own
                gaps.append((start, text.find("\n", start)))
            end = stop
    gaps.append((end, len(text)))
    found = [comment for gap in gaps for comment in _COMMENT.finditer(text, *gap)]
    return [(*_line_column(text[: comment.start()].encode()), comment[0].rstrip()) for comment in found]
