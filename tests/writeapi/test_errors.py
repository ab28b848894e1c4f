"""Every error has the one shape, whoever raised it: the service, the framework, or a fault."""

from __future__ import annotations

import sys

import pytest
from flask import Flask, abort
from werkzeug.test import TestResponse

from library.interface.errors import METHOD_NOT_ALLOWED, NOT_FOUND
from writeapi.api.wire import PROBLEM_JSON, register_errors


def asked(path: str, method: str = "GET") -> TestResponse:
    app = Flask("small")
    app.testing = False
    register_errors(app, "https://playbooks.example")
    app.add_url_rule("/here", view_func=lambda: "", methods=["GET", "PUT"])
    app.add_url_rule("/greedy", "greedy", view_func=lambda: "x" * sys.maxsize)
    app.add_url_rule("/abort/<int:code>", view_func=abort)
    return app.test_client().open(path, method=method)


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [("/none", "GET", 404), ("/here", "DELETE", 405), ("/abort/404", "GET", 404), ("/abort/413", "GET", 413)],
)
def test_an_error_of_the_framework_has_the_shape_too(path: str, method: str, status: int) -> None:
    answer = asked(path, method)
    assert (answer.status_code, answer.content_type) == (status, PROBLEM_JSON)
    told = answer.get_json(force=True)
    assert told["status"] == status
    assert told["type"].startswith("https://playbooks.example/")
    assert told["title"]
    assert told["detail"]


def test_a_method_that_is_not_taken_is_told_with_those_that_are() -> None:
    answer = asked("/here", "DELETE")
    assert answer.headers["Allow"] == "GET, HEAD, OPTIONS, PUT"
    assert answer.get_json(force=True)["detail"] == METHOD_NOT_ALLOWED.advice
    assert asked("/none").get_json(force=True)["detail"] == NOT_FOUND.advice


def test_memory_that_is_not_there_is_503_and_the_next_is_answered() -> None:
    answer = asked("/greedy")
    assert (answer.status_code, answer.content_type, answer.headers["Retry-After"]) == (503, PROBLEM_JSON, "5")
    assert asked("/here").status_code == 200
