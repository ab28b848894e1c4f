"""The forms that send have exactly the fields that the interface takes, in its words and with its bounds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from build.views.openapi import FormField, entries
from library.interface.intake import Intake, RunReport, Submission
from tests.builders import write_content
from tests.trees import built

FORMS = {RunReport: "report", Submission: "submit"}


def all_of(fields: tuple[FormField, ...]) -> Iterator[FormField]:
    for field in fields:
        yield field
        yield from all_of(field.fields)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("forms")
    built(write_content(folder), folder / "site")
    return folder / "site"


@pytest.mark.slow
@pytest.mark.parametrize("model", FORMS)
def test_every_field_that_is_taken_stands_in_the_form(model: type[Intake], site: Path) -> None:
    page = (site / FORMS[model] / "index.html").read_text()
    assert {field.name for field in entries(model)} == set(model.model_fields)
    for field in all_of(entries(model)):
        kind = {"choice": "choice", "object": "object", "list": "list"}.get(field.kind, "pointer")
        assert page.count(f'data-{kind}="{field.pointer}"') == 1, field.pointer
        assert page.count(f'id="f{field.pointer.replace("/", "-")}"') == 1, field.pointer
    for name, info in model.model_fields.items():
        told = next(field for field in entries(model) if field.name == name)
        assert (told.about, told.needed) == (info.description, info.is_required())


@pytest.mark.slow
def test_the_form_and_the_description_of_the_interface_say_the_same(site: Path) -> None:
    described = document_of(site)["components"]["schemas"]
    for model in FORMS:
        for field in entries(model):
            schema = described[model.__name__]["properties"][field.name]
            bare = next((one for one in schema.get("anyOf", ()) if one.get("type") != "null"), schema)
            assert field.about == schema["description"]
            if field.longest:
                assert field.longest == bare["maxLength"]


def document_of(site: Path) -> dict[str, Any]:
    whole: dict[str, Any] = orjson.loads((site / "api/v1/openapi.json").read_bytes())
    return whole


def test_a_report_begins_with_its_outcome() -> None:
    assert entries(RunReport)[0].name == "outcome"


def test_the_agents_of_the_library_are_proposed(site: Path) -> None:
    page = (site / "report" / "index.html").read_text()
    assert '<option value="claude-code">' in page
    assert page.count('list="agents"') == 1
