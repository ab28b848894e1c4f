"""The schemas that editors use: they take all real content, refuse what is broken in shape, and lie where files say."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import cli
from library.content.loading import TYPED
from library.content.yamlfile import decode, parse
from library.records.schemas import (
    FOLDER,
    KINDS,
    MARK,
    keep_schemas,
    kind_of,
    names_in,
    schema_bytes,
    schema_line,
    schema_of,
    write_schemas,
)
from tests.broken.case import Case
from tests.broken.fields import FIELDS
from tests.builders import BOOK, MINIMAL, PLAYBOOK, put, write_content

PROJECT = Path(__file__).resolve().parents[2]
CONTENT = PROJECT / "content"
NODE = PROJECT / "tests/node"
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


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_one_with_and_without_names(kind: str) -> None:
    for body in (schema_bytes(kind), schema_bytes(kind, names_in(CONTENT))):
        Draft202012Validator.check_schema(json.loads(body))
        assert b"null" not in body


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
    assert schema_of("run")["properties"]["agent"]["maxLength"] == 128


def test_schemas_are_written_where_they_differ(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    assert len(write_schemas(tmp_path / "schemas", content)) == len(KINDS)
    assert write_schemas(tmp_path / "schemas", content) == []
    (tmp_path / "schemas/task.json").write_text("{}")
    assert [path.name for path in write_schemas(tmp_path / "schemas", content)] == ["task.json"]
    put(content, "agents/another.yaml", "name: [broken\n")
    changed = {path.name for path in write_schemas(tmp_path / "schemas", content)}
    assert changed == {"playbook.json", "lesson.json"}, "only those that name agents by their slugs"
    assert {path.stem for path in (tmp_path / "schemas").iterdir()} == set(KINDS), "nothing else lies there"
    assert (tmp_path / "schemas/task.json").stat().st_mode & 0o777 == 0o644


def offered(kind: str, *way: str, content: Path) -> list[str]:
    """What a field offers; `way` leads to it through the schema."""
    found: Any = schema_of(kind, names_in(content))
    for step in way:
        found = found[step]
    return list(found["anyOf"][0]["enum"])


def test_fields_that_name_records_offer_those_that_are_there(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    put(content, "lessons/it-hangs.yaml", "tags:\n  - wood\n  - music\n")
    put(content, "lessons/No Slug.yaml", "tags: [a]\n")
    assert offered("playbook", "properties", "task", content=content) == [BOOK]
    assert offered("playbook", "properties", "agents", "items", content=content) == ["claude-code"]
    assert offered("playbook", "properties", "related", "items", content=content) == [BOOK]
    assert offered("playbook", "$defs", "Failure", "properties", "lesson", content=content) == ["it-hangs"]
    assert offered("playbook", "$defs", "Tested", "properties", "agent", content=content) == ["claude-code"]
    assert offered("lesson", "properties", "playbooks", "items", content=content) == [BOOK]
    assert offered("lesson", "properties", "tags", "items", content=content) == ["music", "wood"]
    assert offered("task", "properties", "category", content=content) == ["software"]
    assert offered("run", "properties", "playbook", content=content) == [BOOK]
    assert "anyOf" not in schema_of("run", names_in(content))["properties"]["lesson"], "it is a text, not a slug"


def test_a_name_that_is_new_is_right_and_one_that_can_be_none_is_not(tmp_path: Path) -> None:
    schema = schema_of("lesson", names_in(write_content(tmp_path)))
    tags = Draft202012Validator(schema["properties"]["tags"])
    assert tags.is_valid(["brand-new"])
    assert not tags.is_valid(["No Slug"])
    assert not tags.is_valid(["x" * 65])


def test_a_checkout_has_its_schemas_kept_and_any_other_folder_is_left_alone(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    keep_schemas(content)
    assert not (tmp_path / FOLDER).exists()
    (tmp_path / ".git").mkdir()
    keep_schemas(content)
    assert {path.stem for path in (tmp_path / FOLDER).glob("*.json")} == set(KINDS)
    assert (tmp_path / FOLDER / ".gitignore").read_text() == "*\n"


def test_schemas_that_cannot_be_written_stop_nothing(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / FOLDER).write_text("in the way")
    assert CliRunner().invoke(cli.main, ["check", "--content", str(content)]).exit_code == 0
    assert (tmp_path / FOLDER).read_text() == "in the way"


def test_check_keeps_them_even_where_it_finds_problems(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    (tmp_path / FOLDER).mkdir()
    put(content, "tasks/new-one.yaml", "name: [broken\n")
    assert CliRunner().invoke(cli.main, ["check", "--content", str(content)]).exit_code == 1
    assert b'"new-one"' in (tmp_path / FOLDER / "playbook.json").read_bytes()


@pytest.mark.system
@pytest.mark.slow
def test_an_editor_completes_slugs_and_underlines_no_new_one(tmp_path: Path) -> None:
    if not (NODE / "node_modules/yaml-language-server").is_dir():
        pytest.skip("yaml-language-server is not installed in tests/node (make system)")
    content = write_content(tmp_path)
    write_schemas(tmp_path / FOLDER, content)
    text = f"{schema_line('playbooks/x.yaml')}\n{PLAYBOOK.replace(f'task: {BOOK}', 'task: new')}tags:\n  - brand-new\n"
    place = text.splitlines().index("task: new")
    node = shutil.which("node") or str(NODE / "node_modules/.bin/node")
    told = subprocess.run(
        [node, NODE / "complete.mjs", tmp_path, "content/playbooks/x.yaml", str(place), "7"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    answer = json.loads(told.stdout)
    assert answer == {"completed": [BOOK], "underlined": []}


def test_editors_of_this_checkout_know_the_schemas() -> None:
    settings = json.loads((PROJECT / ".vscode/settings.json").read_text(encoding="utf-8"))
    known = {f"./{FOLDER}/{kind}.json" for kind in KINDS}
    assert set(settings["yaml.schemas"]) == known
    extensions = json.loads((PROJECT / ".vscode/extensions.json").read_text(encoding="utf-8"))
    assert "redhat.vscode-yaml" in extensions["recommendations"]


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    content = write_content(tmp_path)
    before = names_in(content)
    (content / "lessons").mkdir(exist_ok=True)
    os.mkfifo(content / "lessons/pipe.yaml")
    assert {*names_in(content)["lessons"]} - {"pipe"} == {*before["lessons"]}
