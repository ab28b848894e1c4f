"""`proven.json` beside a trial: what was proven, of which version, on which day; and the same as a matrix."""

from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import orjson

from ..content.trialfiles import PROOF, digest_of, folder_of
from ..durable import replace_file
from ..records.entries import version
from ..records.models import Playbook
from ..records.trials import TrialSpec
from .proving import Proof

_OF_THE_DAY = ("date", "tools", "sandbox")
"""What may differ from one machine and day to the next."""
_LINE = 160


def record_of(proof: Proof, trial: TrialSpec, book: Playbook, content: Path, today: date) -> dict[str, Any]:
    """What is kept of a proof: the same for the same content, tools and day."""
    cheats = [one for one in proof.tried if one.state.kind == "cheat"]
    return {
        "date": today.isoformat(),
        "playbook": book.slug,
        "playbook_version": version(book),
        "trial_digest": digest_of(content, trial.slug),
        "tools": proof.tools,
        "sandbox": proof.sandbox,
        "cheats": len(cheats),
        "caught": sum(one.caught for one in cheats),
        "commands": sum(binding.excused is None for binding in trial.spans.values()),
        "checks": dict(trial.checks),
        "states": {
            one.state.name: {
                "kind": one.state.kind,
                "checks": {number: "passes" if passes else "fails" for number, passes in one.checks.items()},
                "grader": str(one.outcome),
            }
            for one in proof.tried
        },
        "excuses": {
            span: {"why": binding.excused, "until": str(binding.until)}
            for span, binding in trial.spans.items()
            if binding.excused
        },
        "shims": {span: binding.shim for span, binding in trial.spans.items() if binding.shim},
    }


def kept_proof(content: Path, slug: str) -> dict[str, Any] | None:
    """The committed proof of a trial, if it has one."""
    try:
        found: dict[str, Any] = orjson.loads((folder_of(content, slug) / PROOF).read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return None
    return found


def keep(content: Path, slug: str, record: Mapping[str, Any]) -> None:
    """Write the proof beside the trial."""
    replace_file(folder_of(content, slug) / PROOF, orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n")


def differences(kept: Mapping[str, Any] | None, record: Mapping[str, Any]) -> Iterator[str]:
    """What a committed proof says otherwise than this one; tools and days may differ."""
    if kept is None:
        yield f"there is no {PROOF}; `playbooks trial prove` writes it, commit it"
        return
    for name in sorted({*kept, *record} - {*_OF_THE_DAY}):
        if kept.get(name) != record.get(name):
            yield f"the committed {PROOF} has another {name}; prove it anew and commit the file"


def refusals(proof: Proof) -> dict[str, dict[str, str]]:
    """Of each cheat the checks that refuse it, with the last line that each printed: one that breaks looks caught."""
    return {
        one.state.name: {n: _last(one.said[n]) for n, passes in one.checks.items() if not passes}
        for one in proof.tried
        if one.state.kind == "cheat"
    }


def _last(said: str) -> str:
    return said.strip().rpartition("\n")[2][:_LINE] or "(printed nothing)"


def matrix(proof: Proof) -> str:
    """States in rows, checks in columns: `+` passes, `-` fails; last the grader."""
    numbers = list(proof.tried[0].checks)
    width = max(len(one.state.name) for one in proof.tried)
    lines = [f"{'':<{width}}  {'':<8}  {' '.join(f'{number:>2}' for number in numbers)}  grader"]
    for one in proof.tried:
        marks = " ".join(f"{'+' if one.checks[number] else '-':>2}" for number in numbers)
        lines.append(f"{one.state.name:<{width}}  {one.state.kind:<8}  {marks}  {one.outcome}")
    return "\n".join(lines)
