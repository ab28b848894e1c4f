"""`playbooks report` and `playbooks submit`: what is checked, shown and asked, then sent once to the real service."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from click.testing import CliRunner, Result

import cli
from client import commands
from client.commands import NotAccepted, NotAnswered, Sender
from tests.builders import BOOK, write_content
from tests.faults.http_client import post
from tests.faults.http_server import Served, playbooks_serve, rows
from tests.rich import write_rich_content

PROJECT = Path(__file__).resolve().parents[2]
RUN = {"playbook": BOOK, "agent": "claude-code", "outcome": "worked"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("sending")
    with playbooks_serve(write_rich_content(folder), folder) as served:
        yield served


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder without content, and an environment that names no library and no key."""
    for name in ("PLAYBOOKS_URL", "PLAYBOOKS_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: object, text: str | bytes = "") -> Result:
    result = CliRunner().invoke(cli.main, [str(argument) for argument in arguments], input=text)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


def to(served: Served) -> str:
    return f"http://127.0.0.1:{served.address.port}"


def stored(served: Served, table: str, column: str = "id") -> list[Any]:
    return [row[0] for row in rows(f"sqlite:///{served.log.parent / 'var/queue.db'}", f"SELECT {column} FROM {table}")]


def a_file(folder: Path, name: str, values: Any) -> Path:
    path = folder / name
    path.write_text(values if isinstance(values, str) else json.dumps(values))
    return path


# What is sent


@pytest.mark.slow
def test_a_report_is_shown_and_sent_and_its_receipt_printed(nowhere: Path, served: Served) -> None:
    text = f"playbook: {BOOK}\nagent: claude-code\noutcome: worked_with_changes\nwhat_changed: |\n  One.\n  Two.\n"
    path = a_file(nowhere, "run.yaml", f'{text}duration_minutes: 45\nagent_version: "2.1"\n')
    result = run("report", path, "--base-url", to(served), "--yes", "--model", "some model")
    assert result.exit_code == 0, result.output
    assert f"POST {to(served)}/api/v1/runs, without a key" in result.stderr
    assert '"what_changed": "One.\\nTwo.\\n"' in result.stderr
    assert '"duration_minutes": 45' in result.stderr
    assert "published under the library's content licence" in result.stderr
    name = result.stdout.split()[1]
    found = rows(
        f"sqlite:///{served.log.parent / 'var/queue.db'}",
        f"SELECT outcome, duration_minutes, model, agent_version FROM runs WHERE id = '{name}'",
    )
    assert [tuple(map(str, row)) for row in found] == [("worked_with_changes", "45", "some model", "2.1")]
    assert json.loads((nowhere / "state/playbooks/sending.json").read_text()) == {}


@pytest.mark.slow
@pytest.mark.usefixtures("nowhere")
def test_a_submission_shows_where_its_status_stands_and_the_token_once(served: Served) -> None:
    payload = {"title": "T", "agents": ["a"], "summary": "S", "prompt": "P", "steps": ["One."]}
    body = {"kind": "playbook", "title": "Tune a piano", "body": "By ear.", "payload": payload}
    text = json.dumps(body).encode()
    result = run("submit", "-", "--yes", "--base-url", f"{to(served)}/api/v1/", "--format", "json", text=text)
    assert result.exit_code == 0, result.output
    receipt = json.loads(result.stdout)
    assert receipt["status_url"] == f"{to(served)}/api/v1/submissions/{receipt['id']}"
    assert result.output.count(receipt["edit_token"]) == 1
    assert receipt["id"] in stored(served, "submissions")


@pytest.mark.slow
def test_the_key_makes_it_the_contributor_s_and_is_never_shown(
    nowhere: Path, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = str(post(served.address, "/contributors", {"handle": "ada-l"}).json["api_key"])
    path = a_file(nowhere, "run.json", RUN)
    secret = a_file(nowhere, "key", f"{key}\n")
    monkeypatch.setenv("PLAYBOOKS_KEY", "pbl_another")
    by_file = run("report", path, "--base-url", to(served), "--yes", "--key-file", secret)
    monkeypatch.setenv("PLAYBOOKS_KEY", key)
    monkeypatch.setenv("PLAYBOOKS_URL", to(served))
    by_environment = run("report", path, "--yes")
    assert (by_file.exit_code, by_environment.exit_code) == (0, 0), by_file.output + by_environment.output
    assert key not in by_file.output + by_environment.output
    assert key not in (nowhere / "state/playbooks/sending.json").read_text()
    assert stored(served, "runs", "reporter").count("ada-l") == 2
    monkeypatch.setenv("PLAYBOOKS_KEY", f"{key[:-1]}x")
    refused = run("report", path, "--yes")
    assert refused.exit_code == 1
    assert "401" in refused.output


@pytest.mark.slow
def test_what_the_library_refuses_is_told_with_its_places(nowhere: Path, served: Served) -> None:
    path = a_file(nowhere, "run.json", {**RUN, "playbook": "no-such-playbook"})
    result = run("report", path, "--base-url", to(served), "--yes")
    assert result.exit_code == 1
    assert (
        "/playbook: is no playbook of this library; search finds slugs: /api/v1/search?q=… [unknown-playbook]"
        in result.output
    )
    assert json.loads((nowhere / "state/playbooks/sending.json").read_text()) == {}


# What is not sent


NOT_SENT = {
    "nothing": ("{}", ["playbook: is missing", "agent: is missing", "outcome: is missing"]),
    "no object": ("[1]", ["must be one object"]),
    "a text": ("hello", ["must be one object"]),
    "an empty file": ("", ["the file is empty"]),
    "half of an object": ('{"playbook": "x"', ["run:1:17: error: The body is not JSON"]),
    "a key twice": ('{"a": 1, "a": 2}', ['The key "a" stands twice']),
    "NaN": ('{"duration_minutes": NaN}', ["NaN is not a JSON number"]),
    "an unknown key": (json.dumps({**RUN, "agnt": "x"}), ["agnt: is not a known key; did you mean 'agent'?"]),
    "an e-mail": (json.dumps({**RUN, "lesson": "Ask grace.hopper@navy.mil."}), ["lesson: holds an e-mail address"]),
    "an e-mail as a key": (
        json.dumps({**RUN, "grace.hopper@navy.mil": 1}),
        ["(private data): holds an e-mail address"],
    ),
    "an unquoted word": (f"playbook: {BOOK}\nagent: null\noutcome: worked\n", ["run:2:8:"]),
    "a tab": ("playbook:\tx\n\toutcome: worked\n", ["error:"]),
    "an alias": ("a: &x 1\nb: *x\n", ["alias"]),
    "minutes in words": (f"playbook: {BOOK}\nagent: a\noutcome: worked\nduration_minutes: long\n", ["run:4:"]),
    "deep nesting": ("[" * 100, ["nested more than 32 levels"]),
    "an escape": (json.dumps({**RUN, "agent": "\x1b[2J"}), ["invisible character"]),
}


@pytest.mark.parametrize("name", NOT_SENT)
def test_what_is_wrong_is_told_at_once_and_nothing_is_sent(nowhere: Path, name: str) -> None:
    text, expected = NOT_SENT[name]
    path = a_file(nowhere, "run", text)
    result = run("report", path.name, "--base-url", "http://127.0.0.1:9", "--yes")
    assert result.exit_code == 1, result.output
    for words in expected:
        assert words in result.output
    assert "navy.mil" not in result.output
    assert "\x1b" not in result.output
    assert not (nowhere / "state").exists()


@pytest.mark.parametrize(
    "raw", [b"\xff\xfe{\0}\0", b'{"a": "\xff"}', b"\0", b"x" * 300_000, b'{"a": "\\ud800"}', b"playbook: \xe9\n"]
)
def test_bytes_that_are_no_text_are_told(nowhere: Path, raw: bytes) -> None:
    (nowhere / "run").write_bytes(raw)
    result = run("report", "run", "--base-url", "http://127.0.0.1:9", "--yes")
    assert result.exit_code == 1, result.output
    assert "error" in result.output.lower()


def test_places_are_those_of_the_file(nowhere: Path) -> None:
    text = (
        "title: A\nbody: B\nkind: playbook\npayload:\n  title: T\n  agents: [a]\n  summary: S\n  prompt: P\n  steps:\n"
    )
    a_file(nowhere, "sub.yaml", text + "    - One.\n    - Mail grace.hopper@navy.mil\n  x: 1\n")
    result = run("submit", "sub.yaml", "--base-url", "http://127.0.0.1:9", "--yes")
    assert result.exit_code == 1
    assert "sub.yaml:11:7: error: payload.steps[1]: holds an e-mail address" in result.output
    assert "sub.yaml:12:3: error: payload.x: is not a known key" in result.output


def test_without_consent_nothing_is_sent(nowhere: Path) -> None:
    path = a_file(nowhere, "run.json", RUN)
    result = run("report", path, "--base-url", "http://127.0.0.1:9")
    assert result.exit_code == 2
    assert "ask the end user" in result.output
    assert not (nowhere / "state").exists()


@pytest.mark.usefixtures("nowhere")
def test_a_dry_run_shows_and_sends_nothing() -> None:
    options = ("--playbook", BOOK, "--agent", "claude-code", "--outcome", "failed", "--duration-minutes", "5")
    result = run("report", *options, "--dry-run", "--base-url", "https://library.example/sub")
    assert result.exit_code == 0
    assert "POST https://library.example/sub/api/v1/runs" in result.output
    assert '"duration_minutes": 5' in result.output


def test_the_library_of_the_content_is_the_one_that_is_meant(nowhere: Path) -> None:
    content = write_content(nowhere)
    options = ("--playbook", BOOK, "--agent", "a", "--outcome", "failed", "--dry-run", "--content", content)
    assert "POST https://playbooks.example/api/v1/runs" in run("report", *options).output


@pytest.mark.parametrize(
    "arguments",
    [
        ["report", "no-such-file.json"],
        ["report", "."],
        ["report", "run.json", "--outcome", "succeeded"],
        ["report", "run.json", "--base-url", "ftp://x"],
        ["report", "run.json", "--base-url", ""],
        ["report", "run.json", "--base-url", "https://u:p@x/"],
        ["report", "run.json", "--base-url", "https://x/?q"],
        ["report", "run.json", "--key-file", "no-such-file"],
        ["report", "run.json", "--key-file", "empty"],
        ["report", "run.json", "--key-file", "words"],
        ["report", "run.json", "--key-file", "key", "--base-url", "http://library.example"],
        ["report", "run.json", "--state", "words/x"],
        ["report", "run.json", "--state", "words"],
        ["report", "run.json", "--wait", "minutes"],
        ["report", "run.json", "--api-key", "pbl_x"],
    ],
    ids=" ".join,
)
def test_wrong_use_is_2_and_one_sentence(nowhere: Path, arguments: list[str]) -> None:
    a_file(nowhere, "run.json", RUN)
    for name, text in {"empty": "\n", "words": "two words\n", "key": "pbl_x"}.items():
        a_file(nowhere, name, text)
    where = [] if "--base-url" in arguments else ["--base-url", "http://127.0.0.1:9"]
    where += [] if "--wait" in arguments else ["--wait", "0"]
    result = run(*arguments, *where, "--yes")
    assert result.exit_code == 2, result.output
    assert "pbl_x" not in result.output.replace("--api-key", "")


def test_without_an_address_it_says_how_to_give_one(nowhere: Path) -> None:
    a_file(nowhere, "run.json", RUN)
    result = run("report", "run.json", "--yes")
    assert result.exit_code == 2
    assert "PLAYBOOKS_URL" in result.output


@pytest.mark.parametrize("address", ["https://playbooks.example", "http://library.invalid/api/v1", "https://a.b.test"])
def test_an_address_that_holds_a_place_is_told_at_once(nowhere: Path, address: str) -> None:
    a_file(nowhere, "run.json", RUN)
    result = run("report", "run.json", "--yes", "--base-url", address)
    assert result.exit_code == 2
    assert "is a placeholder, no library is there" in result.output
    assert not (nowhere / "state").exists()


def test_a_name_in_the_environment_that_nobody_reads_is_told(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a_file(nowhere, "run.json", RUN)
    dry = ("report", "run.json", "--dry-run", "--base-url", "http://127.0.0.1:9")
    for name, text, code in (
        ("PLAYBOOKS_UR", "it looks like PLAYBOOKS_URL", 2),
        ("PLAYBOOKS_KEYS", "it looks like PLAYBOOKS_KEY", 2),
        ("PLAYBOOK_URL", "it looks like PLAYBOOKS_URL", 2),
        ("PLAYBOOKS_ULR", "the nearest is PLAYBOOKS_URL", 0),
    ):
        with monkeypatch.context() as patch:
            patch.setenv(name, "x")
            result = run(*dry)
        assert (result.exit_code, text in result.output) == (code, True), (name, result.output)


# On a terminal


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "_terminal", lambda file: not (file and file.name == "<stdin>"))


@pytest.mark.usefixtures("terminal")
def test_a_person_is_asked_for_every_field_and_then_for_consent(nowhere: Path) -> None:
    answers = [BOOK, "claude-code", "nonsense", "worked", "", "", "", "", "30", "", "", "n"]
    result = run("report", "--base-url", "http://127.0.0.1:9", text="\n".join(answers) + "\n")
    assert result.exit_code == 1, result.output
    assert "Does the end user agree" in result.output
    assert "Nothing was sent." in result.output
    assert '"duration_minutes": 30' in result.output
    assert '"lesson"' not in result.output
    assert not (nowhere / "state").exists()


@pytest.mark.usefixtures("terminal")
def test_a_person_is_asked_only_for_what_is_missing(nowhere: Path) -> None:
    a_file(nowhere, "run.json", {"playbook": BOOK, "agent": "claude-code"})
    result = run("report", "run.json", "--base-url", "http://127.0.0.1:9", text="failed\nn\n")
    assert '"outcome": "failed"' in result.output
    assert "model" not in result.output


# Again, and only once


class Relay:
    """Between a command and the service: passes requests on, and keeps the answers while `silent`."""

    def __init__(self, served: Served) -> None:
        self.served, self.silent, self.answered = served, True, threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                here, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._pass, args=(here,), daemon=True).start()

    def _pass(self, here: socket.socket) -> None:
        with here, socket.create_connection(self.served.address) as there:
            request = b""
            while b"\r\n\r\n" not in request or b"}" not in request.partition(b"\r\n\r\n")[2]:
                request += here.recv(65_536)
            there.sendall(request.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
            answer = b""
            while chunk := there.recv(65_536):
                answer += chunk
            self.answered.set()
            if not self.silent:
                here.sendall(answer)
            else:
                here.recv(1)  # until the other side goes


@pytest.fixture
def relay(served: Served) -> Iterator[Relay]:
    made = Relay(served)
    yield made
    made.listener.close()


@pytest.mark.slow
def test_killed_after_it_was_sent_and_tried_again_is_one_row(nowhere: Path, served: Served, relay: Relay) -> None:
    a_file(nowhere, "sub.json", {"title": "Killed", "body": f"At {time.time_ns()}"})
    before = len(stored(served, "submissions"))
    command = [sys.executable, "-m", "cli", "submit", str(nowhere / "sub.json"), "--base-url", relay.address, "--yes"]
    process = subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ)
    assert relay.answered.wait(60)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    state = nowhere / "state/playbooks/sending.json"
    assert len(json.loads(state.read_text())) == 1
    assert stat.S_IMODE(state.stat().st_mode) == 0o600
    assert len(stored(served, "submissions")) == before + 1
    relay.silent = False
    again = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=60)
    assert again.returncode == 0, again.stderr
    assert "and no answer came; it is stored only once" in again.stderr
    assert "edt_" in again.stdout
    assert len(stored(served, "submissions")) == before + 1
    assert json.loads(state.read_text()) == {}
    third = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=60)
    assert third.returncode == 0, third.stderr
    assert len(stored(served, "submissions")) == before + 2


def answers(*given: httpx2.Response | Exception) -> tuple[Sender, list[float], list[str], list[str]]:
    """A sender that gets these answers; how long it slept, the keys that it sent and what it said."""
    slept: list[float] = []
    keys: list[str] = []
    said: list[str] = []
    left = list(given)

    def answer(request: httpx2.Request) -> httpx2.Response:
        keys.append(request.headers["Idempotency-Key"])
        found = left.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    return Sender(10, said.append, slept.append, httpx2.MockTransport(answer)), slept, keys, said


def send(sender: Sender) -> dict[str, Any]:
    return sender.ask("POST", "https://library.example/api/v1/runs", {"Idempotency-Key": "k"}, b"{}")


TAKEN = httpx2.Response(201, json={"id": "run_x"})


def test_it_waits_as_long_as_it_is_told() -> None:
    busy = httpx2.Response(429, headers={"Retry-After": "7"}, json={"title": "x"})
    away = httpx2.Response(503, headers={"Retry-After": "Fri, 20 Nov 2026 12:00:00 GMT"}, content=b"<html>\x1b[2J")
    sender, slept, keys, said = answers(busy, away, TAKEN)
    assert send(sender) == {"id": "run_x"}
    assert (slept, keys) == ([7.0, 2.0], ["k", "k", "k"])
    assert "\x1b" not in "".join(said)


def test_it_does_not_wait_longer_than_it_may() -> None:
    sender, slept, _, _ = answers(httpx2.Response(429, headers={"Retry-After": "3600"}))
    with pytest.raises(NotAnswered, match="Use the same command again, in 3600 seconds"):
        send(sender)
    assert slept == []


def test_a_broken_connection_is_tried_again_and_given_up_in_the_end() -> None:
    sender, slept, keys, _ = answers(*(httpx2.ReadError("gone") for _ in range(9)))
    with pytest.raises(NotAnswered, match="gone"):
        send(sender)
    assert slept == [1.0, 2.0, 4.0]
    assert set(keys) == {"k"}


@pytest.mark.parametrize(
    "answer",
    [
        httpx2.Response(308, headers={"Location": "https://elsewhere.example/"}),
        httpx2.Response(200, text="<html>"),
        httpx2.Response(404, content=b"\xff\xfe"),
        httpx2.Response(422, json={"type": "x", "title": "\x1b[2J", "status": 422, "detail": "d"}),
    ],
    ids=lambda answer: str(answer.status_code),
)
def test_other_answers_are_told_and_not_repeated(answer: httpx2.Response) -> None:
    sender, slept, keys, _ = answers(answer)
    with pytest.raises(NotAccepted) as error:
        send(sender)
    assert (slept, len(keys)) == ([], 1)
    assert "\x1b" not in str(error.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer",
    [
        httpx2.Response(201, text="<html>"),
        httpx2.Response(201, json=["x"]),
        httpx2.Response(201, content=b"{" * 2_000_000),
    ],
    ids=["a page", "a list", "too long"],
)
def test_a_201_that_is_no_receipt_may_be_stored(answer: httpx2.Response) -> None:
    sender, slept, keys, _ = answers(answer)
    with pytest.raises(NotAnswered, match="use the same command again, and it is stored only once"):
        send(sender)
    assert (slept, len(keys)) == ([], 1)


def test_the_key_of_a_201_that_cannot_be_read_is_kept(nowhere: Path) -> None:
    a_file(nowhere, "run.json", RUN)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            here, _ = listener.accept()
            with here:
                here.recv(65_536)
                here.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>")
                while here.recv(65_536):
                    pass

        threading.Thread(target=answer, daemon=True).start()
        result = run("report", "run.json", "--yes", "--base-url", f"http://127.0.0.1:{listener.getsockname()[1]}")
    assert result.exit_code == 1
    assert len(json.loads((nowhere / "state/playbooks/sending.json").read_text())) == 1


def to_a_full_disk(command: list[str]) -> subprocess.CompletedProcess[str]:
    with Path("/dev/full").open("w") as full:
        return subprocess.run(command, cwd=PROJECT, stdout=full, stderr=subprocess.PIPE, text=True, check=False)


def to_nobody(command: list[str]) -> subprocess.CompletedProcess[str]:
    reads, writes = os.pipe()
    os.close(reads)
    try:
        return subprocess.run(command, cwd=PROJECT, stdout=writes, stderr=subprocess.PIPE, text=True, check=False)
    finally:
        os.close(writes)


def closed(command: list[str]) -> subprocess.CompletedProcess[str]:
    shell = ["sh", "-c", 'exec "$@" >&-', "sh", *command]
    return subprocess.run(shell, cwd=PROJECT, stderr=subprocess.PIPE, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("into", [to_a_full_disk, to_nobody, closed])
def test_a_receipt_that_cannot_be_written_is_printed_by_the_next_try(
    nowhere: Path, served: Served, into: Callable[[list[str]], subprocess.CompletedProcess[str]], form: str
) -> None:
    a_file(nowhere, "sub.json", {"title": "Not printed", "body": f"At {time.time_ns()}"})
    before = len(stored(served, "submissions"))
    told = ["submit", str(nowhere / "sub.json"), "--base-url", to(served), "--yes", "--format", form]
    command = [sys.executable, "-m", "cli", *told]
    lost = into(command)
    assert lost.returncode == 1, lost.stderr
    assert "The same command prints the receipt again." in lost.stderr
    assert "Traceback" not in lost.stderr
    assert "Exception ignored" not in lost.stderr
    assert "Keep the edit token" not in lost.stderr
    again = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr
    assert "edt_" in again.stdout
    assert len(stored(served, "submissions")) == before + 1
    assert json.loads((nowhere / "state/playbooks/sending.json").read_text()) == {}


def test_a_state_file_of_somebody_else_is_left_alone(nowhere: Path) -> None:
    a_file(nowhere, "run.json", RUN)
    state = a_file(nowhere, "state.json", '{"a": 1}')
    result = run("report", "run.json", "--base-url", "http://127.0.0.1:9", "--yes", "--state", state)
    assert result.exit_code == 2
    assert state.read_text() == '{"a": 1}'


def test_an_answer_without_an_end_is_read_to_a_bound() -> None:
    read = 0

    def endless() -> Iterator[bytes]:
        nonlocal read
        while True:
            read += 1
            yield b" " * 65_536

    transport = httpx2.MockTransport(lambda _: httpx2.Response(200, content=endless()))
    with pytest.raises(NotAccepted, match="not in the words of a library"):
        Sender(0, print, transport=transport).ask("GET", "https://library.example/api/v1/runs/x", {})
    assert read * 65_536 <= 2 * commands.MAX_ANSWER
