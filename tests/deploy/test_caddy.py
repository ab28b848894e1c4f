"""What a real Caddy answers with the file that is made for it: files, forms, lists, and what it refuses."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from build.views.routes import API
from server.deploy.commands import files_for, of_site
from tests import calls
from tests.builders import BOOK, TODAY
from tests.nginx import free_port
from tests.trees import built
from tests.waiting import until

CADDY = shutil.which("caddy")
pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(CADDY is None, reason="Caddy is not installed: nothing was served by it"),
]


@pytest.fixture(scope="module")
def caddy(content: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Caddy over the rich library, alone, its own port for orders off."""
    folder = tmp_path_factory.mktemp("caddy")
    with free_port() as port:
        built(content, folder / "site", TODAY, site_url=f"http://127.0.0.1:{port}")
    told = replace(of_site(folder / "site", None), root=str(folder / "site"))
    (folder / "Caddyfile").write_text(files_for("caddy", told)["Caddyfile"])
    env = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "PATH": os.environ["PATH"]}
    adapt = [str(CADDY), "adapt", "--config", str(folder / "Caddyfile")]
    adapted = json.loads(subprocess.run(adapt, env=env, check=True, capture_output=True).stdout)
    (folder / "caddy.json").write_text(json.dumps({**adapted, "admin": {"disabled": True}}))
    with (folder / "log").open("wb") as log:
        run = [str(CADDY), "run", "--config", str(folder / "caddy.json")]
        process = subprocess.Popen(run, env=env, stdout=log, stderr=log)
    try:
        with calls.Client(base_url=f"http://127.0.0.1:{port}") as client:
            until(lambda: answers(client), "Caddy answers")
            yield client
    finally:
        process.terminate()
        process.wait()


def answers(client: httpx.Client) -> bool:
    """Whether anything comes back."""
    try:
        return client.get("/robots.txt").is_success
    except httpx.TransportError:
        return False


@pytest.mark.parametrize("path", ["/playbooks", "/playbooks.json", "/agents", "/playbooks/by-trust/tested", "/runs"])
def test_a_filter_on_a_list_is_refused_as_the_service_refuses_it(caddy: httpx.Client, path: str) -> None:
    answer = caddy.get(f"{API}{path}?a=b&limit=5")
    assert (answer.status_code, answer.json()["type"].rpartition("#")[2]) == (400, "no-filter")
    assert answer.headers["content-type"] == "application/problem+json"
    assert "/api/v1/playbooks/by-agent/{slug}" in answer.json()["detail"]
    assert caddy.get(f"{API}{path}?a=b&limits=5").status_code == 200


def test_a_filter_beside_a_list_says_nothing(caddy: httpx.Client) -> None:
    assert caddy.get(f"{API}/playbooks/{BOOK}?agent=codex").json()["slug"] == BOOK


def test_the_reports_of_a_playbook_are_its_file(caddy: httpx.Client) -> None:
    of_it, of_all = (caddy.get(f"{API}/runs{query}").json() for query in (f"?a=b&playbook={BOOK}", ""))
    assert of_it == caddy.get(f"{API}/runs/by-playbook/{BOOK}").json()
    assert of_it == caddy.get(f"{API}/runs?playbook=old-flaky", follow_redirects=True).json()
    assert caddy.get(f"{API}/runs?playbook=of-nobody").json() == {"total": 0, "items": [], "next": None}
    assert 0 < of_it["total"] == sum(run["playbook"] == BOOK for run in of_all["items"])


def test_a_page_comes_in_the_form_that_is_asked_for(caddy: httpx.Client) -> None:
    page, words = (
        caddy.get(f"/playbooks/{BOOK}/", headers={"Accept": kind}) for kind in ("text/html", "text/markdown")
    )
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert words.text == caddy.get(f"/playbooks/{BOOK}.md").text
    assert {page.headers["vary"], words.headers["vary"]} == {"Accept"}


def test_what_is_not_there_and_what_nobody_may_do_are_told_as_problems(caddy: httpx.Client) -> None:
    gone, refused = caddy.get(f"{API}/playbooks/of-nobody"), caddy.delete(f"{API}/playbooks")
    assert (gone.status_code, refused.status_code) == (404, 405)
    assert {gone.headers["content-type"], refused.headers["content-type"]} == {"application/problem+json"}
    assert refused.headers["allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize("path", ["/playbooks/of-nobody/", "/of-nobody"])
def test_a_page_that_is_not_there_is_the_page_that_says_so(caddy: httpx.Client, path: str) -> None:
    answer = caddy.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert (answer.text, answer.headers["cache-control"]) == (caddy.get("/404.html").text, "no-store")
