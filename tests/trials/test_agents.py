"""The one way out of the sandbox: it leads to the agent's API alone, and the key stays outside."""

from __future__ import annotations

import ssl
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from library.problems import UsageError
from library.trials.running import BRIDGED, HERE, PORT, PRESETS, AgentCommand, Api, command_of, way_out, words_of
from library.trials.sandbox import found_sandbox
from tests.trials.tiny import needs_bwrap
from tests.waiting import PATIENCE


class _ModelApi(BaseHTTPRequestHandler):
    """An API that answers with the key that it was asked with."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        said = f"{self.path} {self.headers['x-api-key']} {body.decode()}".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as in the base class
        pass


@pytest.fixture
def api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    """An API with a certificate of its own, on the loopback of the host."""
    pem = tmp_path / "server.pem"
    told = ["-newkey", "rsa:2048", "-nodes", "-subj", "/CN=model", "-addext", "subjectAltName=IP:127.0.0.1"]
    argv = ["openssl", "req", "-x509", *told, "-keyout", str(pem), "-out", str(tmp_path / "cert.pem")]
    subprocess.run(argv, check=True, capture_output=True)
    pem.write_text(pem.read_text("utf-8") + (tmp_path / "cert.pem").read_text("utf-8"), "utf-8")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    with HTTPServer(("127.0.0.1", 0), _ModelApi) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield Api(f"127.0.0.1:{server.server_port}", "x-api-key", "{key}", "MODEL_KEY")
        server.shutdown()
        thread.join()


@pytest.mark.slow
@pytest.mark.system
@needs_bwrap
def test_a_request_from_the_sandbox_gets_the_key_outside(api: Api, tmp_path: Path) -> None:
    ask = (
        "python3 -c 'import urllib.request as r; print(r.urlopen(r.Request("
        f'"{HERE}/v1/ask", b"hello", {{"x-api-key": "outside"}})).read().decode())\'; env'
    )
    agent = AgentCommand("agent {prompt}", api=api)
    (tmp_path / "case").mkdir()
    with way_out(agent, tmp_path, {"MODEL_KEY": "the-true-key"}) as mounts:
        finished = found_sandbox().run(tmp_path / "case", f"{BRIDGED}{ask}", PATIENCE, mounts)
    assert finished.output.startswith("/v1/ask the-true-key hello\n"), finished.output
    assert finished.output.count("the-true-key") == 1, "only the API itself said it"


def test_presets_have_a_place_for_the_prompt_and_an_address_in_the_sandbox() -> None:
    for name, agent in PRESETS.items():
        assert command_of(name) is agent
        assert "{prompt}" in agent.command
        assert str(PORT) in f"{agent.command} {agent.environment}"
        assert agent.api


def test_a_prompt_is_one_word_of_the_command_whatever_it_holds() -> None:
    words = words_of(AgentCommand("sh -c 'echo \"$1\"' agent {prompt}"), "$(reboot) 'now' `x`", ())
    said = subprocess.run(["bash", "-c", words], capture_output=True, text=True, check=True).stdout
    assert said == "$(reboot) 'now' `x`\n"


def test_a_program_that_the_sandbox_does_not_see_is_named_with_the_mend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin/my-agent"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    agent = command_of("my-agent {prompt}")
    with pytest.raises(UsageError, match="--bind"):
        words_of(agent, "Do it.", ())
    assert words_of(agent, "Do it.", (tmp_path,)).startswith(str(program))
