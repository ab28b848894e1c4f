"""What the tests of a folder come to under pytest; the checks of this playbook share it.

Each run is a fork of one process, so that pytest starts once: a module is broken in fifty places in seconds.
"""

import gc
import io
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from contextlib import contextmanager, redirect_stdout

import pytest

RED = {"failed", "xpassed"}
sys.dont_write_bytecode = True
sys.path.remove(os.path.dirname(os.path.abspath(__file__)))


def warm():
    """Import once what each run imports."""
    with tempfile.TemporaryDirectory() as place, redirect_stdout(io.StringIO()):
        pathlib.Path(place, "test_none.py").write_text("def test_none():\n    assert True\n")
        pytest.main(["-q", "-p", "no:cacheprovider", f"--rootdir={place}", f"--junitxml={place}/junit.xml", place])
        sys.modules.pop("test_none", None)


@contextmanager
def copied(ref=None, patch=None):
    """A copy of the repository: as it is now, or of a commit; with a patch applied, if there is one."""
    with tempfile.TemporaryDirectory() as place:
        tree = pathlib.Path(place, "tree")
        if ref:
            tree.mkdir()
            archive = subprocess.run(["git", "archive", ref], capture_output=True, check=True).stdout
            subprocess.run(["tar", "-x"], input=archive, cwd=tree, check=True)
        else:
            shutil.copytree(".", tree, symlinks=True, ignore=shutil.ignore_patterns(".git", "__pycache__"))
        if patch:
            subprocess.run(["git", "apply", os.path.abspath(patch)], cwd=tree, check=True, capture_output=True)
        yield tree


def outcomes(options, tree, limit=600):
    """Each test with `passed`, `failed`, `skipped`, `xfailed` or `xpassed` (strict, so red); None where the run broke off."""
    junit = tree.parent / "junit.xml"
    junit.unlink(missing_ok=True)
    if "_pytest.junitxml" not in sys.modules:
        warm()
    child = os.fork()
    if not child:
        signal.alarm(limit)
        gc.freeze()  # what was there before the fork is nobody's garbage
        os.chdir(tree)
        sys.path.insert(0, str(tree))
        silent = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(silent, stream)
        quick = ["-q", "-p", "no:cacheprovider", "--assert=plain", f"--junitxml={junit}"]
        os._exit(int(pytest.main([*options.split(), *quick])))
    code = os.waitpid(child, 0)[1]
    found = {}
    for case in ET.parse(junit).getroot().iter("testcase") if junit.exists() else []:
        tags = {child.tag: child for child in case}
        kind = "failed" if tags.keys() & {"failure", "error"} else "passed"
        if kind == "failed" and "failure" in tags and (tags["failure"].get("message") or "").startswith("[XPASS(strict)]"):
            kind = "xpassed"
        if kind == "passed" and "skipped" in tags:
            kind = "xfailed" if tags["skipped"].get("type") == "pytest.xfail" else "skipped"
        name = f"{case.get('classname')}::{case.get('name')}"
        found[name] = kind if name not in found else "failed"  # run twice: no clean outcome
    clean = not RED & set(found.values())
    return found if found and clean == (code == 0) else None
