"""The documents of operators: each test that they name is there, and each setting and command that they name exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import cli

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


@pytest.mark.parametrize(
    "document", ["README.md", "docs/operate.md", "docs/security.md", "docs/privacy.md", "docs/deploy.md", "SECURITY.md"]
)
def test_what_they_name_is_there(document: str) -> None:
    text = (PROJECT / document).read_text(encoding="utf-8")
    sources = [
        path for room in ("server", "writeapi", "library", "build", "deploy") for path in (PROJECT / room).rglob("*.py")
    ]
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    for setting in set(re.findall(r"PLAYBOOKS_[A-Z_]+", text)):
        assert f'"{setting}"' in code, setting
    for command in set(re.findall(r"`playbooks ([a-z]+)", text)):
        assert command in cli.COMMANDS, command
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert ((PROJECT / document).parent / link).exists(), link
    for unit in set(re.findall(r"playbooks-[a-z]+\.(?:service|timer)", text)):
        assert (PROJECT / "deploy/systemd" / unit).exists(), unit
    targets = (PROJECT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"`make ([a-z-]+)`", text)):
        assert f"\n{target}:" in targets, target
