"""What step 7 compares beside results and names: contents of artifacts, limits, and secrets that are left in files."""

import hashlib
import tarfile
import zipfile


def held(path):
    """The files in an artifact, or the artifact itself, with their SHA-256."""
    if tarfile.is_tarfile(path):
        with tarfile.open(path) as opened:
            files = {one.name: opened.extractfile(one).read() for one in opened if one.isfile()}
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as opened:
            files = {name: opened.read(name) for name in opened.namelist() if not name.endswith("/")}
    else:
        files = {path.name: path.read_bytes()}
    return {name: hashlib.sha256(body).hexdigest() for name, body in files.items()}


def unseen(event, run, settings):
    """Differences that change neither result nor names: contents, limits, a secret that is left in a file."""
    for name, expected in event.get("contents", {}).items():
        new = next((held(path) for path in run.store.rglob(name) if path.is_file()), {})
        odd = {one for one in {*new, *expected} if not new.get(one, "").startswith(expected.get(one, "none"))}
        if odd:
            yield f"{name} differs in {sorted(odd)}"
    for name, value in (setting.split("=", 1) for setting in settings):
        if run.limits.get(name, {""}) != {value}:
            yield f"{name} is {sorted(run.limits.get(name, {''}))}, decided was {value}"
    for name in sorted({name for name, _ in run.leaks}):
        yield f"a secret is left in the file {name}, for every step after it"
