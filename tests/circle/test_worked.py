"""The circle by the worker alone: what is sent is screened, shown, decided by clicks, and there; nothing else is typed.

Once as `playbooks serve` does it on a laptop, once as it is deployed: nginx, gunicorn, `work`, a remote with branches.
How long each part took is printed (`-s` shows it); a busy machine has all the time it needs.
"""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from build.views.routes import API
from library.records.vocabulary import Scope
from server.deploy.commands import of_site
from tests.browsers import IN_A_BROWSER, browser
from tests.builders import BOOK, write_content
from tests.faults.http_client import Address, Client
from tests.faults.http_server import gunicorn, started
from tests.forks import CLI, Forked, run
from tests.nginx import free_port, needs_nginx, nginx
from tests.writeapi.review.outgoing import GIT_ENVIRONMENT, a_repository, git

from .world import filled

__all__ = ["browser"]
pytestmark = [pytest.mark.slow, *IN_A_BROWSER]
PATIENCE = 180.0
FIX = "Let the runner fail where it collects nothing."
LESSON = {
    "kind": "lesson",
    "playbook": BOOK,
    "title": "A green run over an empty folder",
    "body": "The runner found no test at all, and said that all had passed.",
}
PLACE = "/lessons/a-green-run-over-an-empty-folder/"


@dataclass
class Sender:
    """Somebody with a client, who looks at what became of what they sent."""

    address: Address
    times: dict[str, float] = field(default_factory=dict)

    def __call__(self, method: str, path: str, body: object = None, key: str = "") -> Any:
        """What the service answers, as JSON where it is."""
        client = Client(self.address)
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        try:
            answer = client(method, path, None if body is None else json.dumps(body).encode(), **headers)
        finally:
            client.close()
        assert answer.status < 400, (path, answer.body)
        return answer.json if "json" in answer.headers["content-type"] else answer.body.decode()

    def sees(self, what: str, so: Callable[[], object]) -> None:
        """Look until it is so, and note how long that took."""
        began = time.monotonic()
        while not so():
            assert time.monotonic() - began < PATIENCE, f"never: {what}"
            time.sleep(0.1)
        self.times[what] = time.monotonic() - began

    def state(self, kind: str, name: str) -> str:
        """The word for where it is on its way."""
        return str(self("GET", f"{API}/{kind}/{name}")["status"])

    def runs(self) -> dict[str, int]:
        """The counts that a reader of the playbook sees."""
        counts: dict[str, int] = self("GET", f"{API}/playbooks/{BOOK}")["runs"]
        return counts


@dataclass
class Place:
    """A service somewhere: its address, its editor's key, and what brings decisions to where they are read.

    `desk` is where review is, if elsewhere: behind a proxy a key is typed over https alone.
    """

    address: Address
    key: str
    desk: str = ""
    merge: Callable[[Sender, list[str]], None] = lambda _ask, _subjects: None


def test_what_is_sent_to_serve_comes_back(tmp_path: Path, browser: Browser) -> None:
    with on_a_laptop(tmp_path) as place:
        the_circle(place, browser)


@needs_nginx
@pytest.mark.system
def test_what_is_sent_to_a_deployed_service_comes_back(tmp_path: Path, browser: Browser) -> None:
    with as_deployed(tmp_path) as place:
        the_circle(place, browser)


def the_circle(place: Place, browser: Browser) -> None:
    """A report and a lesson, from what their sender posts to what everybody reads."""
    ask = Sender(place.address)
    lesson = ask("POST", f"{API}/submissions", LESSON, key=place.key)["id"]
    report = {"playbook": BOOK, "agent": "claude-code", "outcome": "worked"}
    told = ask("POST", f"{API}/runs", report)["id"]
    desk = place.desk or f"http://{place.address.host}:{place.address.port}"
    page = browser.new_page(base_url=desk, ignore_https_errors=True)
    page.goto("/review")
    page.get_by_label("Your key").fill(place.key)
    page.get_by_role("button", name="Sign in").click()
    ask.sees("screened", lambda: screened(page, lesson) and screened(page, told))
    ask.sees("pending is shown", lambda: ask.runs()["pending"] == 1)
    assert (ask.state("submissions", lesson), ask.state("runs", told)) == ("screened", "pending")
    decide(page, told, "Approve")
    decide(page, lesson, "Accept")
    page.close()
    place.merge(ask, [lesson, told])
    ask.sees("the lesson is published", lambda: ask.state("submissions", lesson) == "published")
    ask.sees("the report is published", lambda: ask.state("runs", told) == "published")
    ask.sees("the report counts", lambda: (ask.runs()["approved"], ask.runs()["pending"]) == (1, 0))
    assert FIX in ask("GET", PLACE)
    print("; ".join(f"{what} after {seconds:.1f} s" for what, seconds in ask.times.items()))  # noqa: T201 - the figures


def screened(page: Page, subject: str) -> bool:
    """Whether the review agent looked at it, as the desk says."""
    page.goto(f"/review/{subject}")
    return "has not looked at it yet" not in page.locator(".advice").first.inner_text()


def decide(page: Page, subject: str, button: str) -> None:
    """Read it, fill what is empty, and press the one button."""
    page.goto(f"/review/{subject}")
    for text in page.get_by_label(re.compile(r"Text of file \d")).all():
        text.fill(filled(text.input_value(), {"fix": FIX}))
    page.get_by_role("button", name=button, exact=True).click()
    expect(page.get_by_role("status")).to_be_visible()


@contextmanager
def on_a_laptop(folder: Path) -> Iterator[Place]:
    """`playbooks serve`, over a folder of content."""
    content = write_content(folder)
    paths = ["--content", content, "--out", folder / "site", "--var", folder / "var", "--jobs", "1"]
    with started(["serve", "--port", "0", *map(str, paths)], {}, folder / "log") as served:
        yield Place(served.address, an_editor(served.address, folder / "var"))
    assert "Traceback" not in (folder / "log").read_text()


TLS = """
server {{
    listen 127.0.0.1:{port} ssl;
    ssl_certificate {folder}/certificate;
    ssl_certificate_key {folder}/key;
    location / {{
        proxy_pass http://127.0.0.1:{behind};
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto https;
    }}
}}
"""
"""What ends TLS before the generated configuration, as a proxy of one's own does."""


@contextmanager
def as_deployed(folder: Path) -> Iterator[Place]:
    """nginx before gunicorn, a worker over a checkout, and a remote where a maintainer merges the branches."""
    content = a_repository(write_content(folder)) / "content"
    site, var = folder / "site", folder / "var"
    with free_port() as port, free_port() as secure:
        site_url = f"https://127.0.0.1:{secure}"
    names = ["-subj", "/CN=127.0.0.1", "-keyout", f"{folder}/key", "-out", f"{folder}/certificate"]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *names], check=True, capture_output=True
    )
    with ExitStack() as keep:
        words = ["work", "--content", content, "--out", site, "--var", var, "--site-url", site_url]
        words += ["--branch", "--push", "origin", "--fetch-every", "1"]
        worker = Forked(CLI, words, GIT_ENVIRONMENT, folder / "work-log")
        keep.callback(worker.wait, 60)
        keep.callback(worker.terminate)
        wait_for(site)
        api = keep.enter_context(gunicorn(site, var, content=str(content), trusted_proxies="1"))
        behind = (f"127.0.0.1:{api.address.port}",)
        deployment = replace(of_site(site, None), root=str(site), api=behind, mcp=behind, proxies=("127.0.0.0/8",))
        before = TLS.format(port=secure, behind=port, folder=folder)
        front = keep.enter_context(nginx(deployment, folder / "nginx", port=port, further=before))
        yield Place(front.address, an_editor(front.address, var), site_url, lambda ask, ids: merged(folder, ask, ids))
    assert "Traceback" not in (folder / "work-log").read_text()


def merged(folder: Path, ask: Sender, subjects: list[str]) -> None:
    """A maintainer merges each branch as soon as it is at the remote, and something of their own besides."""
    bare, clone = folder / "origin.git", folder / "clone"
    ask.sees(
        "branches are pushed",
        lambda: git(bare, "branch", "--list", "accepted/*").count("accepted/") == len(subjects),
    )
    git(folder, "clone", "--quiet", str(bare), str(clone))
    (clone / "README.md").write_text("Moved on.\n")
    git(clone, "add", "README.md")
    git(clone, "commit", "--quiet", "-m", "Meanwhile")
    for subject in subjects:
        git(clone, "merge", "--quiet", "--no-edit", f"origin/accepted/{subject}")
    git(clone, "push", "--quiet", "origin", "main")


def an_editor(address: Address, var: Path) -> str:
    """The key of a contributor who was made an editor."""
    Sender(address)("POST", f"{API}/contributors", {"handle": "fay"})
    for words in (["promote", "fay"], ["key", "fay", *(word for scope in Scope for word in ("--scope", scope))]):
        done = run(CLI, ["contributors", *words, "--var", str(var)], dict(GIT_ENVIRONMENT))
        assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def wait_for(path: Path) -> None:
    """Wait until something is there."""
    end = time.monotonic() + PATIENCE
    while not path.exists():
        assert time.monotonic() < end, f"{path} was never made"
        time.sleep(0.1)
