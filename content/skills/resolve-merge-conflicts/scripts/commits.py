"""Commits read and laid out as folders, for check-5.py to check-8.py."""

import contextlib
import io
import pathlib
import subprocess
import sys
import tarfile
import tempfile


def git(*words, **more):
    return subprocess.run(["git", *words], capture_output=True, check=True, text=True, errors="replace", **more).stdout


def names(*words):
    """The paths that git prints, none for nothing."""
    return [path for path in git(words[0], "-z", *words[1:]).split("\0") if path]


def base_of(first, second):
    return git("merge-base", first, second).strip()


def text(ref, path):
    """A file of a commit; nothing where it is not there."""
    found = subprocess.run(["git", "show", f"{ref}:{path}"], capture_output=True, text=True, errors="replace")
    return "" if found.returncode else found.stdout


@contextlib.contextmanager
def laid_out(ref):
    """A commit as a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as place:
        archive = subprocess.run(["git", "archive", ref], capture_output=True, check=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(place, filter="data")
        yield pathlib.Path(place)


def said(wrong, right):
    """Print what is wrong, or that nothing is; the exit code."""
    try:
        wrong = list(wrong)
    except subprocess.CalledProcessError as error:
        why = error.stderr if isinstance(error.stderr, str) else error.stderr.decode(errors="replace")
        wrong = [f"git could not: {why.strip()}"]
    print("\n".join(wrong) or right)
    sys.exit(1 if wrong else 0)
