"""What a generation was made from: the content files with their digests, for whoever waits until a change is in it."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

FILE = "manifest.json"


class Manifest(msgspec.Struct):
    """The SHA-256, as hex digits, of each content file that the site was made from."""

    content: dict[str, str]


def save(folder: Path, digests: Mapping[str, bytes]) -> None:
    """Write it beside what is served, in one piece."""
    fresh = folder / f"{FILE}.new"
    fresh.write_bytes(msgspec.json.encode(Manifest({file: mark.hex() for file, mark in digests.items()})))
    fresh.replace(folder / FILE)


def drop(folder: Path) -> None:
    """Take it away while files are written where readers are: a builder that ends there leaves none."""
    (folder / FILE).unlink(missing_ok=True)


def load(folder: Path) -> Manifest | None:
    """That of a generation; None for none, or one that was cut short."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=Manifest)
    except (OSError, msgspec.DecodeError):
        return None
