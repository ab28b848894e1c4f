"""Copies of a repository in which things are built, planted and counted; the repository itself is left alone."""

import contextlib
import pathlib
import re
import subprocess
import sys
import tempfile

CODE = re.compile(r"(?<!\.d)\.([cm]?)[jt](sx?)$")


def git(*words, folder="."):
    return subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=True).stdout


@contextlib.contextmanager
def tree(commit="HEAD"):
    """The files of a commit in a new folder, with the packages that are installed here."""
    commit = git("rev-parse", f"{commit}^{{commit}}").strip()
    with tempfile.TemporaryDirectory() as place:
        copy = pathlib.Path(place, "tree")
        subprocess.run(["git", "clone", "--quiet", "--no-checkout", ".", str(copy)], check=True)
        git("checkout", "--quiet", "--detach", commit, folder=copy)
        if not (copy / "node_modules").exists():
            (copy / "node_modules").symlink_to(pathlib.Path("node_modules").resolve())
        yield copy


def committed():
    """Whatever is not committed would be neither checked nor handed over."""
    if left := git("status", "--porcelain"):
        sys.exit(f"commit this first, or take it away:\n{left}")


def run(command, folder, **more):
    """Exit code and output; the tools' colours are off."""
    ran = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, errors="replace", **more)
    return ran.returncode, re.sub(r"\x1b\[[0-9;]*m", "", ran.stdout + ran.stderr)


def sources(folder, *where):
    """Paths of the code below the folders `where`, as git lists them; declarations are none."""
    names = git("ls-files", "--", *where, folder=folder).splitlines()
    return [name for name in names if CODE.search(name)]


def said_of(output, name):
    """What a type check or a linter says of one file, by line: `file(1,2): …`, `file:1:2 …`, or below the file's heading."""
    said, below = {}, False
    for text in output.splitlines():
        at = re.match(r"(.*?)[(:](\d+)\b(.*)", text)
        here = [at[1]] if at and CODE.search(at[1]) else []
        if here or CODE.search(text.strip()):
            path = (here or [text])[0].strip()
            below = path == name or path.endswith(f"/{name}")
        if below and (number := re.match(r"\s*(\d+):", text) or here and re.match(r".*?[(:](\d+)", text)):
            said.setdefault(int(number[1]), []).append(text)
    return said


def errors_elsewhere(output, folder, planted):
    """Errors in lines above the first planted one, or in files without any."""
    found, ends, path = [], {}, ""
    for text in output.splitlines():
        if CODE.search(text.strip()) and not text.startswith(" "):
            path = text.strip()
        at = re.match(r"(\S.*?)\((\d+),\d+\): error", text)
        below = re.match(r"\s+(\d+):\d+\s+error", text)
        if at or below and path:
            name = pathlib.Path(folder, at[1] if at else path)
            if name not in ends:
                lines = name.read_text().splitlines() if name.is_file() else []
                ends[name] = next((number for number, line in enumerate(lines, 1) if line.startswith(planted)), len(lines) + 1)
            if int((at or below)[2 if at else 1]) < ends[name]:
                found.append(text.strip() if at else f"{path}:{text.strip()}")
    return found
