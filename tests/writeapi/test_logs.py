"""What the logs say: a line of JSON for each thing, with places in the code and nothing that anybody sent."""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from writeapi.logs import ACCESS, OUTER, Trouble, id_of, log_access, log_to_stderr

SENT = "ada" + "@" + "mail.museum"


def line(message: str, *args: object, name: str = "playbooks.x", error: BaseException | None = None) -> dict[str, Any]:
    """What is written of one record."""
    told = (type(error), error, error.__traceback__) if error else None
    record = logging.LogRecord(name, logging.WARNING, "file.py", 1, message, args, told)
    record.created = 1_763_640_000.25
    written: dict[str, Any] = json.loads(Trouble().format(record))
    return written


def fails(depth: int) -> None:
    if depth:
        try:
            fails(depth - 1)
        except (KeyError, ValueError) as error:
            raise KeyError(SENT) from error
    raise ValueError(SENT)


def caught(depth: int) -> BaseException:
    try:
        fails(depth)
    except (KeyError, ValueError) as error:
        return error
    raise AssertionError


def test_a_line_has_its_time_its_level_its_logger_and_the_requests_id() -> None:
    outer = OUTER.set("0123456789abcdef")
    try:
        assert line("It rains") == {
            "at": "2025-11-20T12:00:00.250+00:00",
            "level": "warning",
            "logger": "playbooks.x",
            "id": "0123456789abcdef",
            "event": "It rains",
        }
    finally:
        OUTER.reset(outer)


def test_no_value_is_filled_in() -> None:
    assert line("no %s at %d", SENT, 3)["event"] == "no %s at %d"
    assert line("no %s", SENT, name="werkzeug")["event"] == "no %s"


@pytest.mark.parametrize("mark", "=:'\"[(/")
def test_a_text_that_another_library_made_whole_is_cut_where_a_value_may_begin(mark: str) -> None:
    assert line(f"Failed to send{mark}{SENT}", name="urllib3")["event"] == "Failed to send"
    assert line(f"ours{mark}", name="playbooks.store")["event"] == f"ours{mark}"
    assert line("x" * 200, name="urllib3")["event"] == "x" * 100


def test_an_exception_is_told_by_its_kinds_and_places_alone() -> None:
    told = line("It broke", error=caught(1))
    assert told["error"] == ["KeyError", "ValueError"]
    assert all(re.fullmatch(r"test_logs\.py:\d+ \w+", place) for place in told["places"])
    assert [place.split(" ")[1] for place in told["places"]] == ["caught", "fails"]
    assert SENT not in json.dumps(told)
    assert "error" not in line("It did not")


def test_a_long_chain_is_told_in_part() -> None:
    told = line("It broke", error=caught(20))
    assert len(told["error"]) == 8
    assert len(told["places"]) <= 12


@pytest.mark.parametrize("given", ["0" * 16, "0123456789abcdef" * 2])
def test_only_a_trusted_proxy_names_a_request(given: str) -> None:
    assert id_of(given, 1) == given
    assert id_of(given, 0) != given


@pytest.mark.parametrize("given", ["", "0" * 15, "0" * 33, "g" * 16, "A" * 16, "0" * 16 + "\n"])
def test_what_is_no_id_is_replaced_by_one(given: str) -> None:
    made = id_of(given, 1)
    assert made != given
    assert re.fullmatch("[0-9a-f]{16}", made)
    assert id_of(given, sys.maxsize) != made


@pytest.fixture
def loggers() -> Iterator[tuple[logging.Logger, logging.Logger]]:
    """The logger of requests and that of everything, as they are without us."""
    both = (ACCESS, logging.getLogger())
    before = [(one.handlers[:], one.level, one.propagate) for one in both]
    ACCESS.handlers[:] = []
    ACCESS.propagate = True  # else pytest hands it handlers of its own
    yield both
    for one, (handlers, level, propagate) in zip(both, before, strict=True):
        one.handlers[:], one.propagate = handlers, propagate
        one.setLevel(level)


def test_lines_go_to_standard_error_once_however_often_that_is_asked_for(
    loggers: tuple[logging.Logger, logging.Logger], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    access, everything = loggers
    others = len(everything.handlers)
    with os.fdopen(os.dup(2), "w") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        log_to_stderr()
        log_to_stderr()
        assert (len(access.handlers), len(everything.handlers) - others) == (1, 1)
        log_access("0123456789abcdef", "GET", "/x", 200, time.perf_counter(), "anonymous")
        logging.getLogger("playbooks.x").warning("It rains")
        stream.flush()
    told = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert 0 <= told[0].pop("ms") < 60_000
    assert datetime.fromisoformat(told[0].pop("at")).tzinfo
    assert told[0] == {
        "id": "0123456789abcdef",
        "method": "GET",
        "route": "/x",
        "status": 200,
        "caller": "anonymous",
    }
    assert [line["event"] for line in told[1:]] == ["It rains"]
