"""Commands in a sandbox: no network, no files but those of the case, limits of time, disk, memory and processes.

A sandbox is bubblewrap. Where that is missing, a plain folder stands in for proofs alone: it hides nothing.
"""

import fcntl
import os
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
from pathlib import Path
from tempfile import mkdtemp, mkstemp

from filelock import FileLock

from ..problems import LibraryError

INSIDE = "/trial"
"""Where the case lies for whoever is in the sandbox."""
DISK = 2 * 1024**3
"""How many bytes a case may grow to."""
_SPARE = 64 * 1024**2
"""With less room than this on the disk of the host nothing that failed says anything."""
MEMORY, PROCESSES = 4 * 1024**3, 1000
"""What all processes of a command may take together."""
_OUTPUT = 64 * 1024
SAID = 16_000
"""How much of what a command of a handover printed is recorded."""
_LOOK = 0.5
_SCRATCH = str(512 * 1024**2)
_SYSTEM = (
    *("/usr", "/etc/alternatives", "/etc/ld.so.cache", "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/fonts"),
    *("/etc/nsswitch.conf", "/etc/mime.types", "/etc/postgresql-common", "/etc/chromium", "/etc/localtime"),
)
_MERGED = ("/bin", "/sbin", "/lib", "/lib64")
_USERS = "root:x:0:0::/root:/bin/sh\ntrial:x:1000:1000::/tmp:/bin/bash\nnobody:x:65534:65534::/:/bin/false"
_GROUPS = "root:x:0:\ntrial:x:1000:\nnogroup:x:65534:"
_SEE_USERS = 'exec 11<<<"$1" 12<<<"$2"; shift 2; exec "$@"'
"""Gives bubblewrap the files that stand in the sandbox for those of the host's users."""
_ENDING = """exec 9<&0 < /dev/null
{ read -r _ <&9; kill -KILL 0; } &
exec 9<&-
"""
"""Ends the command with us. Bubblewrap's own `--die-with-parent` misses a parent that dies before it asks for that."""
_ALWAYS = {
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONDONTWRITEBYTECODE": "1",  # a module that is changed twice in a second would run as it was before
    "GIT_AUTHOR_NAME": "Trial",
    "GIT_AUTHOR_EMAIL": "trial@example.invalid",
    "GIT_COMMITTER_NAME": "Trial",
    "GIT_COMMITTER_EMAIL": "trial@example.invalid",
    "GIT_CONFIG_COUNT": "2",
    "GIT_CONFIG_KEY_0": "safe.directory",
    "GIT_CONFIG_VALUE_0": "*",
    "GIT_CONFIG_KEY_1": "init.defaultBranch",
    "GIT_CONFIG_VALUE_1": "main",
}


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
        argv = [self.bwrap, "--unshare-all", *_system(), "--proc", "/proc", "--dev", "/dev", "true"]
        said = subprocess.run(argv, capture_output=True, text=True, check=False)
        return f"bubblewrap does not work here: {said.stderr.strip()}" if said.returncode else ""

    def _environment(self, mounts: Sequence[Mount]) -> dict[str, str]:
        path = [os.fspath(self.tools / inner) for inner in ("venv/bin", "node_modules/.bin") if self.tools]
        found = {**_ALWAYS, "HOME": "/tmp", "PATH": ":".join([*path, *_node(), "/usr/local/bin", "/usr/bin", "/bin"])}  # noqa: S108 - the sandbox's own
        if self.tools:
            found["TOOLS"] = os.fspath(self.tools)
        return found | {mount.variable: mount.inside if self.bwrap else os.fspath(mount.host) for mount in mounts}

    def argv(
        self, case: Path, command: Sequence[str], mounts: Sequence[Mount] = (), environment: Mapping[str, str] = {}
    ) -> list[str]:
        """What the host runs so that `command` runs in the sandbox, in the folder of the case."""
        variables = {**self._environment(mounts), **environment}
        if not self.bwrap:
            return ["env", "-i", f"--chdir={case}", *(f"{name}={value}" for name, value in variables.items()), *command]
        told = ["bash", "-c", _SEE_USERS, "sandbox", _USERS, _GROUPS, self.bwrap, "--unshare-all", "--die-with-parent"]
        told += ["--new-session", "--clearenv", "--uid", "1000", "--gid", "1000", "--size", _SCRATCH, "--tmpfs", "/"]
        told += [*_system(), "--ro-bind-data", "11", "/etc/passwd", "--ro-bind-data", "12", "/etc/group"]
        told += ["--proc", "/proc", "--dev", "/dev"]
        for scratch in ("/dev/shm", "/tmp", "/run"):  # noqa: S108 - the sandbox's own
            told += ["--size", _SCRATCH, "--tmpfs", scratch]
        told += ["--remount-ro", "/dev"]
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
            finally:
                _kill(process)
        said = _end_of(output)
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
                if broken := self._broken(process.pid, places):
                    return broken
            if tick:
                tick()
                began += time.monotonic() - now
            if self.stopping.wait(0.01 if now - began < 1 else 0.05):
                return "interrupted"
        if disk_is_full(places[0].parent):
            raise TrialError("the disk is full; nothing that failed says anything")
        return "disk" if _size(places) > self.disk else ""

    def _broken(self, pid: int, places: Sequence[Path]) -> str:
        """The limit that it breaks by now, if one."""
        processes, memory = _load(pid)
        if processes > PROCESSES:
            return "processes"
        if memory > MEMORY:
            return "memory"
        return "disk" if _size(places) > self.disk else ""


def _system() -> list[str]:
    """What of the host's system can be read: programs and what they need, no home and no secrets."""
    told = [word for place in _SYSTEM for word in ("--ro-bind-try", place, place)]
    for place in _MERGED:
        link = Path(place)
        if link.is_symlink():
            told += ["--symlink", os.fspath(link.readlink()), place]
        elif link.is_dir():
            told += ["--ro-bind", place, place]
    return told


def _node() -> list[str]:
    """The folder of Node where it is none of the system's own."""
    node = shutil.which("node")
    place = Path(node).resolve().parents[1] if node else Path("/usr")
    return [] if place.is_relative_to("/usr") else [os.fspath(place), os.fspath(place / "bin")]


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the whole group; in bubblewrap everything else dies with it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    if process.stdin:
        process.stdin.close()
    process.wait()


def _end_of(output: Path) -> str:
    with output.open("rb") as file:
        file.seek(max(0, output.stat().st_size - _OUTPUT))
        return file.read().decode(errors="replace")


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
            with suppress(OSError), (old / "lock").open("ab") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                remove(old)
        place = Path(mkdtemp(dir=root))
        lock = (place / "lock").open("ab")
        fcntl.flock(lock, fcntl.LOCK_EX)
    with lock:
        try:
            yield place
        finally:
            remove(place)


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
    words = " \\\n  ".join(map(shlex.quote, argv))
    return f"""#!/bin/bash
# Each call is a sandbox of its own; files of the case stay. Usage: shell COMMAND, or shell << 'END'
record={shlex.quote(str(record))}
command=${{*:-$(cat)}}
printf '[%(%H:%M:%S)T] $ %s\n' -1 "$command" >> "$record"
said=$(mktemp)
trap 'rm -f "$said"' EXIT
{words} "$command" < /dev/null 2>&1 | tee "$said"
code=${{PIPESTATUS[0]}}
printed() {{
  (( $(stat -c %s "$said") > {SAID} )) || {{ cat "$said"; return; }}
  head -c {SAID // 2} "$said"; printf '\n[...]\n'; tail -c {SAID // 2} "$said"
}}
{{ printed; printf '\n[exit code %s, after %s s]\n\n' "$code" "$SECONDS"; }} >> "$record"
exit "$code"
"""
