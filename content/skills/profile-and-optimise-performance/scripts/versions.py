"""Two versions of a repository in clean folders, and their runs: output, time and memory of every process that they start.

No check of its own: `check-6.py`, `check-7.py` and `check-7-inputs.py` use it.
"""

import ctypes
import dataclasses
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

try:  # on Linux whoever outlives its parent becomes ours: it is seen, counted and ended
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
except AttributeError:
    print("this system does not tell which processes stay behind: look for them by hand", file=sys.stderr)


def git(*words, folder="."):
    return subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True).stdout


def base_of(name):
    """The commit that everything is compared with, by its id: tags and branches can be moved."""
    if not re.fullmatch(r"[0-9a-f]{40,64}", name):
        sys.exit(f"{name} can be moved: give the whole commit id, written down before anybody edited")
    if subprocess.run(["git", "merge-base", "--is-ancestor", name, "HEAD"], check=False).returncode:
        sys.exit(f"{name} is no commit that HEAD comes from")
    return name


def changed_since(base):
    """Files that differ from the base, committed or not."""
    return set(git("diff", "--name-only", base).split()) | set(git("ls-files", "-o", "--exclude-standard").split())


def listed(folder):
    kept = (path for path in pathlib.Path(folder).rglob("*") if path.is_file() and ".git" not in path.parts)
    return {str(path): path.stat().st_mtime_ns for path in kept}


@dataclasses.dataclass(frozen=True)
class Run:
    """One run: exit code, output, seconds by the clock and of the processor, peak kilobytes, whether a process stayed."""

    code: int
    output: bytes
    wall: float
    cpu: float
    memory: int
    stayed: bool


def _children():
    place = pathlib.Path(f"/proc/self/task/{os.getpid()}/children")
    return set(place.read_text().split()) if place.exists() else set()


BEFORE = _children()


def _ended(uses):
    """Wait for whatever the run left behind; end what is still there after a second."""
    patience, stayed = time.monotonic() + 1, False
    while left := _children() - BEFORE:
        late = time.monotonic() > patience
        for child in left:
            if late:
                stayed = True
                os.kill(int(child), signal.SIGKILL)
            pid, _, used = os.wait4(int(child), 0 if late else os.WNOHANG)
            if pid:
                uses.append(used)
        time.sleep(0.005)
    return stayed


class Version:
    """A version in a folder of its own, with an empty home of its own."""

    def __init__(self, folder, ref, also=()):
        self.folder, self.home = pathlib.Path(folder), pathlib.Path(f"{folder}-home")
        self.home.mkdir()
        git("clone", "--quiet", "--no-hardlinks", ".", folder)
        git("checkout", "--quiet", "--detach", git("rev-parse", ref).strip(), folder=folder)
        for name in also:  # as it stands, committed or not
            there = self.folder / name
            there.unlink(missing_ok=True)
            if pathlib.Path(name).is_file():
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(name, there)

    def run(self, command, limit=3600):
        """A whole run of a command in fresh processes."""
        outside = {**os.environ, "HOME": str(self.home), "TMPDIR": str(self.home), "PYTHONDONTWRITEBYTECODE": "1"}
        with tempfile.TemporaryFile() as out:
            began = time.perf_counter()
            words = shlex.split(command)
            ran = subprocess.Popen(words, cwd=self.folder, stdout=out, stderr=subprocess.DEVNULL, env=outside)
            alarm = threading.Timer(limit, ran.kill)
            alarm.start()
            _, status, used = os.wait4(ran.pid, 0)
            alarm.cancel()
            wall, ran.returncode = time.perf_counter() - began, os.waitstatus_to_exitcode(status)
            uses = [used]
            stayed = _ended(uses)
            out.seek(0)
            cpu = sum(one.ru_utime + one.ru_stime for one in uses)
            return Run(ran.returncode, out.read(), wall, cpu, sum(one.ru_maxrss for one in uses), stayed)
