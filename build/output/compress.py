"""Precompressed forms beside the files of a site, for servers that send them as they are (`gzip_static`)."""

import gzip
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import brotli

from ..parallel import in_processes
from .generations import Generations
from .writer import COMPRESSED

_TEXTS = frozenset({".html", ".json", ".md", ".xml", ".txt", ".css", ".js", ".svg", ".bin"})
_LEAST = 1024  # bytes: a file that fits into one packet is not sooner there for being smaller
_QUALITY = 9  # of brotli's 11: the two last are ten times as slow for a twentieth less


def compress(out: Path, content: Path, jobs: int, wait: Callable[[], None] = lambda: None) -> int:
    """Write what is missing of the forms of the site behind `out`; how many files have got theirs.

    A build that changes a file removes its forms, so one that is there is never of other bytes. `wait` is called when
    another build has to end first.
    """
    with Generations(out, content).alone(wait):
        public = out.resolve()
        names = [str(path.relative_to(public)) for path in _bare(public)]
        return sum(in_processes(partial(_compress_all, public), names, jobs))


def _bare(public: Path) -> Iterator[Path]:
    for path in sorted(public.rglob("*")):
        worth = path.suffix in _TEXTS and not path.name.startswith(".") and path.stat().st_size >= _LEAST
        if worth and not all(path.with_name(path.name + suffix).exists() for suffix in COMPRESSED):
            yield path


def _compress_all(public: Path, names: Sequence[str]) -> int:
    for name in names:
        path = public / name
        body = path.read_bytes()
        forms = (gzip.compress(body, 9, mtime=0), brotli.compress(body, quality=_QUALITY))
        for suffix, form in zip(COMPRESSED, forms, strict=True):
            fresh = path.with_name(f".{path.name}{suffix}.new")
            fresh.write_bytes(form)
            fresh.replace(path.with_name(path.name + suffix))
    return len(names)
