"""Commands in a sandbox: no network, no files but those of the case, limits of time, disk, memory and processes.

A sandbox is bubblewrap. Where that is missing, a plain folder stands in for proofs alone: it hides nothing. What a
trial needs is installed by its locks while there is a network, and kept under the locks' digest.
"""

import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from tempfile import mkdtemp, mkstemp

from filelock import FileLock

from ..problems import LibraryError
from ..records.trials import TrialNeeds

INSIDE = "/trial"  # where the case lies for whoever is in the sandbox
SCRIPTS = Path(__file__).with_name("scripts")
DISK = 2 * 1024**3  # how many bytes a case may grow to
_SPARE = 64 * 1024**2  # with less room than this on the disk of the host nothing that failed says anything
MEMORY, PROCESSES = 4 * 1024**3, 1000  # what all processes of a command may take together
_OUTPUT = 64 * 1024
_LOOK = 0.5
_BUBBLEWRAP = shlex.split((SCRIPTS / "bubblewrap").read_text(encoding="utf-8"), comments=True)
_ENDING = (SCRIPTS / "ending.sh").read_text(encoding="utf-8")
_ALWAYS = dict(line.split("=", 1) for line in (SCRIPTS / "environment").read_text(encoding="utf-8").splitlines())
"""No bytecode is written: a module that is changed twice in a second would run as it was before."""
_PATIENCE = 900
_PINNED = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^\]]*\])?==")


class TrialError(LibraryError):
    """Something that a trial stands on is missing or broke: it says nothing about the playbook."""


@dataclass(frozen=True)
class Finished:
    """How a command ended: `stopped` says by which limit, if by one."""

    code: int
    output: str
    stopped: str = ""

    @property
    def tail(self) -> str:
        """The last lines of the output, for people."""
        return "\n".join(self.output.strip().splitlines()[-12:])


@dataclass(frozen=True)
class Mount:
    """A folder of the host that a command sees, and the variable that says where."""

    variable: str
    host: Path
    inside: str
    writable: bool = False


@dataclass
class Sandbox:
    """Where commands run. `tools` are the installed needs, which every command has on its path."""

    bwrap: str | None
    tools: Path | None = None
    disk: int = DISK
    stopping: threading.Event = field(default_factory=threading.Event)

    @property
    def name(self) -> str:
        """What it is, with its version."""
        if not self.bwrap:
            return "plain folder"
        said = subprocess.run([self.bwrap, "--version"], capture_output=True, text=True, check=False)
        return said.stdout.strip() or "bubblewrap"

    @property
    def limited(self) -> str:
        """A shell script that runs its first argument, a shell command, with limits for each process."""
        return f'ulimit -c 0 -d {MEMORY // 1024} -f {self.disk // 256} -u {2 * PROCESSES}\nexec bash -c "$1"'

    def refusal(self) -> str:
        """Why bubblewrap does not work here; empty where it does."""
        if not self.bwrap:
            return "bubblewrap is not installed (Debian: apt-get install bubblewrap)"
        argv = [self.bwrap, *_BUBBLEWRAP, "/usr/bin/true"]
        said = subprocess.run(argv, capture_output=True, text=True, check=False)
        return f"bubblewrap does not work here: {said.stderr.strip()}" if said.returncode else ""

    def argv(
        self, case: Path, command: Sequence[str], mounts: Sequence[Mount] = (), environment: Mapping[str, str] = {}
    ) -> list[str]:
        """What the host runs so that `command` runs in the sandbox, in the folder of the case."""
        path = [os.fspath(self.tools / inner) for inner in ("venv/bin", "node_modules/.bin") if self.tools]
        variables = {**_ALWAYS, "PATH": ":".join([*path, *_node(), "/usr/local/bin", "/usr/bin", "/bin"])}
        variables |= {"TOOLS": os.fspath(self.tools)} if self.tools else {}
        variables |= {mount.variable: mount.inside if self.bwrap else os.fspath(mount.host) for mount in mounts}
        variables |= environment
        if not self.bwrap:
            return ["env", "-i", f"--chdir={case}", *(f"{name}={value}" for name, value in variables.items()), *command]
        told = [self.bwrap, *_BUBBLEWRAP]
        for name in ("passwd", "group"):
            told += ["--ro-bind", os.fspath(SCRIPTS / name), f"/etc/{name}"]
        for place in (Path(sys.base_prefix), self.tools, *map(Path, _node())):
            if place and not place.is_relative_to("/usr"):
                told += ["--ro-bind", os.fspath(place), os.fspath(place)]
        for mount in mounts:
            told += ["--bind" if mount.writable else "--ro-bind", os.fspath(mount.host), mount.inside]
        told += ["--bind", os.fspath(case), INSIDE, "--chdir", INSIDE]
        for name, value in variables.items():
            told += ["--setenv", name, value]
        return [*told, *command]

    def run(
        self,
        case: Path,
        command: str,
        limit: float,
        mounts: Sequence[Mount] = (),
        environment: Mapping[str, str] = {},
        tick: Callable[[], None] | None = None,
    ) -> Finished:
        """Run a shell command to its end, or to a limit; then nothing that it started is left.

        `tick` is called many times a second meanwhile.
        """
        argv = self.argv(case, ["bash", "-c", f"{_ENDING}{self.limited}", "sandbox", command], mounts, environment)
        descriptor, name = mkstemp(prefix="output-", dir=case.parent)
        output = Path(name)
        with os.fdopen(descriptor, "wb") as written:
            process = subprocess.Popen(
                argv, stdin=subprocess.PIPE, stdout=written, stderr=subprocess.STDOUT, start_new_session=True
            )
            try:
                stopped = self._watched(process, (case, output), limit, tick)
            finally:  # the whole group; in bubblewrap everything else dies with it
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                if process.stdin:
                    process.stdin.close()
                process.wait()
        with output.open("rb") as file:
            file.seek(max(0, output.stat().st_size - _OUTPUT))
            said = file.read().decode(errors="replace")
        output.unlink()
        if stopped == "interrupted":
            raise KeyboardInterrupt
        return Finished(process.returncode, said, stopped)

    def _watched(
        self, process: subprocess.Popen[bytes], places: Sequence[Path], limit: float, tick: Callable[[], None] | None
    ) -> str:
        """Wait for its end: which limit it broke, if one. What `tick` takes is not on its account."""
        began = looked = time.monotonic()
        while process.poll() is None:
            now = time.monotonic()
            if now - began > limit:
                return "time"
            if now - looked > _LOOK:
                looked = now
                processes, memory = _load(process.pid)
                if processes > PROCESSES or memory > MEMORY:
                    return "processes" if processes > PROCESSES else "memory"
                if _size(places) > self.disk:
                    return "disk"
            if tick:
                tick()
                began += time.monotonic() - now
            if self.stopping.wait(0.01 if now - began < 1 else 0.05):
                return "interrupted"
        if disk_is_full(places[0].parent):
            raise TrialError("the disk is full; nothing that failed says anything")
        return "disk" if _size(places) > self.disk else ""


def _node() -> list[str]:
    """The folder of Node where it is none of the system's own."""
    node = shutil.which("node")
    place = Path(node).resolve().parents[1] if node else Path("/usr")
    return [] if place.is_relative_to("/usr") else [os.fspath(place), os.fspath(place / "bin")]


def _size(places: Sequence[Path]) -> int:
    """How much room files and folders take. `du` goes as deep as a command can, and past what goes away meanwhile."""
    said = subprocess.run(["du", "-skc", "--", *places], capture_output=True, text=True, check=False)  # noqa: S607 - du
    return int(said.stdout.splitlines()[-1].split()[0]) * 1024


def _load(pid: int) -> tuple[int, int]:
    """How many processes there are from one downwards, and how much memory they have for themselves."""
    waiting, processes, pages = [str(pid)], 0, 0
    while waiting and processes <= PROCESSES:
        place = Path("/proc", waiting.pop())
        with suppress(OSError):  # it ended
            resident, shared = (place / "statm").read_text().split()[1:3]
            processes, pages = processes + 1, pages + int(resident) - int(shared)
            for task in (place / "task").iterdir():
                waiting += (task / "children").read_text().split()
    return processes, pages * os.sysconf("SC_PAGE_SIZE")


def disk_is_full(place: Path) -> bool:
    """Whether there is so little room left that what fails may fail by that."""
    return shutil.disk_usage(place).free < _SPARE


def copied(source: Path, target: Path) -> Path:
    """A copy of a whole case: modes, times and links as they are. Raises `TrialError` where it cannot be made."""
    said = subprocess.run(["cp", "-a", source, target], capture_output=True, text=True, check=False)  # noqa: S607 - cp
    if said.returncode:
        remove(target)
        raise TrialError(f"a case could not be copied: {said.stderr.strip()[-300:]}")
    return target


def remove(folder: Path) -> None:
    """Remove a folder, however deep a command made it and however it left the permissions."""
    for argv in (["rm", "-rf"], ["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
        if folder.exists():
            subprocess.run([*argv, "--", folder], capture_output=True, check=False)


@contextmanager
def workshop(cache: Path) -> Iterator[Path]:
    """A folder for the cases of one command, gone at its end; what killed commands left is removed as well."""
    root = cache / "work"
    root.mkdir(parents=True, exist_ok=True)
    with FileLock(cache / "work.lock"):  # else one that begins is taken for one that was killed
        for old in root.iterdir():
            with suppress(OSError), FileLock(old / "lock", blocking=False):
                remove(old)
        place = Path(mkdtemp(dir=root))
        lock = FileLock(place / "lock")
        lock.acquire()
    try:
        yield place
    finally:
        remove(place)
        lock.release()


def found_sandbox() -> Sandbox:
    """Bubblewrap where it works, else a plain folder."""
    sandbox = Sandbox(shutil.which("bwrap"))
    return Sandbox(None) if sandbox.refusal() else sandbox


def cache_folder(environment: Mapping[str, str]) -> Path:
    """Where tools are kept from one command to the next, and cases while one runs."""
    base = environment.get("XDG_CACHE_HOME") or Path(environment.get("HOME") or "~").expanduser() / ".cache"
    return Path(base) / "playbooks" / "trials"


def shell_of(sandbox: Sandbox, case: Path, mounts: Sequence[Mount], record: Path) -> str:
    """A script that runs one shell command, its arguments or else its input, in the sandbox, and records it."""
    argv = sandbox.argv(case, ["bash", "-c", sandbox.limited, "sandbox"], mounts)
    return f"""#!/bin/bash
# Each call is a sandbox of its own; files of the case stay. Usage: shell COMMAND, or shell << 'END'
record={shlex.quote(str(record))}
sandbox=({shlex.join(argv)})
{(SCRIPTS / "shell.sh").read_text(encoding="utf-8")}"""


def installed(folder: Path, needs: TrialNeeds, cache: Path, newest: date | None = None) -> Path:
    """The folder of the tools: a virtual environment and Node's packages. Raises `TrialError` with what is missing.

    `newest` is the day of a proof against the newest versions, in place of the locks.
    """
    if missing := [name for name in needs.debian if not _is_installed(name)]:
        raise TrialError(f"not installed here: {', '.join(missing)} (Debian: apt-get install {' '.join(missing)})")
    locks = [folder / name for name in (needs.pypi, needs.npm) if name]
    if needs.npm:
        locks.append((folder / needs.npm).with_name("package.json"))
    said = "\n".join([sys.version, sys.base_prefix, str(newest or ""), *(lock.read_text("utf-8") for lock in locks)])
    place = cache / "tools" / hashlib.sha256(said.encode()).hexdigest()[:16]
    place.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{place}.lock"):
        if not (place / "complete").exists():
            remove(place)
            try:
                _install(folder, needs, place, newest=newest is not None)
                (place / "complete").touch()
            except BaseException:
                remove(place)
                raise
    return place


def _install(folder: Path, needs: TrialNeeds, place: Path, *, newest: bool) -> None:
    _call([sys.executable, "-m", "venv", os.fspath(place / "venv")])
    if needs.pypi:
        lock = folder / needs.pypi
        wanted = _PINNED.findall(lock.read_text("utf-8")) if newest else ["--no-deps", "-r", os.fspath(lock)]
        pip = [os.fspath(place / "venv/bin/python"), "-m", "pip", "install", "--quiet", "--only-binary", ":all:"]
        _call([*pip, *wanted])
    if needs.npm:
        lock = folder / needs.npm
        package = shutil.copy(lock.with_name("package.json"), place)
        if newest:
            named = json.loads(Path(package).read_text("utf-8"))
            names = [*named.get("dependencies", {}), *named.get("devDependencies", {})]
            _call(["npm", "install", "--ignore-scripts", *(f"{name}@latest" for name in names)], place)
        else:
            shutil.copy(lock, place / "package-lock.json")
            _call(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], place)


def _call(argv: Sequence[str], folder: Path | None = None) -> None:
    argv = ["setpriv", "--pdeathsig", "KILL", *argv]  # else it would write on where the next one begins anew
    try:
        said = subprocess.run(argv, cwd=folder, capture_output=True, text=True, timeout=_PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise TrialError(f"what the trial needs could not be installed: {error}") from error
    if said.returncode:
        raise TrialError(f"what the trial needs could not be installed: {(said.stderr or said.stdout).strip()[-600:]}")


def _is_installed(package: str) -> bool:
    """Whether Debian has installed a package; beyond Debian a command of the name will do."""
    if not shutil.which("dpkg-query"):
        return shutil.which(package) is not None
    asked = ["dpkg-query", "-W", "-f=${Status}", package]
    said = subprocess.run(asked, capture_output=True, text=True, check=False)
    return said.stdout.endswith(" installed")
