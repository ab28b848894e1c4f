"""Runs Lighthouse over pages as its mobile profile sees them, for a test and for the benchmark."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from statistics import median

from build.settings import PROJECT
from tools.pictures import CHROMIUM

TOOLS = PROJECT / "tests/node/node_modules/.bin"
APPLIED = ("binary", "numeric")
"""How audits are scored that apply to a page; others are notes, or say that they do not apply."""

PASSES = 0.9
"""From here on Lighthouse shows an audit as passed."""

CATEGORIES = ("performance", "accessibility", "best-practices", "seo", "agentic-browsing")
PAGES = {
    "home": "/",
    "playbook": "/playbooks/fix-flaky-tests/",
    "run": "/playbooks/fix-flaky-tests/run/",
    "compare": "/compare/fix-flaky-tests/",
    "list": "/playbooks/",
    "lesson": "/lessons/stress-run-is-green-without-the-fix-too/",
    "search": "/search/?q=fix+flaky+tests",
    "stats": "/stats/",
}
"""The pages that are measured, of the real content."""


def run(url: str, folder: Path) -> Mapping[str, object]:
    """One run's report. Raises `RuntimeError` when Lighthouse says that it could not."""
    out = folder / "lighthouse.json"
    flags = " ".join(["--headless=new", *CHROMIUM])
    command = [TOOLS / "lighthouse", url, "--quiet", "--output=json", f"--output-path={out}"]
    command += [f"--only-categories={','.join(CATEGORIES)}", f"--chrome-flags={flags}"]
    environment = {**os.environ, "PATH": f"{TOOLS}:{os.environ['PATH']}", "CHROME_PATH": shutil.which("chromium") or ""}
    done = subprocess.run(
        [str(part) for part in command], check=False, capture_output=True, text=True, timeout=180, env=environment
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    report: Mapping[str, object] = json.loads(out.read_text(encoding="utf-8"))
    return report


def scores(reports: list[Mapping[str, object]]) -> dict[str, float]:
    """The median of each category's score, from 0 to 100."""
    return {
        name: 100 * median(report["categories"][name]["score"] or 0 for report in reports)  # type: ignore[index]  # a report is JSON of Lighthouse's own
        for name in CATEGORIES
    }


def failed(report: Mapping[str, object], category: str) -> list[str]:
    """The audits of a category that apply to the page and did not pass."""
    audits = report["audits"]
    named = [reference["id"] for reference in report["categories"][category]["auditRefs"]]  # type: ignore[index]  # as above
    applied = {name: audits[name] for name in named if audits[name]["scoreDisplayMode"] in APPLIED}  # type: ignore[index]  # as above
    return [f"{name}: {audit['title']}" for name, audit in applied.items() if (audit["score"] or 0) < PASSES]
