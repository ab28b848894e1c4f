"""CI run for a commit in a clone of its own: for check-4.py and check-8.py."""

import contextlib
import pathlib
import subprocess
import sys
import tempfile


@contextlib.contextmanager
def clone_of(ref):
    """The repository that we are in, cloned with this commit as HEAD; gone afterwards."""
    commit = subprocess.run(["git", "rev-parse", f"{ref}^{{commit}}"], capture_output=True, check=True, text=True).stdout.strip()
    with tempfile.TemporaryDirectory() as place:
        tree = pathlib.Path(place, "tree")
        subprocess.run(["git", "clone", "-q", "--no-checkout", f"file://{pathlib.Path.cwd()}", tree], capture_output=True, check=True)
        subprocess.run(["git", "-C", tree, "checkout", "-q", "--detach", commit], capture_output=True, check=True)
        yield tree


def commit(tree):
    """Whatever was changed, as a commit; whether there was anything."""
    subprocess.run(["git", "-C", tree, "add", "-A"], capture_output=True, check=True)
    name = ["-c", "user.name=planted", "-c", "user.email=planted@example.org"]
    return subprocess.run(["git", "-C", tree, *name, "commit", "-qnm", "Planted"], capture_output=True).returncode == 0


def run(command, tree):
    """Whether CI is green, and what it says."""
    ran = subprocess.run(command, shell=True, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return ran.returncode == 0, ran.stdout


def said(wrong, right):
    """Print what is wrong, or that nothing is; the exit code."""
    try:
        wrong = list(wrong)
    except subprocess.CalledProcessError as error:
        why = error.stderr if isinstance(error.stderr, str) else error.stderr.decode(errors="replace")
        wrong = [f"git could not: {why.strip()}"]
    print("\n".join(wrong) or right)
    sys.exit(1 if wrong else 0)
