"""The parts of the walk: each does what whoever runs a library does, and looks at what came of it."""

from __future__ import annotations

import json
import os
import queue
import re
import shlex
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SECONDS = 300
BOOK = "list-largest-files"
REPORT = {"playbook": BOOK, "agent": "any-agent", "outcome": "worked"}
LESSON = ("--title", "It hangs", "--problem", "It waits for a key.", "--fix", "Give it `--yes`.", "--playbooks", BOOK)
READS = ("/", f"/playbooks/{BOOK}/", "/docs/contributing/", "/api/v1/playbooks", "/api/v1/search?q=largest", "/review/")
LIVE = ("/api/v1/readyz", "/api/v1/search?q=largest", "/review/")
BEHIND = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"}
"""What nginx tells gunicorn of a caller."""
AWAY = {
    "release": (("build", "--release"), {}),
    "postgresql": (("serve", "--port", "0"), {"PLAYBOOKS_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}),
    "redis": (("serve", "--port", "0"), {"PLAYBOOKS_LIMITS_URL": "redis://127.0.0.1:1/0"}),
}
"""For each extra, a command that needs it."""

_TROUBLE = re.compile(r"Traceback|Warning:")


class WentWrong(Exception):
    """What a command said that did not do what it should have."""


class Installed:
    """An environment of its own: its commands, told nothing of the checkout or of who walks."""

    def __init__(self, commands: Path) -> None:
        self.commands = commands
        ours = ("PLAYBOOKS_", "WEB_", "PYTHON", "VIRTUAL_ENV")
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}

    def run(self, where: Path, command: str, *words: str, code: int = 0, more: Mapping[str, str] | None = None) -> str:
        """A command in a folder: what it says, which is no traceback and no warning."""
        done = subprocess.run(
            [str(self.commands / command), *words],
            cwd=where,
            env={**self.environment, **(more or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        pip = words[:2] == ("-m", "pip")
        if done.returncode != code or (not pip and _TROUBLE.search(done.stdout + done.stderr)):
            raise WentWrong(f"{command} {shlex.join(words)}\nexit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout + ("" if code == 0 else done.stderr)

    @contextmanager
    def running(self, where: Path, words: list[str], more: Mapping[str, str], sign: str) -> Iterator[str]:
        """A server by its command, which says where it listens after a `sign`; ended by Ctrl+C."""
        said: list[str] = []
        place: queue.Queue[str] = queue.Queue()
        process = subprocess.Popen(
            words,
            cwd=where,
            env={**self.environment, **more, "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert process.stdout is not None
        listening = threading.Thread(target=_listen, args=(process.stdout, sign, said, place))
        listening.start()
        try:
            found = place.get(timeout=SECONDS)
            if found:
                yield found
        except Exception as error:
            raise WentWrong(f"{shlex.join(words)}\n{error!r}\n{''.join(said)}") from error
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(SECONDS)
            listening.join(SECONDS)
        if not found or _TROUBLE.search("".join(said)):
            raise WentWrong(f"{shlex.join(words)}\n{''.join(said)}")


def _listen(out: IO[str], sign: str, said: list[str], place: queue.Queue[str]) -> None:
    """Keep what a server says, and hand on where it listens: empty where it ends before."""
    for line in out:
        said.append(line)
        if found := re.search(sign + r"(http://127\.0\.0\.1:[1-9][0-9]*)", line):
            place.put(found[1])
    place.put("")


class Walk:
    """A library of one's own at `home`, from its beginning."""

    def __init__(self, installed: Installed, home: Path) -> None:
        self.installed = installed
        self.home = home

    @property
    def parts(self) -> tuple[Callable[[], None], ...]:
        """What is done, in order."""
        return (self.begin, self.build, self.serve, self.mcp, self.deploy, self.keep)

    def playbooks(self, *words: str, code: int = 0, more: Mapping[str, str] | None = None) -> str:
        """A command in the library."""
        return self.installed.run(self.home, "playbooks", *words, code=code, more=more)

    def begin(self) -> None:
        """A library, and a lesson of its own in it, with which nothing is wrong."""
        self.installed.run(self.home.parent, "playbooks", "init", self.home.name)
        self.playbooks("new", "lesson", *LESSON)
        self.playbooks("fmt", "--check")
        self.playbooks("check", "--strict")

    def build(self) -> None:
        """The site as it grows, and as a release."""
        self.playbooks("build")
        self.playbooks("build", "--release", "--compress")
        self.holds("site/index.html.br", "site/card.png", "site/search/search.bin", "site/docs/api/index.html")
        self.says(self.playbooks("search", "largest", "files"), BOOK)

    def serve(self) -> None:
        """The site and the API at a desk: what is read, and a report that is sent."""
        command = [str(self.installed.commands / "playbooks"), "serve", "--port", "0"]
        with self.installed.running(self.home, command, {}, "serving ") as address:
            self.answered(address, READS)

    def mcp(self) -> None:
        """The library to an agent on stdio."""
        told = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "walk", "version": "1"}}
        messages = [
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": told},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        ]
        process = subprocess.Popen(
            [str(self.installed.commands / "playbooks"), "mcp"],
            cwd=self.home,
            env=self.installed.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdin and process.stdout  # noqa: PT018 - as asked for above
        process.stdin.write("".join(json.dumps(message) + "\n" for message in messages))
        process.stdin.flush()
        answers = [process.stdout.readline() for _ in range(2)]
        _, stderr = process.communicate(timeout=SECONDS)
        self.says(answers[0] + stderr, '"serverInfo"')
        self.says(answers[1] + stderr, '"inputSchema"')
        if _TROUBLE.search(stderr):
            raise WentWrong(stderr)

    def deploy(self) -> None:
        """Configuration of every server, and gunicorn as its unit starts it."""
        of_site = ("--site", "site", "--site-url", "http://127.0.0.1")
        self.playbooks("deploy", "nginx", *of_site, "--out", "etc/nginx", "--folder", "/etc/playbooks/nginx")
        for server in ("caddy", "static"):
            self.playbooks("deploy", server, *of_site, "--out", f"etc/{server}")
        there = self.home.parent / f"etc-{self.installed.commands.parent.name[-4:]}"
        link = there / "library"
        there.mkdir()
        link.symlink_to(self.home)  # a unit has no paths with spaces
        (there / "bin").symlink_to(self.installed.commands)
        places = ("--library", str(link), "--commands", str(there / "bin"), "--root", str(link / "site"))
        self.playbooks("deploy", "systemd", "--out", str(there), *places)
        unit = (there / "systemd/playbooks-api.service").read_text(encoding="utf-8")
        commands = {name: shlex.split(words) for name, words in re.findall(r"^(Exec\w+)=(.*)$", unit, re.MULTILINE)}
        told = dict(re.findall(r"^([A-Z_]+)=(.*)$", (there / "environment").read_text(encoding="utf-8"), re.MULTILINE))
        told |= {"PLAYBOOKS_VAR": str(self.home / "var"), "PLAYBOOKS_BIND": "127.0.0.1:0"}
        where = Path(re.findall(r"^WorkingDirectory=(.*)$", unit, re.MULTILINE)[0])
        checked = subprocess.run(commands["ExecStartPre"], cwd=where, env=told, capture_output=True, check=False)
        if checked.returncode or checked.stderr:
            raise WentWrong(checked.stderr.decode())
        with self.installed.running(where, commands["ExecStart"], told, "Listening at: ") as address:
            self.answered(address, LIVE, BEHIND)

    def keep(self) -> None:
        """A backup of the queue, and the same queue from it elsewhere."""
        self.playbooks("backup", "kept/")
        [backup] = (self.home / "kept").iterdir()
        self.playbooks("restore", str(backup), "--var", "again")
        here, again = (json.loads(self.playbooks("review", "list", "--json", "--var", var)) for var in ("var", "again"))
        if here != again or [item["playbook"] for item in again["items"]] != [BOOK, BOOK]:
            raise WentWrong(f"restored: {again}, of {here}")

    def without_extras(self) -> None:
        """What needs an extra names it, in one sentence; everything else works."""
        for extra, (words, settings) in AWAY.items():
            said = self.playbooks(*words, code=2, more=settings)
            self.says(said, f"pip install 'playbook-library[{extra}]'")
        self.playbooks("build")
        self.serve()

    def answered(self, address: str, reads: tuple[str, ...], headers: Mapping[str, str] | None = None) -> None:
        """Every address is answered with 200, and a report with 201."""
        for path in reads:
            self.asked(Request(address + path, headers={**(headers or {})}), 200)  # noqa: S310 - on loopback
        told = {"Content-Type": "application/json", **(headers or {})}
        self.asked(Request(f"{address}/api/v1/runs", json.dumps(REPORT).encode(), told), 201)  # noqa: S310 - as above

    def asked(self, request: Request, status: int) -> None:
        """An answer with this status. Raises `WentWrong`."""
        try:
            with urlopen(request, timeout=SECONDS) as answer:  # noqa: S310 - as above
                got, body = answer.status, answer.read()
        except HTTPError as error:
            got, body = error.code, error.read()
        if got != status:
            raise WentWrong(f"{request.full_url}: {got}\n{body[:2000]!r}")

    def holds(self, *names: str) -> None:
        """Files that were made."""
        if away := [name for name in names if not (self.home / name).is_file()]:
            raise WentWrong(f"not made: {', '.join(away)}")

    def says(self, text: str, wanted: str) -> None:
        """A text that must hold another."""
        if wanted not in text:
            raise WentWrong(f"{wanted!r} is not in:\n{text}")
