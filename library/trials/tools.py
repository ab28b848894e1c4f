"""What a trial needs: installed by its locks while there is a network, and kept under the locks' digest."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from filelock import FileLock

from ..records.trials import TrialNeeds
from .sandbox import TrialError, remove

_PATIENCE = 900
_PINNED = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^\]]*\])?==")


def installed(folder: Path, needs: TrialNeeds, cache: Path, newest: date | None = None) -> Path:
    """The folder of the tools: a virtual environment and Node's packages. Raises `TrialError` with what is missing.

    `newest` is the day of a proof against the newest versions, in place of the locks.
    """
    _ask_debian(needs.debian)
    locks = [folder / name for name in (needs.pypi, needs.npm) if name]
    if needs.npm:
        locks.append((folder / needs.npm).with_name("package.json"))
    said = "\n".join([sys.version, sys.base_prefix, str(newest or ""), *(lock.read_text("utf-8") for lock in locks)])
    place = cache / "tools" / hashlib.sha256(said.encode()).hexdigest()[:16]
    place.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{place}.lock"):
        if not (place / "complete").exists():
            remove(place)
            try:
                _install(folder, needs, place, newest=newest is not None)
            except BaseException:
                remove(place)
                raise
            (place / "complete").touch()
    return place


def _install(folder: Path, needs: TrialNeeds, place: Path, *, newest: bool) -> None:
    _call([sys.executable, "-m", "venv", os.fspath(place / "venv")])
    if needs.pypi:
        lock = folder / needs.pypi
        wanted = _PINNED.findall(lock.read_text("utf-8")) if newest else ["--no-deps", "-r", os.fspath(lock)]
        pip = [os.fspath(place / "venv/bin/python"), "-m", "pip", "install", "--quiet", "--only-binary", ":all:"]
        _call([*pip, *wanted])
    if needs.npm:
        lock = folder / needs.npm
        package = lock.with_name("package.json")
        shutil.copy(package, place)
        if newest:
            named = json.loads(package.read_text("utf-8"))
            names = [*named.get("dependencies", {}), *named.get("devDependencies", {})]
            _call(["npm", "install", "--ignore-scripts", *(f"{name}@latest" for name in names)], place)
        else:
            shutil.copy(lock, place / "package-lock.json")
            _call(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], place)


def _call(argv: Sequence[str], folder: Path | None = None) -> None:
    argv = ["setpriv", "--pdeathsig", "KILL", *argv]  # else it would write on where the next one begins anew
    try:
        said = subprocess.run(argv, cwd=folder, capture_output=True, text=True, timeout=_PATIENCE, check=False)
    except FileNotFoundError as error:
        raise TrialError(f"{argv[0]} is not installed") from error
    except subprocess.TimeoutExpired as error:
        raise TrialError(f"what the trial needs was not installed within {_PATIENCE} seconds") from error
    if said.returncode:
        raise TrialError(f"what the trial needs could not be installed: {(said.stderr or said.stdout).strip()[-600:]}")


def _ask_debian(packages: Sequence[str]) -> None:
    """Raises `TrialError` for packages that are not installed; beyond Debian a command of the name will do."""
    missing = [name for name in packages if not _there(name)]
    if missing:
        raise TrialError(f"not installed here: {', '.join(missing)} (Debian: apt-get install {' '.join(missing)})")


def _there(package: str) -> bool:
    if not shutil.which("dpkg-query"):
        return shutil.which(package) is not None
    asked = ["dpkg-query", "-W", "-f=${Status}", package]
    said = subprocess.run(asked, capture_output=True, text=True, check=False)
    return said.stdout.endswith(" installed")
