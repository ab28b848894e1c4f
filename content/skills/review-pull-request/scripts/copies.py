"""Commands in copies of a commit, and what a diff changes: for check-5.py and check-8.py."""

import io
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile

C_LIKE = ".c .cpp .css .go .h .java .js .jsx .kt .php .rs .scss .sql .swift .ts .tsx".split()
NOTE = {".py": ("r'''", "'''"), **dict.fromkeys(C_LIKE, ("/*", "*/"))}


def noted(tree, patch, sign):
    """Writes the lines that a patch takes out (-) or puts in (+) below the code as a comment, which changes nothing."""
    for path, lines in re.findall(r"(?m)^\+\+\+ b/(\S+).*\n((?:[-+ @\\].*\n)*)", patch.read_text()):
        begin, end = NOTE.get(pathlib.Path(path).suffix, ("", ""))
        text = "\n".join(line[1:] for line in lines.splitlines() if line.startswith(sign))
        if begin and end not in text and (tree / path).is_file():
            with (tree / path).open("a") as file:
                file.write(f"\n{begin}\n{text}\n{end}\n")


def tried(ref, review, command, *patches, edit=None, note=None):
    """A command's exit code in a copy of a commit, after patches, an edit (a command) and a note of a patch; None: no copy."""
    with tempfile.TemporaryDirectory() as place:
        tree = pathlib.Path(place, "tree")
        archive = subprocess.run(["git", "archive", ref], capture_output=True, check=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(tree, filter="data")
        for patch in patches:
            if subprocess.run(["git", "apply", str(patch.resolve())], cwd=tree, capture_output=True).returncode:
                return None
        if edit:
            subprocess.run(edit, shell=True, cwd=tree, check=True)
        if note:
            noted(tree, *note)
        shutil.copytree(review, tree / review.name, dirs_exist_ok=True)
        return subprocess.run(command, shell=True, cwd=tree, capture_output=True, timeout=300).returncode


def lines_of(diff):
    """The lines of a diff that are taken out or follow on what is put in, and those that are put in, as path and line."""
    old, new, path, before, after = set(), set(), "", 0, 0
    for line in diff.splitlines():
        if line.startswith("+++ "):
            path = line[4:].split("\t")[0].removeprefix("b/")
        elif found := re.match(r"@@ -(\d+)(?:,\d+)? \+(\d+)", line):
            before, after = int(found[1]), int(found[2])
        elif line.startswith("-") and not line.startswith("---"):
            old.add((path, before))
            before += 1
        elif line.startswith("+"):
            old |= {(path, before - 1), (path, before)}
            new.add((path, after))
            after += 1
        elif line.startswith(" "):
            before, after = before + 1, after + 1
    return old, new
