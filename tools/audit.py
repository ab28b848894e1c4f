"""Asks whether anything that is locked has a known weakness: `python -m tools.audit`; ends with 1 when it has.

Where the lists cannot be reached it says so and ends well: a network that is away is no weakness, and CI must not fail
for it. What was not looked at is never called well.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
LOCKS = ("requirements.lock", "requirements-dev.lock")
AUDITOR = "pip-audit==2.10.1"
SECONDS = 300


def of_python(told: str, name: str) -> tuple[str, bool]:
    """What pip-audit's JSON says of a lock file, in a sentence, and whether it names a weakness."""
    try:
        packages = json.loads(told)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return f"{name} was not looked at: the list of weaknesses cannot be reached", False
    skipped = sum("skip_reason" in package for package in packages)
    weak = [
        f"{package['name']} {package['version']}: {weakness['id']}"
        for package in packages
        for weakness in package.get("vulns", ())
    ]
    if weak:
        return f"{name}: {'; '.join(weak)}", True
    if skipped == len(packages):
        return f"{name} was not looked at: the list of weaknesses cannot be reached", False
    rest = f"; {skipped} were not looked at" if skipped else ""
    return f"{name}: no known weakness in {len(packages) - skipped} packages{rest}", False


def of_node(told: str) -> tuple[str, bool]:
    """The same of `npm audit --json`. The checkers never ship, so only what is high or critical counts."""
    try:
        found = json.loads(told)["metadata"]["vulnerabilities"]
        high = int(found["high"]) + int(found["critical"])
        return f"tests/node: {found['total']} known weaknesses, {high} high or critical", high > 0
    except (ValueError, KeyError, TypeError):
        return "tests/node was not looked at: the list of weaknesses cannot be reached", False


def _said(command: list[str], folder: Path) -> str:
    """What a command wrote; nothing when it cannot be run or takes too long."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


def main() -> None:
    """Look at all locks, and say what was found."""
    answers = []
    with tempfile.TemporaryDirectory() as name:
        venv.create(name, with_pip=True)
        python = str(Path(name, "bin", "python"))
        _said([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", AUDITOR], PROJECT)
        look = [
            python,
            "-m",
            "pip_audit",
            "--no-deps",
            "--disable-pip",
            "--progress-spinner",
            "off",
            "--format",
            "json",
        ]
        answers += [of_python(_said([*look, "--requirement", lock], PROJECT), lock) for lock in LOCKS]
    npm = shutil.which("npm")
    told = _said([npm, "audit", "--package-lock-only", "--json"], PROJECT / "tests/node") if npm else ""
    answers.append(of_node(told))
    for sentence, weak in answers:
        warning = "::warning::" if os.environ.get("GITHUB_ACTIONS") and (weak or "not looked at" in sentence) else ""
        print(f"{warning}audit: {sentence}")
    sys.exit(1 if any(weak for _, weak in answers) else 0)


if __name__ == "__main__":
    main()
