"""Values by their fingerprints, and where they lie: for check-4.py, check-5.py, check-7.py and check-8.py. Prints no value."""

import base64
import hashlib
import io
import json
import math
import pathlib
import re
import subprocess
import sys
import tarfile
import urllib.parse
import zipfile
import zlib

CANDIDATE = rb"[\w+/=.~-]{24,}"
DEEPEST = 5


def git(folder, *words, raw=False):
    out = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, check=True).stdout
    return out if raw else out.decode(errors="replace")


def fingerprint(value):
    return hashlib.sha256(value).hexdigest()[:12]


def value_of(path):
    """The only line of a file."""
    value = pathlib.Path(path).read_bytes().strip()
    if len(value) < 8 or b"\n" in value:
        sys.exit(f"{path}: the value must be the only line, and long enough to be searched for")
    return value


def forms(value):
    """How a value stands in texts: plain, in an address, in JSON, in base64 wherever it begins within a longer text."""
    yield value
    yield urllib.parse.quote(value, safe="").encode()
    yield value.replace(b"/", rb"\/")
    yield json.dumps(value.decode(errors="replace"))[1:-1].encode()
    for before in range(3):
        coded = base64.b64encode(b"\0" * before + value)
        sure = coded[(0, 2, 3)[before] : len(coded) - (0 if (len(value) + before) % 3 == 0 else 4)]
        yield sure
        yield sure.replace(b"+", b"-").replace(b"/", b"_")


def bare(text):
    """Letters and digits alone, so that what was cut in pieces is one again."""
    return re.sub(rb"[^A-Za-z0-9]", b"", text)


def texts(data, depth=0):
    """The bytes themselves, and those of everything packed in them."""
    yield data
    if depth == DEEPEST:
        return
    try:
        if data[:2] == b"\x1f\x8b":
            yield from texts(zlib.decompressobj(31).decompress(data), depth + 1)
        elif data[:2] == b"PK":
            with zipfile.ZipFile(io.BytesIO(data)) as files:
                for name in files.namelist():
                    yield from texts(files.read(name), depth + 1)
        elif data[257:262] == b"ustar":
            with tarfile.open(fileobj=io.BytesIO(data)) as files:
                for member in files:
                    if member.isfile():
                        yield from texts(files.extractfile(member).read(), depth + 1)
    except (OSError, zlib.error, zipfile.BadZipFile, tarfile.TarError):
        return


def of_folder(folder):
    """Each file below a folder, repositories' own files left out."""
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_file() and not path.is_symlink() and ".git" not in path.parts:
            yield str(path), path.read_bytes()


def of_repository(folder):
    """Each version of each file in every ref, and each message of a commit or tag."""
    refs = [line.split() for line in git(folder, "for-each-ref", "--format=%(objecttype) %(objectname)").splitlines()]
    messages = [name for kind, name in refs if kind == "tag"] + git(folder, "rev-list", "--all").split()
    for name in messages:
        yield f"{folder}:message", git(folder, "cat-file", "-p", name, raw=True)
    for line in git(folder, "rev-list", "--objects", "--all").splitlines():
        name, _, path = line.partition(" ")
        if path and git(folder, "cat-file", "-t", name).strip() == "blob":
            yield f"{folder}:{path}", git(folder, "cat-file", "blob", name, raw=True)


def looks_secret(text):
    kinds = [re.search(kind, text) for kind in (rb"[a-z]", rb"[A-Z]", rb"\d.*\d")]
    share = [text.count(bytes([one])) / len(text) for one in set(text)]
    return all(kinds) and -sum(part * math.log2(part) for part in share) > 3.7


def neighbours(data, value, lines=2):
    """What looks like another secret within some lines of a value."""
    rows = data.splitlines()
    for number, row in enumerate(rows):
        if value in row:
            near = b"\n".join(rows[max(0, number - lines) : number + lines + 1])
            for form in forms(value):
                near = near.replace(form, b" ")
            yield from (one for one in re.findall(CANDIDATE, near) if looks_secret(one))


def said(wrong, right):
    """Print what is wrong, or that nothing is; the exit code."""
    try:
        wrong = list(dict.fromkeys(wrong))
    except subprocess.CalledProcessError as error:
        wrong = [f"git could not: {error.stderr.decode(errors='replace').strip()}"]
    print("\n".join(wrong) or right)
    sys.exit(1 if wrong else 0)
