"""What all tests share: in CI nothing may be skipped, and property tests try the same cases every time."""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

IN_CI = bool(os.environ.get("CI"))

# Browsers see the fonts of this folder only, whatever the machine has: what they measure is the same everywhere.
os.environ["FONTCONFIG_FILE"] = str(Path(__file__).with_name("fonts") / "fonts.conf")
# Nobody here speaks TLS: without this httpx reads every authority of the world for each request, in 28 ms.
os.environ.pop("SSL_CERT_FILE", None)
os.environ["SSL_CERT_DIR"] = str(Path(__file__).with_name("fonts"))
# One address asks for all that the tests ask for; what has budgets says so.
os.environ["PLAYBOOKS_BUDGETS"] = "0"

# A shell that starts us in the background lets Ctrl+C be ignored, by all that we start too.
signal.signal(signal.SIGINT, signal.default_int_handler)

FIRST = (
    "tests/site/test_checkers_",
    "tests/generator/test_incremental.py",
    "tests/writeapi/review/test_hostile_published.py",
    "tests/mcpserver/test_official.py",
    "tests/circle/",
    "tests/faults/test_publish_crash.py",
    "tests/contract/test_schemathesis.py",
    "tests/server/test_watch.py",
    "tests/content/",
    "tests/faults/",
    "tests/site/",
    "tests/server/",
    "tests/contract/",
    "tests/deploy/",
    "tests/generator/",
)
"""What takes longest begins first, so that no worker waits for another at the end."""

settings.register_profile("ci", derandomize=True, print_blob=True)
if IN_CI:
    settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Say how the service is asked: in this process, or as it is deployed."""
    parser.addoption(
        "--through", choices=["nginx"], help="ask every service through nginx, with PostgreSQL and Redis behind it"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Put nginx before every service where that was asked for."""
    if config.getoption("--through"):
        from tests import service
        from tests.front import Fronts

        service.fronts.append(Fronts())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The long files first; through nginx leave out what looks inside a process: there the queue is in PostgreSQL."""
    if config.pluginmanager.hasplugin("xdist"):
        items.sort(key=_turn)  # stable: tests of a file stay in order
    if not config.getoption("--through"):
        return
    out = [item for item in items if item.get_closest_marker("inside") or "[sqlite" in item.nodeid]
    config.hook.pytest_deselected(items=out)
    items[:] = [item for item in items if item not in out]


def _turn(item: pytest.Item) -> int:
    return next((turn for turn, start in enumerate(FIRST) if item.nodeid.startswith(start)), len(FIRST))


def pytest_collection_finish() -> None:
    """Look for garbage less often, and never among the thousands of tests: a tenth of the time went there."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI a skipped test is a failure: its part should have been installed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if IN_CI and reporter and skipped:
        reporter.write_line(f"{len(skipped)} tests were skipped, and in CI nothing is", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
