"""Fresh checkouts of a repository, and commands with a limit in them: for check-3.py, check-7.py and check-8.py."""

import contextlib
import os
import pathlib
import signal
import subprocess
import tempfile


def git(repo, *words):
    return subprocess.run(["git", "-C", str(repo), *words], capture_output=True, check=True, text=True, errors="replace").stdout


@contextlib.contextmanager
def checkout(repo, ref, paths_of=None):
    """A clone of its own at a commit; paths_of: (another commit, paths) that are laid over it, as they are there."""
    with tempfile.TemporaryDirectory() as place:
        tree = pathlib.Path(place, "tree")
        commit = git(repo, "rev-parse", f"{ref}^{{commit}}").strip()
        git(".", "clone", "-q", "--no-local", "--no-checkout", str(repo), str(tree))
        git(tree, "checkout", "-q", "--detach", commit)
        if paths_of:
            other, paths = paths_of
            for path in paths:
                git(tree, "rm", "-rq", "--ignore-unmatch", "--", path)
                if git(tree, "ls-tree", "--name-only", other, "--", path.rstrip("/")):
                    git(tree, "checkout", "-q", other, "--", path)
        yield tree


def ran(command, tree, limit=300):
    """What a command ends with and prints; all that it started ends with it. The exit code is 124 at the limit."""
    with tempfile.TemporaryFile("w+", errors="replace") as out:
        process = subprocess.Popen(command, shell=True, cwd=tree, stdout=out, stderr=out, start_new_session=True)
        try:
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            code = 124
        stop(process)
        out.seek(0)
        return code, out.read()


def stop(process):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
