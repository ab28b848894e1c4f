"""Values to models: each mistake with its pointer, its code and a mend; and the bounds of the fields."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from library.content.loading import FILES, FOLDERS, TYPED
from library.problems import Problem
from library.records.fields import zulu
from library.records.models import Playbook, Run, Step, Task
from library.records.validating import typed_keys, validate
from tests.builders import a_playbook, a_run, the_site

_ANYTHING = st.recursive(
    st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(min_size=1, max_size=8), inner, max_size=3),
    max_leaves=8,
)
_MODELS = [*FOLDERS.values(), *FILES.values()]
_FIELDS = sorted({name for model in _MODELS for name in model.model_fields})


def problems_of(model: type[Any], value: object) -> list[Problem]:
    """What is wrong with a value that cannot be valid."""
    found = validate(model, value, "f")
    assert isinstance(found, list)
    return found


def test_the_typed_keys_are_those_of_numbers_and_truth_values() -> None:
    of_trials = {"limit", "command_limit", "exits", "cheats", "caught", "transcript_read"}
    assert {
        "wanted",
        "verified",
        "duration_minutes",
        "from",
        "to",
        "secret",
        "percent",
        "requests",
        *of_trials,
    } == TYPED
    assert typed_keys(Task) == {"wanted", "requests"}


def test_a_valid_record_is_given_back_and_cannot_be_changed() -> None:
    task = validate(Task, {"name": "A", "category": "b", "summary": "C.", "wanted": "true"}, "f")
    assert isinstance(task, Task)
    assert task.wanted is True
    with pytest.raises(ValueError, match="frozen"):
        task.name = "B"  # type: ignore[misc]  # the mistake that is tried


def test_a_list_is_not_called_too_short_because_an_item_is_wrong() -> None:
    values = {**a_playbook().model_dump(mode="json"), "steps": [{"title": "A"}], "agents": ["No Slug"]}
    assert [(problem.field, problem.code) for problem in problems_of(Playbook, values)] == [
        ("agents[0]", "slug"),
        ("steps[0].detail", "missing-field"),
        ("steps[0].check", "missing-field"),
    ]
    assert [problem.code for problem in problems_of(Playbook, {**values, "steps": [], "agents": []})] == [
        "too-short"
    ] * 2


@pytest.mark.parametrize("text", ["", "  "])
@pytest.mark.parametrize(
    ("model", "values", "pointer", "mend"),
    [
        (Task, {"name": "{}", "category": "c", "summary": "s"}, ("name",), "write it"),
        (Step, {"title": "t", "detail": "d", "check": "{}"}, ("check",), "write it"),
        (Run, {"lesson": "{}"}, ("lesson",), "write it or remove the key"),
        (Playbook, {"human_checkpoints": ["{}"]}, ("human_checkpoints", 0), "write it or remove the item"),
        (Playbook, {"needs": [{"name": "{}"}]}, ("needs", 0, "name"), "write it"),
        (Playbook, {"needs": [{"note": "{}"}]}, ("needs", 0, "note"), "write it or remove the key"),
    ],
)
def test_an_empty_text_is_to_be_removed_only_where_it_need_not_be_there(
    model: type[Any], values: dict[str, Any], pointer: tuple[str | int, ...], mend: str, text: str
) -> None:
    given = json.loads(json.dumps(values).replace("{}", text))
    [found] = [problem for problem in problems_of(model, given) if problem.pointer == pointer]
    assert found.message == f"is empty; {mend}"


@pytest.mark.parametrize(
    ("key", "offered"),
    [
        ("titel", "did you mean 'title'?"),
        ("Detail", "did you mean 'detail'?"),
        ("zzz", "known are title, detail, check"),
    ],
)
def test_an_unknown_key_is_answered_with_the_nearest_or_with_all(key: str, offered: str) -> None:
    (problem,) = problems_of(Step, {"title": "A", "detail": "B", "check": "C", key: "x"})
    assert problem.code == "unknown-key"
    assert offered in problem.message


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-10T12:00:00",
        "2026-11-10",
        "2026-11-10T12:00Z",
        "20261110T120000Z",
        "2026-13-10T12:00:00Z",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "yesterday",
    ],
)
def test_a_moment_that_is_none_is_a_problem(text: str) -> None:
    assert [problem.code for problem in problems_of(Run, {**a_run().model_dump(mode="json"), "reported": text})] == [
        "timestamp"
    ]


def test_a_moment_of_any_zone_is_kept_in_utc() -> None:
    assert zulu(a_run(reported="2026-11-10T13:30:00+01:30").reported) == "2026-11-10T12:00:00Z"


@pytest.mark.parametrize("text", ["2026-2-3", "2026-02-30", "٢٠٢٦-٠١-٠١", "2026-01-01\n", "2026-W01-1", "20260101", ""])
def test_a_day_that_is_none_is_a_problem(text: str) -> None:
    (problem,) = problems_of(Playbook, {**a_playbook().model_dump(mode="json"), "updated": text})
    assert problem.code in ("date", "empty")


@pytest.mark.parametrize(
    "address",
    [
        "http://example.com",
        "https://example.com:8443/a?b=c#d",
        "https://[2001:db8::1]/",
        "https://bücher.example/straße",
        "https://example.com/@name",
    ],
)
def test_whole_addresses_are_taken(address: str) -> None:
    assert the_site(repository=address).repository == address


@pytest.mark.parametrize(
    "address",
    [
        "example.com",
        "//example.com",
        "https:",
        "https://",
        "https:example.com",
        "https://@example.com/",
        "https://:word@example.com/",
        "https://[::1",
        "https://example.com/a b",
        'https://example.com/"><script>',
        "https://example.com/\\x",
        "\x01https://example.com/",
        "https://exa\u200bmple.com/",
        "data:text/html,x",
        "HTTPS//example.com",
    ],
)
def test_everything_else_is_no_address(address: str) -> None:
    with pytest.raises(ValueError, match=r"address|invisible"):
        the_site(repository=address)


@pytest.mark.parametrize("field", ["risk", "risk_note", "steps"])
def test_a_record_that_lies_by_type_is_told_of_with_its_pointer(field: str) -> None:
    values = {**a_playbook().model_dump(mode="json"), field: {"a": ["b"]}}
    assert {problem.pointer for problem in problems_of(Playbook, values)} == {(field,)}


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@given(st.sampled_from(_MODELS), st.dictionaries(st.sampled_from(_FIELDS) | st.text(max_size=6), _ANYTHING, max_size=6))
def test_no_values_make_validation_raise_and_every_problem_has_a_mend(model: type[Any], values: dict[str, Any]) -> None:
    found = validate(model, values, "f")
    for problem in found if isinstance(found, list) else ():
        assert problem.message
        assert problem.code
        assert "{" not in problem.code
        assert problem.file == "f"


@pytest.mark.parametrize("model", _MODELS)
def test_every_record_has_a_schema_that_describes_each_field(model: type[Any]) -> None:
    schema = model.model_json_schema()
    assert schema["additionalProperties"] is False
    shared = {f"#/$defs/{name}": inner for name, inner in schema.get("$defs", {}).items()}
    described = {name: {**shared.get(field.get("$ref"), {}), **field} for name, field in schema["properties"].items()}
    assert [name for name, field in described.items() if not field.get("description")] == []
    assert json.loads(json.dumps(schema)) == schema
