"""A text that was pasted, not typed, such as a task, a log or a mail: what says nothing of the job is dropped."""

import re
from collections.abc import Iterator

LONG = 14
"""A question of more words that say something is read so."""

STEMS = 32
SEGMENTS = 24
"""So many words are kept, and so many sentences: those that say most."""

FRAME = 0.2
FRAMING = frozenset(
    "agent agents assistant branch commit directory environment folder instructions please repo repository sandbox"
    " shell step steps task tasks workspace".split()
)
"""What frames any task counts little."""

FEW = 4
"""A sentence of fewer words belongs to the next."""

_LINES = (
    r'File "[^"\n]*", line \d+[^\n]*(?:\n[ \t]+[^\n]*)?',  # a frame of Python's, and the line of code below
    r"at [^\n]*[(:][^\n]*:\d+\)?[^\n]*",
    r"at [\w.$<>]+\([^\n]*\)",  # of JavaScript's and Java's
    r"[^ \t\n]*/[^ \t\n]+\.go:\d+[^\n]*",
    r"goroutine \d+[^\n]*",
    r"-->[^\n]*:\d+:\d+",
    r"Traceback \(most recent call last\):",
    r"npm (?:ERR!|error) A complete log[^\n]*",
    r"(?:[✓✔√]|ok \d+|PASS[ \t]+[^ \t\n]*[/.][^ \t\n]*)[ \t][^\n]*",  # tests that passed
    r"#+ *(?:describe the bug|(?:steps )?to reproduce|expected behaviou?r|actual behaviou?r|environment"
    r"|additional (?:context|information)|screenshots?|system info|logs?|version)[^\n]*",
    r"[-*+ \t]*(?:os|version|browser|device|platform|node|npm|python|arch)\b[^\n:]{0,16}:[^\n]*",
)
_WORDS = (
    r"\w+://[^ \t\n]+|[^ \t\n]+@[^ \t\n]+\.\w+",  # addresses
    r"\d{4}-\d\d-\d\d(?:[T ][\d:.,]+Z?)?|\b\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?",  # times
    r"[A-Za-z]:\\[^ \t\n]+|(?:[\w.@~-]*/){2,}[\w.@~-]*|\b[\w-]+\.(?:spec|test)\.\w+",  # paths
    r"\b0x[0-9a-f]+|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}\b|\b\d+\b|\w{41,}",
)
NOISE = (rf"^[ \t]*(?:{'|'.join(_LINES)})$", "|".join(_WORDS), r"[.!?;]+(?=[ \t\n])|\n+")
"""Lines that say nothing, words that say nothing, and where a sentence ends: a browser reads by the same."""

_BREAKS = re.compile("\r\n?|[\u2028\u2029]")
_DROPPED = [re.compile(pattern, re.IGNORECASE | re.MULTILINE | re.ASCII) for pattern in NOISE[:2]]
_END = re.compile(NOISE[2])


def sentences(text: str) -> Iterator[str]:
    """The sentences of a pasted text."""
    text = _BREAKS.sub("\n", text)
    for pattern in _DROPPED:
        text = pattern.sub(" ", text)
    yield from _END.split(text)
