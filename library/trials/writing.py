"""A trial as files: a new one with a place for each thing to write, and one in Harbor's task format.

There the grader shares its container with what the agent left, so a forged verdict is possible that is not here.
"""

import json
import shutil
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

from ..content.formatting import format_bytes
from ..content.trialfiles import SHARED, TRIALS, folder_of
from ..problems import LibraryError
from ..records.collection import version
from ..records.models import Playbook
from ..records.trials import CANARY, TrialSpec
from ..records.vocabulary import Arm
from ..rules.checks.trials import spans_of
from .sandbox import INSIDE

_HERE = Path(__file__).resolve().parent


def _form(name: str, **values: Any) -> str:
    """One of the files of `forms`, filled in."""
    forms = Environment(  # noqa: S701 - none of them is HTML
        loader=FileSystemLoader(_HERE / "forms"), trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    forms.filters["json"] = partial(json.dumps, ensure_ascii=False)
    return forms.get_template(name).render(values)


def prompt_of(trial: TrialSpec, book: Playbook, arm: Arm, shell: Path | None = None) -> str:
    """The whole text of one arm; `shell` is where a handover's commands run. Both are told what counts as done."""
    return _form("prompt.md", trial=trial, book=book, arm=arm, shell=shell, inside=INSIDE)


def begin(content: Path, book: Playbook, today: date) -> Path:
    """Write the folder of a new trial, with every code span excused for a month: what is tried is said one by one.

    Raises `LibraryError` where there is one.
    """
    folder = folder_of(content, book.slug)
    if folder.exists():
        raise LibraryError(f"{folder} is there already")
    name = f"{TRIALS}/{book.slug}/trial.yaml"
    text = _form("trial.yaml", book=book, spans=spans_of(book), until=today + timedelta(days=30))
    shaped = format_bytes(text.encode(), name)
    if isinstance(shaped, list):
        raise LibraryError("\n".join(map(str, shaped)))
    shutil.copytree(_HERE / "template", folder)
    for path in filter(Path.is_file, folder.rglob("*")):
        path.write_text(path.read_text(encoding="utf-8").replace("CANARY", CANARY), encoding="utf-8")
    (content / name).write_bytes(shaped)
    return folder


def export(trial: TrialSpec, book: Playbook, content: Path, place: Path) -> None:
    """Write one task of the bare arm to a new folder."""
    if place.exists():
        raise LibraryError(f"{place} is there already")
    folder, needs = folder_of(content, trial.slug), trial.needs
    packages = sorted({*needs.debian, *(("nodejs", "npm") if needs.npm else ())})
    shutil.copytree(_HERE / "harbor", place)
    (place / "environment/world").mkdir(parents=True)
    for name, body in {
        "instruction.md": prompt_of(trial, book, Arm.BARE),
        "task.toml": _form("task.toml", trial=trial, book=book, version=version(book)),
        "environment/Dockerfile": _form(
            "Dockerfile", trial=trial, packages=packages, setup=(folder / "setup.sh").exists()
        ),
    }.items():
        (place / name).write_text(body, encoding="utf-8")
    for source, target in (
        ("grader", "tests/grader"),
        ("solution", "solution/scripts"),
        (SHARED, f"solution/{SHARED}"),
    ):
        if (folder / source).is_dir():
            shutil.copytree(folder / source, place / target)
    if (folder / "world").is_dir():
        shutil.copytree(folder / "world", place / "environment/world", dirs_exist_ok=True)
    for file in ("setup.sh", needs.pypi, needs.npm, needs.npm and "package.json"):
        if file and (folder / file).exists():
            shutil.copy(folder / file, place / "environment" / file)
