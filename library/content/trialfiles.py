"""The files of a trial's folder: what lies in it, the states that its scripts make, and its digest."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..records.trials import CANARY, WORLD, TrialSpec

TRIALS = "trials"
SKILLS = "skills"
PROOF = "proven.json"
RECORDS = (PROOF, "runs/")  # what was found out about a trial, and is no part of it
_CASE = ("world/", "setup.sh", "grader/")


@dataclass(frozen=True, slots=True)
class TrialFile:
    """One file of a trial: its path within the folder, its size, and whether the canary stands in it."""

    name: str
    size: int
    canary: bool
    link: bool


@dataclass(frozen=True, slots=True)
class TrialState:
    """One state of the world: which kind, and the script (within the trial's folder) that makes it."""

    name: str
    kind: str
    script: str = ""


SHARED = "shared"  # what solutions and cheats have in common: data and parts of scripts
SECOND = "second-"
_KINDS = (("solution", "solution", ""), ("cheat", "cheats", ""), ("cheat", "cheats-second", SECOND))
"""Kinds of states with their folders, and what their names begin with: a second set of cheats is kept apart."""


def states_of(folder: Path) -> list[TrialState]:
    """The untouched world, then what each script makes of it, in order."""
    found = [TrialState(WORLD, WORLD)]
    for kind, inner, begin in _KINDS:
        scripts = sorted((folder / inner).glob("*.sh"))
        scripts.sort(key=lambda path: path.name != "solve.sh")
        found += [TrialState(begin + path.stem, kind, f"{inner}/{path.name}") for path in scripts]
    return found


def trial_files(folder: Path) -> list[TrialFile]:
    """Every file of a trial, but what was found out about it."""
    found = []
    for name, path in _walk(folder):
        link = path.is_symlink()
        found.append(TrialFile(name, path.lstat().st_size, not link and CANARY.encode() in path.read_bytes(), link))
    return found


def _walk(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if (path.is_file() or path.is_symlink()) and not name.startswith(RECORDS) and "__pycache__" not in name:
            yield name, path


def files_of_trial(content: Path, slug: str) -> list[tuple[str, Path]]:
    """All files that a trial's digest is made of, by their names."""
    return [*_walk(content / TRIALS / slug), *_walk(content / SKILLS / slug)]


def digest_of(content: Path, slug: str) -> str:
    """Twelve digits that differ when any file of the trial, or a script that is shipped with the skill, does."""
    return _digest(files_of_trial(content, slug))


def case_digest_of(content: Path, trial: TrialSpec) -> str:
    """Twelve digits that differ when an agent without the playbook is given or judged by anything else."""
    files = (pair for pair in _walk(content / TRIALS / trial.slug) if pair[0].startswith(_CASE))
    return _digest(files, f"{trial.sentence}\0{trial.done}\0{trial.limit}\0")


def _digest(files: Iterable[tuple[str, Path]], begin: str = "") -> str:
    found = hashlib.sha256(begin.encode())
    for name, path in files:
        body = path.read_bytes() if path.is_file() else b""
        found.update(f"{name}\0{len(body)}\0".encode() + body)
    return found.hexdigest()[:12]
