"""Runs of agents on a trial: with the playbook or the bare sentence, graded outside, recorded as they came out.

The one way out of the sandbox is a socket to the API of an agent's model. What is written of a trial stands here too:
the text of each arm, a new trial, and a task in Harbor's format, where the grader shares its container with what the
agent left, so that a forged verdict is possible that is not here.
"""

import hashlib
import json
import logging
import os
import shlex
import shutil
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import httpx2
import msgspec.yaml
import orjson
from jinja2 import Environment, FileSystemLoader
from werkzeug.serving import make_server
from werkzeug.wrappers import Request, Response

from ..content.formatting import format_bytes
from ..content.trialfiles import SHARED, SKILLS, TRIALS, case_digest_of, digest_of
from ..problems import LibraryError, UsageError
from ..records.collection import version
from ..records.fields import zulu
from ..records.models import Playbook, Tested
from ..records.trials import CANARY, TrialSpec
from ..records.vocabulary import UNNAMED_AGENT, Arm, Outcome
from ..rules.checks.trials import spans_of
from .proving import Bench, grade
from .sandbox import INSIDE, Mount, TrialError, copied, disk_is_full, shell_of

_HERE = Path(__file__).resolve().parent
PORT = 8377  # where the API is for whoever is in the sandbox: on the loopback, which leads to the socket
HERE = f"http://127.0.0.1:{PORT}"
_HOP = frozenset("connection keep-alive transfer-encoding host content-length proxy-connection te upgrade".split())
ORACLE, NOP = "oracle", "nop"  # agents that are built in: one runs the solution, one does nothing
TASK, CASE, HANDED, OUTCOME, TRANSCRIPT = "TASK.md", "case", "handover.json", "outcome.json", "transcript.txt"
BRIDGED = f"""python3 "$API/bridge.py" "$API/socket" {PORT} &
for _ in $(seq 200); do (exec 3<>/dev/tcp/127.0.0.1/{PORT}) 2>/dev/null && break; sleep 0.05; done
"""


class Api(msgspec.Struct, frozen=True):
    """A model's API: its host, the header that holds the key (as `{key}`), and the variable that holds it outside."""

    host: str
    header: str
    value: str
    key_variable: str


class AgentCommand(msgspec.Struct, frozen=True):
    """How an agent is started: `{prompt}` stands for the prompt. `slug` is its name in the library."""

    command: str
    slug: str = UNNAMED_AGENT
    api: Api | None = None
    environment: Mapping[str, str] = {}


PRESETS = msgspec.yaml.decode((_HERE / "agents.yaml").read_bytes(), type=dict[str, AgentCommand])


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
    place.mkdir()
    shutil.copy(_HERE / "bridge.py", place)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place / "socket"))
        listener.listen()
        app = _forwarding(agent.api, key)
        server = make_server(f"unix://{place}/socket", 0, app, threaded=True, fd=listener.fileno())
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield (Mount("API", place.absolute(), "/api"),)
    finally:
        server.shutdown()
        thread.join()


def _forwarding(api: Api, key: str) -> Callable[..., Any]:
    """An application that hands requests on to the API, with the key in place of what the sandbox sent."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # the transcript is what is kept
    client, dropped = httpx2.Client(timeout=600), _HOP | {api.header.lower()}

    @Request.application
    def forward(request: Request) -> Response:
        headers = {name: value for name, value in request.headers if name.lower() not in dropped}
        headers[api.header] = api.value.format(key=key)
        target = f"https://{api.host}{request.full_path.removesuffix('?')}"
        try:
            asked = httpx2.Request(request.method, target, headers=headers, content=request.get_data())
            answer = client.send(asked, stream=True)
        except httpx2.HTTPError as error:
            return Response(f"the API did not answer: {error}", 502)
        kept = [(name, value) for name, value in answer.headers.multi_items() if name.lower() not in _HOP]
        response = Response(answer.iter_raw(), answer.status_code, kept)
        response.call_on_close(answer.close)
        return response

    return forward


Who = Mapping[str, str | None]  # who ran it, as far as that is known: `agent`, `agent_version` and `model`
NOBODY: Who = {"agent": UNNAMED_AGENT, "agent_version": None, "model": None}


def _form(name: str, **values: Any) -> str:
    """One of the files of `forms`, filled in."""
    forms = Environment(  # noqa: S701 - none of them is HTML
        loader=FileSystemLoader(_HERE / "forms"), trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    forms.filters["json"] = partial(json.dumps, ensure_ascii=False)
    return forms.get_template(name).render(values)


def prompt_of(trial: TrialSpec, book: Playbook, arm: Arm, shell: Path | None = None) -> str:
    """The whole text of one arm; `shell` is where a handover's commands run. Both are told what counts as done."""
    return _form("prompt.md", trial=trial, book=book, arm=arm, shell=shell, inside=INSIDE)


def run_agent(
    bench: Bench, book: Playbook, arm: Arm, agent: str, who: Who, now: Callable[[], datetime], binds: tuple[Path, ...]
) -> tuple[dict[str, Any], str]:
    """One run in a fresh world: its record, and the transcript."""
    tools, case = bench.versions(), bench.world()
    begun, prompt, stopped, transcript = now(), prompt_of(bench.trial, book, arm), "", ""
    if agent == ORACLE:
        bench.made(case, "solution/solve.sh")
    elif agent != NOP:
        known = command_of(agent)
        who = {**who, "agent": known.slug} if who["agent"] == UNNAMED_AGENT else who
        seen = tuple(Mount(f"BIND_{number}", path.resolve(), str(path.resolve())) for number, path in enumerate(binds))
        with way_out(known, bench.room, os.environ) as out:
            command = f"{BRIDGED if out else ''}{words_of(known, prompt, binds)}"
            mounts = (*(bench.skill if arm is Arm.PLAYBOOK else ()), *seen, *out)
            finished = bench.sandbox.run(case, command, bench.trial.limit, mounts, known.environment)
        transcript, stopped = finished.output, finished.stopped
    record = _record(bench, book, arm, who if agent not in (ORACLE, NOP) else {**NOBODY, "agent": agent}, tools, prompt)
    record |= {"started": zulu(begun), "minutes": round((now() - begun).total_seconds() / 60, 1), "stopped": stopped}
    return record | _graded(bench, case, stopped) | {"transcript": _sha(transcript)}, transcript


def _graded(bench: Bench, case: Path, stopped: str) -> dict[str, Any]:
    """The outcome, decided outside. A case that filled its disk, or that nobody may read, failed."""
    if stopped == "disk":
        return {"outcome": str(Outcome.FAILED), "why": f"it filled {bench.sandbox.disk:,} bytes"}
    try:
        copy = copied(case, bench.room / "graded")
    except TrialError as error:
        if disk_is_full(bench.room):
            raise
        return {"outcome": str(Outcome.FAILED), "why": str(error)}
    outcome, finished = grade(bench.sandbox, bench.folder.absolute(), copy, bench.trial.command_limit)
    return {"outcome": str(outcome), "why": finished.tail}


def _record(bench: Bench, book: Playbook, arm: Arm, who: Who, tools: Mapping[str, str], prompt: str) -> dict[str, Any]:
    return {
        "playbook": book.slug,
        "playbook_version": version(book),
        "trial_digest": digest_of(bench.content, bench.trial.slug),
        "case_digest": case_digest_of(bench.content, bench.trial),
        "arm": str(arm),
        **who,
        "tools": dict(tools),
        "sandbox": bench.sandbox.name,
        "prompt": _sha(prompt),
    }


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def hand_over(bench: Bench, book: Playbook, arm: Arm, place: Path, now: datetime) -> None:
    """Lay out a world and one arm's text for whoever works elsewhere, with a shell in the sandbox and no grader."""
    if place.exists():
        raise LibraryError(f"{place} is there already")
    place.mkdir(parents=True)
    case = copied(bench.world(), place.absolute() / CASE)
    mounts: tuple[Mount, ...] = ()
    if arm is Arm.PLAYBOOK and (skill := bench.content / SKILLS / book.slug).is_dir():
        mounts = (Mount("SKILL", copied(skill, place.absolute() / "skill"), "/skill"),)
    shell = place / "shell"
    shell.write_text(shell_of(bench.sandbox, case, mounts, place.absolute() / TRANSCRIPT), encoding="utf-8")
    shell.chmod(0o755)
    (place / TASK).write_text(prompt_of(bench.trial, book, arm, shell.absolute()), encoding="utf-8")
    record = _record(bench, book, arm, NOBODY, bench.versions(), prompt_of(bench.trial, book, arm))
    _write(place / HANDED, record | {"started": zulu(now)})


def grade_handed(bench: Bench, place: Path, who: Who, transcript: Path | None, now: datetime) -> dict[str, Any]:
    """The outcome of what was worked on in a handover, recorded in it; its minutes end with the last command."""
    record = handed(place)
    if record["trial_digest"] != digest_of(bench.content, bench.trial.slug):
        raise TrialError("the trial changed since it was handed over; hand it over anew")
    ended = datetime.fromtimestamp((place / TRANSCRIPT).stat().st_mtime, UTC) if (place / TRANSCRIPT).exists() else now
    minutes = round((ended - datetime.fromisoformat(record["started"])).total_seconds() / 60, 1)
    # what was done by the handover's shell, and then what was said of it, kept as one text beside the outcome
    parts = [place / TRANSCRIPT, *([transcript] if transcript else [])]
    kept = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in parts if path.is_file())
    if transcript:
        (place / TRANSCRIPT).write_text(kept, encoding="utf-8")
    record |= {**who, "minutes": minutes, "stopped": "", "transcript": _sha(kept) if kept else None}
    record |= _graded(bench, place / CASE, "")
    _write(place / OUTCOME, record)
    return record


def keep_run(folder: Path, record: Mapping[str, Any], transcript: str) -> Path:
    """Write a run's record and transcript into a new folder."""
    name = f"{record['playbook']}-{record['arm']}-{record['agent']}"
    place = next(place for number in count(1) if not (place := folder / f"{name}-{number}").exists())
    place.mkdir(parents=True)
    _write(place / OUTCOME, record)
    (place / TRANSCRIPT).write_text(transcript, encoding="utf-8")
    return place


def draft_report(place: Path, record: Mapping[str, Any]) -> Path | None:
    """A draft for `playbooks report`, which shows it and asks; none of the bare arm and of what is no agent."""
    if record["arm"] != Arm.PLAYBOOK or record["agent"] in (ORACLE, NOP):
        return None
    fields = {name: record[name] for name in ("playbook", "agent", "agent_version", "model", "outcome")}
    fields |= {"playbook_version": record["playbook_version"], "duration_minutes": round(record["minutes"])}
    fields["lesson"] = "On a small prepared case (a trial of this library), graded by its hidden grader."
    _write(place / "report.json", {name: value for name, value in fields.items() if value is not None})
    return place / "report.json"


def tested_entry(record: Mapping[str, Any], by: str) -> dict[str, Any]:
    """A run as an entry of its playbook's `tested`: what the model of that list has a place for, exactly as it was.

    Whether anybody read the transcript nobody but a person can say.
    """
    facts = dict(record) | {
        "date": date.fromisoformat(record["started"][:10]),
        "by": by,
        "version": record["playbook_version"],
        "tools": [f"{name}: {said}" for name, said in record["tools"].items()],
        "duration_minutes": round(record["minutes"]),
        "sandbox": record["sandbox"].partition(" ")[0],
        "transcript_digest": record["transcript"],
        "prompt_digest": record["prompt"],
    }
    entry = {name: facts[name] for name in Tested.model_fields if facts.get(name) is not None}
    Tested.model_validate(entry)
    return entry


def handed(place: Path, file: str = HANDED, otherwise: str = "is no handover") -> dict[str, Any]:
    """What was handed over in a folder, or another record of it; `otherwise` says what it is where that is missing."""
    path = place / file
    try:
        found: dict[str, Any] = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        raise LibraryError(f"{place} {otherwise}: {error}") from error
    return found


def _write(path: Path, value: Mapping[str, Any]) -> None:
    path.write_bytes(orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n")


def begin(content: Path, book: Playbook, today: date) -> Path:
    """Write the folder of a new trial, with every code span excused for a month: what is tried is said one by one.

    Raises `LibraryError` where there is one.
    """
    folder = content / TRIALS / book.slug
    if folder.exists():
        raise LibraryError(f"{folder} is there already")
    name = f"{TRIALS}/{book.slug}/trial.yaml"
    text = _form("trial.yaml", book=book, spans=spans_of(book), until=today + timedelta(days=30))
    shaped = format_bytes(text.encode(), name)
    if isinstance(shaped, list):
        raise LibraryError("\n".join(map(str, shaped)))
    shutil.copytree(_HERE / "template", folder)
    for path in filter(Path.is_file, folder.rglob("*")):
        path.write_text(path.read_text(encoding="utf-8").replace("CANARY", CANARY), encoding="utf-8")
    (content / name).write_bytes(shaped)
    return folder


def export(trial: TrialSpec, book: Playbook, content: Path, place: Path) -> None:
    """Write one task of the bare arm to a new folder."""
    if place.exists():
        raise LibraryError(f"{place} is there already")
    folder, needs = content / TRIALS / trial.slug, trial.needs
    setup = (folder / "setup.sh").exists()
    packages = sorted({*needs.debian, *(("nodejs", "npm") if needs.npm else ())})
    shutil.copytree(_HERE / "harbor", place)
    (place / "environment/world").mkdir(parents=True)
    for name, body in {
        "instruction.md": prompt_of(trial, book, Arm.BARE),
        "task.toml": _form("task.toml", trial=trial, book=book, version=version(book)),
        "environment/Dockerfile": _form("Dockerfile", trial=trial, packages=packages, setup=setup),
    }.items():
        (place / name).write_text(body, encoding="utf-8")
    places = {"grader": "tests/grader", "solution": "solution/scripts", SHARED: f"solution/{SHARED}"}
    for source, target in places.items():
        if (folder / source).is_dir():
            shutil.copytree(folder / source, place / target)
    if (folder / "world").is_dir():
        shutil.copytree(folder / "world", place / "environment/world", dirs_exist_ok=True)
    for file in ("setup.sh", needs.pypi, needs.npm, needs.npm and "package.json"):
        if file and (folder / file).exists():
            shutil.copy(folder / file, place / "environment" / file)
