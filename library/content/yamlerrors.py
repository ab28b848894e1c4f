"""What is wrong with a text that is no YAML: libyaml's errors at the mistake itself, in words that say the mend."""

import re
from collections.abc import Iterator
from typing import Any

import yaml
from yaml.cyaml import CParser  # type: ignore[attr-defined]  # the types of PyYAML leave its export out

from ..problems import Problem

Place = tuple[int, int]
"""Line and column, from 0 as libyaml counts."""
PlacedMessage = tuple[Place, str]

_MARKER = re.compile(r"(?:<{7}|\|{7}|={7}|>{7})(?= |\Z)")
_KEY = re.compile(r"[ ]*(?:- +)*[\w-]+:(?= |\Z)")
_BEGINS = re.compile(r"[ ]*(?:- +)*(?:[\w-]+: +)?")
"""What stands before the value on a line: indentation, dashes, a key."""
_TAB = "a tab stands where YAML wants spaces; indent with two spaces"
_COLON = "a colon followed by a space begins a new key here; put the text in quotes, or after `>-` on the next line"
_CURLY = 'the curly quotes “ ” are no quotes to YAML; put the text in straight ones (") because of the colon in it'


def syntax_problems(error: yaml.YAMLError, text: str, file: str) -> list[Problem]:
    """The problems behind an error: one for each merge that was left open, else a single one."""
    lines = text.splitlines()
    markers = [(number, found[0]) for number, line in enumerate(lines) if (found := _MARKER.match(line))]
    begun = [(number, sign) for number, sign in markers if sign[0] == "<"] or markers[:1]
    told = [((number, 0), _merged(sign)) for number, sign in begun] or [_told(error, text, lines)]
    return [Problem(file, (), "syntax", message).at(line + 1, column + 1) for (line, column), message in told]


def _merged(sign: str) -> str:
    return f"a merge left its marker {sign} here; keep one side and delete the lines with <<<<<<<, ======= and >>>>>>>"


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
    said = next((said for words, said in _BY_CONTEXT if words in within or words in problem), None)
    return opened, said or _at_sign(problem, within, line[place[1] : place[1] + 1])


def _at_sign(problem: str, within: str, sign: str) -> str:
    """What no text begins with, unless it is in quotes; else libyaml's own words."""
    if "cannot start" in problem or "node content" in problem:
        return f"no text can begin with {sign}; put it in quotes"
    return f"{problem} ({within})" if within else problem


_BY_CONTEXT = (
    ("unknown escape", "a backslash begins an escape in double quotes; put this text in single quotes"),
    ("parsing a quoted scalar", "an escape in these double quotes is wrong; put this text in single quotes"),
    ("scanning a quoted scalar", "the quote that opens here is never closed; close it, or take it away"),
    ("scanning a block scalar", "text stands beside this sign; begin it on the next line, indented by two spaces"),
    ("scanning an alias", "no text can begin with *; put it in quotes"),
    ("scanning an anchor", "no text can begin with &; put it in quotes"),
    ("scanning a tag", "no text can begin with !; put it in quotes"),
    ("scanning a directive", "no line can begin with %; put the text in quotes"),
    ("block sequence entries", "a dash and a space begin an item of a list; put the text in quotes"),
    ("mapping keys are not allowed", "no text can begin with ? and a space; put it in quotes"),
    ("parsing a flow node", "what stands between braces or brackets here cannot be read; put the text in quotes"),
    (
        "document start",
        "the record ended above this line; begin all keys in one column, and delete a line with ... or ---",
    ),
    ("parsing a flow sequence", "the [ that opens here is not closed; close it, or put the text in quotes"),
    ("parsing a flow mapping", "the { that opens here is not closed; close it, or put the text in quotes"),
)


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
    """What a line lacks that was to be a key with its value."""
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
    try:
        while not isinstance(event := parser.get_event(), yaml.StreamEndEvent):
            last = event if isinstance(event, yaml.ScalarEvent) else last
    except yaml.YAMLError:
        pass
    if last is None or last.style not in ("'", '"') or last.end_mark.line != line:
        return None
    return last.start_mark.line, last.start_mark.column
