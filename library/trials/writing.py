"""A trial as files: a new one with a place for each thing to write, and one in Harbor's task format.

There the grader shares its container with what the agent left, so a forged verdict is possible that is not here.
"""

import json
import shutil
from datetime import date, timedelta
from pathlib import Path

from ..content.formatting import format_bytes
from ..content.trialfiles import SHARED, TRIALS, folder_of
from ..problems import LibraryError
from ..records.collection import version
from ..records.models import Playbook
from ..records.trials import CANARY, TrialSpec
from ..records.vocabulary import Arm
from ..rules.checks.trials import spans_of
from .running import prompt_of

_HERE = Path(__file__).resolve().parent


def begin(content: Path, book: Playbook, today: date) -> Path:
    """Write the folder of a new trial; raises `LibraryError` where there is one."""
    folder = folder_of(content, book.slug)
    if folder.exists():
        raise LibraryError(f"{folder} is there already")
    template = _HERE / "template"
    for source in filter(Path.is_file, template.rglob("*")):
        path = folder / source.relative_to(template)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source.read_text(encoding="utf-8").replace("CANARY", CANARY), encoding="utf-8")
    name = f"{TRIALS}/{book.slug}/trial.yaml"
    shaped = format_bytes(_trial(book, today).encode(), name)
    if isinstance(shaped, list):
        raise LibraryError("\n".join(map(str, shaped)))
    (content / name).write_bytes(shaped)
    return folder


def _trial(book: Playbook, today: date) -> str:
    """A `trial.yaml` with every code span excused for a month: what is tried is said one by one."""
    until = today + timedelta(days=30)
    spans = "".join(
        f"  {json.dumps(span, ensure_ascii=False)}:\n"
        f"    excused: not written yet (steps {', '.join(map(str, steps))})\n    until: {until}\n"
        for span, steps in spans_of(book).items()
    )
    return (
        f"playbook: {book.slug}\n"
        "sentence: Say the job here as somebody without the playbook would.\n"
        "done: Say here what counts as done; both arms are told the same.\n"
        "needs:\n  debian:\n    - git\n"
        "tools:\n  git: git --version\n"
        f"{f'spans:{chr(10)}{spans}' if spans else ''}"
        "checks:\n"
        f'  "{len(book.steps)}": "python3 $SKILL/scripts/check-{len(book.steps)}.py"\n'
    )


def export(trial: TrialSpec, book: Playbook, content: Path, place: Path) -> None:
    """Write one task of the bare arm to a new folder."""
    if place.exists():
        raise LibraryError(f"{place} is there already")
    folder = folder_of(content, trial.slug)
    shutil.copytree(_HERE / "harbor", place)
    (place / "environment").mkdir()
    for name, body in {
        "instruction.md": prompt_of(trial, book, Arm.BARE),
        "task.toml": _settings(trial, book),
        "environment/Dockerfile": _dockerfile(trial, folder),
    }.items():
        (place / name).write_text(body, encoding="utf-8")
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
    if lock := trial.needs.pypi:
        lines += [f"COPY {lock} /tools/", f"RUN pip install --no-deps -r /tools/{Path(lock).name}"]
    if trial.needs.npm:
        lines += [f"COPY package.json {trial.needs.npm} /tools/", "RUN cd /tools && npm ci --ignore-scripts"]
        lines.append("ENV PATH=/tools/node_modules/.bin:$PATH")
    lines += ["COPY world/ /app/", "WORKDIR /app"]
    if (folder / "setup.sh").exists():
        lines += ["COPY setup.sh /tmp/setup.sh", "RUN bash /tmp/setup.sh && rm /tmp/setup.sh"]
    return "\n".join(lines) + "\n"
