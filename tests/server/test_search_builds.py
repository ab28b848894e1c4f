"""A running service and builds that go on beside it: no question is lost, and a crash leaves the old index in use."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Thread

import pytest

from library.search.index import IndexUnusable
from library.search.query import Question, SearchEngine
from server.query_pages import CurrentEngine
from tests.builders import TODAY
from tests.rich import write_rich_content
from tests.service import HERE, Client, a_service
from tests.trees import built

SEARCH = "/api/v1/search"
ANIMALS = ("quagga", "ocelot", "tapir", "wombat", "axolotl", "pangolin", "echidna")


def retitled(content: Path, title: str) -> None:
    """Give a playbook another title."""
    path = content / "playbooks/write-tests.yaml"
    lines = path.read_text().splitlines()
    path.write_text("\n".join(f"title: {title}" if line.startswith("title: ") else line for line in lines) + "\n")


class Askers:
    """Threads that ask one engine without a pause; `failed` are the errors they met."""

    def __init__(self, engine: CurrentEngine, threads: int = 3) -> None:
        self.failed: list[Exception] = []
        self.answered = 0
        self._engine = engine
        self._over = Event()
        self._threads = [Thread(target=self._ask) for _ in range(threads)]
        for thread in self._threads:
            thread.start()

    def _ask(self) -> None:
        while not self._over.is_set():
            try:
                answer = self._engine().answer(Question("flaky tests"))
                if answer.items[0].slug != "fix-flaky-tests":
                    raise AssertionError(answer)
                self.answered += 1
            except Exception as error:  # noqa: BLE001 - whatever it is, it is told
                self.failed.append(error)
                return

    def stop(self) -> None:
        """Ask no more."""
        self._over.set()
        for thread in self._threads:
            thread.join(60)
            assert not thread.is_alive()


def test_builds_beside_a_running_search_lose_no_question(tmp_path: Path) -> None:
    content, out = write_rich_content(tmp_path), tmp_path / "site"
    built(content, out)
    engine = CurrentEngine(out)
    askers = Askers(engine)
    for animal in ANIMALS:
        retitled(content, f"Count every {animal}")
        built(content, out)
    wait_for(engine, ANIMALS[-1])
    askers.stop()
    assert askers.failed == []
    assert askers.answered > 100
    assert engine().answer(Question(ANIMALS[-2])).total == 0


def wait_for(engine: CurrentEngine, word: str) -> None:
    """Until the engine in use knows a word; at most ten seconds."""
    until = time.monotonic() + 60
    while not engine().answer(Question(word)).total:
        assert time.monotonic() < until, f"{word} was never found"
        time.sleep(0.01)


def test_over_http_a_new_record_is_found_after_a_while_and_nothing_fails(tmp_path: Path) -> None:
    content = write_rich_content(tmp_path)
    service = a_service(tmp_path, content=content)
    ask = Client(service)
    assert ask(SEARCH, params={"q": "zymurgy"}).json()["total"] == 0
    retitled(content, "Zymurgy for old code")
    built(content, tmp_path / "site", TODAY, site_url=HERE)
    until = time.monotonic() + 60
    while not (answer := ask(SEARCH, params={"q": "zymurgy"})).json()["total"]:
        assert answer.status_code == 200
        assert time.monotonic() < until
    service.close()


def test_an_index_that_comes_damaged_leaves_the_old_one_in_use(tmp_path: Path) -> None:
    content, out = write_rich_content(tmp_path), tmp_path / "site"
    built(content, out)
    engine = CurrentEngine(out)
    old = engine()
    retitled(content, "Zymurgy for old code")
    built(content, out)
    for path in (out.resolve().parent / "index").resolve().glob("MAIN_*.trm"):
        path.write_bytes(b"x" + path.read_bytes()[1:])
    for _ in range(50):
        assert engine() is old
        time.sleep(0.002)
    retitled(content, "Yeast for old code")
    built(content, out)
    wait_for(engine, "yeast")


CRASH = """
import os, sys
from pathlib import Path
from datetime import date
import library.search.index as index
from build.pipeline import build
from build.settings import BuildSettings
name = sys.argv[1]
def crash(*arguments, **options):
    os._exit(9)
if name == "replace":
    Path.replace = lambda path, target, real=Path.replace: (
        os._exit(9) if path.name == "index.new" else real(path, target)
    )
else:
    setattr(index, name, crash)
build(BuildSettings(Path(sys.argv[2]), Path(sys.argv[3]), date(2026, 11, 20), jobs=1))
"""


@pytest.mark.parametrize("where", ["_write", "_digest", "replace"])
def test_a_crash_while_indexing_leaves_the_old_index_in_use(where: str, tmp_path: Path) -> None:
    content, out = write_rich_content(tmp_path), tmp_path / "site"
    built(content, out)
    engine = CurrentEngine(out)
    place = engine().place
    retitled(content, "Zymurgy for old code")
    command = [sys.executable, "-W", "ignore", "-c", CRASH, where, str(content), str(out)]
    assert subprocess.run(command, check=False, capture_output=True, timeout=60).returncode == 9
    assert engine().place == place
    assert SearchEngine(out.resolve().parent).answer(Question("old code")).items[0].slug == "write-tests"
    assert engine().answer(Question("zymurgy")).total == 0
    built(content, out)
    wait_for(engine, "zymurgy")


def test_without_an_index_the_engine_says_so_until_there_is_one(tmp_path: Path) -> None:
    content, out = write_rich_content(tmp_path), tmp_path / "site"
    engine = CurrentEngine(out)
    with pytest.raises(IndexUnusable):
        engine()
    built(content, out)
    assert engine().answer(Question("flaky")).total
