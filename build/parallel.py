"""Work for several processes: items are dealt out once, each worker is a fork that hands back what it found."""

from __future__ import annotations

import gc
import multiprocessing
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from typing import TypeVar

from library.problems import LibraryError

T = TypeVar("T")
R = TypeVar("R")


class WorkerLost(LibraryError):
    """A worker ended without a word: killed, or out of memory."""


def in_processes(work: Callable[[Sequence[T]], R], items: Sequence[T], jobs: int) -> Iterator[R]:
    """Run `work` on static partitions of `items`, and give its results in the order of the partitions.

    One job, few items or a system without fork: the same in this process. What `work` raises, this raises.
    """
    jobs = min(jobs, len(items)) if sys.platform == "linux" else 1
    if jobs <= 1:
        if items:
            yield work(items)
        return
    context = multiprocessing.get_context("fork")
    size = -(-len(items) // jobs)
    partitions = [items[start : start + size] for start in range(0, len(items), size)]
    workers = []
    for partition in partitions:
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_in_fork, args=(work, partition, theirs), daemon=True)
        process.start()
        theirs.close()
        workers.append((process, ours))
    try:
        for process, ours in workers:
            yield _result(ours)
            process.join()
    finally:
        for process, _ in workers:
            if process.is_alive():
                process.terminate()
            process.join()


def _in_fork(work: Callable[[Sequence[T]], R], partition: Sequence[T], pipe: Connection) -> None:
    gc.disable()
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
    return answer  # type: ignore[no-any-return]
