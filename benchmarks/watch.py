"""How long from the save of one file to the new picture in a browser, under `playbooks serve --watch`.

A page of a playbook is open in Chromium; its title is changed on the disk, and the time runs until the new title is
painted (two animation frames after it stands in the document).

    python -m benchmarks.watch [--short] [--count 1000] [--rounds 15]
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.corpus import write_corpus
from tools.pictures import CHROMIUM

PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
TODAY = "2026-11-20"


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="100 playbooks, three rounds: whether it still works.")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    count, rounds = (100, 3) if given.short else (given.count, given.rounds)
    browser = shutil.which("chromium")
    if browser is None:
        print("watch: Chromium is not installed (make system): nothing was measured")
        return
    with tempfile.TemporaryDirectory() as folder:
        seconds = measure(Path(folder), count, rounds, browser)
    spent = sorted(seconds)
    print(
        f"watch: {count:,} playbooks, {rounds} saves: from save to picture median {statistics.median(spent):.2f} s,"
        f" least {spent[0]:.2f}, most {spent[-1]:.2f}; load {os.getloadavg()[0]:.1f}"
    )


def measure(folder: Path, count: int, rounds: int, chromium: str) -> list[float]:
    """The seconds of each save."""
    content = write_corpus(folder / "content", count)
    file = sorted((content / "playbooks").glob("*.yaml"))[count // 2]
    command = [sys.executable, "-m", "cli", "serve", "--watch", "--port", "0", "--today", TODAY]
    command += ["--content", str(content), "--out", str(folder / "out"), "--var", str(folder / "var")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        address = next(found[1] for line in process.stdout or () if (found := re.search(r"serving (\S+?)/ and", line)))
        with sync_playwright() as playwright:
            page = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM).new_page()
            page.goto(f"{address}/playbooks/{file.stem}/")
            time.sleep(3)  # the watch looks once more at its start
            return [_one(page, file, f"A title of round {number}") for number in range(rounds + 1)][1:]
    finally:
        process.terminate()
        process.communicate()


def _one(page: Page, file: Path, title: str) -> float:
    text = re.sub(r"(?m)^title: .*$", f"title: {title}", file.read_text(), count=1)
    file.write_text(text)
    began = time.perf_counter()
    page.get_by_role("heading", level=1, name=title).wait_for(timeout=60_000)
    page.evaluate(PAINTED)
    spent = time.perf_counter() - began
    time.sleep(0.5)
    return spent


if __name__ == "__main__":
    main()
