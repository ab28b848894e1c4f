"""A plugin for pytest that tells coverage which test runs, and writes which tests passed and how long each took.

`python -m pytest -p tools.contexts` with coverage started by `COVERAGE_PROCESS_START`. A fixture that several tests
share runs in a context of its own, because any of them may be the one that sets it up. A process that a test starts has
its context from `PYTEST_CURRENT_TEST`, by the settings in pyproject.toml.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage

TOLD = "MUTANTS_TESTS"
"""The variable that names the file to write."""

_running: list[str] = [""]
_shared: dict[str, float] = {}
"""How long the fixtures took that the test which runs has set up for others too."""
_everywhere: list[str] = []
"""Those of them that tests of all files share."""


@contextmanager
def _context(name: str) -> Iterator[None]:
    """Everything within is measured under this name."""
    _running.append(name)
    _switch()
    try:
        yield
    finally:
        _running.pop()
        _switch()


def _switch() -> None:
    if measure := Coverage.current():
        measure.switch_context(_running[-1])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Measure each test under its own name; its report says which fixtures it shares."""
    _shared.clear()
    _everywhere.clear()
    used = ("fixtures", getattr(item, "fixturenames", ()))
    item.user_properties += [used, ("shared", _shared), ("everywhere", _everywhere)]
    with _context(item.nodeid):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
    """Measure what is set up once for several tests under the fixture's name."""
    if fixturedef.scope == "function":
        return (yield)
    begun = time.perf_counter()
    try:
        with _context(f"fixture {fixturedef.argname}"):
            return (yield)
    finally:
        _shared[fixturedef.argname] = time.perf_counter() - begun
        if fixturedef.scope == "session":
            _everywhere.append(fixturedef.argname)


class Told:
    """What the reports of all tests say, from every worker."""

    def __init__(self) -> None:
        self.tests: dict[str, dict[str, Any]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add one of the three reports of a test."""
        test = self.tests.setdefault(report.nodeid, {"seconds": 0.0, "passed": True, "fixtures": [], "shared": {}})
        test["seconds"] += report.duration
        test["passed"] &= report.passed
        test |= {name: value.copy() for name, value in report.user_properties if isinstance(value, dict | list)}

    def pytest_sessionfinish(self) -> None:
        """Write it."""
        Path(os.environ[TOLD]).write_text(json.dumps(self.tests))


def pytest_configure(config: pytest.Config) -> None:
    """Gather in the process that all reports come to."""
    if TOLD in os.environ and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Told())
