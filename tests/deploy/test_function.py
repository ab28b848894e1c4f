"""The function of Cloudflare Pages, run by Node over files as its host would give them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from build.views.routes import API
from server.deploy.commands import AWAY, Deployment, files_for
from server.response_headers import ASK_AGAIN, EVERYWHERE, ON_READS, STRICT

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed: no function was run")
pytestmark = [pytest.mark.system, needs_node]
HSTS = "max-age=86400"
FILES = {f"{API}/runs.json": "all", f"{API}/runs/by-playbook/new.json": "of new"}
HOST = """
import { readFileSync } from "node:fs";
import { onRequest } from "./runs.mjs";
const { files, asked } = JSON.parse(readFileSync(0, "utf8"));
const ASSETS = {
  async fetch(request) {
    const body = files[new URL(request.url).pathname];
    if (body === undefined) return new Response("none", { status: 404 });
    const headers = { "Content-Type": "application/json", ETag: '"tag"' };
    if (request.headers.get("If-None-Match") === '"tag"') return new Response(null, { status: 304, headers });
    return new Response(request.method === "HEAD" ? null : body, { headers });
  },
};
const answers = [];
for (const [method, url, headers] of asked) {
  const request = new Request(url, { method, headers });
  const answer = await onRequest({ request, env: { ASSETS } });
  answers.push([answer.status, Object.fromEntries(answer.headers), await answer.text()]);
}
console.log(JSON.stringify(answers));
"""


def answered(folder: Path, method: str, query: str = "", **headers: str) -> tuple[int, dict[str, str], str]:
    """Status, headers by their small letters, and body."""
    told = files_for("static", Deployment("https://a.example", aliases={"old": "new"}, hsts=HSTS))
    (folder / "runs.mjs").write_text(told["functions/api/v1/runs.js"])
    (folder / "host.mjs").write_text(HOST)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    asked: list[Any] = [[method, f"https://a.example{API}/runs{query}", named]]
    done = subprocess.run(
        ["node", "host.mjs"],
        cwd=folder,
        input=json.dumps({"files": FILES, "asked": asked}),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    [(status, got, body)] = json.loads(done.stdout)
    return status, got, body


@pytest.mark.parametrize(
    ("method", "query", "status", "body"),
    [
        ("GET", "", 200, "all"),
        ("GET", "?playbook=new", 200, "of new"),
        ("GET", "?playbook=%6eew", 200, "of new"),
        ("GET", "?playbook=x&playbook=new", 200, "of new"),
        ("GET", "?playbook=none", 200, '{"total":0,"items":[],"next":null}'),
        ("GET", "?playbook=../runs", 200, '{"total":0,"items":[],"next":null}'),
        ("GET", "?playbook=__proto__", 200, '{"total":0,"items":[],"next":null}'),
        ("HEAD", "?playbook=new", 200, ""),
        ("HEAD", "?playbook=none", 200, ""),
        ("GET", "?playbook=old", 308, ""),
        ("OPTIONS", "", 204, ""),
        ("POST", "", 503, AWAY),
        ("PUT", "", 405, "method-not-allowed"),
    ],
)
def test_every_answer_has_the_headers_of_every_other(
    tmp_path: Path, method: str, query: str, status: int, body: str
) -> None:
    found, headers, text = answered(tmp_path, method, query)
    assert found == status
    assert body in text
    for name, value in {**EVERYWHERE, STRICT: HSTS}.items():
        assert headers[name.lower()] == value
    assert ("access-control-allow-origin" in headers) == (method in ("GET", "HEAD", "OPTIONS"))
    if method in ("GET", "HEAD"):
        assert headers["cache-control"] == ASK_AGAIN
        assert headers["access-control-expose-headers"] == ON_READS["Access-Control-Expose-Headers"]
    if status == 200:
        assert headers["content-type"] == "application/json"
    if status == 308:
        assert headers["location"] == f"{API}/runs?playbook=new"
    if status in (204, 405):
        assert headers["allow"] == "GET, HEAD, OPTIONS, POST"
    if status >= 400:
        assert headers["content-type"] == "application/problem+json"
        assert headers["cache-control"] == "no-store"
        assert json.loads(text)["status"] == status


def test_what_the_reader_has_is_not_sent_again(tmp_path: Path) -> None:
    status, headers, body = answered(tmp_path, "GET", "?playbook=new", If_None_Match='"tag"')
    assert (status, headers["etag"], body) == (304, '"tag"', "")
    assert headers["content-security-policy"] == EVERYWHERE["Content-Security-Policy"]
