"""A library of one's own from the wheel, walked on each Python that we promise: `make wheel`.

Each Python gets an empty environment with what the lock names, by its hashes, and the wheel. Then a library is begun in
a folder far from the checkout, checked, built, served, deployed as the written unit says, backed up and brought back.
At last the extras are taken away: what needs one says so, and everything else works.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from library.variables import EXTRAS
from tools.wheel_walk import Installed, Walk, WentWrong

PROJECT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13")
OTHERS = ("build", "cli", "client", "library", "server")
"""Names of ours that other people's packages have too: whatever they install must neither be found nor be harmed."""
AT_ONCE = 3
"""Most of an installation is waiting for the index."""


def interpreter(version: str) -> str | None:
    """The first Python of a version that runs at all: on the path, then of pyenv, whose commands may be off."""
    root = os.environ.get("PYENV_ROOT") or (_said(["pyenv", "root"]) if shutil.which("pyenv") else "~/.pyenv")
    of_pyenv = sorted(Path(root.strip()).expanduser().glob(f"versions/{version}.*/bin/python{version}"))
    for found in (shutil.which(f"python{version}"), *map(str, reversed(of_pyenv))):
        if found and _said([found, "-c", "import sys; print(sys.version_info[:2])"]):
            return found
    return None


def _said(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def wheel(folder: Path) -> Path:
    """The wheel of this checkout, made by the hatchling that is locked."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*command, "--no-build-isolation", "--wheel-dir", str(folder), str(PROJECT)], check=True)
    [made] = folder.glob("*.whl")
    return made


def installed(python: str, made: Path, folder: Path) -> Installed:
    """An environment with the lock and the wheel, and with packages of other projects that are called as ours are.

    Nothing is compiled: that is left to the first command, whose terminal must stay free of warnings about it.
    """
    subprocess.run([python, "-m", "venv", str(folder)], check=True)
    fresh = Installed(folder / "bin")
    install = ("-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-compile")
    fresh.run(folder, "python", *install, "--require-hashes", "-r", str(PROJECT / "requirements.lock"))
    fresh.run(folder, "python", *install, "--no-deps", str(made))
    fresh.run(folder, "python", "-m", "pip", "--disable-pip-version-check", "check")
    others = Path(fresh.run(folder, "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    for name in OTHERS:
        (others / f"{name}.py").write_text("raise ImportError('the package of another project')\n", encoding="utf-8")
    return fresh


def without_extras(fresh: Installed, folder: Path) -> None:
    """Take away what extras bring: the packages of their modules, and what those are made of."""
    modules = [module for extra in EXTRAS.values() for module in extra]
    code = (
        "from importlib.metadata import packages_distributions as d; print(*(n for m in sys.argv[1:] for n in d()[m]))"
    )
    names = fresh.run(folder, "python", "-c", f"import sys; {code}", *modules).split()
    fresh.run(folder, "python", "-m", "pip", "--quiet", "uninstall", "--yes", "psycopg-binary", *names)


def walked(version: str, python: str, made: Path, folder: Path) -> Iterator[tuple[str, float]]:
    """The seconds of each part of the walk. Raises `WentWrong`."""
    began = time.monotonic()
    fresh = installed(python, made, folder / f"environment {version}")
    yield "install", time.monotonic() - began
    home = folder / f"mein Büch {version} 'x'"
    walk = Walk(fresh, home)
    for part in walk.parts:
        began = time.monotonic()
        part()
        yield part.__name__, time.monotonic() - began
    began = time.monotonic()
    without_extras(fresh, folder)
    walk.without_extras()
    yield "without_extras", time.monotonic() - began


def told(version: str, python: str, made: Path, folder: Path) -> str:
    """What came of a walk, in a line; on its way in what went wrong, everything that was said there."""
    parts = []
    try:
        for name, seconds in walked(version, python, made, folder):
            parts.append(f"{name} {seconds:.0f}")
            print(f"Python {version}: {parts[-1]} s", flush=True)
    except WentWrong as error:
        return f"Python {version}: FAILED after {', '.join(parts)}\n{error}"
    return f"Python {version}: all is well; seconds: {', '.join(parts)}"


def main(environment: Mapping[str, str] = os.environ) -> int:
    """Walk with every Python there is; in CI each of them must be there."""
    found = {version: interpreter(version) for version in PYTHONS}
    away = [version for version, python in found.items() if python is None]
    for version in away:
        print(f"Python {version}: not found, on the path or of pyenv: nothing was walked with it")
    with tempfile.TemporaryDirectory() as name:
        made = wheel(Path(name))
        jobs = [(version, python, made, Path(name)) for version, python in found.items() if python]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            lines = list(pool.map(lambda job: told(*job), jobs))
    print("\n".join(lines))
    return int(any(": FAILED" in line for line in lines) or bool(environment.get("CI") and away))


if __name__ == "__main__":
    sys.exit(main())
