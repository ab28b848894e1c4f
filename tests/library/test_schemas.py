"""The schemas that editors use: they take all real content, refuse what is broken in shape, and lie where files say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from library.loading import TYPED
from library.schemas import FOLDER, KINDS, MARK, kind_of, schema_bytes, schema_line, schema_of, write_schemas
from library.yamlfile import decode, parse
from tests.broken.case import Case
from tests.broken.fields import FIELDS
from tests.builders import MINIMAL

PROJECT = Path(__file__).resolve().parents[2]
CONTENT = PROJECT / "content"
SHAPES = frozenset(
    "missing-field unknown-key not-allowed string-type tuple-type model-type too-short too-long string-too-long"
    " slug".split()
)
"""The codes of problems that a schema can see: of keys, kinds of values, closed sets and bounds."""


def errors(raw: bytes, file: str) -> list[str]:
    """What an editor would underline."""
    text = decode(raw, file)
    assert isinstance(text, str)
    value = _typed(parse(text, file, typed=TYPED).value)
    validator = Draft202012Validator(schema_of(kind_of(file)))
    return [f"{list(error.path)}: {error.message[:120]}" for error in validator.iter_errors(value)]


def _typed(value: Any, key: str = "") -> Any:
    """The values with numbers and truth values as YAML readers other than ours see them."""
    if isinstance(value, dict):
        return {name: _typed(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [_typed(inner) for inner in value]
    if key in TYPED and value in ("true", "false"):
        return value == "true"
    return int(value) if key in TYPED and value.isdigit() else value


@pytest.mark.parametrize("kind", KINDS)
def test_the_committed_schema_is_the_one_of_the_models(kind: str) -> None:
    committed = (PROJECT / FOLDER / f"{kind}.json").read_bytes()
    assert committed == schema_bytes(kind), "run `playbooks schemas`"
    Draft202012Validator.check_schema(json.loads(committed))
    assert b"null" not in committed


@pytest.mark.slow
def test_every_real_file_fits_its_schema_and_its_first_line_leads_to_it() -> None:
    files = sorted(CONTENT.rglob("*.yaml"))
    assert len(files) > 200
    for path in files:
        file = path.relative_to(CONTENT).as_posix()
        raw = path.read_bytes()
        assert errors(raw, file) == [], file
        first = raw.decode().partition("\n")[0]
        assert first == schema_line(file)
        target = path.parent / first.removeprefix(f"{MARK} $schema=")
        assert target.resolve() == PROJECT / FOLDER / f"{kind_of(file)}.json"


@pytest.mark.parametrize("file", MINIMAL)
def test_the_smallest_records_fit(file: str) -> None:
    assert errors(MINIMAL[file].encode(), file) == []


def _shapes(case: Case) -> bool:
    return any(problem.split()[0] in SHAPES for problem in case.expected)


@pytest.mark.parametrize("case", [case for case in FIELDS if _shapes(case)], ids=lambda case: case.name)
def test_what_is_broken_in_its_shape_is_refused(case: Case) -> None:
    assert errors(case.body, case.path) != []


def test_enough_broken_files_are_broken_in_their_shape() -> None:
    assert sum(_shapes(case) for case in FIELDS) >= 10


def test_bounds_that_a_field_sets_itself_are_the_strictest() -> None:
    assert schema_of("playbook")["properties"]["summary"]["maxLength"] == 400
    assert schema_of("categories")["$defs"]["Category"]["properties"]["summary"]["maxLength"] == 400
    assert schema_of("run")["properties"]["agent"]["maxLength"] == 64


def test_schemas_are_written_where_they_differ(tmp_path: Path) -> None:
    assert len(write_schemas(tmp_path / "schemas")) == len(KINDS)
    assert write_schemas(tmp_path / "schemas") == []
    (tmp_path / "schemas/task.json").write_text("{}")
    assert [path.name for path in write_schemas(tmp_path / "schemas")] == ["task.json"]


def test_editors_of_this_checkout_know_the_schemas() -> None:
    settings = json.loads((PROJECT / ".vscode/settings.json").read_text(encoding="utf-8"))
    known = {f"./{FOLDER}/{kind}.json" for kind in KINDS}
    assert set(settings["yaml.schemas"]) == known
    extensions = json.loads((PROJECT / ".vscode/extensions.json").read_text(encoding="utf-8"))
    assert "redhat.vscode-yaml" in extensions["recommendations"]
