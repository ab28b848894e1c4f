"""A body is taken whole, as JSON in UTF-8, and nothing else: each refusal by its status, its kind and its sentence."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask, request

from library.interface.bodies import MAX_BODY
from library.interface.errors import FieldProblem
from library.interface.intake import Submission
from writeapi.api.wire import ApiError, read_json, read_model

APP = Flask("small")
BODY = b'{"kind": "lesson", "title": "What it says", "body": "The whole of it."}'
WHOLE = "Send the body whole, with its Content-Length."


def read(body: bytes = BODY, **changes: Any) -> Any:
    options: dict[str, Any] = {"content_type": "application/json", **changes}
    with APP.test_request_context("/", method="POST", data=body, **options):
        return read_json(request)


def refused(body: bytes = BODY, **changes: Any) -> tuple[str, int, str, dict[str, str]]:
    with pytest.raises(ApiError) as error:
        read(body, **changes)
    found = error.value
    return found.kind.slug, found.kind.status, found.detail, found.headers


@pytest.mark.parametrize(
    "sent",
    [
        {"content_type": "application/json; charset=UTF-8"},
        {"content_type": "application/json;charset=utf8"},
        {"headers": {"Content-Encoding": "identity"}},
        {"headers": {"Content-Encoding": " Identity "}},
        {"headers": {"Content-Encoding": ""}},
    ],
)
def test_json_in_utf_8_is_taken(sent: dict[str, Any]) -> None:
    assert read(**sent) == {"kind": "lesson", "title": "What it says", "body": "The whole of it."}


def test_a_body_may_have_64_kib_and_no_more() -> None:
    assert MAX_BODY == 65_536
    assert read(b'"' + b"a" * (MAX_BODY - 2) + b'"') == "a" * (MAX_BODY - 2)
    assert refused(b'"' + b"a" * (MAX_BODY - 1) + b'"') == ("too-large", 413, "The body may have 64 KiB.", {})


def test_what_is_no_whole_json_body_is_refused_by_its_kind() -> None:
    chunked = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
    typed = "Send `Content-Type: application/json`, in UTF-8."
    coded = "Send the body as it is, without `Content-Encoding`."
    assert refused(environ_overrides=chunked) == ("length-required", 411, WHOLE, {})
    unsaid = APP.test_request_context("/", method="POST", content_type="application/json")
    with unsaid, pytest.raises(ApiError, match=WHOLE):
        read_json(request)
    for kind in ("text/plain", "application/json; charset=latin-1", "application/jsonp"):
        assert refused(content_type=kind) == ("not-json-by-type", 415, typed, {})
    assert refused(headers={"Content-Encoding": "gzip"}) == ("coded", 415, coded, {"Accept-Encoding": "identity"})
    short = {"CONTENT_LENGTH": str(len(BODY) + 1), "wsgi.input_terminated": True}
    assert refused(environ_overrides=short) == ("not-json", 400, "The body ended before its Content-Length.", {})
    assert refused(b"{")[:2] == ("not-json", 400)


def problems(body: bytes, **options: Any) -> list[tuple[str, str, str]]:
    sent = APP.test_request_context("/", method="POST", data=body, content_type="application/json")
    with sent, pytest.raises(ApiError) as error:
        read_model(request, Submission, **options)
    assert error.value.kind.slug == "invalid"
    assert error.value.detail == "The body cannot be taken as it is; `errors` names every place."
    return [(found.pointer, found.code, found.detail) for found in error.value.errors]


def test_every_place_of_a_body_is_named_at_once() -> None:
    body = b'{"kind": "lesson", "title": "", "body": "Ask someone@gmail.com.", "agents": 1}'
    found = problems(body, further=lambda _values: [FieldProblem(pointer="/x", code="y", detail="z")])
    assert [(pointer, code) for pointer, code, _ in found] == [
        ("/title", "empty"),
        ("/agents", "unknown-key"),
        ("/body", "private-data"),
        ("/x", "y"),
    ]
    assert found[-2][2] == "holds an e-mail address; take it out"


def test_a_field_may_be_allowed_to_hold_private_matter() -> None:
    body = b'{"kind": "lesson", "title": "x", "body": "Ask someone@gmail.com."}'
    with APP.test_request_context("/", method="POST", data=body, content_type="application/json"):
        sent, given = read_model(request, Submission, private=frozenset({"body"}))
        assert sent.body == given["body"] == "Ask someone@gmail.com."


def test_a_playbook_without_its_payload_is_refused() -> None:
    body = b'{"kind": "playbook", "title": "x", "body": "y"}'
    assert problems(body) == [("/payload", "missing-field", "is missing; a submission of kind playbook needs it")]
