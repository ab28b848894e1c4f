"""Files that are broken before anything in them is a record: bytes, encodings, YAML's traps and bombs."""

from __future__ import annotations

import random

from tests.broken.case import Case, raw
from tests.builders import TASK

_BOM = b"\xef\xbb\xbf"
_ALIASES = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n"
_FIELDS = ("missing-field 1:1",) * 3
"""Name, category and summary: what a task wants whose text held none of them."""

SYNTAX: tuple[Case, ...] = (
    raw(
        "alias-bomb",
        _ALIASES,
        *("anchor 1:4", "anchor 2:4", "alias 2:8", "alias 2:12", "anchor 3:4", "alias 3:8", "alias 3:12"),
        *_FIELDS,
        *("unknown-key 1:1", "unknown-key 2:1", "unknown-key 3:1"),
    ),
    raw(
        "merge-key-bomb",
        "a: &a {x: z}\nb: &b {<<: *a}\nc: {<<: [*a, *b]}\n",
        *("anchor 1:4", "anchor 2:4", "merge-key 2:8", "alias 2:12", "merge-key 3:5", "alias 3:10", "alias 3:14"),
        *_FIELDS,
        *("unknown-key 1:1", "unknown-key 2:1", "unknown-key 3:1"),
    ),
    raw("brackets", "[" * 30_000, "too-deep 1:51"),
    raw("braces", "{" * 30_000, *(f"key 1:{column}" for column in range(2, 52)), "too-deep 1:51"),
    raw("51-levels", "a: " + "[" * 51 + "]" * 51 + "\n", "too-deep 1:53"),
    raw("many-events", "a:\n" + "- x\n" * 20_001, "too-many-values 19997:3"),
    raw("too-large", f"{TASK}# {'x' * 256 * 1024}\n", "too-large 1:1"),
    raw("duplicate-key", f"{TASK}wanted: true\nname: Another\n", "duplicate-key 5:1", says=("'name'",)),
    raw("tab", "name: a\n\tcategory: software\n", "syntax 2:1", says=("tab",)),
    raw("byte-order-mark", _BOM + TASK.encode(), "byte-order-mark 1:1"),
    raw("utf-16", TASK.encode("utf-16"), "encoding 1:1", says=("UTF-16",)),
    raw("crlf", TASK.replace("\n", "\r\n"), "line-ending 1:22"),
    raw("lone-cr", "name: a\ncategory: soft\rware\n", "line-ending 2:15"),
    raw("latin-1", "name: Tests\ncategory: Bücher\n".encode("latin-1"), "encoding 2:12", says=("0xFC",)),
    raw("nul", "name: a\ncategory: é\0\n", "binary 2:12"),
    raw(
        "random-binary",
        b"\x89" + random.Random(1).randbytes(512).replace(b"\0", b"\1").replace(b"\r", b"\1"),
        "encoding 1:1",
    ),
    raw("empty-file", "", "empty 1:1"),
    raw("only-comments", "# nothing\n# at all\n", "empty 3:1"),
    raw("list-at-the-top", "- name: a\n", "not-a-mapping 1:1"),
    raw("scalar-at-the-top", "# a word\nname\n", "not-a-mapping 2:1"),
    raw("two-documents", f"{TASK}---\n{TASK}", "two-documents 4:1"),
    raw("unclosed-quote", 'name: "a\ncategory: software\n', "syntax 1:7", says=("never closed",)),
    raw("bad-indentation", "name: a\n  category: b\n", "syntax 2:3", says=("deeper than line 1",)),
    raw("colon-in-text", "name: a\nsummary: tests: fix them\n", "syntax 2:15", says=("quotes",)),
    raw("python-tag", f"name: !!python/object:os.system x\n{TASK.split(chr(10), 1)[1]}", "tag 1:7"),
    raw("tag-with-half-a-surrogate", f"{TASK}wanted: !%ED%A0%80 true\n", "tag 1:1"),
    raw("anchor", f"{TASK}wanted: &a true\n", "anchor 4:9"),
    raw("integer-key", f"1: x\n{TASK}", "key 1:1"),
    raw("truth-value-key", f"{TASK}true: x\n", "key 4:1"),
    raw("null-key", f"{TASK}null: x\n", "key 4:1"),
    raw("list-key", f"{TASK}? [a]\n: x\n", "key 4:3"),
    raw("empty-key", f'{TASK}"": x\n', "key 4:1"),
    raw("control-character", "name: é\nsummary: é\x07\n", "character 2:11"),
    raw("escape-in-a-key", f'{TASK}"k\\e[31m": x\n', "unknown-key 4:1", says=("k\\x1b[31m",), hides="\x1b"),
)
