"""The documents of operators: each test that they name is there, and each setting and command that they name exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import cli
from library.variables import VARIABLES
from tools.reference import PAGES

PROJECT = Path(__file__).resolve().parents[2]
SECURITY = (PROJECT / "docs/security.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[a-z_/]+\.py)::(test_\w+)`", SECURITY)


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_each_answer_to_a_threat_has_its_test(file: str, name: str) -> None:
    tree = ast.parse((PROJECT / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_threat_names_a_test() -> None:
    rows = [line for line in SECURITY.splitlines() if line.startswith("| ") and not line.startswith("| Threat")]
    assert len(rows) == len(NAMED) == len(set(rows))


@pytest.mark.parametrize("document", PAGES)
def test_the_reference_is_what_the_code_says(document: str) -> None:
    committed = (PROJECT / document).read_text(encoding="utf-8")
    assert committed == PAGES[document](), "run python -m tools.reference"


def test_the_reference_names_every_command_and_option() -> None:
    text = PAGES["docs/commands.md"]()
    for name, later in cli.COMMANDS.items():
        assert f"\n## `playbooks {name}" in text
        for option in later.loaded().params:
            assert all(f"`{word}`" in text for word in option.opts if word.startswith("--")), option.opts
    for variable in VARIABLES:
        assert f"| `{variable.name}` | {variable.says} | " in PAGES["docs/settings.md"]()


@pytest.mark.parametrize(
    "document",
    [
        "README.md",
        "SECURITY.md",
        *(f"docs/{name}.md" for name in "operate security privacy deploy settings commands".split()),
    ],
)
def test_what_they_name_is_there(document: str) -> None:
    text = (PROJECT / document).read_text(encoding="utf-8")
    settings = set(re.findall(r"(?<!_)PLAYBOOKS_[A-Z_]*[A-Z]", text))
    assert settings <= {variable.name for variable in VARIABLES}, document
    for command in set(re.findall(r"`playbooks ([a-z]+)", text)):
        assert command in cli.COMMANDS, command
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert ((PROJECT / document).parent / link).exists(), link
    for unit in set(re.findall(r"playbooks-[a-z]+\.(?:service|timer)", text)):
        assert (PROJECT / "deploy/systemd" / unit).exists(), unit
    targets = (PROJECT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"`make ([a-z-]+)`", text)):
        assert f"\n{target}:" in targets, target
