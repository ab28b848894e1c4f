"""The table of environment variables names all that are read and no other, and what each is if absent."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import cli
from library.variables import GUNICORN, PREFIX, SERVICE, VARIABLES, Variable, misspelt, unread
from server.queue import ADDRESSES_DAYS, ANSWERS_DAYS
from writeapi.settings import read_settings

PROJECT = Path(__file__).resolve().parents[2]
ROOMS = ("build", "client", "library", "mcpserver", "server", "writeapi", "deploy")
NAMES = {variable.name for variable in VARIABLES}
OF_COMPOSE = {"PLAYBOOKS_DATABASE_PASSWORD"}
"""Replaced in compose.yaml, before anything of ours starts."""


def named_in(*paths: Path) -> set[str]:
    found = (re.findall(rf"\b{PREFIX}[A-Z_]*[A-Z]\b", path.read_text(encoding="utf-8")) for path in paths)
    return {name for names in found for name in names}


def test_the_table_names_what_is_read_and_no_other() -> None:
    files = [path for room in ROOMS for path in (PROJECT / room).rglob("*") if path.is_file()]
    texts = [path for path in files if path.suffix in (".py", ".service", ".yaml", "") and path.stem != "variables"]
    assert named_in(*texts) - OF_COMPOSE == {name for name in NAMES if name.startswith(PREFIX)}


@pytest.mark.parametrize(
    "variable",
    [variable for variable in SERVICE if variable.default and variable.name != "PLAYBOOKS_HSTS"],
    ids=lambda variable: variable.name,
)
def test_what_it_is_if_absent_is_what_that_value_says(variable: Variable, tmp_path: Path) -> None:
    def told(environment: dict[str, str]) -> object:
        return read_settings(environment, site_url="http://127.0.0.1", var=tmp_path)

    assert told({variable.name: variable.default}) == told({})
    other = {"refuse": "fall-back"}.get(variable.default, re.sub(r"\d+", "7", variable.default))
    assert told({variable.name: other}) != told({})


def test_other_defaults_are_those_of_the_code() -> None:
    default = {variable.name: variable.default for variable in VARIABLES}
    assert default["PLAYBOOKS_KEEP_ADDRESSES"] == str(ADDRESSES_DAYS)
    assert default["PLAYBOOKS_KEEP_ANSWERS"] == str(ANSWERS_DAYS)
    code = "\n".join((PROJECT / file).read_text() for file in ("server/wsgi.py", "deploy/gunicorn.conf.py"))
    for variable in GUNICORN:
        if variable.default not in ("", "0"):
            assert re.search(rf'"{variable.name}",\s+"{variable.default}"', code), variable.name


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("PLAYBOOKS_HST", "PLAYBOOKS_HSTS"),
        ("PLAYBOOKS_TRUSTED_PROXY", "PLAYBOOKS_TRUSTED_PROXIES"),
        ("PLAYBOOKS_DATABSE_URL", "PLAYBOOKS_DATABASE_URL"),
        ("PLAYBOOKS_KEYS", "PLAYBOOKS_KEY"),
        ("PLAYBOOKS_WRITE_LIMIT", "PLAYBOOKS_WRITE_LIMITS"),
        ("PLAYBOOKS_SECRETS", "PLAYBOOKS_SECRET"),
    ],
)
def test_a_misspelt_name_is_told_the_nearest(name: str, meant: str) -> None:
    assert list(misspelt({name: "x", meant: "x", "HOME": "/"})) == [
        f"{name} is not read by anything; it looks like {meant}: rename it, or take it away"
    ]
    assert list(unread({name: "x"})) == []


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_known_name_is_nothing_to_tell(name: str) -> None:
    assert [*misspelt({name: ""}), *unread({name: ""})] == []


@pytest.mark.parametrize("command", [["report", "--playbook", "x"], ["mcp"], ["backup", "x"], ["restore", "library"]])
def test_commands_that_read_settings_refuse_a_misspelt_one(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "library").touch()
    result = CliRunner().invoke(cli.main, command, env={"PLAYBOOKS_TRUSTED_PROXI": "1"})
    assert result.exit_code == 2
    assert "it looks like PLAYBOOKS_TRUSTED_PROXIES" in result.output


def test_a_name_that_is_only_a_little_alike_is_told_and_stops_nothing() -> None:
    assert list(misspelt({"PLAYBOOKS_REDIS_WENT": "x", "PLAYBOOKS_QQQ": ""})) == []
    assert list(unread({"PLAYBOOKS_REDIS_WENT": "x", "PLAYBOOKS_QQQ": "", "OTHER": ""})) == [
        "PLAYBOOKS_QQQ is not read by anything",
        "PLAYBOOKS_REDIS_WENT is not read by anything; the nearest is PLAYBOOKS_REDIS_GONE",
    ]
