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
ASVS = (PROJECT / "docs/asvs.md").read_text(encoding="utf-8")
A_TEST = re.compile(r"`(tests/[a-z_/]+\.py)::(test_\w+)`")
NAMED = A_TEST.findall(SECURITY)
REQUIREMENTS = re.findall(
    r"^\| (\d+\.\d+\.\d+) \| ([12]) \| ([^|]+) \| (met|not applicable|open) \| ([^|]+) \|$", ASVS, re.MULTILINE
)


@pytest.mark.parametrize(("file", "name"), sorted({*NAMED, *A_TEST.findall(ASVS)}))
def test_each_answer_to_a_threat_has_its_test(file: str, name: str) -> None:
    tree = ast.parse((PROJECT / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_threat_names_a_test() -> None:
    rows = [line for line in SECURITY.splitlines() if line.startswith("| ") and not line.startswith("| Threat")]
    assert len(rows) == len(NAMED) == len(set(rows))


def test_the_review_by_the_standard_is_whole_and_counts_right() -> None:
    numbers = [tuple(map(int, row[0].split("."))) for row in REQUIREMENTS]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == len(re.findall(r"^\| \d", ASVS, re.MULTILINE)) == 253, "all of levels 1 and 2 of 5.0.0"
    assert all(len(asks.split()) <= 12 for _, _, asks, _, _ in REQUIREMENTS)
    for name, level in (("Level 1", "1"), ("Level 2", "2"), ("Both", "")):
        told = [verdict for _, of, _, verdict, _ in REQUIREMENTS if level in of]
        counts = " | ".join(str(told.count(verdict)) for verdict in ("met", "not applicable", "open"))
        assert f"\n| {name} | {counts} | {len(told)} |\n" in ASVS
    listed = re.findall(r"^\d+\. \*\*([\d., ]+)\*\*", ASVS, re.MULTILINE)
    opened = sorted(number for number, _, _, verdict, _ in REQUIREMENTS if verdict == "open")
    assert sorted(", ".join(listed).split(", ")) == opened


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
        *(f"docs/{name}.md" for name in "operate security asvs privacy deploy settings commands".split()),
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
