"""Benchmarks can be loaded, and their harness tells costs as they are."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from benchmarks.harness import Load, NotMeasured, cost, in_turns, request, under_load

NAMES = sorted(path.stem for path in (Path(__file__).parent.parent / "benchmarks").glob("*.py"))
BURN = "import time\nwhile time.process_time() < 0.4: pass"
"""Costs most of half a second of a processor."""


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_can_be_loaded(name: str) -> None:
    assert importlib.import_module(f"benchmarks.{name}")


def test_systems_take_turns() -> None:
    order: list[str] = []
    found = in_turns({name: lambda name=name: order.append(name) or len(order) for name in "ab"}, 2)  # type: ignore[misc,func-returns-value]
    assert order == ["a", "b", "a", "b"]
    assert found == {"a": [1, 3], "b": [2, 4]}


@pytest.mark.slow
def test_a_cost_holds_what_children_take_and_the_memory_of_all_of_them(tmp_path: Path) -> None:
    held = f"held = bytearray(64 << 20)\n{BURN}"
    command = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {held!r}], check=True)"
    spent = cost([sys.executable, "-c", command], tmp_path, look=True)
    assert spent.cpu >= 0.4
    assert spent.wall >= 0.4
    assert spent.peak >= 64
    assert cost([sys.executable, "-c", "pass"], tmp_path).peak == 0


@pytest.mark.slow
def test_a_command_that_fails_is_not_measured_and_says_why(tmp_path: Path) -> None:
    with pytest.raises(NotMeasured, match="no such luck"):
        cost([sys.executable, "-c", "raise SystemExit('no such luck')"], tmp_path)


def test_what_is_told_of_a_load_is_the_median_of_its_rounds_and_every_failure(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rounds = iter([Load(1, 1, 0, 1, 1), Load(10, 1, 1, 0.5, 0.9), Load(30, 1, 0, 0.1, 0.2), Load(20, 1, 2, 0.3, 0.4)])
    found = under_load("loads", {"one": lambda _: next(rounds)}, 3, 1.0)["one"]
    assert found.rate == pytest.approx(20)
    assert (found.good, found.failed, found.p50, found.p99) == (61, 3, 0.3, 0.4)
    assert "| one | 20 | 300 | 400 | 3 |" in capsys.readouterr().out


def test_a_request_is_what_http_wants() -> None:
    sent = request("POST", 80, "/runs", b"{}", Content_Type="application/json")
    assert sent == (
        b"POST /runs HTTP/1.1\r\nHost: 127.0.0.1:80\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}"
    )
