"""The OpenAPI description says what the service does: its paths, bodies, answers and examples are held against it."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import closing
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from jsonschema import Draft202012Validator, FormatChecker
from openapi_spec_validator import OpenAPIV31SpecValidator

from build.views.openapi import document
from build.views.routes import API, API_ROUTES
from library.interface.errors import KINDS, METHOD_NOT_ALLOWED
from library.interface.operations import FIELDS, OPERATIONS, TAGS, Operation
from library.records.models import Site
from server.app import Service
from tests.builders import BOOK, SITE
from tests.service import HERE, Client, a_service, fronts
from writeapi import create_app

PROJECT = Path(__file__).resolve().parents[2]
NODE = PROJECT / "tests/node"
BY_NAME = {operation.name: operation for operation in OPERATIONS}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = a_service(
        tmp_path_factory.mktemp("openapi"), write_limits="1000 per day", contributor_limits="99 per day"
    )
    yield service
    service.close()


@pytest.fixture(scope="module")
def ask(service: Service) -> Client:
    return Client(service)


@pytest.fixture(scope="module")
def told(ask: Client) -> dict[str, Any]:
    """The description, as the service serves it."""
    answer = ask(f"{API}/openapi.json")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    value: dict[str, Any] = answer.json()
    return value


def operations(told: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Path, method and operation."""
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            yield path, method.upper(), operation


def shape(path: str) -> str:
    """A path without the names in it, which each room chooses."""
    return re.sub(r"\{\w+\}|<\w+>", "{}", path)


def closed(schema: Any) -> Any:
    """The schema, with every object closed: what is answered and not described is a fault."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: closed(value) for name, value in schema.items()}
    return {**inner, "additionalProperties": False} if isinstance(schema.get("properties"), dict) else inner


def faults(told: dict[str, Any], schema: dict[str, Any], value: Any) -> list[str]:
    """In what a value is not what a schema says."""
    whole = {**schema, "components": {"schemas": closed(deepcopy(told["components"]["schemas"]))}}
    found = Draft202012Validator(whole, format_checker=FormatChecker()).iter_errors(value)
    return [f"{error.json_path}: {error.message}" for error in found]


CARRIED = (
    *(
        "Accept-Encoding",
        "Allow",
        "Cache-Control",
        "Location",
        "RateLimit",
        "RateLimit-Policy",
        "Retry-After",
        "WWW-Authenticate",
    ),
    "X-Request-Id",
)
"""What an error must not carry without that the description says so."""


def check(told: dict[str, Any], path: str, method: str, answer: httpx.Response) -> None:
    """The answer is one that the description has: its status, headers, type and body."""
    where = f"{method} {path}: {answer.status_code}"
    described = told["paths"][path][method.lower()]["responses"]
    assert str(answer.status_code) in described, f"{where} is not described; {answer.text}"
    response = described[str(answer.status_code)]
    response = told["components"]["responses"].get(response.get("$ref", "").rpartition("/")[2], response)
    for name, header in response.get("headers", {}).items():
        known = told["components"]["headers"].get(header.get("$ref", "").rpartition("/")[2], header)
        assert name in answer.headers or not known.get("required"), f"{where} lacks {name}"
    if answer.status_code >= 400:
        assert sorted(name for name in CARRIED if name in answer.headers and name not in response["headers"]) == [], (
            where
        )
    content = response.get("content", {})
    if fronts and answer.status_code == 308:
        return  # nginx has a line for people under its redirects
    assert list(content) == ([answer.headers["content-type"]] if answer.content else []), where
    for media in content.values():
        assert faults(told, media["schema"], answer.json()) == [], where


# What is described is what there is


def test_every_operation_is_one_that_the_service_has(service: Service) -> None:
    rules = create_app(service.services, service.engine).url_map.iter_rules()
    live = {(method, shape(rule.rule)) for rule in rules for method in rule.methods or () if method in METHODS}
    files = {("GET", shape(route.path.removeprefix(API))) for route in API_ROUTES}
    assert not live & files
    described = {(item.method, shape(item.path)): item.live for item in OPERATIONS}
    assert {key for key, is_live in described.items() if is_live} == live
    assert {key for key, is_live in described.items() if not is_live} == files


METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def test_every_operation_stands_in_the_interface() -> None:
    text = (PROJECT / "docs/interface.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (GET|POST|PUT|DELETE) \| `(/[^`]*)` \|", text, re.MULTILINE)
    assert {(method, shape(path)) for method, path in rows} == {(item.method, shape(item.path)) for item in OPERATIONS}


def test_search_takes_the_parameters_that_are_described(ask: Client) -> None:
    refused = ask(f"{API}/search?q=x&zzz=1").json()["errors"][0]["detail"]
    known = [item.name for item in BY_NAME["search"].parameters if item.place == "query"]
    assert refused == f"is not a known key; known are {', '.join(known)}"


def test_every_kind_of_error_is_described() -> None:
    told = {kind for operation in OPERATIONS for kind in operation.refuses}
    assert set(KINDS) - told == {METHOD_NOT_ALLOWED}


def test_every_property_says_what_it_is_and_every_address_and_moment_its_form(told: dict[str, Any]) -> None:
    schemas = told["components"]["schemas"]
    properties = [(model, *item) for model, schema in schemas.items() for item in schema.get("properties", {}).items()]
    assert [f"{model}.{name}" for model, name, inner in properties if not inner.get("description")] == []
    known = {name for model, name, _ in properties} | {f"{model}.{name}" for model, name, _ in properties}
    assert set(FIELDS["about"]) - known == set()
    assert {name for names in FIELDS["formats"].values() for name in names} - known == set()
    forms = {name: inner.get("format") for _, name, inner in properties if inner.get("type") == "string"}
    assert {name: form for name, form in forms.items() if name.endswith("url") and form != "uri"} == {}


def test_names_and_groups(told: dict[str, Any]) -> None:
    names = [operation["operationId"] for _, _, operation in operations(told)]
    assert len(names) == len(set(names)) == len(OPERATIONS)
    assert {tag for _, _, operation in operations(told) for tag in operation["tags"]} == set(TAGS)


def test_the_one_who_reports_is_told_to_ask_first(told: dict[str, Any]) -> None:
    for name in ("/runs", "/submissions"):
        assert "only after asking the end user" in told["paths"][name]["post"]["description"]
        assert "no private data" in told["paths"][name]["post"]["description"]


def test_optional_fields_are_never_null_and_others_are_required(told: dict[str, Any]) -> None:
    run = told["components"]["schemas"]["RunAnswer"]
    assert "model" not in run["required"]
    assert run["properties"]["model"]["type"] == "string"
    statistics = told["components"]["schemas"]["RunStatistics"]
    assert "lastReport" in statistics["required"]
    assert {"type": "null"} in statistics["properties"]["lastReport"]["anyOf"]
    assert "status" in told["components"]["schemas"]["RunReceipt"]["required"]


# What is answered is what is described


@pytest.mark.parametrize("operation", [item for item in OPERATIONS if item.method == "GET"], ids=lambda item: item.name)
def test_every_read_answers_what_is_described(ask: Client, told: dict[str, Any], operation: Operation) -> None:
    path = operation.path
    query = {}
    for parameter in told["paths"][path]["get"].get("parameters", ()):
        if parameter["in"] == "query" and "example" in parameter:
            query[parameter["name"]] = parameter["example"]
        path = path.replace(f"{{{parameter['name']}}}", str(parameter.get("example", "run_" + "a" * 26)))
    answer = ask(f"{API}{path}", params=query)
    check(told, operation.path, "GET", answer)
    expected = {"getRun": 404, "getSubmission": 404, "listWholePlaybooks": 404, "getVersion": 404}
    expected["getChangesOfDay"] = 404  # there is no history
    expected |= {f"listPlaybooksBy{word}Part": 404 for word in ("Agent", "Category", "Task", "Trust")}  # they are few
    expected |= dict.fromkeys(("getOwnRecord", "listOwnRuns", "listOwnSubmissions"), 401)
    assert answer.status_code == expected.get(operation.name, 200)
    if "ETag" in operation.headers and answer.status_code == 200:
        again = ask(f"{API}{path}", params=query, headers={"If-None-Match": answer.headers["etag"]})
        check(told, operation.path, "GET", again)
        assert again.status_code == 304


def test_every_record_answers_what_is_described(ask: Client, told: dict[str, Any]) -> None:
    for kind in ("playbooks", "agents", "lessons", "tasks", "categories"):
        for item in ask(f"{API}/{kind}").json()["items"]:
            check(told, f"/{kind}/{{slug}}", "GET", ask(f"{API}/{kind}/{item['slug']}"))
    check(told, "/playbooks/{slug}", "GET", ask(f"{API}/playbooks/old-flaky"))
    check(told, "/runs", "GET", ask(f"{API}/runs?playbook=old-flaky"))


WITH_BODIES = [
    (operation, example) for operation in OPERATIONS for example in operation.examples if operation.method == "POST"
]


@pytest.mark.parametrize(("operation", "example"), WITH_BODIES, ids=[f"{o.name}-{e.name}" for o, e in WITH_BODIES])
def test_every_example_is_taken(ask: Client, told: dict[str, Any], operation: Operation, example: Any) -> None:
    described = told["paths"][operation.path]["post"]["requestBody"]["content"]["application/json"]
    body = described["examples"][example.name]["value"]
    assert faults(told, described["schema"], body) == []
    headers = {"Idempotency-Key": f"{operation.name}-{example.name}"} if operation.proof != "none" else {}
    answer = ask(f"{API}{operation.path}", "POST", json=body, headers=headers)
    assert answer.status_code == operation.status, answer.text
    check(told, operation.path, "POST", answer)


def test_every_answer_that_is_shown_has_the_shape_that_is_described(told: dict[str, Any]) -> None:
    shown = 0
    for path, method, operation in operations(told):
        for response in operation["responses"].values():
            for media in response.get("content", {}).values():
                if "example" in media:
                    assert faults(told, media["schema"], media["example"]) == [], f"{method} {path}"
                    shown += 1
    assert shown >= 4
    for response in told["components"]["responses"].values():
        for media in response.get("content", {}).values():
            assert not [item for item in media["examples"].values() if faults(told, media["schema"], item["value"])]


def test_a_submission_and_a_key_from_beginning_to_end(service: Service, ask: Client, told: dict[str, Any]) -> None:
    send = partial(sent, ask, told)
    made = send("POST", "/contributors", {"handle": "open-api"}, status=201)
    further = send("POST", "/contributors/me/keys", key=made["api_key"], status=201)
    send("DELETE", "/contributors/me/keys/{prefix}", key=further["api_key"], prefix=made["api_key"][:12], status=204)
    send("GET", "/contributors/me", key=further["api_key"])
    send("GET", "/contributors/me", key=made["api_key"], status=401)
    body = {"kind": "lesson", "title": "What it says", "body": "The whole of it."}
    receipt = send("POST", "/submissions", body, status=201)
    store = service.services.store
    store.move(receipt["id"], "screened", by="review-agent")
    store.move(receipt["id"], "changes_requested", by="editor", reasons=["unclear"], note="Which version?")
    change = partial(send, id=receipt["id"], key=receipt["edit_token"])
    change("PUT", "/submissions/{id}", body)
    change("PUT", "/submissions/{id}", body)
    store.move(receipt["id"], "screened", by="review-agent")
    change("PUT", "/submissions/{id}", body, status=409)
    change("DELETE", "/submissions/{id}")
    send("DELETE", "/submissions/{id}", id=receipt["id"], status=403)
    send("GET", "/submissions/{id}", id=receipt["id"])
    send("POST", "/contributors", {"handle": "open-api"}, status=409)
    send("POST", "/runs", {"playbook": BOOK}, status=422)


def test_errors_have_the_headers_that_are_described(told: dict[str, Any]) -> None:
    headers = {name: set(error["headers"]) for name, error in told["components"]["responses"].items()}
    everywhere, live, write = {"Cache-Control"}, {"X-Request-Id"}, {"RateLimit", "RateLimit-Policy"}
    errors = {name for name in headers if name.startswith("Error")}
    assert {name for name in errors if not everywhere <= headers[name]} == set()
    assert headers["Error401"] == everywhere | live | write | {"WWW-Authenticate"}
    assert headers["Error415"] == everywhere | live | write | {"Accept-Encoding"}
    assert headers["Error422"] == everywhere | live | write
    assert headers["Error429"] == headers["Error503"] == everywhere | live | write | {"Retry-After"}


@pytest.mark.slow
def test_a_write_that_is_one_too_many_is_described(tmp_path: Path, told: dict[str, Any]) -> None:
    with closing(a_service(tmp_path, write_limits="1 per minute")) as service:
        send = partial(sent, Client(service), told)
        send("POST", "/runs", {"playbook": BOOK}, status=422)
        send("POST", "/runs", {"playbook": BOOK}, status=429)


def sent(
    ask: Client,
    told: dict[str, Any],
    method: str,
    path: str,
    body: Any = None,
    *,
    key: str = "",
    status: int = 200,
    **names: str,
) -> Any:
    """One request, whose answer must be described and have this status."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    options = {"json": body} if body is not None else {}
    answer = ask(API + path.format(**names), method, headers=headers, **options)
    assert answer.status_code == status, answer.text
    check(told, path, method, answer)
    return answer.json() if answer.content else None


# The document itself


def a_document(**site: Any) -> dict[str, Any]:
    values = dict(line.split(": ", 1) for line in SITE.splitlines() if not line.startswith((" ", "licence")))
    licence = {"name": "CC BY 4.0", "url": "https://creativecommons.org/licenses/by/4.0/"}
    seen = {"playbook": BOOK, "agent": "claude-code", "lesson": "a-lesson"}
    return document(Site(**{**values, "licence": licence, **site}), seen)


@pytest.mark.slow
def test_it_is_openapi(told: dict[str, Any]) -> None:
    for value in (told, a_document()):
        assert value["info"]["version"] == "0.1.0"
        OpenAPIV31SpecValidator(value).validate()
    assert not re.search(r"\"\{(playbook|agent|lesson)\}\"", json.dumps(told))


def test_it_stands_where_the_site_does(told: dict[str, Any]) -> None:
    assert told["servers"][0]["url"] == f"{HERE}{API}"
    under = a_document(site_url="https://library.example/sub/", api_url="https://write.example/api/v1/")
    assert under["servers"][0]["url"] == "https://library.example/sub/api/v1"
    elsewhere = {item["operationId"]: item.get("servers") for _, _, item in operations(under)}
    assert elsewhere["reportRun"] == [{"url": "https://write.example/api/v1", "description": ANY}]
    assert elsewhere["listPlaybooks"] is None


class _Any:
    def __eq__(self, other: object) -> bool:
        return isinstance(other, str)

    __hash__ = object.__hash__


ANY = _Any()


def test_a_library_without_records_has_a_document() -> None:
    empty = document(Site.model_validate(a_site()), {})
    OpenAPIV31SpecValidator(empty).validate()


def a_site() -> dict[str, Any]:
    licence = {"name": "CC BY 4.0", "url": "https://creativecommons.org/licenses/by/4.0/"}
    top = "https://library.example"
    return {"title": "A", "tagline": "B", "site_url": top, "licence": licence, "contact": f"{top}/contact"}


def test_the_page_shows_every_operation(ask: Client, told: dict[str, Any]) -> None:
    page = ask("/docs/operations/").text
    for path, method, operation in operations(told):
        assert f'id="{operation["operationId"]}"' in page
        assert f"<code>{method} {path}</code>" in page
    assert "playbook_version" in page
    assert "payload.steps" in page


@pytest.mark.system
@pytest.mark.parametrize(
    "command",
    [
        ["spectral", "lint", "--fail-severity", "hint", "--ruleset", str(NODE / "spectral.yaml")],
        ["redocly", "lint", "--config", str(NODE / "redocly.yaml")],
    ],
    ids=["spectral", "redocly"],
)
def test_linters_find_nothing(told: dict[str, Any], tmp_path: Path, command: list[str]) -> None:
    tools = NODE / "node_modules/.bin"
    if not (tools / command[0]).exists():
        pytest.skip(f"{command[0]} is not installed in tests/node: the OpenAPI description was not linted")
    for name, value in {"served": told, "sub-path": a_document(site_url="https://library.example/sub")}.items():
        path = tmp_path / f"{name}.json"
        path.write_bytes(orjson.dumps(value))
        found = subprocess.run(
            [str(tools / command[0]), *command[1:], str(path)],
            check=False,
            capture_output=True,
            text=True,
            timeout=120,
            cwd=tmp_path,
            env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "REDOCLY_TELEMETRY": "off"},
        )
        output = found.stdout + found.stderr
        assert found.returncode == 0, output
        assert not re.search(r"\bwarn", output, re.IGNORECASE), output
