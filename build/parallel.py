"""Work for several processes: this one and forks of it, each of which takes the next few items when it is free.

What a fork finds it hands back piece by piece, in a file without a name: nobody ever holds all of it twice.
"""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Generic, NamedTuple, Protocol, TypeVar

from library.problems import LibraryError

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
YOUNG = 20_000
"""So many new objects are made before the collector looks at them."""
PORTIONS = 64
"""Each process takes its share in about so many portions: they end nearly together."""
_WIDTH = 4
"""Bytes of a portion's number in the pipe."""
_DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of Linux's prctl: a worker whose parent was killed is killed too."""


class WorkerLost(LibraryError):
    """A worker ended without a word: killed, or out of memory."""


class Work(Protocol[T_contra, R_co]):
    """What is to be done with some of the items: each piece that is found is handed back at once."""

    def __call__(self, items: Iterable[T_contra], hand: Callable[[R_co], None], /) -> None:
        """Do it."""


Part = Callable[[Callable[[R], None]], None]
"""The same with its items."""


class _Deal(Generic[T]):
    """Items for whichever process is free: each takes the number of the next portion out of one pipe.

    Reads of a pipe do not mix, so every portion is taken once.
    """

    def __init__(self, items: Sequence[T], jobs: int) -> None:
        self._items = items
        self._size = len(items) // (jobs * PORTIONS) + 1
        self._numbers, end = os.pipe()
        with open(end, "wb") as file:  # noqa: PTH123 - the end of a pipe has no path
            file.write(b"".join(start.to_bytes(_WIDTH) for start in range(0, len(items), self._size)))

    def __iter__(self) -> Iterator[T]:
        while number := os.read(self._numbers, _WIDTH):
            start = int.from_bytes(number)
            yield from self._items[start : start + self._size]

    def close(self) -> None:
        """Let go of the pipe."""
        os.close(self._numbers)


class _Worker(NamedTuple):
    process: BaseProcess
    pipe: Connection
    pieces: IO[bytes]


def in_processes(work: Work[T, R], items: Sequence[T], jobs: int, scratch: Path | None = None) -> Iterator[R]:
    """Run `work` in several processes, and give what it hands back: of this process first, in no promised order.

    Other processes work from now on, this one when the first piece is asked for; pieces of others wait in the folder
    `scratch`. One job, few items or a system without fork: all in this process, in order. What `work` raises, the
    iterator raises.
    """
    jobs = min(jobs, len(items)) if sys.platform == "linux" else 1
    if not items:
        return iter(())
    deal, workers = _Deal(items, jobs), list[_Worker]()
    for _ in range(jobs - 1):
        workers.append(_start(partial(work, deal), [worker.pipe for worker in workers], scratch))
    results = _results(partial(work, deal), workers, deal.close)
    next(results)  # from here on the workers end with it
    return results


def _start(work: Part[Any], inherited: Sequence[Connection], scratch: Path | None) -> _Worker:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    pieces = TemporaryFile(dir=scratch)  # noqa: SIM115 - it is closed with its worker's last piece
    process = context.Process(target=_in_fork, args=(work, pieces, theirs, [*inherited, ours]), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours, pieces)


def _results(own: Part[R], workers: Sequence[_Worker], end: Callable[[], None]) -> Iterator[Any]:
    """First None; then what this process finds and each worker hands back. The workers do not outlive this."""
    try:
        yield None
        found: list[R] = []
        with _collecting():
            own(found.append)
        yield from found
        for worker in workers:
            _wait_for(worker.pipe)
            worker.process.join()
            yield from _pieces(worker.pieces)
    finally:
        end()
        for worker in workers:
            if worker.process.is_alive():
                worker.process.terminate()
            worker.process.join()
            worker.pieces.close()


def _in_fork(work: Part[Any], pieces: IO[bytes], pipe: Connection, inherited: Sequence[Connection]) -> None:
    """Do one part of the work; end when the parent ends, and hold nothing open that is the parent's."""
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the parent, which then ends this
    for ours in inherited:
        ours.close()
    failed: Exception | None = None
    try:
        with _collecting():
            work(lambda piece: pickle.dump(piece, pieces, protocol=pickle.HIGHEST_PROTOCOL))
        pieces.flush()
    except Exception as error:  # noqa: BLE001 - carried to the parent and raised there
        failed = error
    with suppress(BrokenPipeError):  # the parent was told to end, and no longer listens
        pipe.send_bytes(pickle.dumps(failed))
    pipe.close()


@contextmanager
def _collecting() -> Iterator[None]:
    """What becomes garbage is collected, and what was there before is not looked at: its pages stay shared with forks.

    The contexts of templates are circles: without a collector each page would stay in memory.
    """
    was, threshold = gc.isenabled(), gc.get_threshold()
    gc.freeze()
    gc.set_threshold(YOUNG, 10, 1_000)
    gc.enable()
    try:
        yield
    finally:
        gc.set_threshold(*threshold)
        gc.unfreeze()
        if not was:
            gc.disable()


def _wait_for(pipe: Connection) -> None:
    """Until a worker has ended; what it raised is raised."""
    try:
        failed: Exception | None = pickle.loads(pipe.recv_bytes())  # noqa: S301 - from our own fork
    except EOFError as error:
        raise WorkerLost("a worker of the build was killed") from error
    if failed is not None:
        raise failed


def _pieces(file: IO[bytes]) -> Iterator[Any]:
    """What a worker handed back."""
    file.seek(0)
    while True:
        try:
            piece = pickle.load(file)  # noqa: S301 - from our own fork
        except EOFError:
            return
        yield piece
