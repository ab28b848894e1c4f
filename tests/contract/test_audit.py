"""The audit of what is locked: a weakness is named and fails, and what was not looked at is never called well."""

from __future__ import annotations

import json

import pytest

from tools.audit import of_node, of_python

GOOD = {"name": "jinja2", "version": "3.1", "vulns": []}
WEAK = {"name": "flask", "version": "0.1", "vulns": [{"id": "CVE-2018-1000656", "fix_versions": ["0.12.3"]}]}
SKIPPED = {"name": "click", "skip_reason": "Dependency not found on PyPI and could not be audited: click (8)"}


@pytest.mark.parametrize(
    ("packages", "sentence", "weak"),
    [
        ([GOOD, GOOD], "a.lock: no known weakness in 2 packages", False),
        ([GOOD, SKIPPED], "a.lock: no known weakness in 1 packages; 1 were not looked at", False),
        ([SKIPPED, SKIPPED], "a.lock was not looked at: the list of weaknesses cannot be reached", False),
        ([], "a.lock was not looked at: the list of weaknesses cannot be reached", False),
        ([GOOD, WEAK, SKIPPED], "a.lock: flask 0.1: CVE-2018-1000656", True),
    ],
)
def test_python_packages(packages: list[object], sentence: str, weak: bool) -> None:
    assert of_python(json.dumps({"dependencies": packages}), "a.lock") == (sentence, weak)


@pytest.mark.parametrize("told", ["", "no network", "[]", "{}", '{"error": {"code": "ENOTFOUND"}}'])
def test_no_answer_is_said_and_is_no_weakness(told: str) -> None:
    for sentence, weak in (of_python(told, "a.lock"), of_node(told)):
        assert "was not looked at" in sentence
        assert not weak


@pytest.mark.parametrize(("high", "weak"), [(0, False), (1, True)])
def test_node_packages(high: int, weak: bool) -> None:
    found = {"metadata": {"vulnerabilities": {"low": 2, "high": high, "critical": 0, "total": 2 + high}}}
    assert of_node(json.dumps(found))[1] is weak
