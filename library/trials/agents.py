"""How known agents are started, and the one way out of the sandbox: a socket to their model's API."""

import http.client
import shlex
import shutil
import socketserver
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from ..problems import UsageError
from .sandbox import Mount, TrialError

PORT = 8377
"""Where the API is for whoever is in the sandbox: on the loopback, which leads to the socket."""
HERE = f"http://127.0.0.1:{PORT}"
_HOP = frozenset("connection keep-alive transfer-encoding host content-length proxy-connection te upgrade".split())
_PART = 64 * 1024


@dataclass(frozen=True)
class Api:
    """A model's API: its host, the header that holds the key (as `{key}`), and the variable that holds it outside."""

    host: str
    header: str
    value: str
    key_variable: str


@dataclass(frozen=True)
class AgentCommand:
    """How an agent is started: `{prompt}` stands for the prompt. `slug` is its name in the library."""

    command: str
    slug: str = "unnamed-ai-agent"
    api: Api | None = None
    environment: Mapping[str, str] | None = None


_CODEX = f'{{name="trial",base_url="{HERE}/v1",env_key="OPENAI_API_KEY",wire_api="responses"}}'
PRESETS: Mapping[str, AgentCommand] = {
    "claude": AgentCommand(
        "claude -p {prompt} --dangerously-skip-permissions --output-format json",
        "claude-code",
        Api("api.anthropic.com", "x-api-key", "{key}", "ANTHROPIC_API_KEY"),
        {"ANTHROPIC_BASE_URL": HERE, "ANTHROPIC_API_KEY": "outside"},
    ),
    "codex": AgentCommand(
        "codex exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox -c model_provider=trial"
        f" -c {shlex.quote(f'model_providers.trial={_CODEX}')} {{prompt}}",
        "openai-codex",
        Api("api.openai.com", "Authorization", "Bearer {key}", "OPENAI_API_KEY"),
        {"OPENAI_API_KEY": "outside"},
    ),
}
"""By name. In a sandbox an agent need not ask: what it can reach is the case, and its model."""


def command_of(agent: str) -> AgentCommand:
    """A preset, or the command that was written out."""
    if agent in PRESETS:
        return PRESETS[agent]
    if "{prompt}" not in agent:
        raise UsageError(f"{agent!r} is no preset ({', '.join(PRESETS)}, oracle, nop) and has no {{prompt}} in it")
    return AgentCommand(agent)


def words_of(agent: AgentCommand, prompt: str, binds: tuple[Path, ...]) -> str:
    """The shell command of an agent with its prompt; its program is named as the sandbox sees it."""
    program, _, rest = agent.command.replace("{prompt}", shlex.quote(prompt)).partition(" ")
    there = shutil.which(program)
    if not there:
        return f"{program} {rest}"  # a builtin of the shell, or one of the tools
    place = Path(there).resolve()
    if not place.is_relative_to("/usr") and not any(place.is_relative_to(bind.resolve()) for bind in binds):
        raise UsageError(f"{program} is {place}, which the sandbox does not see; give its folder with --bind")
    return f"{shlex.quote(str(place))} {rest}"


@contextmanager
def way_out(agent: AgentCommand, room: Path, environment: Mapping[str, str]) -> Iterator[tuple[Mount, ...]]:
    """While it lasts, a socket that leads to the agent's API and nowhere else; none for an agent without one."""
    if not agent.api:
        yield ()
        return
    key = environment.get(agent.api.key_variable)
    if not key:
        raise UsageError(f"{agent.api.key_variable} is not set; the key stays outside the sandbox")
    place = room / "api"
    place.mkdir(exist_ok=True)
    (place / "socket").unlink(missing_ok=True)
    (place / "bridge.py").write_bytes(Path(__file__).with_name("bridge.py").read_bytes())
    try:
        server = _ApiServer(str(place / "socket"), agent.api, key)
    except OSError as error:
        raise TrialError(f"the socket to the API could not be made: {error}") from error
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield (Mount("API", place.absolute(), "/api"),)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _ApiServer(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True

    def __init__(self, path: str, api: Api, key: str) -> None:
        self.api, self.key = api, key
        super().__init__(path, _ToApi)


class _ToApi(BaseHTTPRequestHandler):
    """One request to the API: its own headers, with the key in place of what the sandbox sent."""

    server: _ApiServer

    def address_string(self) -> str:
        return "sandbox"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as in the base class
        """Nothing: the transcript is what is kept."""

    def do_POST(self) -> None:
        """Forward it and hand the answer on as it comes."""
        api = self.server.api
        headers = {name: value for name, value in self.headers.items() if name.lower() not in _HOP}
        headers = {name: value for name, value in headers.items() if name.lower() != api.header.lower()}
        headers[api.header] = api.value.format(key=self.server.key)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        connection = http.client.HTTPSConnection(api.host, timeout=600)
        try:
            connection.request(self.command, self.path, body, headers)
            answer = connection.getresponse()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in _HOP:
                    self.send_header(name, value)
            self.send_header("Connection", "close")
            self.end_headers()
            while part := answer.read1(_PART):
                self.wfile.write(part)
                self.wfile.flush()
        except (OSError, http.client.HTTPException) as error:
            self.send_error(502, "the API did not answer", str(error))
        finally:
            connection.close()

    do_GET = do_POST  # noqa: N815 - as in the base class
