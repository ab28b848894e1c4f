"""Runs of agents on a trial: with the playbook or with the bare sentence, graded outside, recorded as they came out."""

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from ..content.trialfiles import case_digest_of, digest_of, skill_of
from ..problems import LibraryError
from ..records.entries import version
from ..records.fields import zulu
from ..records.models import Playbook, Tested
from ..records.trials import TrialSpec
from ..records.vocabulary import UNNAMED_AGENT, Arm, Outcome
from .agents import PORT, AgentCommand, command_of, way_out, words_of
from .grading import grade
from .proving import Bench
from .sandbox import INSIDE, Mount, TrialError, copied, disk_is_full, shell_of

ORACLE, NOP = "oracle", "nop"
"""Agents that are built in: one runs the solution, one does nothing."""
TASK, CASE, HANDED, OUTCOME, TRANSCRIPT = "TASK.md", "case", "handover.json", "outcome.json", "transcript.txt"
BRIDGED = f"""python3 "$API/bridge.py" "$API/socket" {PORT} &
for _ in $(seq 200); do (exec 3<>/dev/tcp/127.0.0.1/{PORT}) 2>/dev/null && break; sleep 0.05; done
"""


@dataclass(frozen=True)
class Who:
    """Who ran it, as far as that is known."""

    agent: str = UNNAMED_AGENT
    agent_version: str | None = None
    model: str | None = None


def prompt_of(trial: TrialSpec, book: Playbook, arm: Arm) -> str:
    """The whole text of one arm. Both are told the same of what is there and what counts as done."""
    given = [
        f"{trial.sentence}\n\nDone means: {trial.done}\n\nThe files are in the current folder; there is no network."
    ]
    if arm is Arm.PLAYBOOK:
        given.append(f"Work by this playbook. Scripts that it names lie in $SKILL.\n\n{_text_of(trial, book)}")
    return "\n\n".join(given) + "\n"


def _text_of(trial: TrialSpec, book: Playbook) -> str:
    """The playbook as an agent reads it, with the inputs of this case."""
    parts = [f"# {book.title}", book.summary, f"What you end up with: {book.outcome}", trial.filled(book.prompt)]
    parts += [f"A person decides: {item}" for item in book.human_checkpoints]
    for number, step in enumerate(book.steps, 1):
        parts.append(f"## Step {number}: {step.title}\n\n{step.detail}\n\nCheck: {step.check}")
    parts += [f"What goes wrong: {item.problem}\nWhat mends it: {item.fix}" for item in book.failures]
    return "\n\n".join(parts)


def run_agent(
    bench: Bench, book: Playbook, arm: Arm, agent: str, who: Who, now: Callable[[], datetime], binds: tuple[Path, ...]
) -> tuple[dict[str, Any], str]:
    """One run in a fresh world: its record, and the transcript."""
    tools, case = bench.versions(), bench.world()
    begun, prompt, stopped, transcript = now(), prompt_of(bench.trial, book, arm), "", ""
    if agent == ORACLE:
        bench.made(ORACLE, case, "solution/solve.sh")
    elif agent != NOP:
        command = command_of(agent)
        who = Who(command.slug, who.agent_version, who.model) if who.agent == Who.agent else who
        transcript, stopped = _worked(bench, arm, command, prompt, case, binds)
    record = _record(bench, book, arm, who if agent not in (ORACLE, NOP) else Who(agent), tools, prompt)
    record |= {"started": zulu(begun), "minutes": round((now() - begun).total_seconds() / 60, 1), "stopped": stopped}
    return record | _graded(bench, case, stopped) | {"transcript": _sha(transcript)}, transcript


def _worked(
    bench: Bench, arm: Arm, agent: AgentCommand, prompt: str, case: Path, binds: tuple[Path, ...]
) -> tuple[str, str]:
    """Let the agent work: what it printed, and the limit that ended it, if one did."""
    seen = tuple(Mount(f"BIND_{number}", path.resolve(), str(path.resolve())) for number, path in enumerate(binds))
    with way_out(agent, bench.room, os.environ) as out:
        command = f"{BRIDGED if out else ''}{words_of(agent, prompt, binds)}"
        mounts = (*(bench.skill if arm is Arm.PLAYBOOK else ()), *seen, *out)
        finished = bench.sandbox.run(case, command, bench.trial.limit, mounts, agent.environment or {})
    return finished.output, finished.stopped


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
        "agent": who.agent,
        "agent_version": who.agent_version,
        "model": who.model,
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
    if arm is Arm.PLAYBOOK and (skill := skill_of(bench.content, book.slug)).is_dir():
        mounts = (Mount("SKILL", copied(skill, place.absolute() / "skill"), "/skill"),)
    shell = place / "shell"
    shell.write_text(shell_of(bench.sandbox, case, mounts, place.absolute() / TRANSCRIPT), encoding="utf-8")
    shell.chmod(0o755)
    prompt = prompt_of(bench.trial, book, arm)
    manner = (
        f"\nDo all of it by `{shell.absolute()} 'COMMAND'`, or with the command as its input (`<< 'END'`), reading and"
        f" writing files too, and the first look as well: each call is a sandbox of its own, in the folder that is"
        f" `{INSIDE}` there, and is recorded. Files there stay; processes and /tmp do not. Look at no files in any"
        " other way; where you did, say so at the end.\n"
    )
    (place / TASK).write_text(prompt + manner, encoding="utf-8")
    record = _record(bench, book, arm, Who(), bench.versions(), prompt)
    _write(place / HANDED, record | {"started": zulu(now)})


def grade_handed(bench: Bench, place: Path, who: Who, transcript: Path | None, now: datetime) -> dict[str, Any]:
    """The outcome of what was worked on in a handover, recorded in it; its minutes end with the last command."""
    record = handed(place)
    if record["trial_digest"] != digest_of(bench.content, bench.trial.slug):
        raise TrialError("the trial changed since it was handed over; hand it over anew")
    ended = datetime.fromtimestamp((place / TRANSCRIPT).stat().st_mtime, UTC) if (place / TRANSCRIPT).exists() else now
    minutes = round((ended - datetime.fromisoformat(record["started"])).total_seconds() / 60, 1)
    kept = _transcript_of(place, transcript)
    record |= {"agent": who.agent, "agent_version": who.agent_version, "model": who.model, "minutes": minutes}
    record |= {"stopped": "", "transcript": _sha(kept) if kept else None}
    record |= _graded(bench, place / CASE, "")
    _write(place / OUTCOME, record)
    return record


def _transcript_of(place: Path, last: Path | None) -> str:
    """What was done by the handover's shell, and then what was said of it, kept as one text beside the outcome."""
    parts = [place / TRANSCRIPT, *([last] if last else [])]
    kept = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in parts if path.is_file())
    if last:
        (place / TRANSCRIPT).write_text(kept, encoding="utf-8")
    return kept


def handed(place: Path) -> dict[str, Any]:
    """What was handed over in a folder."""
    return _read(place / HANDED, "is no handover")


def keep_run(folder: Path, record: Mapping[str, Any], transcript: str) -> Path:
    """Write a run's record and transcript into a new folder."""
    number = 1
    while (place := folder / f"{record['playbook']}-{record['arm']}-{record['agent']}-{number}").exists():
        number += 1
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
        "date": record["started"][:10],
        "by": by,
        "version": record["playbook_version"],
        "tools": [f"{name}: {said}" for name, said in record["tools"].items()],
        "minutes": round(record["minutes"]),
        "sandbox": record["sandbox"].partition(" ")[0],
        "transcript_digest": record["transcript"],
        "prompt_digest": record["prompt"],
    }
    entry = {name: facts[name] for name in Tested.model_fields if facts.get(name) is not None}
    Tested.model_validate(entry)
    return entry


def outcome_of(place: Path) -> dict[str, Any]:
    """The record of a run that was graded."""
    return _read(place / OUTCOME, "has no graded run")


def _read(path: Path, otherwise: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        raise LibraryError(f"{path.parent} {otherwise}: {error}") from error
    return found


def _write(path: Path, value: Mapping[str, Any]) -> None:
    path.write_bytes(orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n")
