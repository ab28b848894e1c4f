"""The JSON Schema of every kind of content file, for editors: with the names that a content folder has."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any

import orjson

from ..content.loading import FILES, FOLDERS, some_bytes
from ..content.yamlfile import decode, parse
from ..durable import replace_file
from ..interface.bodies import Json
from .fields import SLUG, texts_of
from .models import Filed
from .naming import EDITED
from .validating import DRAFT

NAMED = {
    "task": "tasks",
    "agent": "agents",
    "agents": "agents",
    "playbook": "playbooks",
    "playbooks": "playbooks",
    "related": "playbooks",
    "replaced_by": "playbooks",
    "lesson": "lessons",
    "category": "categories",
    "tags": "tags",
}
"""Fields that hold slugs, with what they name."""
OPEN = frozenset({"tags"})  # what may be named without being there: the first who uses a tag makes it


def names_in(content: Path) -> dict[str, list[str]]:
    """All names, by what they are of."""
    return {what: names_of(content, what) for what in sorted({*NAMED.values()})}


def names_of(content: Path, what: str) -> list[str]:
    """The slugs of these records, of the categories, or all tags; in order."""
    if what in EDITED:
        return sorted(path.stem for path in (content / what).glob("*.yaml") if SLUG.fullmatch(path.stem))
    if what == "categories":
        found = texts_of(_value(content, "categories.yaml").get("categories"))
        return [text for pointer, text in found if pointer[1:] == ("slug",) and SLUG.fullmatch(text)]
    files = [f"{folder}/{slug}.yaml" for folder in ("playbooks", "lessons") for slug in names_of(content, folder)]
    tags = (texts_of(_value(content, file).get("tags")) for file in files)
    return sorted({text for found in tags for pointer, text in found if len(pointer) == 1 and SLUG.fullmatch(text)})


def _value(content: Path, file: str) -> dict[str, object]:
    """What a file holds; nothing where it cannot be read, or is no file: a pipe would be waited for."""
    if not (content / file).is_file():
        return {}
    try:
        text = decode(some_bytes(content / file), file)
    except OSError:
        return {}
    value = parse(text, file).value if isinstance(text, str) else None
    return dict(value) if isinstance(value, dict) else {}


Schema = dict[str, Any]
Names = Mapping[str, Sequence[str]]  # what a library has names of, with these: `tasks`, `agents`, …, `tags`
NONE: Names = MappingProxyType({})
FOLDER = "schemas"  # beside the content folder, not in git, for they hold the names of this checkout
MARK = "# yaml-language-server:"  # how the line begins that tells an editor the schema of a file
_NULL = {"type": "null"}
KINDS: dict[str, type[Filed]] = {
    **{folder.removesuffix("s"): model for folder, model in FOLDERS.items()},
    **{file.removesuffix(".yaml"): model for file, model in FILES.items()},
}
"""The name of each kind of file with its model: `playbook`, `lesson`, …, `site`."""


def kind_of(file: str) -> str:
    """The kind of a content file, by its path below the content folder; empty where it can be none."""
    folder = file.split("/", 1)[0]
    return file.removesuffix(".yaml") if file in FILES else folder.removesuffix("s") if folder in FOLDERS else ""


def schema_line(file: str) -> str:
    """The comment that a content file begins with, so that an editor knows its fields; empty where it can be none."""
    kind = kind_of(file)
    return f"{MARK} $schema={'../' * (file.count('/') + 1)}{FOLDER}/{kind}.json" if kind else ""


def schema_of(kind: str, names: Names = NONE) -> Schema:
    """The schema of one kind of file: closed to unknown keys, and with nothing that may be null.

    Only shapes: what rules say between fields and files is for `check`. Fields that name records offer `names`, and
    take any other that could be one.
    """
    whole: Schema = KINDS[kind].model_json_schema()
    parts = {name: bare(_settled(part, names)) for name, part in sorted(whole.pop("$defs", {}).items())}
    whole = _settled(whole, names)
    if f"{kind}s" in EDITED:
        draft: Schema = {"const": DRAFT, "description": "Not published yet; remove it when this is."}
        if status := whole["properties"].get("status"):
            draft = {"description": status["description"], "anyOf": [status, draft]}
        whole["properties"]["status"] = draft
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": kind}
    return {**head, **bare(whole), **({"$defs": parts} if parts else {})}


def schema_bytes(kind: str, names: Names = NONE) -> bytes:
    """The schema as a file."""
    return orjson.dumps(schema_of(kind, names), option=orjson.OPT_INDENT_2) + b"\n"


def write_schemas(folder: Path, content: Path) -> list[Path]:
    """Write every schema to a folder where it differs, with the names that the content has: the files that changed."""
    folder.mkdir(parents=True, exist_ok=True)
    names = names_in(content)
    changed = []
    for kind in KINDS:
        path, body = folder / f"{kind}.json", schema_bytes(kind, names)
        if not path.exists() or path.read_bytes() != body:
            replace_file(path, body)
            changed.append(path)
    return changed


def keep_schemas(content: Path) -> None:
    """Bring the schemas of a checkout up to date, where it has any or is one of git.

    What cannot be written is left as it is: it is help for editors, and nothing else waits for it.
    """
    home = content.absolute().parent
    if (home / FOLDER).is_dir() or (home / ".git").exists():
        with suppress(OSError):
            fresh = not (home / FOLDER).exists()
            write_schemas(home / FOLDER, content)
            if fresh:
                (home / FOLDER / ".gitignore").write_text("*\n", encoding="utf-8")  # made here, and nobody's change


def may_be_absent(field: Schema) -> bool:
    """Whether a field's default is None, which stands for absence."""
    return "default" in field and field["default"] is None


def never_null(field: Schema) -> Schema:
    """A field that is left out where there is nothing to say: without the null that the model holds then."""
    if not may_be_absent(field):
        return field
    rest = {name: value for name, value in field.items() if name != "anyOf"}
    kept = [choice for choice in field.get("anyOf", ()) if choice != _NULL]
    return {**rest, **kept[0]} if len(kept) == 1 else {**rest, "anyOf": kept}


def bare(schema: Json) -> Json:
    """The schema without titles, which repeat the names, and without defaults that say nothing."""
    if isinstance(schema, list):
        return [bare(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: bare(value) for name, value in schema.items() if name not in ("title", "properties")}
    if may_be_absent(kept) or "const" in kept:
        kept.pop("default", None)
    if "properties" in schema:
        kept["properties"] = {name: bare(value) for name, value in schema["properties"].items()}
    return kept


def _settled(schema: Schema, names: Names) -> Schema:
    fields = {name: never_null(field) for name, field in schema.get("properties", {}).items()}
    for name, field in fields.items():
        fields[name] = _offering(field, names.get(NAMED.get(name, ""), ()))
    return {**schema, "properties": fields} if fields else schema


def _offering(field: Schema, names: Sequence[str]) -> Schema:
    """A field of a slug, or of several, that offers these; any other that could be one is right too, for now."""
    if "items" in field:
        return {**field, "items": _offering(field["items"], names)}
    if "pattern" not in field or not names:
        return field
    told = {name: value for name, value in field.items() if name in ("description", "default")}
    bounds = {name: value for name, value in field.items() if name not in told}
    return {**told, "anyOf": [{"enum": list(names)}, bounds]}
