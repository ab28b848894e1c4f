"""Problems in each form that somebody reads them in."""

from __future__ import annotations

import orjson

from library.problems import Problem, Severity
from library.reports import as_github, as_json, as_sarif, as_text

ONE = Problem("tasks/a.yaml", ("steps", 0, "check"), "some-code", "50% of it,\nand: more", Severity.WARNING, 3, 5)
OTHER = Problem("tasks/b.yaml", (), "other-code", "is broken")


def test_a_text_ends_with_a_count_of_each_kind_and_of_the_files() -> None:
    assert as_text([]) == ""
    assert as_text([OTHER]).splitlines() == [
        "tasks/b.yaml:1:1: error: is broken [other-code]",
        "1 error, 0 warnings in 1 file",
    ]
    assert as_text([ONE, ONE, OTHER]).splitlines()[-1] == "1 error, 2 warnings in 2 files"


def test_json_has_a_field_for_everything_on_lines_of_its_own() -> None:
    row = {"file": "tasks/a.yaml", "line": 3, "column": 5, "severity": "warning", "code": "some-code"}
    row |= {"field": "steps[0].check", "message": "50% of it,\nand: more"}
    assert orjson.loads(as_json([ONE])) == [row]
    assert as_json([ONE]).startswith('[\n  {\n    "file": "tasks/a.yaml",\n')


def test_a_workflow_command_keeps_its_one_line_whatever_the_message_holds() -> None:
    assert as_github([ONE, OTHER]).splitlines() == [
        "::warning file=tasks/a.yaml,line=3,col=5,title=some-code::steps[0].check: 50%25 of it,%0Aand: more",
        "::error file=tasks/b.yaml,line=1,col=1,title=other-code::is broken",
    ]
    odd = Problem("tasks/a,b:c.yaml", (), "c", "m")
    assert "file=tasks/a%2Cb%3Ac.yaml," in as_github([odd])


def test_a_code_scanner_is_told_rules_and_results_by_their_codes() -> None:
    [run] = orjson.loads(as_sarif([ONE, OTHER]))["runs"]
    rules = {rule["id"]: rule["shortDescription"]["text"] for rule in run["tool"]["driver"]["rules"]}
    assert rules["related-exist"] == "Every `related` slug names a playbook of this library."
    place = {"artifactLocation": {"uri": "tasks/a.yaml"}, "region": {"startLine": 3, "startColumn": 5}}
    assert run["results"][0] == {
        "ruleId": "some-code",
        "level": "warning",
        "message": {"text": "steps[0].check: 50% of it,\nand: more"},
        "locations": [{"physicalLocation": place}],
    }
    assert run["results"][1]["message"] == {"text": "is broken"}
