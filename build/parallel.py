"""Work for several processes: items are dealt out once, each worker is a fork that hands back what it found."""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TypeVar

from library.problems import LibraryError

T = TypeVar("T")
R = TypeVar("R")
YOUNG = 20_000
"""So many new objects are made before a worker's collector looks at them."""
_DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of Linux's prctl: a worker whose parent was killed is killed too."""


class WorkerLost(LibraryError):
    """A worker ended without a word: killed, or out of memory."""


def in_processes(work: Callable[[Sequence[T]], R], items: Sequence[T], jobs: int) -> Iterator[R]:
    """Run `work` on static partitions of `items`, and give its results in the order of the partitions.

    The processes work from now on, whenever their results are asked for. One job, few items or a system without fork:
    the same in this process, at once. What `work` raises, this or the iterator raises.
    """
    jobs = min(jobs, len(items)) if sys.platform == "linux" else 1
    if jobs <= 1:
        return iter([work(items)] if items else [])
    context = multiprocessing.get_context("fork")
    partitions = [items[start::jobs] for start in range(jobs)]  # neighbours cost alike: each process has every kind
    workers: list[tuple[BaseProcess, Connection]] = []
    for partition in partitions:
        ours, theirs = context.Pipe(duplex=False)
        inherited = [pipe for _, pipe in workers] + [ours]
        process = context.Process(target=_in_fork, args=(work, partition, theirs, inherited), daemon=True)
        process.start()
        theirs.close()
        workers.append((process, ours))
    results = _results(workers)
    next(results)  # from here on the workers end with it
    return results  # type: ignore[return-value]  # its first item, which alone is None, is taken


def _results(workers: Sequence[tuple[BaseProcess, Connection]]) -> Iterator[R | None]:
    """What each worker hands back, after a first None; the workers do not outlive this."""
    try:
        yield None
        for worker, ours in workers:
            yield _result(ours)
            worker.join()
    finally:
        for worker, _ in workers:
            if worker.is_alive():
                worker.terminate()
            worker.join()


def _in_fork(
    work: Callable[[Sequence[T]], R], partition: Sequence[T], pipe: Connection, inherited: Sequence[Connection]
) -> None:
    """Do the work of one partition; end when the parent ends, and hold nothing open that is the parent's."""
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    for ours in inherited:
        ours.close()
    gc.freeze()  # nothing of the parent's is looked at, and so its pages stay shared
    gc.set_threshold(YOUNG, 10, 1_000)
    gc.enable()  # the contexts of templates are circles: without a collector each page would stay in memory
    answer: tuple[bool, R | Exception]
    try:
        answer = (True, work(partition))
    except Exception as error:  # noqa: BLE001 - carried to the parent and raised there
        answer = (False, error)
    pipe.send_bytes(pickle.dumps(answer, protocol=pickle.HIGHEST_PROTOCOL))
    pipe.close()


def _result(pipe: Connection) -> R:  # type: ignore[type-var]  # what `work` gave
    try:
        fine, answer = pickle.loads(pipe.recv_bytes())  # noqa: S301 - from our own fork
    except EOFError as error:
        raise WorkerLost("a worker of the build was killed; the site is as it was; run the build again") from error
    if not fine:
        raise answer
    return answer  # type: ignore[no-any-return]  # what `work` gave
