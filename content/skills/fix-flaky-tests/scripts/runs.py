"""What checks 6 and 7 share: a clean copy of what git holds, and how a test came out in it."""

import contextlib
import os
import pathlib
import signal
import subprocess
import tempfile
import xml.etree.ElementTree as ET


def git(*words, folder="."):
    return subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True).stdout


@contextlib.contextmanager
def clean(ref=None, patch=None, links=()):
    """A clone at this commit, or (None) at HEAD with the changes of files that git knows; nothing else comes along."""
    with tempfile.TemporaryDirectory() as place:
        tree = pathlib.Path(place, "tree")
        git("clone", "--quiet", "--shared", ".", str(tree))
        git("checkout", "--quiet", "--force", "--detach", ref or git("rev-parse", "HEAD").strip(), folder=tree)
        changes = pathlib.Path(place, "changes.patch")
        changes.write_text("" if ref else git("diff", "--binary", "HEAD"))
        for one in (changes if changes.stat().st_size else None, patch):
            if one:
                git("apply", str(pathlib.Path(one).resolve()), folder=tree)
        for name in links:
            (tree / name).symlink_to(pathlib.Path(name).resolve())
        yield tree


def outcome(command, tree, limit=60):
    """passed, failed, hung (no end within the limit) or other (skipped, rerun, nothing run), and the tests' seconds."""
    junit = tree.parent / "junit.xml"
    junit.unlink(missing_ok=True)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
    words = command.replace("{junit}", str(junit))
    run = subprocess.Popen(words, shell=True, cwd=tree, start_new_session=True, **quiet)
    try:
        code = run.wait(limit)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        return "hung", limit
    cases = list(ET.parse(junit).getroot().iter("testcase")) if junit.exists() else []
    kinds = {child.tag for case in cases for child in case if child.tag in ("failure", "error", "skipped")}
    seconds = sum(float(case.get("time", 0)) for case in cases)
    names = [(case.get("classname"), case.get("name")) for case in cases]
    good = cases and not kinds and code == 0 and len(names) == len(set(names))
    return "passed" if good else "failed" if code and kinds & {"failure", "error"} else "other", seconds
