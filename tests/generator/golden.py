"""What the rich library's site says, kept as files: every form for machines, and the head and the middle of each page.

A change that is meant shows as a difference of these files: `python -m tests.generator.golden` writes them anew.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from tests.rich import write_rich_content
from tests.trees import built, tree

KEPT = Path(__file__).with_name("rich-site")
_WRITTEN_BY_US = ("docs/", "assets/", "report/", "submit/", "submissions/", "404", "s/")
"""What hardly depends on the content: texts of ours, pictures, and forms, each with tests of its own."""
_KINDS = (".md", ".json", ".csv", ".xml", ".txt", ".html")
_DIGEST = re.compile(rb"(/assets/[a-z0-9-]+\.)[0-9a-f]{10}\b")
_WORDS = ("description", "summary", "title", "examples", "example", "detail")


def told(site: Path) -> dict[str, bytes]:
    """By name what a site says: head and middle of pages, assets without their digests, OpenAPI without wording."""
    return {
        name: _plain(name, body)
        for name, body in tree(site).items()
        if name.endswith(_KINDS) and not name.startswith(_WRITTEN_BY_US)
    }


def kept() -> dict[str, bytes]:
    """The same as it was when it was last looked at."""
    return tree(KEPT)


def _plain(name: str, body: bytes) -> bytes:
    if name.endswith("openapi.json"):
        return orjson.dumps(_shape(orjson.loads(body)), option=orjson.OPT_INDENT_2)
    if name.endswith(".json"):
        return orjson.dumps(orjson.loads(body), option=orjson.OPT_INDENT_2)
    if name.endswith(".html"):
        body = b"\n".join(re.findall(rb"<title>.*?</head>|<main.*?</main>", body, re.DOTALL))
        body = b"".join(line.strip() + b"\n" for line in body.splitlines() if line.strip())
    return _DIGEST.sub(rb"\1digest", body)


def _shape(value: Any) -> Any:
    """A description without its sentences."""
    if isinstance(value, Mapping):
        return {name: _shape(inner) for name, inner in value.items() if not (name in _WORDS and isinstance(inner, str))}
    return [_shape(item) for item in value] if isinstance(value, list) else value


def main() -> None:
    """Write them anew."""
    with tempfile.TemporaryDirectory() as folder:
        built(write_rich_content(Path(folder)), Path(folder, "site"))
        said = told(Path(folder, "site"))
    shutil.rmtree(KEPT, ignore_errors=True)  # not before all of it could be built
    for name, body in said.items():
        path = KEPT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)


if __name__ == "__main__":
    main()
