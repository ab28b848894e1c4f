"""The search that runs in the browser alone: Pagefind over the built pages, for release builds."""

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

from library.problems import LibraryError

from .writer import Artifact, differing, remove, write

FOLDER = "pagefind"
PAGES = "*/*/index.html"
"""The pages of single records. Of those only what carries `data-pagefind-body` is indexed."""

SECONDS = 600.0
"""After so long it is stopped: it takes about 8 seconds for 10,000 playbooks."""

_WANTED = ("pagefind.js", "pagefind-worker.js", "pagefind-entry.json")
_WANTED_KINDS = (".pagefind", ".pf_meta", ".pf_index", ".pf_filter", ".pf_fragment")
_PACKAGE = "pagefind_bin_extended"


class PagefindFailed(LibraryError):
    """Pagefind could not index the pages."""


def write_pagefind(folder: Path, *, served: bool, seconds: float = SECONDS) -> int:
    """Index the pages in `folder/public` into `folder/public/pagefind`; the number of files written.

    Pagefind works beside what is served; names carry digests, so the file that names them all is written last, and
    what it named before goes after that. Raises `PagefindFailed`.
    """
    made = folder / "pagefind.new"
    shutil.rmtree(made, ignore_errors=True)
    try:
        _run(folder, made, seconds)
        found = list(_files(made))
    finally:
        shutil.rmtree(made, ignore_errors=True)
    public = folder / "public"
    known = {str(path.relative_to(public)) for path in (public / FOLDER).rglob("*") if path.is_file()}
    fresh = list(differing(public, found))
    write(public, sorted(fresh, key=lambda item: item.path.endswith("entry.json")), served=served)
    remove(public, sorted(known - {item.path for item in found}))
    return len(fresh)


def _run(folder: Path, made: Path, seconds: float) -> None:
    """Run Pagefind by its path, with no shell and no settings of the caller's."""
    try:
        program = Path(import_module(_PACKAGE).get_executable()).absolute()
    except FileNotFoundError as error:
        raise PagefindFailed("Pagefind came without its program; install it anew") from error
    command = [str(program), "--site", str(folder / "public"), "--output-path", str(made), "--glob", PAGES]
    environment: Mapping[str, str] = {}  # it reads PAGEFIND_* and a pagefind.toml in its working folder
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as error:
        raise PagefindFailed(f"Pagefind was stopped after {seconds:g} seconds; build without --release") from error
    except OSError as error:
        raise PagefindFailed(f"Pagefind cannot be run: {error.strerror}; install it anew") from error
    if done.returncode or not (made / "pagefind-entry.json").is_file():
        said = (done.stderr + done.stdout).decode("utf-8", "replace").strip()
        raise PagefindFailed(f"Pagefind could not index the pages (exit code {done.returncode}):\n{said}")


def _files(made: Path) -> Iterator[Artifact]:
    """What a search needs of what was made; the ready-made search boxes are left out."""
    for path in sorted(made.rglob("*")):
        if path.name in _WANTED or path.suffix in _WANTED_KINDS:
            yield Artifact(f"{FOLDER}/{path.relative_to(made)}", path.read_bytes())
