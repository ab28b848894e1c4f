"""The interface as one OpenAPI 3.1 document, the pages of it and of content files' fields, the forms. Pure.

They are made from the table of operations, the models and the kinds of errors.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec.yaml
import orjson
from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from library.interface import errors
from library.interface.answers import AgentList
from library.interface.bodies import MAX_BODY, Json
from library.interface.intake import Intake, RunReport
from library.interface.operations import FIELDS, LICENCE, OPERATIONS, TAGS, Operation, Parameter
from library.records.models import Site
from library.records.schemas import KINDS, Schema, bare, may_be_absent, never_null, schema_of
from library.records.vocabulary import Status
from library.rules import privacy

from ..facts import Facts
from . import feeds, page_contexts
from .rendering import RenderEnvironment

API_VERSION = "0.1.0"
JSON = "application/json"
PROBLEM_JSON = "application/problem+json"
_REF = "#/components/schemas/{model}"
_ALIKE: Mapping[str, Any] = msgspec.yaml.decode(Path(__file__).with_suffix(".yaml").read_bytes())
"""What the document says of every library."""


def answer_schemas(models: Iterable[type[BaseModel]]) -> dict[str, Schema]:
    """The schema of each model as it is answered, and of all that they hold, by name.

    A field that may be absent is never null; every other field is required. Unknown fields are allowed, since
    fields may be added. What a field says, and the form of its text, stand beside it where the model does not say it.
    """
    found = _definitions(models, "serialization")
    for schema in found.values():
        if "properties" in schema:
            schema.pop("additionalProperties", None)
            schema["required"] = [name for name, inner in schema["properties"].items() if not may_be_absent(inner)]
            schema["properties"] = {name: never_null(inner) for name, inner in schema["properties"].items()}
    for model, schema in found.items():
        for name, inner in schema.get("properties", {}).items():
            own = f"{model}.{name}"
            if about := FIELDS["about"].get(own) or FIELDS["about"].get(name):
                inner.setdefault("description", about)
            text = next((one for one in inner.get("anyOf", [inner]) if one.get("type") == "string"), None)
            form = next((form for form, names in FIELDS["formats"].items() if name in names or own in names), None)
            if text is not None and form and "enum" not in text:
                text.setdefault("format", form)
    return {name: bare(schema) for name, schema in sorted(found.items())}


def sent_schemas(models: Iterable[type[BaseModel]]) -> dict[str, Schema]:
    """The schema of each model as it is sent, by name: closed, and null counts as absent where a field is optional."""
    return {name: bare(schema) for name, schema in sorted(_definitions(models, "validation").items())}


def _definitions(models: Iterable[type[BaseModel]], mode: JsonSchemaMode) -> dict[str, Schema]:
    _, whole = models_json_schema([(model, mode) for model in models], ref_template=_REF)
    return dict(whole.get("$defs", {}))


@cache
def _schemas() -> Mapping[str, Schema]:
    """The schemas of all that is answered or sent, by name."""
    answered = [operation.answers for operation in OPERATIONS if operation.answers]
    sent = [operation.takes for operation in OPERATIONS if operation.takes]
    return {**answer_schemas([*answered, errors.ProblemDetails]), **sent_schemas(sent)}


def looked_through(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Schema:
    """What a field's value is: of what may be null the other choice, of a reference what it leads to."""
    choice: Schema = next((one for one in schema.get("anyOf", ()) if one.get("type") != "null"), {**schema})
    name = choice.get("$ref", "").rpartition("/")[2]
    return {**definitions[name]} if name else choice


def samples(facts: Facts) -> dict[str, str]:
    """A record of each kind that examples may name, by the name that stands for it there; empty where there is none.

    The first playbook that is to be followed with its agent and job, the first lesson and category, the last report.
    """
    library = facts.library
    active = (slug for slug in sorted(library.playbooks) if library.playbooks[slug].status is Status.ACTIVE)
    playbook = next(active, "")
    book = library.playbooks.get(playbook)
    reported, year, month = page_contexts.newest_page(facts)
    return {
        "playbook": playbook,
        "agent": book.agents[0] if book else min(library.agents, default=""),
        "lesson": min(library.lessons, default=""),
        "task": book.task if book else min(library.tasks, default=""),
        "category": next(iter(library.categories), ""),
        "job": next((slug for slug in library.tasks if facts.comparison(slug)), ""),
        "reported": reported,
        "year": year,
        "month": month,
        "day": next(iter(facts.table(feeds.by_day)), ""),
    }


def openapi(env: RenderEnvironment, records: Mapping[str, str]) -> bytes:
    """`GET /openapi.json`."""
    return orjson.dumps(document(env.site, records), option=orjson.OPT_INDENT_2)


def document(site: Site, records: Mapping[str, str]) -> dict[str, Any]:
    """The whole document as plain values."""
    top = site.site_url.rstrip("/")
    paths: dict[str, dict[str, Any]] = defaultdict(dict)
    for operation in OPERATIONS:
        paths[operation.path][operation.method.lower()] = _operation(operation, site, records)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": site.title,
            "summary": site.tagline,
            "description": _ALIKE["about"].format(docs=f"{top}/docs/interface/"),
            "version": API_VERSION,
            "contact": {"name": site.title, "url": site.contact},
            "license": {"name": f"{site.licence.name} (the content)", "url": site.licence.url},
        },
        "externalDocs": {"description": "The contract in words", "url": f"{top}/docs/interface/"},
        "servers": [{"url": site.base_url, "description": site.title}],
        "tags": [{"name": name, "description": about} for name, about in TAGS.items()],
        "paths": dict(paths),
        "components": {
            "schemas": _schemas(),
            "responses": _responses(top),
            "headers": {
                name: header
                for name, header in _ALIKE["headers"].items()
                if any(name in operation.headers for operation in OPERATIONS)
            },
            "securitySchemes": _ALIKE["securitySchemes"],
        },
    }


def _operation(operation: Operation, site: Site, records: Mapping[str, str]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.about,
        "security": _ALIKE["proofs"][operation.proof]["security"],
    }
    if operation.live and site.api_url:
        told["servers"] = [{"url": site.api_url.rstrip("/"), "description": "Where what is live is answered"}]
    if operation.parameters:
        told["parameters"] = [_parameter(parameter, records) for parameter in operation.parameters]
    if operation.takes:
        schema = {"$ref": f"#/components/schemas/{operation.takes.__name__}"}
        shown = operation.examples
        examples = {item.name: {"summary": item.about, "value": _filled(item.value, records)} for item in shown}
        told["requestBody"] = {"required": True, "content": {JSON: {"schema": schema, "examples": examples}}}
    told["responses"] = _answers(operation, records)
    return told


def _parameter(parameter: Parameter, records: Mapping[str, str]) -> dict[str, Any]:
    told: dict[str, Any] = {"name": parameter.name, "in": parameter.place, "description": parameter.about}
    told["schema"] = dict(parameter.schema)
    marks = {"required": parameter.required, "allowEmptyValue": parameter.may_be_empty}
    told |= {name: True for name, is_so in marks.items() if is_so}
    return told | ({"example": sample} if (sample := _filled(parameter.sample, records)) else {})


def _filled(value: Json, records: Mapping[str, str]) -> Json:
    """An example with records that the library has in the places of samples, such as `{playbook}`."""
    if isinstance(value, Mapping):
        return {name: _filled(inner, records) for name, inner in value.items()}
    if isinstance(value, list):
        return [_filled(item, records) for item in value]
    sample = re.fullmatch(r"\{(\w+)\}", value) if isinstance(value, str) else None
    return records.get(sample[1], "") if sample else value


def _answers(operation: Operation, records: Mapping[str, str]) -> dict[str, Any]:
    headers = {name: {"$ref": f"#/components/headers/{name}"} for name in operation.headers}
    told: dict[str, Any] = {"description": _ALIKE["successes"][str(operation.status)], "headers": headers}
    if operation.leads:
        leading = {"parameters": {"id": "$response.body#/id"}}
        told["links"] = {name: {"operationId": name, **leading} for name in operation.leads}
    if operation.status != 204:
        model = operation.answers
        schema = {"$ref": f"#/components/schemas/{model.__name__}"} if model else {"type": "object"}
        told["content"] = {JSON: {"schema": schema}}
        if operation.shows:
            told["content"][JSON]["example"] = _filled(operation.shows, records)
    found = {operation.status: told}
    for status in operation.also:
        found[status] = {"$ref": f"#/components/responses/{_ALIKE['others'][str(status)]['name']}"}
    for status in {kind.status for kind in operation.refuses}:
        found[status] = {"$ref": f"#/components/responses/Error{status}"}
    return {str(status): found[status] for status in sorted(found)}


def _responses(top: str) -> dict[str, Any]:
    others = _ALIKE["others"].values()
    found = {one["name"]: {"description": one["about"], "headers": _refs(one["headers"])} for one in others}
    refused = {kind for operation in OPERATIONS for kind in operation.refuses}

    def example(kind: errors.ErrorKind) -> dict[str, Any]:
        place = f"{top}/docs/errors/#{kind.slug}"
        return {"type": place, "title": kind.title, "status": kind.status, "detail": kind.advice}

    for status in dict.fromkeys(kind.status for kind in errors.KINDS if kind in refused):
        kinds = [kind for kind in errors.KINDS if kind in refused and kind.status == status]
        of_kinds = (name for kind in kinds for name in _ALIKE["errors"].get(kind.slug, ()))
        found[f"Error{status}"] = {
            "description": " ".join(f"`{kind.slug}`: {kind.title}. {kind.advice}" for kind in kinds),
            "headers": _refs(dict.fromkeys([*_of_every(status), *of_kinds])),
            "content": {
                PROBLEM_JSON: {
                    "schema": {"$ref": "#/components/schemas/ProblemDetails"},
                    "examples": {kind.slug: {"value": example(kind)} for kind in kinds},
                }
            },
        }
    return found


def _of_every(status: int) -> Iterator[str]:
    """The headers of every error of a status, as the operations are that refuse with it: read from a file, live, sent.

    An error that comes before an operation is reached, such as a body that is too slow, has the first alone.
    """
    refusing = [operation for operation in OPERATIONS if status in {kind.status for kind in operation.refuses}]
    yield "Cache-Control"
    if any(operation.live for operation in refusing):
        yield "X-Request-Id"
    if any(operation.method != "GET" for operation in refusing):
        yield from ("RateLimit", "RateLimit-Policy")


def _refs(names: Iterable[str]) -> dict[str, Any]:
    """Headers that an error may have: few are promised on every one of them, so they are described in place."""
    known = _ALIKE["headers"]
    return {name: {key: known[name][key] for key in ("description", "schema")} for name in names}


def operations(env: RenderEnvironment, records: Mapping[str, str]) -> bytes:
    """The page of every operation, for people."""
    whole = document(env.site, records)
    places = list(whole["paths"])
    shown = [_shown(operation, whole) for operation in sorted(OPERATIONS, key=lambda item: places.index(item.path))]
    groups = [(tag, about, [item for item in shown if item["operation"].tag == tag]) for tag, about in TAGS.items()]
    return env.page("operations.html", groups=groups, server=whole["servers"][0]["url"])


def _shown(operation: Operation, whole: Mapping[str, Any]) -> dict[str, Any]:
    """One operation as the page shows it: its rows are name, type, whether needed, and notes."""
    known = whole["components"]
    answers = whole["paths"][operation.path][operation.method.lower()]["responses"]
    body = known["schemas"][operation.takes.__name__] if operation.takes else {}
    return {
        "operation": operation,
        "proof": _ALIKE["proofs"][operation.proof]["words"],
        "parameters": [
            (item.name, f"{_in_words(item.schema, {})}, in the {item.place}", item.required, item.about)
            for item in operation.parameters
        ],
        "fields": [row[1:] for row in _rows(body, known["schemas"], operation.name)],
        "answers": [(status, _answer_in_words(told, known["responses"])) for status, told in answers.items()],
    }


def _answer_in_words(told: Mapping[str, Any], responses: Mapping[str, Any]) -> str:
    known = responses.get(told.get("$ref", "").rpartition("/")[2], told)
    schema = known.get("content", {}).get(JSON, {}).get("schema", {})
    name = schema.get("$ref", "").rpartition("/")[2]
    return f"{known['description']} `{name}`" if name else str(known["description"])


FieldRow = tuple[str, str, bool, str, str]
"""One field of a file: its anchor, its name with the list that it stands in, whether it is needed, kind and meaning."""


def fields_page(env: RenderEnvironment, _context: object) -> bytes:
    """Every kind of file with its fields."""
    return env.page("fields.html", kinds=_kinds())


@cache
def _kinds() -> list[tuple[str, str, list[FieldRow]]]:
    wholes = [(kind, schema_of(kind)) for kind in KINDS]
    return [(kind, whole["description"], [*_rows(whole, whole.get("$defs", {}), kind)]) for kind, whole in wholes]


def _rows(schema: Schema, definitions: Mapping[str, Any], anchor: str, before: str = "") -> Iterator[FieldRow]:
    """The fields of an object in their order, those of an object in a list after the list."""
    for name, field in schema.get("properties", {}).items():
        place, known = f"{anchor}-{name.replace('_', '-')}", looked_through(field, definitions)
        inner = looked_through(known.get("items", known), definitions)
        about = field.get("description") or inner.get("description", "")
        yield place, before + name, name in schema.get("required", ()), _in_words(known, definitions), about
        yield from _rows(inner, definitions, place, f"{before}{name}{'[].' if 'items' in known else '.'}")


def _in_words(field: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    """What a field may hold: `list of names, at most 50`."""
    known = looked_through(field, definitions)
    kind = known.get("type")
    if "enum" in known or "const" in known:
        return ", ".join(map(str, known.get("enum", ["true"])))
    if kind == "array":
        head, comma, rest = _in_words(known["items"], definitions).partition(", at most")
        each = {"record": "records", "name": "names", "text": "texts", "address": "addresses"}.get(head, head)
        return f"list of {each}{f' of at most{rest}' if comma else ''}{_at_most(known, 'maxItems')}"
    if "maximum" in known:
        return f"whole number, {known['minimum']:,} to {known['maximum']:,}"
    if kind == "string":
        return _text(known)
    return {"boolean": "true or false", "integer": "whole number"}.get(str(kind), "record")


def _text(known: Schema) -> str:
    if form := str(known.get("format", "")):
        return {"uri": "address", "date-time": "moment"}.get(form, form)
    if known.get("pattern"):
        return "name" if "a-z0-9" in known["pattern"] else "text of a fixed form"
    return f"text{_at_most(known, 'maxLength', ' characters')}"


def _at_most(known: Schema, bound: str, of: str = "") -> str:
    return f", at most {known[bound]:,}{of}" if bound in known else ""


Kind = Literal["line", "text", "address", "number", "choice", "list", "object"]
_ONE_LINE = 200  # a text that may be longer than this has a box of several lines
_FIRST: Mapping[type[Intake], tuple[str, ...]] = {RunReport: ("outcome", "playbook", "agent", "what_changed", "lesson")}
"""The fields that a form begins with; the others follow as the model has them."""


@dataclass(frozen=True, slots=True)
class FormField:
    """One field of a form. `pointer` is its place in the body, after RFC 6901; of a list, `item` is one of it."""

    name: str
    pointer: str
    kind: Kind
    about: str
    needed: bool
    longest: int = 0
    lowest: int | None = None
    highest: int | None = None
    choices: tuple[str, ...] = ()
    default: str = ""
    item: "FormField | None" = None
    fields: "tuple[FormField, ...]" = ()


@cache
def entries(model: type[Intake]) -> tuple[FormField, ...]:
    """The fields of what a model takes, in the order of its form."""
    schemas = sent_schemas([model])
    first = _FIRST.get(model, ())
    found = _entries(schemas[model.__name__], schemas, "")
    return tuple(sorted(found, key=lambda entry: first.index(entry.name) if entry.name in first else len(first)))


def _entries(schema: Mapping[str, Any], schemas: Mapping[str, Any], above: str) -> list[FormField]:
    needed = schema.get("required", ())
    return [
        _entry(name, f"{above}/{name}", field, schemas, needed=name in needed)
        for name, field in schema["properties"].items()
    ]


def _entry(name: str, pointer: str, field: Mapping[str, Any], schemas: Mapping[str, Any], *, needed: bool) -> FormField:
    """One field by its schema; the reference and the null of an optional one are looked through."""
    bare = looked_through(field, schemas)
    kind = _form_kind(bare)
    return FormField(
        name,
        pointer,
        kind,
        field.get("description", ""),
        needed,
        longest=bare.get("maxLength", 0),
        lowest=bare.get("minimum"),
        highest=bare.get("maxItems", bare.get("maximum")),
        choices=tuple(bare.get("enum", ())),
        default=default if isinstance(default := field.get("default"), str) else "",
        item=_entry(name, f"{pointer}/0", bare["items"], schemas, needed=False) if kind == "list" else None,
        fields=tuple(_entries(bare, schemas, pointer)) if kind == "object" else (),
    )


def _form_kind(schema: Mapping[str, Any]) -> Kind:
    if "enum" in schema:
        return "choice"
    named: Mapping[str, Kind] = {"array": "list", "object": "object", "integer": "number"}
    if schema.get("type") in named:
        return named[schema["type"]]
    if schema.get("format") == "uri":
        return "address"
    return "text" if schema.get("maxLength", 0) > _ONE_LINE else "line"


def form(template: str, model: type[Intake]) -> Callable[[RenderEnvironment, AgentList], bytes]:
    """A view of the form that sends such a body, which is filled in with the agents that there are."""

    def view(env: RenderEnvironment, agents: AgentList) -> bytes:
        told = {"fields": entries(model), "private": privacy.browser_table(), "licence": LICENCE, "most": MAX_BODY}
        return env.page(template, **told, agents=agents.items)

    return view
