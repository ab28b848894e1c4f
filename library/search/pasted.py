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

_LINES = re.compile(
    r"^[ \t]*(?:"
    r'File "[^"\n]*", line \d+.*(?:\n[ \t]+.*)?'  # a frame of Python's, and the line of code below
    r"|at [^\n]*[(:][^\n]*:\d+\)?[^\n]*|at [\w.$<>]+\([^\n]*\)"  # of JavaScript's and Java's
    r"|\S*/\S+\.go:\d+[^\n]*|goroutine \d+[^\n]*|-->[^\n]*:\d+:\d+"
    r"|Traceback \(most recent call last\):|npm (?:ERR!|error) A complete log[^\n]*"
    r"|#+ *(?:describe the bug|(?:steps )?to reproduce|expected behaviou?r|actual behaviou?r|environment"
    r"|additional (?:context|information)|screenshots?|system info|logs?|version)[^\n]*"
    r"|[-*+ \t]*(?:os|version|browser|device|platform|node|npm|python|arch)\b[^\n]{0,16}?:[^\n]*"
    r")$",
    re.IGNORECASE | re.MULTILINE,
)
_NOISE = re.compile(
    r"\w+://\S+|\S+@\S+\.\w+"  # addresses
    r"|\d{4}-\d\d-\d\d(?:[T ][\d:.,]+Z?)?|\b\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?"  # times
    r"|[A-Za-z]:\\\S+|(?:[\w.@~-]*/){2,}[\w.@~-]*"  # paths
    r"|\b0x[0-9a-fA-F]+|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}\b|\b\d+\b|\w{41,}"
)
_END = re.compile(r"[.!?;]+(?=\s)|\n+")


def sentences(text: str) -> Iterator[str]:
    """The sentences of a pasted text that say something."""
    for part in _END.split(_NOISE.sub(" ", _LINES.sub(" ", text))):
        if part.strip():
            yield part
