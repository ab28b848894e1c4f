"""Builds as on the server, in a fresh clone with an empty environment: for check-6.py, check-7.py and check-8.py."""

import contextlib
import os
import pathlib
import subprocess
import tempfile


def git(repo, *words):
    return subprocess.run(["git", "-C", str(repo), *words], capture_output=True, check=True, text=True, errors="replace").stdout


@contextlib.contextmanager
def clone(repo, ref):
    with tempfile.TemporaryDirectory() as place:
        tree = pathlib.Path(place, "tree")
        commit = git(repo, "rev-parse", f"{ref}^{{commit}}").strip()
        git(".", "clone", "-q", "--no-local", "--no-checkout", str(repo), str(tree))
        git(tree, "checkout", "-q", "--detach", commit)
        yield tree


def ran(command, tree, env=(), server=True):
    """What a command ends with and prints, with an empty home and of the variables those that the server's build has."""
    with tempfile.TemporaryDirectory() as home:
        clear = {"HOME": home, "PATH": os.environ["PATH"], **({"CI": "1"} if server else {}), **dict(one.split("=", 1) for one in env)}
        said = subprocess.run(command, shell=True, cwd=tree, env=clear, capture_output=True, text=True, errors="replace")
    return said.returncode, said.stdout + said.stderr
