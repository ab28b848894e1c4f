"""A site proves itself: whatever is damaged is found and mended, here and at an address, and signatures hold."""

from __future__ import annotations

import hashlib
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from click.testing import CliRunner, Result

from build.output.sums import KEY, NotAsBuilt
from build.verify import damaged, damaged_at, keys, verify
from library.search.query import Question, SearchEngine
from tests import calls
from tests.builders import BOOK, TODAY
from tests.faults.http_server import playbooks_serve
from tests.lengths import many
from tests.rich import write_rich_content
from tests.trees import built, differences, tree

DAMAGES = many(12, 200)
ASKED = f"playbooks/{BOOK}/index.html"
"""The page that somebody reads throughout: it alone is not damaged."""


def emptied(path: Path, _: random.Random) -> None:
    path.write_bytes(b"")


def cut(path: Path, chance: random.Random) -> None:
    path.write_bytes(path.read_bytes()[: chance.randrange(path.stat().st_size)])


def flipped(path: Path, chance: random.Random) -> None:
    body = bytearray(path.read_bytes())
    body[chance.randrange(len(body))] ^= 1 << chance.randrange(8)
    path.write_bytes(body)


def deleted(path: Path, _: random.Random) -> None:
    path.unlink()


def another(path: Path, _: random.Random) -> None:
    path.with_name(f"x-{path.name}").write_bytes(b"stale")


def a_link(path: Path, _: random.Random) -> None:
    path.unlink()
    path.symlink_to("/etc/hostname")


WAYS: tuple[Callable[[Path, random.Random], None], ...] = (emptied, cut, flipped, deleted, another, a_link)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the rich content, and the site of it."""
    content = write_rich_content(tmp_path_factory.mktemp("verified"))
    built(content, content.parent / "site")
    return content.parent


@pytest.fixture
def site(library: Path, tmp_path: Path) -> Path:
    """A copy of it that may be damaged; its content lies beside it."""
    shutil.copytree(library, tmp_path / "copy", symlinks=True)
    return tmp_path / "copy/site"


def run(site: Path, *words: str, key: bytes = b"") -> Result:
    told = ["--content", str(site.parent / "content"), "--today", f"{TODAY}", "--jobs", "1", *words]
    if key:
        (site.parent / "trusted.pem").write_bytes(key)
        told += ["--key", str(site.parent / "trusted.pem")]
    return CliRunner().invoke(verify, [str(site), *told])


def made_key(site: Path) -> bytes:
    done = CliRunner().invoke(keys, ["--out", str(site), "--content", str(site.parent / "content")])
    assert done.exit_code == 0, done.output
    return done.output.encode()


def test_a_site_is_as_it_was_built_after_edits_too(site: Path) -> None:
    assert damaged(site) == []
    listed = subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=site, check=False)
    assert listed.returncode == 0
    assert len((site / "SHA256SUMS").read_text().splitlines()) == len(tree(site.resolve())) - 1


@pytest.mark.parametrize("way", [cut, deleted], ids=["cut", "gone"])
def test_a_damaged_index_is_found_and_mended(site: Path, way: Any) -> None:
    chance, folder = random.Random(5), (site.resolve().parent / "index").resolve()
    way(chance.choice(sorted(path for path in folder.iterdir() if path.stat().st_size > 1)), chance)
    found = run(site)
    assert found.exit_code == 1
    assert "the search index beside it: is missing or damaged" in found.output
    mended = run(site, "--repair")
    assert mended.exit_code == 0, mended.output
    assert SearchEngine(site.resolve().parent).answer(Question("flaky")).total


def files_of(site: Path, number: int) -> list[Path]:
    """The files of which one is to be damaged: every sixth time those of the index beside the site."""
    folder = (site.resolve().parent / "index").resolve() if number % 6 == number // 6 % 6 else site.resolve()
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.stat().st_size)
    return [path for path in files if path != site.resolve() / ASKED]


def test_every_damage_is_found_and_mended_while_the_site_is_served(site: Path, library: Path) -> None:
    chance, found_of = random.Random(23), Counter[tuple[str, str]]()
    with asked_throughout(site) as answers:
        for number in range(DAMAGES):
            way, path = WAYS[number % len(WAYS)], chance.choice(files_of(site, number))
            inside = path.is_relative_to(site.resolve())
            named = path.relative_to(site.resolve()) if inside else Path("the search index")
            way(path, chance)
            found = run(site)
            told = named.with_name(f"x-{named.name}") if inside and way is another else named
            assert found.exit_code == 1, (way.__name__, path, found.output)
            listed = path.name == "SHA256SUMS"  # then nothing of the site is as anybody says
            assert listed or f"{told}" in found.output, (way.__name__, path, found.output)
            found_of[way.__name__, "site" if inside else "index"] += 1
            if listed or number % 6 == 0 or number == DAMAGES - 1:  # each repair is a whole build
                mended = run(site, "--repair")
                assert mended.exit_code == 0, mended.output
                assert differences(site.resolve(), (library / "site").resolve()) == []
    assert run(site).exit_code == 0
    sys.stdout.write(f"{dict(found_of)}; {len(answers)} answers meanwhile\n")
    assert set(answers) == {(200, (library / "site" / ASKED).read_bytes())}


@contextmanager
def asked_throughout(site: Path) -> Iterator[list[tuple[int, bytes]]]:
    """A server of files over the link, as nginx is one, and all that it answers to somebody who asks it for a page."""
    answers: list[tuple[int, bytes]] = []
    over = Event()
    files = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))

    def ask() -> None:
        while not over.wait(0.01):
            answer = calls.get(f"http://127.0.0.1:{files.server_port}/{ASKED}")
            answers.append((answer.status_code, answer.content))

    serving, asking = Thread(target=files.serve_forever), Thread(target=ask)
    serving.start()
    asking.start()
    try:
        yield answers
    finally:
        over.set()
        asking.join()  # first: what is asked of a server that stops is never answered
        files.shutdown()
        serving.join()
        files.server_close()


class Quiet(SimpleHTTPRequestHandler):
    """It writes no log."""

    def log_message(self, *_given: object) -> None:
        """Say nothing."""


def test_what_says_it_can_be_damaged_itself(site: Path) -> None:
    sums = site / "SHA256SUMS"
    text = sums.read_text()
    for body in ("", "x", text[:-70], text.replace("  index.html", "  index.htm"), "\n".join(text.split("\n")[1:])):
        sums.write_text(body)
        assert run(site).exit_code == 1, body[:80]
    sums.unlink()
    assert "there is no SHA256SUMS" in run(site).output
    assert run(site, "--repair").exit_code == 0
    assert damaged(site) == []


def test_a_signature_holds_and_another_key_does_not(site: Path) -> None:
    public = made_key(site)
    assert public.startswith(b"-----BEGIN PUBLIC KEY-----")
    assert made_key(site) == public
    private = site.parent / ".site" / KEY
    assert private.stat().st_mode & 0o777 == 0o600
    assert run(site, key=public).exit_code == 1  # it was built before
    built(site.parent / "content", site)
    assert run(site, key=public).exit_code == 0
    assert (site / ".well-known/playbooks-key.pem").read_bytes() == public
    if shutil.which("openssl"):
        told = "openssl pkeyutl -verify -pubin -inkey .well-known/playbooks-key.pem -rawin -in SHA256SUMS"
        checked = subprocess.run([*told.split(), "-sigfile", "SHA256SUMS.sig"], cwd=site, check=False)
        assert checked.returncode == 0
    other = made_key(site.parent / "other")
    assert "not signed by the key that is trusted" in run(site, key=other).output
    changed = (site / "index.html").read_bytes() + b" "
    (site / "index.html").write_bytes(changed)
    line = (site / "SHA256SUMS").read_text()
    forged = [
        f"{hashlib.sha256(changed).hexdigest()}  index.html" if row.endswith("  index.html") else row
        for row in line.splitlines()
    ]
    (site / "SHA256SUMS").write_text("\n".join([*forged, ""]))
    assert "is not signed by" in run(site).output
    private.write_text("no key")
    assert "holds no private key" in f"{CliRunner().invoke(keys, ['--out', str(site)]).exception}"


@pytest.mark.slow
def test_a_site_at_an_address_is_verified_by_what_it_answers(site: Path, tmp_path: Path) -> None:
    content, folder = site.parent / "content", tmp_path / "served"
    folder.mkdir()
    shutil.copytree(content, folder / "content")
    public = made_key(folder / "out")
    with playbooks_serve(content, folder, budgets="1") as served:  # it waits where it is told to
        address = "http://{}:{}".format(*served.address)
        assert damaged_at(address, public) == []
        (folder / "out/trust/index.html").write_bytes(b"<p>Trust me.")
        (folder / "out/api/v1/lessons.json").unlink()
        (folder / "out/llms.txt").write_bytes(b"")
        told = ["api/v1/lessons.json: is missing", "llms.txt: holds something else"]
        assert damaged_at(address) == [*told, "trust/index.html: holds something else"]
        with pytest.raises(NotAsBuilt, match="not signed by the key that is trusted"):
            damaged_at(address, made_key(site))
