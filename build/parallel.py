"""Work in several processes: forks of this one, which inherit all that is in its memory."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from math import ceil
from multiprocessing import get_context
from typing import Any, TypeVar, cast

from library.problems import LibraryError

T = TypeVar("T")
R = TypeVar("R")
FEW = 64  # fewer items than this are not worth a second process
MOST = 400  # items that a fork is given: what it gathers while it works goes with it, and the next begins anew
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux's prctl: a worker whose parent was killed is killed too
_inherited: list[Callable[[Sequence[Any]], object]] = []
"""In a worker: what it does with each portion. It came with the fork, and may be what no pipe could carry."""


class WorkerLost(LibraryError):
    """A worker ended without a word: killed, or out of memory."""


def in_processes(work: Callable[[Sequence[T]], R], items: Sequence[T], jobs: int) -> Iterator[R]:
    """What `work` makes of each portion of the items; one portion, here, of few items or without forks.

    What `work` raises is raised here, and the workers end; they end with this process too.
    """
    if jobs == 1 or len(items) < FEW or sys.platform != "linux":
        yield from [work(items)] if items else []
        return
    count = jobs * ceil(len(items) / (jobs * MOST))
    portions = [items[at::count] for at in range(count)]  # what takes long stands together: each gets some of it
    for start in range(0, len(portions), jobs):
        yield from _forked(work, portions[start : start + jobs])


def _forked(work: Callable[[Sequence[T]], R], portions: Sequence[Sequence[T]]) -> Iterator[R]:
    """Some portions, each in a fork, which ends with them."""
    pool = ProcessPoolExecutor(len(portions), get_context("fork"), initializer=_begin, initargs=(work, os.getpid()))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        try:
            results = pool.map(_do, portions)  # forks: Ctrl+C is for this process alone, which then ends them
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        yield from cast("Iterator[R]", results)
    except BrokenProcessPool as error:
        raise WorkerLost("a worker of the build was killed") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(work: Callable[[Sequence[Any]], object], parent: int) -> None:
    """Begin as a worker: end when the parent ends, even if it already has."""
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
    _inherited.append(work)


def _do(portion: Sequence[Any]) -> object:
    return _inherited[-1](portion)
