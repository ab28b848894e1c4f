"""The commands `playbooks trial …`."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import click
import orjson

from ..content.loading import check as check_content
from ..content.loading import read, read_playbook
from ..content.trialfiles import SKILLS, TRIALS, folder_of
from ..options import content_option, on_terminal, today_option
from ..problems import ContentError, Severity, UsageError
from ..records.models import Playbook
from ..records.trials import TrialSpec
from ..reports import below
from .proof import differences, keep, kept_proof, matrix, record_of
from .proving import Bench, Proof, prove
from .sandbox import Sandbox, TrialError, cache_folder, found_sandbox, workshop
from .starting import begin
from .tools import installed

NOT_PROVEN, BROKE = 1, 3
"""Exit codes of `prove`; what broke beside the playbook is no verdict on it."""
JOBS = max(2, min(8, 2 * (os.cpu_count() or 1)))


@click.group(epilog="Example: playbooks trial prove fix-flaky-tests")
def trial() -> None:
    """Prove a playbook's commands and checks on a prepared case, and run agents on it."""


@trial.command(epilog="Example: playbooks trial new fix-flaky-tests")
@click.argument("slug")
@content_option
@today_option
def new(slug: str, content: Path, today: date) -> None:
    """Begin a trial of the playbook SLUG: a folder with a place for each thing to write."""
    click.echo(f"began {begin(content, _book(content, slug, today), today)}")


@trial.command("prove", epilog="Example: playbooks trial prove fix-flaky-tests --jobs 2")
@click.argument("slugs", metavar="SLUG...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Prove every trial.")
@click.option("--changed", is_flag=True, help="Prove what differs from --base, and --others beside.")
@click.option("--base", default="main", show_default=True, help="The branch or commit that --changed looks from.")
@click.option(
    "--others", default=0, show_default=True, help="With --changed: so many more, the longest unproven first."
)
@click.option("--newest", is_flag=True, help="Install the newest versions, not the locks; nothing is written.")
@click.option("--compare", is_flag=True, help="Write nothing; not proven where the committed proof says otherwise.")
@click.option(
    "--jobs",
    default=JOBS,
    show_default="twice the processors, at most 8",
    type=click.IntRange(1, 64),
    help="States at a time.",
)
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="The result."
)
@content_option
@today_option
def prove_command(
    slugs: tuple[str, ...],
    every: bool,
    changed: bool,
    base: str,
    others: int,
    newest: bool,
    compare: bool,
    jobs: int,
    form: str,
    content: Path,
    today: date,
) -> None:
    """Prove trials: every check on every state of the world, the hidden grader, and every bound command.

    Exit codes: 0 all proven, 1 something is not, 2 wrong use, 3 something broke that says nothing of the playbook.
    """
    end_well()
    chosen = _chosen(content, slugs, every=every, changed=changed, base=base, others=others)
    sandbox = found_sandbox()
    if not sandbox.bwrap:
        click.echo("bubblewrap is not here or does not work: proving in a plain folder, which hides nothing", err=True)
    results = [_proved(content, slug, today, sandbox, jobs, newest=newest, compare=compare) for slug in chosen]
    if form == "json":
        click.echo(orjson.dumps(results, option=orjson.OPT_INDENT_2).decode())
    else:
        for result in results:
            click.echo(_as_text(result))
        counts = [sum(result["verdict"] == word for result in results) for word in ("proven", "not proven", "error")]
        click.echo("{} proven, {} not proven, {} with an error".format(*counts))
    verdicts = {result["verdict"] for result in results}
    raise SystemExit(BROKE if "error" in verdicts else NOT_PROVEN if "not proven" in verdicts else 0)


def _proved(
    content: Path, slug: str, today: date, base: Sandbox, jobs: int, *, newest: bool, compare: bool
) -> dict[str, Any]:
    """Prove one trial: what is printed of it."""
    began = time.monotonic()
    result: dict[str, Any] = {"trial": slug}
    try:
        spec, book = trial_of(content, slug, today)
        with workshop(cache_folder(os.environ)) as room:
            tools = installed(folder_of(content, slug), spec.needs, cache_folder(os.environ), today if newest else None)
            bench = Bench(spec, content, Sandbox(base.bwrap, tools), room)
            proof = prove(bench, today, jobs, _say)
        record = record_of(proof, spec, book, content, today)
        result |= {"verdict": "proven", "matrix": matrix(proof), "proof": record, "problems": _problems(proof)}
        if compare:
            result["problems"] += differences(kept_proof(content, slug), record)
        if result["problems"]:
            result["verdict"] = "not proven"
        elif not compare and not newest:
            keep(content, slug, record)
    except (TrialError, ContentError, OSError) as error:
        result |= {"verdict": "error", "problems": [str(error)]}
    return result | {"seconds": round(time.monotonic() - began, 1)}


def _problems(proof: Proof) -> list[str]:
    return list(proof.problems)


def _as_text(result: dict[str, Any]) -> str:
    proof = result.get("proof")
    caught = f", {proof['caught']} of {proof['cheats']} cheats caught" if proof else ""
    lines = [f"{result['trial']}: {result['verdict']}{caught} ({result['seconds']} s)"]
    if "matrix" in result:
        lines.append(result["matrix"])
    lines += [f"  {line}" for problem in result["problems"] for line in problem.splitlines()]
    return "\n".join(lines) + "\n"


def _say(text: str) -> None:
    if on_terminal():
        click.echo(text, err=True)


def end_well() -> None:
    """A polite end (SIGTERM) goes the way of Ctrl+C, so that no case and no process is left."""

    def interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)


def trial_of(content: Path, slug: str, today: date) -> tuple[TrialSpec, Playbook]:
    """A trial and its playbook. Raises `ContentError` with all that is wrong with either."""
    file = f"{TRIALS}/{slug}/trial.yaml"
    if not (content / file).is_file():
        raise UsageError(f"there is no trial of {slug!r}; `playbooks trial new {slug}` begins one")
    reading = read(content, file, today)
    if not isinstance(reading.record, TrialSpec):
        raise ContentError(below(content, reading.problems))
    _, problems = check_content(content, today)
    own = [item for item in problems if item.file.startswith((f"{TRIALS}/{slug}/", f"playbooks/{slug}."))]
    if any(item.severity is Severity.ERROR for item in own):
        raise ContentError(below(content, own))
    return reading.record, read_playbook(content, slug, today)


def _book(content: Path, slug: str, today: date) -> Playbook:
    if not (content / "playbooks" / f"{slug}.yaml").is_file():
        raise UsageError(f"there is no playbook {slug!r} in {content}")
    return read_playbook(content, slug, today)


def _chosen(content: Path, slugs: Sequence[str], *, every: bool, changed: bool, base: str, others: int) -> list[str]:
    """The trials that are asked for. Raises `UsageError` where none are, or one is not there."""
    if every + changed + bool(slugs) != 1:
        raise UsageError("name trials, or give --all or --changed")
    there = sorted(path.parent.name for path in (content / TRIALS).glob("*/trial.yaml"))
    if missing := [slug for slug in slugs if slug not in there]:
        raise UsageError(f"there is no trial of {', '.join(missing)}; `playbooks trial new SLUG` begins one")
    if not changed:
        return list(slugs) or there
    touched = _touched(content, base)
    rest = sorted((slug for slug in there if slug not in touched), key=lambda slug: (_day(content, slug), slug))
    return [*(slug for slug in there if slug in touched), *rest[:others]]


def _day(content: Path, slug: str) -> str:
    return str((kept_proof(content, slug) or {}).get("date", ""))


def _touched(content: Path, base: str) -> set[str]:
    """The slugs whose playbook, trial or shipped scripts differ from a commit."""
    names: list[str] = []
    for words in (["diff", "--name-only", "--relative", base], ["ls-files", "--others", "--exclude-standard"]):
        said = subprocess.run(["git", *words], cwd=content, capture_output=True, text=True, check=False)  # noqa: S607 - git
        if said.returncode:
            raise UsageError(f"git cannot say what changed since {base!r}: {said.stderr.strip()}")
        names += said.stdout.splitlines()
    return {slug for slug in map(_slug_of, names) if slug}


def _slug_of(name: str) -> str:
    folder, _, rest = name.partition("/")
    if folder == "playbooks":
        return rest.removesuffix(".yaml")
    return rest.partition("/")[0] if folder in (TRIALS, SKILLS) else ""
