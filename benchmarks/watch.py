"""How long from the save of one file to the new picture in a browser, under `playbooks serve --watch`.

A page of a playbook is open in Chromium; its title is changed on the disk, and the time runs until the new title is
painted (two animation frames after it stands in the document).

`python -m benchmarks.watch [--short] [--count N] [--rounds N]`
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml
from playwright.sync_api import Page, sync_playwright

from benchmarks.corpus import as_yaml, write_corpus
from benchmarks.harness import PYTHON, ROOT, options, spread, verdict
from tools.pictures import CHROMIUM

PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
TODAY = "2026-11-20"
SECONDS = 0.5


def main() -> None:
    """Measure, and print the figures."""
    asked = options(__doc__, short={"count": 100, "rounds": 3}, count=1_000, rounds=15)
    browser = shutil.which("chromium")
    if browser is None:
        sys.exit("Chromium is not installed (make system): nothing was measured")
    with tempfile.TemporaryDirectory() as folder:
        found = measure(Path(folder), asked.count, asked.rounds, browser)
    print(f"{asked.count:,} playbooks, {asked.rounds} saves: from save to picture, least / median: {spread(found)} s")
    verdict(f"each at most {SECONDS} s", met=max(found) <= SECONDS)


def measure(folder: Path, count: int, rounds: int, chromium: str) -> list[float]:
    """The seconds of each save."""
    content = write_corpus(folder / "content", count)
    file = sorted((content / "playbooks").glob("*.yaml"))[count // 2]
    command = [*PYTHON, "cli", "serve", "--watch", "--port=0", f"--today={TODAY}", f"--content={content}"]
    command += [f"--out={folder / 'out'}", f"--var={folder / 'var'}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        address = next(found[1] for line in process.stdout or () if (found := re.search(r"serving (\S+?)/ and", line)))
        with sync_playwright() as playwright:
            page = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM).new_page()
            page.goto(f"{address}/playbooks/{file.stem}/")
            time.sleep(3)  # the watch looks once more at its start
            return [_save(page, file, f"A title of round {number}") for number in range(rounds + 1)][1:]
    finally:
        process.terminate()
        process.communicate()


def _save(page: Page, file: Path, title: str) -> float:
    record = yaml.load(file.read_bytes(), yaml.CBaseLoader)  # noqa: S506 - it makes texts alone
    file.write_bytes(as_yaml(record | {"title": title}))
    began = time.perf_counter()
    page.get_by_role("heading", level=1, name=title).wait_for(timeout=60_000)
    page.evaluate(PAINTED)
    spent = time.perf_counter() - began
    time.sleep(0.5)
    return spent


if __name__ == "__main__":
    main()
