"""The house of docs/architecture.md, read from the imports: a rule that is not a test is not a rule."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import build
import server
from library.records.vocabulary import OutboxState, RunState, SubmissionState

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
    "werkzeug": {"writeapi", "server", "library/trials"},
    "jinja2": {"build", "server/deploy", "writeapi/review/web", "library/trials"},
    "markdown_it": {"build", "library/rules/markdown.py"},
    "whoosh": {"library/search"},
    "sqlalchemy": {"writeapi/store"},
    "alembic": {"writeapi/store"},
    "psycopg": {"writeapi/store"},
    "starlette": {"server", "mcpserver/server.py"},
    "mcp": {"mcpserver"},
    "mcp_types": {"mcpserver"},
    "httpx2": {"mcpserver", "client", "library/trials", "build/verify.py"},
    "uvicorn": {"server"},
    "watchfiles": {"server"},
    "a2wsgi": {"server"},
    "PIL": {"build/views/cards.py"},
    "brotli": {"build/output/compress.py"},
    "merge3": {"writeapi/review/publishing/publish.py"},
    "symspellpy": {"library/search"},
    "yaml": {"library/content/formatting.py", "library/content/yamlfile.py"},
}
"""Which third parties stay in which room."""

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
    assert not_allowed("library/records/models.py", "build.pipeline")
    assert not_allowed("build/views/pages.py", "flask")


def test_a_module_opens_with_what_it_is_for() -> None:
    assert [path for path in ROOMS if not ast.get_docstring(parsed(path))] == []


def test_the_product_stays_small() -> None:
    """What is new pays with what it replaces: who needs a line more than this finds another that can go."""
    product = [*ROOMS, PROJECT / "deploy/gunicorn.conf.py"]
    assert sum(path.read_bytes().count(b"\n") for path in product) <= 29_000


def test_build_is_ours() -> None:
    assert Path(build.__file__).parent == PROJECT / "build"
    assert Path(server.__file__).parent == PROJECT / "server"


def test_every_folder_of_code_has_its_line_in_the_architecture() -> None:
    house = (PROJECT / "docs/architecture.md").read_text(encoding="utf-8").split("## The house")[1].split("```")[1]
    named, package = set(), ""
    for line in house.splitlines():
        if found := re.match(r"( *)([a-z_/]+)/ ", line):
            package = package if found[1] else found[2]
            named.add(f"{package}/{found[2]}" if found[1] else package)
    there = {str(path.parent.relative_to(PROJECT)) for path in ROOMS if path.name != "cli.py"}
    parents = {str(Path(folder).parent) for folder in named} - {"."}
    assert there - named - parents == set()
    assert {folder for folder in named if folder.split("/")[0] in MAY_IMPORT} <= there


def test_one_name_stands_for_one_class() -> None:
    """Of all rooms: whoever reads a name anywhere knows what it is."""
    places: dict[str, list[str]] = {}
    for path in ROOMS:
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(str(path.relative_to(PROJECT)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


SILENCED = re.compile(r"#\s*(?:noqa|type: ignore)[^#]*")


def test_what_is_silenced_says_why_and_is_little() -> None:
    """A reason stands behind each `noqa` and `type: ignore`, in words."""
    found = [line for path in ROOMS for line in path.read_text(encoding="utf-8").splitlines() if SILENCED.search(line)]
    reasons = (re.sub(r"noqa: [A-Z0-9, ]+|type: ignore\[[a-z, -]+\]", "", line[line.index("#") :]) for line in found)
    assert [line for line, why in zip(found, reasons, strict=True) if not re.search("[a-z]{2}", why)] == []
    assert sum("noqa" in line for line in found) < 40


def private_names(path: Path) -> Iterator[str]:
    """The private names of other people's packages that a module asks for."""
    theirs = set[str]()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            theirs |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and str(node.module).split(".")[0] not in MAY_IMPORT:
            theirs |= {alias.asname or alias.name for alias in node.names}
            yield from (
                name for name in [*str(node.module).split("."), *(at.name for at in node.names)] if hidden(name)
            )
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in theirs:
            yield from filter(hidden, [node.attr])


def hidden(name: str) -> bool:
    """Whether a name begins with one underscore; `_typeshed` does so and is documented."""
    return name.startswith("_") and not name.startswith("__") and name != "_typeshed"


def test_no_private_name_of_another_package_is_used(tmp_path: Path) -> None:
    assert {path: names for path in ROOMS if (names := list(private_names(path)))} == {}
    (tmp_path / "bad.py").write_text("import os\nfrom jinja2._x import y\nos._exit(0)\n")
    assert list(private_names(tmp_path / "bad.py")) == ["_x", "_exit"]


STATES = {str(state) for vocabulary in (RunState, SubmissionState, OutboxState) for state in vocabulary}
SAME_WORDS = {
    ("build/commands.py", "waiting"),  # a stage of a build
    ("library/rules/statistics.py", "approved"),  # a count
    ("writeapi/review/web/pages.py", "approved"),  # the same
}
"""Where a word that is also a state means something else."""


def literals(tree: ast.AST) -> Iterator[str]:
    """The texts in a module, but those that an enum gives a name."""
    if isinstance(tree, ast.ClassDef) and any(ast.unparse(base) == "StrEnum" for base in tree.bases):
        return
    if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        yield tree.value
    for node in ast.iter_child_nodes(tree):
        yield from literals(node)


def test_states_are_named_by_their_enums_only() -> None:
    found = {
        (path.relative_to(PROJECT).as_posix(), text)
        for path in ROOMS
        for text in literals(parsed(path))
        if text in STATES
    }
    assert found == SAME_WORDS


VAGUE = {*"told found shown kept seen listed chosen single answered".split(), *"Told Found Shown Kept".split()}


def test_no_public_name_is_a_word_that_fits_everything() -> None:
    """A module, a class, a function or a field says what it is; locals and private names may be short."""
    named = [(str(path.relative_to(PROJECT)), path.stem) for path in ROOMS]
    for path in ROOMS:
        place = str(path.relative_to(PROJECT))
        module = parsed(path)
        for body in (module.body, *(node.body for node in module.body if isinstance(node, ast.ClassDef))):
            for node in body:
                if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                    named.append((place, node.name))
                elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    named.append((place, node.target.id))
                elif isinstance(node, ast.Assign):
                    named += [(place, target.id) for target in node.targets if isinstance(target, ast.Name)]
    assert [(place, name) for place, name in named if name in VAGUE] == []
