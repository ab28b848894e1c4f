"""The power is cut, in a simulation: of all that a writer wrote, only what it had synced is left, or that and chance.

The writer runs under strace. Its system calls are replayed up to a cut; the files that a machine would find after the
cut are made from what had been synced by then, without or with a random part of the rest, whole or torn at a sector.
`STORE_CUTS` says how many cuts there are.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.writeapi.store.builders import a_store, sqlite_url
from tests.writeapi.store.worker import said, under

CUTS = int(os.environ.get("STORE_CUTS", "150"))
REPORTS = 300
SECTOR = 512
CALLS = "pwrite64,write,fsync,fdatasync,ftruncate,unlink,unlinkat,pwritev,rename,fallocate"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.system,
    pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed: no power cut was simulated"),
]


@dataclass
class Call:
    """One system call that matters: on a file of the database, on its folder, or an acknowledgement."""

    name: str
    file: str
    offset: int = 0
    data: bytes = b""


@dataclass
class File:
    """What is synced of a file, and what was done to it since."""

    synced: bytes = b""
    since: list[Call] = field(default_factory=list)
    named: bool = False

    def content(self, chance: random.Random | None) -> bytes:
        """What a machine may find after a cut; without `chance`, the least that it can be."""
        found = bytearray(self.synced)
        for call in self.since if chance else ():
            assert chance is not None
            if chance.random() < 0.5:
                apply(found, call, chance.randrange(SECTOR, 4 * SECTOR) if chance.random() < 0.2 else None)
        return bytes(found)

    def sync(self) -> None:
        """Everything up to here is on the disk."""
        whole = bytearray(self.synced)
        for call in self.since:
            apply(whole, call)
        self.synced = bytes(whole)
        self.since = []


def apply(content: bytearray, call: Call, torn: int | None = None) -> None:
    """Do what a call does; one that is `torn` writes whole sectors up to there only."""
    if call.name == "ftruncate":
        content[:] = content[: call.offset].ljust(call.offset, b"\0")
        return
    data = call.data if torn is None else call.data[: torn // SECTOR * SECTOR]
    if len(content) < call.offset:
        content.extend(bytes(call.offset - len(content)))
    content[call.offset : call.offset + len(data)] = data


LINE = re.compile(r"^(?:\d+ +)?(\w+)\((.*)\) += (-?\d+)")
FILE = re.compile(r"^(?:AT_FDCWD|\d+)(?:<([^>]*)>)?")


def plain(text: str) -> bytes:
    """A string as strace prints it, with every byte in hexadecimal."""
    return bytes.fromhex(text.replace("\\x", "")) if text.startswith("\\x") else text.encode()


def whole_lines(text: str) -> Iterator[str]:
    """The lines of a log; a call that another thread's came into stands where it ended, which one writer may assume."""
    begun: dict[str, str] = {}
    for line in text.splitlines():
        process, _, rest = line.partition(" ")
        if line.endswith("<unfinished ...>"):
            begun[process] = line.removesuffix("<unfinished ...>")
        elif "resumed>" in rest[:40]:
            yield begun.pop(process) + rest.partition("resumed>")[2]
        else:
            yield line


def calls(log: Path, folder: Path) -> Iterator[Call]:
    """The calls of a log that matter, in order."""
    for line in whole_lines(log.read_text(encoding="ascii")):
        found = LINE.match(line)
        if found is None or int(found[3]) < 0:
            continue
        name, arguments = found[1], found[2]
        described = FILE.match(arguments)
        path = Path(plain((described and described[1]) or "").decode(errors="replace"))
        strings = re.findall(r'"([^"]*)"', arguments)
        if name == "write" and arguments.startswith("1<") and plain(strings[0]).startswith(b"stored"):
            yield Call("ack", plain(strings[0]).split()[1].decode())
        elif name in {"unlink", "unlinkat"} and Path(plain(strings[0]).decode()).parent == folder:
            yield Call("unlink", Path(plain(strings[0]).decode()).name)
        elif path == folder and name in {"fsync", "fdatasync"}:
            yield Call("sync-names", "")
        elif path.parent == folder and path.name in {"queue.db", "queue.db-wal"}:
            yield call_on(name, path.name, arguments, strings)


def call_on(name: str, file: str, arguments: str, strings: list[str]) -> Call:
    """A call on one of the two files that count."""
    if name == "pwrite64":
        data = plain(strings[0])
        _, length, offset = arguments.rsplit(", ", 2)
        assert len(data) == int(length)
        return Call("write", file, int(offset), data)
    if name == "ftruncate":
        return Call("ftruncate", file, int(arguments.rsplit(", ", 1)[1]))
    assert name in {"fsync", "fdatasync"}, f"{name} is not understood"
    return Call("sync", file)


@dataclass
class Disk:
    """A folder as the writer made it, and what of it would outlive a cut."""

    files: dict[str, File]
    acknowledged: list[str] = field(default_factory=list)

    def do(self, call: Call) -> None:
        """Go on by one call."""
        if call.name == "ack":
            self.acknowledged.append(call.file)
        elif call.name == "sync-names":
            for file in self.files.values():
                file.named = True
        elif call.name == "unlink":
            self.files.pop(call.file, None)
        elif call.name == "sync":
            self.files.setdefault(call.file, File()).sync()
        else:
            self.files.setdefault(call.file, File()).since.append(call)

    def cut(self, folder: Path, chance: random.Random | None) -> None:
        """Write what is left of it into a folder. A name that was not synced is lost, or kept by chance."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, file in self.files.items():
            if file.named or (chance and chance.random() < 0.5):
                (folder / name).write_bytes(file.content(chance))


def lost_in_cuts(database: Path, begun: bytes, log: Path, table: str, cuts: int) -> tuple[int, int, int]:
    """How many cuts there were, how many acknowledged reports they lost, and how many databases they damaged."""
    done = list(calls(log, database.parent))
    chance = random.Random(4)
    acks = [number for number, call in enumerate(done) if call.name == "ack"]
    chosen = {*chance.sample(acks, min(cuts // 2, len(acks))), *chance.sample(range(len(done)), min(cuts, len(done)))}
    disk = Disk({"queue.db": File(begun, named=True)})
    lost = damaged = 0
    places = sorted(chosen)[:: max(1, len(chosen) // cuts)]
    for number, call in enumerate(done):
        disk.do(call)
        for luck in (None, chance) if number in places else ():
            disk.cut(database.parent / "cut", luck)
            found, whole = after(database.parent / "cut" / "queue.db", table)
            lost += len(set(disk.acknowledged) - found)
            damaged += not whole
    return 2 * len(places), lost, damaged


def after(database: Path, table: str) -> tuple[set[str], bool]:
    """What the database holds when it is opened after a cut, and whether it is whole."""
    try:
        with closing(sqlite3.connect(database)) as connection:
            whole = connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            return {label for (label,) in connection.execute(table)}, whole
    except sqlite3.DatabaseError:
        return set(), False


def traced(folder: Path, action: str, *words: object) -> tuple[Path, bytes, Path]:
    """Run a writer under strace: its database, the bytes with which that began, and the log of the calls."""
    database, log = folder / "queue.db", folder / "calls"
    store = a_store(sqlite_url(database))
    store.migrate()
    store.close()
    begun = database.read_bytes()
    watch = ("strace", "-f", "-y", "-xx", "-s", "1000000", "-e", f"trace={CALLS}", "-o", str(log))
    worker = under(watch, action, sqlite_url(database), *words)
    if action == "write":
        assert said(worker) == "ready"
    output, errors = worker.communicate("go\n")
    assert output.count("stored") == REPORTS, errors
    return database, begun, log


def test_a_power_cut_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    database, begun, log = traced(tmp_path, "write", "w", 1, REPORTS)
    cuts, lost, damaged = lost_in_cuts(database, begun, log, "SELECT reporter FROM runs", CUTS)
    sys.stdout.write(f"\n{cuts} power cuts over {REPORTS} reports: {lost} acknowledged lost, {damaged} damaged\n")
    assert cuts >= CUTS
    assert (lost, damaged) == (0, 0)


def test_the_simulation_finds_a_writer_that_does_not_wait_for_the_disk(tmp_path: Path) -> None:
    database, begun, log = traced(tmp_path, "careless", REPORTS)
    cuts, lost, _ = lost_in_cuts(database, begun, log, "SELECT subject FROM answers", 20)
    sys.stdout.write(f"\n{cuts} power cuts without waiting for the disk: {lost} acknowledged lost\n")
    assert lost > REPORTS
