"""One address with a hundred connections that never wait: the writes of others go on beside it."""

from __future__ import annotations

import shutil
from pathlib import Path
from statistics import median

import pytest

from benchmarks.floods import LIMITS, flooding, floods, others, writes
from tests.faults.http_server import playbooks_serve

pytestmark = [
    pytest.mark.slow,
    pytest.mark.system,
    pytest.mark.skipif(not shutil.which("wrk"), reason="wrk is not installed: nothing was flooded"),
]
TIMES = 6
"""Without budgets half of the writes took 30 to 120 times as long; a busy machine may make any of them late."""


@pytest.mark.parametrize("kind", ["find", "unknown submissions"])
def test_who_floods_keeps_no_writes_of_others_waiting(kind: str, library: tuple[Path, Path], tmp_path: Path) -> None:
    with playbooks_serve(library[0], tmp_path, **LIMITS) as served:
        port, addresses = served.address.port, others()
        writes(port, 0.5, addresses)
        quiet, _ = writes(port, 2, addresses)
        with flooding(port, floods(port)[kind], 4, 100):
            beside, failed = writes(port, 2, addresses)
        after, _ = writes(port, 2, addresses)
    assert not failed
    assert median(beside) < TIMES * max(median(quiet), median(after))
