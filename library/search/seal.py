"""The seal of an index: the digest of every file, and when and how large it was written."""

import hashlib
from pathlib import Path

import msgspec

SEAL = "digest"

Sealed = dict[str, tuple[str, int, int]]
"""Of each file by its name the digest, the size in bytes, and the time of its last change in nanoseconds."""


def seal(place: Path, old: Path | None) -> None:
    """Seal every file; one that is the old index's very file is not read again."""
    known = _read(old) if old else {}
    made = {}
    for path in _files(place):
        same = old and path.name in known and path.samefile(old / path.name)
        made[path.name] = known[path.name] if same else (_digest(path), *_stat(path))
    (place / SEAL).write_bytes(msgspec.json.encode(made))


def is_as_sealed(place: Path) -> bool:
    """Whether every file, read whole, is what was sealed. Raises `OSError` or `ValueError` where there is no seal."""
    sealed = _read(place)
    digests = {name: digest for name, (digest, _, _) in sealed.items()}
    return digests == {path.name: _digest(path) for path in _files(place)}


def is_untouched(place: Path) -> bool:
    """Whether every file is there as it was sealed; only one that was touched since is read. Raises as above."""
    sealed = _read(place)
    files = _files(place)
    if [path.name for path in files] != sorted(sealed):
        return False
    return all(sealed[path.name][1:] == _stat(path) or sealed[path.name][0] == _digest(path) for path in files)


def _read(place: Path) -> Sealed:
    try:
        return msgspec.json.decode((place / SEAL).read_bytes(), type=Sealed)
    except msgspec.MsgspecError as error:
        raise ValueError(f"{place / SEAL} is no seal") from error


def _stat(path: Path) -> tuple[int, int]:
    known = path.stat()
    return known.st_size, known.st_mtime_ns


def _files(place: Path) -> list[Path]:
    return sorted(path for path in place.iterdir() if path.name != SEAL)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
