"""Every field at both sides of its bounds: the most that is taken, one more that is refused, and what may be left out.

A line of a table is `field[!] [least-]most kind [= default]`; `!` says that the field must be there.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest
from pydantic import BaseModel, ValidationError

from library.interface import intake
from library.records import models
from library.records.vocabulary import SubmissionKind
from writeapi.review.screening import screen

CONTENT = """
Step: title! 200 line; detail! 4000 text; check! 4000 text
PromptInput: name! 64 line; meaning! 200 line; example! 200 line; where! 200 line; default 200 line; secret truth
MinuteRange: from! 100000 number; to! 100000 number; depends_on! 200 line
TriedTool: tool! 200 line; version! 200 line
Variant: agent! 64 slug; prompt! 16000 text; note 4000 text
Need: name! 200 line; kind! data|app|permission|plan|account|tool; note 4000 text; url 2000 url
Failure: problem! 4000 text; fix! 4000 text; lesson 64 slug
Evidence: title! 200 line; url! 2000 url; platform! blog|forum|github|video|docs|paper|social|other; agent! 200 line;
    reported_outcome! 4000 text; author 200 line; date day; outcome worked|worked_with_changes|failed;
    account first-hand|vendor|third-party; vendor 200 line; origin 2000 url; checked day; incident 64 slug
Reference: title! 200 line; url! 2000 url; checked! day
Tested: date! day; agent! 64 slug; outcome! worked|worked_with_changes|failed; by! 39 handle; version! version;
    agent_version 200 line; model 200 line; note 4000 text; arm playbook|bare; trial_digest version;
    case_digest version; tools texts;
    duration_minutes 525600 number; sandbox bubblewrap|container|none; transcript_digest digest; transcript_read truth;
    prompt_digest digest
Contributor: handle! 39 handle
Playbook: title! 200 line; task! 64 slug; agents! 1-50 slugs; summary! 400 text; outcome! 600 text;
    difficulty! beginner|intermediate|advanced; time! 200 line; cost! 200 line; risk! low|medium|high;
    no_trial 200 line; essence 600 text; minutes MinuteRange; inputs 0-40 PromptInput = ();
    tried_with 0-30 TriedTool = ();
    risk_note! 4000 text; human_checkpoints 0-20 texts = (); prompt! 16000 text; variants 0-20 Variant = ();
    needs 0-30 Need = (); steps! 1-30 Step; failures 0-30 Failure = (); evidence 0-60 Evidence = ();
    references 0-30 Reference = (); tested 0-60 Tested = (); related 0-50 slugs = (); tags 0-50 slugs = ();
    asked 0-30 texts = (); updated! day; contributors 0-50 Contributor = ();
    status active|deprecated|withdrawn = active; status_reason 4000 text; replaced_by 64 slug; aliases 0-50 slugs = ()
Source: title! 200 line; url! 2000 url
Lesson: title! 200 line; problem! 4000 text; fix! 4000 text; agents 0-50 slugs = (); playbooks 0-50 slugs = ();
    tags 0-50 slugs = (); updated! day; sources 0-20 Source = (); contributors 0-50 Contributor = ()
Agent: name! 200 line; vendor! 200 line; url! 2000 url; summary! 400 text; kind cli|ide|cloud|assistant|framework;
    source_url 2000 url; aliases 0-50 names = ()
Task: name! 200 line; category! 64 slug; summary! 400 text; wanted truth = False; requests 1000000 number = 0
Usage: title! 200 line; url! 2000 url; checked! day; percent! 100 number; of! 200 line
Category: slug! 64 slug; name! 200 line; summary! 400 text; usage Usage
Categories: categories! 1-100 Category
Synonym: words! 1-60 texts; mean! 1-20 texts
Synonyms: synonyms! 0-2000 Synonym
AIModel: slug! 64 slug; name! 200 line; vendor 200 line; family 200 line; released day; source_url 2000 url;
    aliases 0-50 names = ()
AIModels: models! 0-1000 AIModel
Run: playbook! 64 slug; playbook_version! version; agent! 128 line; agent_version 128 line; model 128 line;
    outcome! worked|worked_with_changes|failed; what_changed 8192 text; lesson 8192 text;
    duration_minutes 525600 number; reporter 64 line; verified truth = False; contributor_since day; reported! moment;
    status pending|approved|rejected|withdrawn = approved
Licence: name! 200 line; url! 2000 url
SiteLink: title! 200 line; url! 2000 url
Site: title! 200 line; tagline! 200 line; site_url! 2000 url; api_url 2000 url; repository 2000 url;
    branch 200 line = main; licence! 1 Licence; contact! 2000 url; accent colour; accent_dark colour;
    search_language danish|dutch|english|finnish|french|german|hungarian|italian|norwegian|portuguese|romanian|russian|
    spanish|swedish = english; stop_words 0-200 texts = (); links 0-12 SiteLink = (); footer 4000 text
"""
SENT = """
RunReport: playbook! 200 line; agent! 128 line; outcome! worked|worked_with_changes|failed; agent_version 128 line;
    model 128 line; what_changed 8192 text; lesson 8192 text; duration_minutes 525600 number; reporter 64 line;
    playbook_version sentversion
NewContributor: handle! 39 handle; email 254 mail
PlaybookPayload: title! 200 line; agents! 1-30 texts; summary! 8192 text; prompt! 16000 text; steps! 1-30 texts;
    job 200 line; category 64 line; what_went_wrong 0-30 texts; human_checkpoints 0-30 texts; sources 0-30 urls;
    outcome 8192 text; agent_version 128 line; time_taken 200 line
Submission: kind use_case|lesson|correction|playbook = use_case; title! 200 line; body! 8192 text; agent 128 line;
    playbook 200 line; source_url 2000 url; reporter 64 line; payload 1 PlaybookPayload
"""
URL = "https://example.com/"
VALUES = {
    "url": URL,
    "day": "2026-11-20",
    "moment": "2026-11-20T12:00:00Z",
    "version": "0a1b2c3d4e5f",
    "sentversion": "0a1b2c3d4e5f",
    "digest": "0a1b2c3d" * 8,
    "colour": "#1f4e9e",
    "truth": True,
    "mail": "ada@example.com",
}
REFUSED: dict[str, tuple[Any, ...]] = {
    "line": ("", " ", "a\nb", "a\u200bb", 1),
    "text": ("", " \n", "a\u202eb", 1),
    "slug": ("", "A", "a_b", "a--b", "-a", "a-", "a\n", 1),
    "handle": ("", "a", "a--b", "-a", "a-", "a_b", 1),
    "url": (
        "",
        "example.com",
        "ftp://example.com/",
        "https://",
        "https://a@example.com/",
        "https://example.com/ b",
        "https://a..b/",
        "https://.../",
    ),
    "day": ("", "2026-02-30", "20261120", "2026-1-1", "2026-11-20T00:00:00Z", 1),
    "moment": ("", "2026-11-20", "2026-11-20T12:00:00", "2026-11-20T12:00Z", "2026-13-20T12:00:00Z"),
    "version": ("", "0a1b2c3d4e5", "0a1b2c3d4e5f6", "0A1B2C3D4E5F", "0a1b2c3d4e5g"),
    "sentversion": ("", "0a1b2c3d4e5", "0a1b2c3d4e5f6", "0a1b2c3d4e5g", "latest"),
    "digest": ("", "0a1b2c3d", "0A1B2C3D" * 8, "0a1b2c3d" * 9),
    "colour": ("", "#1F4E9E", "#1f4e9", "#1f4e9e0", "1f4e9e", "red"),
    "truth": ("perhaps", 2),
    "number": (-1, 1.5, "x"),
    "mail": ("", "ada", "@example.com", "ada@", "ada@example", "a da@example.com"),
}


class Field(NamedTuple):
    """A field as a table tells it."""

    model: type[BaseModel]
    name: str
    needed: bool
    least: int
    most: int
    kind: str
    default: str


def fields(table: str, module: Any) -> list[Field]:
    """Every field of a table."""
    found = []
    for model, told in re.findall(r"^(\w+):((?:[^\n]|\n )+)", table, re.MULTILINE):
        for part in told.split(";"):
            whole = re.fullmatch(
                r"(\w+)(!?) (?:(?:(\d+)-)?(\d+) )?([\w|-]+)(?: = (.+))?", re.sub(r"\|\s+", "|", " ".join(part.split()))
            )
            assert whole, part
            name, needed, least, most, kind, default = whole.groups()
            found.append(
                Field(
                    getattr(module, model), name, bool(needed), int(least or 0), int(most or 0), kind, default or "None"
                )
            )
    return found


ALL = [*fields(CONTENT, models), *fields(SENT, intake)]
BY_NAME = {f"{field.model.__name__}.{field.name}": field for field in ALL}


def of_length(field: Field, count: int) -> Any:
    """A value of a kind with so many characters, or items."""
    lists = {
        "slugs": [f"a{number}" for number in range(count)],
        "texts": ["A"] * count,
        "names": [f"A {number}" for number in range(count)],
        "urls": [URL] * count,
    }
    others = {"url": URL + "x" * (count - len(URL)), "mail": f"{'a' * 64}@{'b' * (count - 69)}.com", "number": count}
    if field.kind[0].isupper():
        inner = whole(getattr(models if hasattr(models, field.kind) else intake, field.kind))
        return [inner] * count if field.most > 1 else inner
    return {**lists, **others}.get(field.kind, "a" * count)


def whole(model: type[BaseModel]) -> dict[str, Any]:
    """The least that is a record of this model."""
    return {field.name: sample(field) for field in ALL if field.model is model and field.needed}


def sample(field: Field) -> Any:
    """A value that a field takes."""
    if field.kind in VALUES:
        return VALUES[field.kind]
    return field.kind.split("|")[0] if "|" in field.kind else of_length(field, max(field.least, 1, field.most // 10))


def taken(field: Field, value: object) -> bool:
    """Whether a field takes a value, whatever else is missing; the whole must take it too."""
    try:
        field.model.model_validate({field.name: value})
    except ValidationError as error:
        if any(problem["loc"][0] == field.name for problem in error.errors()):
            return False
    if str(value).lower() != SubmissionKind.PLAYBOOK:  # which needs a payload beside it
        made = field.model.model_validate({**whole(field.model), field.name: value})
        assert made.model_dump().get(field.name) is not None
    return True


def test_the_tables_hold_every_field_of_every_model_and_whether_it_must_be_there() -> None:
    for module in (models, intake):
        for model in vars(module).values():
            if model is intake.LongSearch:  # a question, which is asked and not kept: `tests/contract` asks it
                continue
            if isinstance(model, type) and issubclass(model, BaseModel) and model.__module__ == module.__name__:
                told = {field.name: field.needed for field in ALL if field.model is model}
                assert told == {info.alias or name: info.is_required() for name, info in model.model_fields.items()}, (
                    model
                )
                assert (model.model_config["frozen"], model.model_config["extra"]) == (True, "forbid"), model


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_NAME)
def test_a_field_takes_its_least_and_its_most_and_nothing_beyond(name: str) -> None:
    field = BY_NAME[name]
    assert taken(field, sample(field))
    if field.most > 1:
        assert taken(field, of_length(field, field.most))
        assert not taken(field, of_length(field, field.most + 1))
    if field.least:
        assert taken(field, of_length(field, field.least))
        assert not taken(field, of_length(field, field.least - 1))
    for word in field.kind.split("|") if "|" in field.kind else ():
        assert taken(field, word)
        assert taken(field, word.upper()) is (field.model.__module__ == intake.__name__), (
            "only what is sent is read kindly"
        )
        assert not taken(field, f"{word}s")
    assert not field.needed or not taken(field, None)
    for odd in REFUSED.get(field.kind, ()):
        assert not taken(field, odd), odd
    if field.kind == "slugs":
        assert not taken(field, ["a", "b", "a"])


@pytest.mark.parametrize("model", dict.fromkeys(field.model for field in ALL))
def test_what_is_left_out_is_its_default_and_what_is_nothing_is_not_written(model: type[BaseModel]) -> None:
    made = model.model_validate(whole(model))
    for field in ALL:
        if field.model is model and not field.needed:
            assert str(getattr(made, field.name)) == field.default, field.name
            written = field.default != "None" or field.name == "payload"
            assert (field.name in made.model_dump(mode="json")) is written, field.name


def test_what_another_program_finds_is_a_sentence_in_a_line() -> None:
    def fine(**values: str) -> bool:
        try:
            screen.FindingMade.model_validate({"code": "spam", "pointer": "", "detail": "Loud.", **values})
        except ValidationError:
            return False
        return True

    assert fine()
    assert fine(detail="x" * 500)
    assert not fine(detail="x" * 501)
    assert not fine(detail="a\nb")
    assert fine(pointer="/steps/0/detail")
    assert not fine(pointer="a")
