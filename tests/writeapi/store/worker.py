"""A process that uses the store as a server's worker does, for tests that kill, cut, lock and crowd it.

`python -m tests.writeapi.store.worker ACTION URL …`: each line that it prints is a fact that it stands for.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable

from sqlalchemy import make_url

from tests.forks import PROJECT, Forked
from tests.writeapi.store.builders import a_run, a_store, once, sha
from writeapi.store import Store
from writeapi.store.engine import HandleTaken


def start(action: str, url: str, *words: object) -> Forked:
    """Start a worker."""
    return Forked("tests.writeapi.store.worker:main", (action, url, *words))


def under(program: tuple[str, ...], action: str, url: str, *words: object) -> subprocess.Popen[str]:
    """Start a worker under a program."""
    command = [*program, sys.executable, "-m", "tests.writeapi.store.worker", action, url, *map(str, words)]
    return subprocess.Popen(
        command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def said(worker: Forked | subprocess.Popen[str]) -> str:
    """The next line of a worker; fails with its errors when it ended instead."""
    assert worker.stdout is not None
    line = worker.stdout.readline()
    assert line, worker.communicate()[1]
    return line.strip()


def say(*words: object) -> None:
    """Print a line with one system call, so that lines of threads do not mix and a kill leaves whole ones."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def write(store: Store, name: str, threads: str, limit: str, *firsts: str) -> None:
    """Write until killed, or `limit` reports a thread, each with its key; thread n begins with report `firsts[n]`."""

    def run(thread: int) -> None:
        number = int(firsts[thread]) if firsts else 0
        for count in range(number, int(limit)):
            label = f"{name}.{thread}.{count}"
            new = a_run((label, os.getpid(), time.monotonic_ns()), reporter=label, lesson="x" * 500)
            receipt = store.add(new, once(key=label, body=label))
            say("stored", label, receipt.id)

    crowd(run, int(threads))


def same_key(store: Store, threads: str) -> None:
    """Write one report with one key from many threads at once."""

    def run(thread: int) -> None:
        receipt = store.add(a_run((os.getpid(), thread)), once(key="one", body="one"))
        say(receipt.id, receipt.answer.decode(), receipt.fresh)

    crowd(run, int(threads))


def same_handle(store: Store, *spellings: str) -> None:
    """Take one handle in several spellings at once."""

    def run(thread: int) -> None:
        try:
            say("created", store.add_contributor(spellings[thread], None, sha(spellings[thread]), "pbl_x").handle)
        except HandleTaken:
            say("taken")

    crowd(run, len(spellings))


def crowd(run: Callable[[int], None], threads: int) -> None:
    """Say that all is ready, wait for a line, then let all threads go at once."""
    say("ready")
    sys.stdin.readline()
    together = threading.Barrier(threads)

    def go(thread: int) -> None:
        together.wait()
        run(thread)

    crew = [threading.Thread(target=go, args=(number,)) for number in range(threads)]
    for thread in crew:
        thread.start()
    for thread in crew:
        thread.join()


def careless(url: str, limit: str) -> None:
    """Write and acknowledge as many rows as `limit` without waiting for the disk, as the store must never do."""
    connection = sqlite3.connect(str(make_url(url).database), isolation_level=None)
    connection.execute("PRAGMA synchronous = NORMAL")
    for number in range(int(limit)):
        label = f"careless.{number}"
        connection.execute("INSERT INTO answers VALUES (?, '', '', ?, '', '')", (label, label))
        say("stored", label, label)
    connection.close()


def migrate(store: Store) -> None:
    """Migrate when told."""
    say("ready")
    sys.stdin.readline()
    store.migrate()
    store.ready()
    say("migrated")


ACTIONS: dict[str, Callable[..., None]] = {
    "write": write,
    "same-key": same_key,
    "same-handle": same_handle,
    "migrate": migrate,
}


def main() -> None:
    """Do what the command line says."""
    action, url, *words = sys.argv[1:]
    if action == "careless":
        careless(url, *words)
    else:
        worker_store = a_store(url, wait=float(os.environ.get("STORE_WAIT", "30")))
        ACTIONS[action](worker_store, *words)
        worker_store.close()


if __name__ == "__main__":
    main()
