"""Step 7: the gain is there on inputs that nobody has tuned for, with the same output, and nothing else pays for it.

    check-7.py BASE --run 'python run.py {input}' --make 'python make.py {seed} {size}' --sizes 1000 10000 100000 \\
        --at-least 3 --touch src/ [--odd inputs/empty.txt] [--memory 1.25] [--clock cpu]

Base and branch run in turn in clean folders, each run a fresh process with an empty home, so preparation counts. --make
prints an input; the seeds are new each time. The branch is as it stands, committed or not. Exit code 0: the gain holds.
"""

import argparse
import fnmatch
import os
import pathlib
import secrets
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time


def git(*words, folder="."):
    return subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True).stdout


def listed(folder):
    kept = (path for path in pathlib.Path(folder).rglob("*") if path.is_file() and ".git" not in path.parts)
    return {str(path): path.stat().st_mtime_ns for path in kept}


class Version:
    """A version in a folder of its own."""

    def __init__(self, folder, told):
        self.folder, self.told, self.home = pathlib.Path(folder), told, pathlib.Path(f"{folder}-home")
        self.home.mkdir()

    def run(self, source):
        """Output, seconds and peak kilobytes of one fresh process."""
        command = shlex.split(self.told.run.replace("{input}", shlex.quote(str(source))))
        outside = {**os.environ, "HOME": str(self.home), "TMPDIR": str(self.home), "PYTHONDONTWRITEBYTECODE": "1"}
        with tempfile.TemporaryFile() as out:
            began = time.perf_counter()
            ran = subprocess.Popen(command, cwd=self.folder, stdout=out, stderr=subprocess.DEVNULL, env=outside)
            _, code, used = os.wait4(ran.pid, 0)
            ran.returncode = os.waitstatus_to_exitcode(code)
            wall = time.perf_counter() - began
            out.seek(0)
            taken = used.ru_utime + used.ru_stime if self.told.clock == "cpu" else wall
            return (code, out.read()), taken, used.ru_maxrss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    for name in ("run", "make"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--sizes", type=int, nargs=3, required=True, help="a tenth, the usual one, ten times")
    parser.add_argument("--at-least", type=float, required=True)
    parser.add_argument("--memory", type=float, default=1.25)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall")
    for name in ("touch", "odd"):
        parser.add_argument(f"--{name}", action="append", default=[])
    told, wrong = parser.parse_args(), []
    changed = set(git("diff", "--name-only", told.base).split()) | set(
        git("ls-files", "-o", "--exclude-standard").split()
    )
    for name in sorted(changed):
        if not any(name.startswith(place) or fnmatch.fnmatch(name, place) for place in told.touch):
            wrong.append(f"{name} changed, and is none of what was to be made faster (--touch)")
    with tempfile.TemporaryDirectory() as place:
        git("clone", "--quiet", "--no-hardlinks", ".", f"{place}/base")
        git("checkout", "--quiet", "--detach", git("rev-parse", told.base).strip(), folder=f"{place}/base")
        git("clone", "--quiet", "--no-hardlinks", ".", f"{place}/branch")
        for name in changed:
            there = pathlib.Path(place, "branch", name)
            there.unlink(missing_ok=True)
            if pathlib.Path(name).is_file():
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(name, there)
        base, branch = Version(f"{place}/base", told), Version(f"{place}/branch", told)
        inputs = [(pathlib.Path(name).resolve(), None) for name in told.odd]
        for number, size in enumerate((0, 1, *told.sizes, told.sizes[0])):
            source = pathlib.Path(place, f"input-{number}")
            made = told.make.replace("{seed}", secrets.token_hex(4)).replace("{size}", str(size))
            with source.open("wb") as file:
                subprocess.run(shlex.split(made), cwd=base.folder, stdout=file, check=True)
            inputs.append((source, number - 2 if number in (2, 3, 4) else None))
        there = listed(place)
        for source, which in inputs:
            runs = {base: [], branch: []}
            for _ in range({None: 1, 2: 1}.get(which, told.pairs)):
                for version, taken in runs.items():
                    taken.append(version.run(source))
            if {said for said, _, _ in runs[branch]} != {said for said, _, _ in runs[base]}:
                wrong.append(f"{source.name}: the output is not that of {told.base}")
            if which is None:
                continue
            before, after = (statistics.median(seconds for _, seconds, _ in taken) for taken in runs.values())
            old, new = (max(memory for _, _, memory in taken) for taken in runs.values())
            print(f"size {told.sizes[which]}: {before:.3f} s to {after:.3f} s, memory {old} to {new} KiB")
            if which and before < told.at_least * after:
                wrong.append(f"size {told.sizes[which]}: {before / after:.1f} times as fast, not {told.at_least}")
            if not which and after > 1.25 * before + 0.02:
                wrong.append(f"size {told.sizes[which]}: slower than before")
            if new > told.memory * old:
                wrong.append(f"size {told.sizes[which]}: peak memory is {new / old:.1f} times what it was")
        left = {name for name, when in listed(place).items() if there.get(name) != when and "__pycache__" not in name}
        wrong += [f"a run leaves {name[len(place) + 1 :]} behind: a cache across runs" for name in sorted(left)]
    print("\n".join(wrong) or "the gain holds")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
