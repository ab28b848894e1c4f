"""A trial in Harbor's task format: instruction, environment, solution, tests, and a reward of 1 or 0.

There the grader shares its container with what the agent left, so a forged verdict is possible that is not here.
"""

import json
import shutil
from pathlib import Path

from ..content.trialfiles import SHARED, folder_of
from ..problems import LibraryError
from ..records.entries import version
from ..records.models import Playbook
from ..records.trials import TrialSpec
from ..records.vocabulary import Arm
from .running import prompt_of

_TEST = """#!/bin/bash
# Worked is a reward of 1. A grader that fails writes none: that is an error, and no verdict.
export GRADER=/tests/grader CHILD=/tests/child
cd /app
bash "$GRADER/grade.sh"
case $? in
  0) echo 1 > /logs/verifier/reward.txt ;;
  10) echo 0 > /logs/verifier/reward.txt ;;
  *) exit 1 ;;
esac
"""
_CHILD = '#!/bin/bash\nexec env -u GRADER -u CHILD bash -c "$1"\n'
_SOLVE = (
    '#!/bin/bash\ncd /app\nexport SCRIPTS=/solution/scripts SHARED=/solution/shared\nexec bash "$SCRIPTS/solve.sh"\n'
)


def export(trial: TrialSpec, book: Playbook, content: Path, place: Path) -> None:
    """Write one task of the bare arm to a new folder."""
    if place.exists():
        raise LibraryError(f"{place} is there already")
    folder = folder_of(content, trial.slug)
    for name, body in {
        "instruction.md": prompt_of(trial, book, Arm.BARE),
        "task.toml": _settings(trial, book),
        "environment/Dockerfile": _dockerfile(trial, folder),
        "tests/test.sh": _TEST,
        "tests/child": _CHILD,
        "solution/solve.sh": _SOLVE,
    }.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body, encoding="utf-8")
        path.chmod(0o755 if body.startswith("#!") else 0o644)
    shutil.copytree(folder / "grader", place / "tests" / "grader")
    shutil.copytree(folder / "solution", place / "solution" / "scripts")
    if (folder / SHARED).is_dir():
        shutil.copytree(folder / SHARED, place / "solution" / SHARED)
    (place / "environment" / "world").mkdir()
    for source in ("world", "setup.sh", trial.needs.pypi, trial.needs.npm, trial.needs.npm and "package.json"):
        if source and (folder / source).is_dir():
            shutil.copytree(folder / source, place / "environment" / source, dirs_exist_ok=True)
        elif source and (folder / source).exists():
            shutil.copy(folder / source, place / "environment" / source)


def _settings(trial: TrialSpec, book: Playbook) -> str:
    """`task.toml`; a JSON text is a TOML text."""
    return (
        'schema_version = "1.1"\n\n'
        f"[task]\nname = {json.dumps(f'playbook-library/{book.slug}')}\ndescription = {json.dumps(book.title)}\n"
        f"keywords = {json.dumps(list(book.tags))}\n\n"
        f"[metadata]\nplaybook = {json.dumps(book.slug)}\nplaybook_version = {json.dumps(version(book))}\n\n"
        f"[agent]\ntimeout_sec = {float(trial.limit)}\n\n"
        f"[verifier]\ntimeout_sec = {float(trial.command_limit * 4)}\n\n"
        '[environment]\nbuild_timeout_sec = 900.0\nnetwork_mode = "no-network"\nworkdir = "/app"\n'
    )


def _dockerfile(trial: TrialSpec, folder: Path) -> str:
    """Debian's Python with the trial's needs, and the world as `setup.sh` leaves it."""
    packages = " ".join(sorted({*trial.needs.debian, *(("nodejs", "npm") if trial.needs.npm else ())}))
    lines = ["FROM python:3.11-slim-bookworm", "ENV LANG=C.UTF-8 TZ=UTC TOOLS=/tools"]
    lines += [f"ENV GIT_{who}_NAME=Trial GIT_{who}_EMAIL=trial@example.invalid" for who in ("AUTHOR", "COMMITTER")]
    if packages:
        lines.append(f"RUN apt-get update && apt-get install -y --no-install-recommends {packages}")
    if trial.needs.pypi:
        lines += [
            f"COPY {trial.needs.pypi} /tools/",
            f"RUN pip install --no-deps -r /tools/{Path(trial.needs.pypi).name}",
        ]
    if trial.needs.npm:
        lines += [f"COPY package.json {trial.needs.npm} /tools/", "RUN cd /tools && npm ci --ignore-scripts"]
        lines.append("ENV PATH=/tools/node_modules/.bin:$PATH")
    lines += ["COPY world/ /app/", "WORKDIR /app"]
    if (folder / "setup.sh").exists():
        lines += ["COPY setup.sh /tmp/setup.sh", "RUN bash /tmp/setup.sh && rm /tmp/setup.sh"]
    return "\n".join(lines) + "\n"
