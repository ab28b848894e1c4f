"""The layers of docs/architecture.md, read from the imports: a rule that is not a test is not a rule."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import build
import server

PROJECT = Path(__file__).resolve().parents[1]
MAY_IMPORT = {
    "library": set[str](),
    "build": {"library"},
    "writeapi": {"library"},
    "mcpserver": {"library"},
    "client": {"library"},
    "server": {"library", "build", "writeapi", "mcpserver"},
    "cli": {"library", "build", "writeapi", "mcpserver", "server", "client"},
}
"""Which of our packages each may import beside itself."""

ONLY_IN = {
    "flask": {"writeapi"},
    "limits": {"writeapi"},
    "werkzeug": {"writeapi", "server"},
    "jinja2": {"build", "server/deploy", "writeapi/review/web"},
    "markdown_it": {"build", "library/markdown.py"},
    "whoosh": {"library/search"},
    "sqlalchemy": {"writeapi/store"},
    "alembic": {"writeapi/store"},
    "psycopg": {"writeapi/store"},
    "starlette": {"server", "mcpserver/http.py", "mcpserver/server.py", "mcpserver/transport.py"},
    "mcp": {"mcpserver"},
    "mcp_types": {"mcpserver"},
    "httpx2": {"mcpserver", "client"},
    "uvicorn": {"server"},
    "watchfiles": {"server"},
    "a2wsgi": {"server"},
    "pagefind_bin_extended": {"build/pagefind.py"},
    "PIL": {"build/cards.py"},
    "brotli": {"build/compress.py"},
    "ruamel": {"library/formatting.py"},
    "yaml": {"library/yamlfile.py", "library/yamlerrors.py"},
}
"""Which third parties stay in which room."""

TABLES = {"library/models.py", "library/answers.py", "build/routes.py"}
"""One declaration after the other: they grow by some lines with each field or endpoint, and stay one room each."""

ROOMS = [
    path
    for package in MAY_IMPORT
    for path in ([PROJECT / "cli.py"] if package == "cli" else sorted((PROJECT / package).rglob("*.py")))
]


@cache
def parsed(path: Path) -> ast.Module:
    """A module's tree."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> Iterator[str]:
    """The absolute names that a module imports; a relative import stays within its package."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module or ""
        elif isinstance(node, ast.ImportFrom):
            assert node.level <= len(path.relative_to(PROJECT).parts) - 1, f"{path} leaves its package"


def not_allowed(name: str, imported: str) -> bool:
    """Whether a module imports what its layer or its room may not."""
    top, package = imported.split(".", maxsplit=1)[0], name.split("/", maxsplit=1)[0].removesuffix(".py")
    if top in MAY_IMPORT and top != package and top not in MAY_IMPORT[package]:
        return True
    return top in ONLY_IN and not any(name.startswith(room) for room in ONLY_IN[top])


def test_a_module_imports_only_what_its_layer_may() -> None:
    names = {path: str(path.relative_to(PROJECT)) for path in ROOMS}
    wrong = [(name, what) for path, name in names.items() for what in imports(path) if not_allowed(name, what)]
    assert wrong == []
    assert len(names) > 100
    assert not_allowed("library/models.py", "build.pipeline")
    assert not_allowed("build/pages.py", "flask")


def test_a_module_opens_with_a_sentence_and_is_one_room() -> None:
    assert [path for path in ROOMS if not ast.get_docstring(parsed(path))] == [], "says not what it is for"
    rooms = [path for path in ROOMS if str(path.relative_to(PROJECT)) not in TABLES]
    assert [path for path in rooms if path.read_text("utf-8").count("\n") > 320] == [], "is more than one room"


def test_build_is_ours() -> None:
    assert Path(build.__file__).parent == PROJECT / "build"
    assert Path(server.__file__).parent == PROJECT / "server"


def test_every_module_has_its_place_in_the_architecture() -> None:
    text = (PROJECT / "docs/architecture.md").read_text(encoding="utf-8")
    tree = text.split("```")[1]
    rooms = {block.split("/", 1)[0]: block for block in re.split(r"\n(?=\S)", tree) if re.match(r"\w+/ ", block)}
    unnamed, gone = [], []
    for package in MAY_IMPORT.keys() - {"cli"}:
        there = {path.relative_to(PROJECT / package) for path in (PROJECT / package).rglob("*.py")}
        named = set(re.findall(r"\b\w+\.py\b", rooms[package]))
        for path in there:
            inside = any(
                f"{folder.name}/" in rooms[package].split("\n", 1)[1] for folder in path.parents if folder.name
            )
            if path.name != "__init__.py" and path.name not in named and not inside:
                unnamed.append(f"{package}/{path}")
        gone += [f"{package}: {name}" for name in named - {path.name for path in there}]
    assert not unnamed, "no place in docs/architecture.md"
    assert not gone, "named there, and not there"


def test_one_name_stands_for_one_class() -> None:
    """Of all rooms: whoever reads a name anywhere knows what it is."""
    places: dict[str, list[str]] = {}
    for path in ROOMS:
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(str(path.relative_to(PROJECT)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
