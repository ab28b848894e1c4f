"""What all tests share: in CI nothing may be skipped, and property tests try the same cases every time."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

IN_CI = bool(os.environ.get("CI"))

settings.register_profile("ci", derandomize=True, print_blob=True)
if IN_CI:
    settings.load_profile("ci")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI a skipped test is a failure: its part should have been installed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if IN_CI and reporter and skipped:
        reporter.write_line(f"{len(skipped)} tests were skipped, and in CI nothing is", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
