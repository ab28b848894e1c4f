"""The commands `playbooks trial …`."""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import click
import msgspec.yaml
import orjson
from pydantic import ValidationError

from ..content.loading import check as check_content
from ..content.loading import errors_in, read_playbook
from ..content.trialfiles import SECOND, SKILLS, TRIALS
from ..options import content_option, on_terminal, today_option
from ..problems import ContentError, UsageError
from ..records.models import Playbook
from ..records.trials import TrialSpec
from ..records.vocabulary import UNNAMED_AGENT, Arm
from ..reports import below
from . import running
from .proving import Bench, differences, keep, kept_proof, matrix, prove, record_of, refusals
from .running import OUTCOME, TASK, begin, export
from .sandbox import Sandbox, TrialError, cache_folder, found_sandbox, installed, remove, workshop

BROKE = 3
EXITS = {"error": BROKE, "not proven": 1}  # exit codes of `prove`; what broke beside the playbook is no verdict on it
_PLACE = click.Path(path_type=Path)
_THERE = click.Path(path_type=Path, exists=True)
_FORMS, _ARMS = click.Choice(["text", "json"]), click.Choice([*map(str, Arm)])
_OTHERS = "With --changed: so many more, the longest unproven first."
_JOBS = "twice the processors, at most 8"
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
    if not (content / "playbooks" / f"{slug}.yaml").is_file():
        raise UsageError(f"there is no playbook {slug!r} in {content}")
    click.echo(f"began {begin(content, read_playbook(content, slug, today), today)}")


@trial.command("prove", epilog="Example: playbooks trial prove fix-flaky-tests --jobs 2")
@click.argument("slugs", metavar="SLUG...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Prove every trial.")
@click.option("--changed", is_flag=True, help="Prove what differs from --base, and --others beside.")
@click.option("--base", default="main", show_default=True, help="The branch or commit that --changed looks from.")
@click.option("--others", default=0, show_default=True, help=_OTHERS)
@click.option("--newest", is_flag=True, help="Install the newest versions, not the locks; nothing is written.")
@click.option("--compare", is_flag=True, help="Write nothing; not proven where the committed proof says otherwise.")
@click.option("--jobs", default=JOBS, show_default=_JOBS, type=click.IntRange(1, 64), help="States at a time.")
@click.option("--format", "form", type=_FORMS, default="text", show_default=True, help="The result.")
@content_option
@today_option
def prove_command(content: Path, today: date, jobs: int, form: str, newest: bool, compare: bool, **asked: Any) -> None:
    """Prove trials: every check on every state of the world, the hidden grader, and every bound command.

    Exit codes: 0 all proven, 1 something is not, 2 wrong use, 3 something broke that says nothing of the playbook.
    """
    chosen, sandbox = _chosen(content, **asked), found_sandbox()
    if not sandbox.bwrap:
        click.echo("bubblewrap is not here or does not work: proving in a plain folder, which hides nothing", err=True)
    with ending_well():
        results = []
        for slug in chosen:
            results.append(_proved(content, slug, today, sandbox.bwrap, jobs, newest=newest, compare=compare))
            if form == "text":
                click.echo(_as_text(results[-1]))
    verdicts = [result["verdict"] for result in results]
    if form == "json":
        click.echo(orjson.dumps(results, option=orjson.OPT_INDENT_2).decode())
    else:
        counts = map(verdicts.count, ("proven", "not proven", "error"))
        seconds = round(sum(result["seconds"] for result in results), 1)
        click.echo("{} proven, {} not proven, {} with an error ({} s)".format(*counts, seconds))
    raise SystemExit(next((code for verdict, code in EXITS.items() if verdict in verdicts), 0))


@trial.command("run", epilog="Example: playbooks trial run fix-flaky-tests --agent claude --arm bare --times 3")
@click.argument("slug", required=False)
@click.option("--agent", help="A preset (claude, codex), oracle, nop, or a command with {prompt} in it.")
@click.option("--arm", type=_ARMS, default=str(Arm.PLAYBOOK), show_default=True, help="What it is given.")
@click.option("--times", default=1, show_default=True, type=click.IntRange(1, 99), help="How many fresh worlds.")
@click.option("--bind", "binds", multiple=True, type=_THERE, help="A folder that the agent's program needs; read only.")
@click.option("--handover", type=_PLACE, help="Lay out the world and the text in this new folder.")
@click.option("--grade", "graded", type=_THERE, help="Decide the outcome of a handover.")
@click.option("--transcript", type=_THERE, help="With --grade: what was said, after what its shell recorded.")
@click.option("--name", default=UNNAMED_AGENT, show_default=True, help="The agent's slug, where it is truly known.")
@click.option("--agent-version", help="Its version.")
@click.option("--model", help="The model behind it.")
@click.option("--keep", type=_PLACE, default=Path(".cache/trials"), show_default=True, help="Where runs are kept.")
@click.option("--report", is_flag=True, help="Write a draft for `playbooks report`, which asks before it sends.")
@content_option
@today_option
def run_command(
    slug: str | None,
    agent: str | None,
    arm: str,
    times: int,
    binds: tuple[Path, ...],
    handover: Path | None,
    graded: Path | None,
    transcript: Path | None,
    keep: Path,
    report: bool,
    content: Path,
    today: date,
    **who: Any,
) -> None:
    """Let an agent work on the trial of SLUG in a sandbox, and decide the outcome outside of it.

    Exit codes: 0 it ran, whatever came of it; 2 wrong use; 3 something broke that says nothing of the agent.
    """
    if [bool(agent), bool(handover), bool(graded)].count(True) != 1 or bool(slug) == bool(graded):
        raise UsageError("say SLUG with --agent or with --handover, or --grade alone")
    by = {"agent": who.pop("name"), **who}
    name = slug or running.handed(graded or Path())["playbook"]
    sandbox, now = Sandbox(shutil.which("bwrap")), partial(datetime.now, UTC)
    try:
        if refusal := sandbox.refusal():
            raise TrialError(f"{refusal}; no agent runs without it")
        with ending_well(), _bench(content, name, today, sandbox.bwrap) as (bench, book):
            if handover:
                running.hand_over(bench, book, Arm(arm), handover, now())
                then = f"playbooks trial run --grade {handover}"
                click.echo(f"{handover / TASK} is all that is to be given; then: {then}")
            elif graded:
                _print_run(graded, running.grade_handed(bench, graded, by, transcript, now()), report=report)
            for _ in range(times if agent else 0):
                own = replace(bench, room=Path(mkdtemp(dir=bench.room)))
                record, said = running.run_agent(own, book, Arm(arm), agent or "", by, now, binds)
                _print_run(running.keep_run(keep, record, said), record, report=report)
                remove(own.room)
    except TrialError as error:
        click.echo(f"error: {error}", err=True)
        raise SystemExit(BROKE) from error


def _print_run(place: Path, record: dict[str, Any], *, report: bool) -> None:
    stopped = f", stopped by its limit of {record['stopped']}" if record["stopped"] else ""
    click.echo(f"{record['outcome']} ({record['arm']}, {record['minutes']} minutes{stopped}): {place}")
    if record["why"]:
        click.echo(f"  {record['why'].splitlines()[-1]}")
    if report and (draft := running.draft_report(place, record)):
        click.echo(f"  a draft: playbooks report {draft}")


@contextmanager
def _bench(
    content: Path, slug: str, today: date, bwrap: str | None, *, newest: bool = False
) -> Iterator[tuple[Bench, Playbook]]:
    """A trial that is ready, with its tools and room for cases, and its playbook."""
    spec, book = trial_of(content, slug, today)
    cache = cache_folder(os.environ)
    with workshop(cache) as room:
        tools = installed(content / TRIALS / slug, spec.needs, cache, today if newest else None)
        yield Bench(spec, content, Sandbox(bwrap, tools), room), book


@trial.command("tested", epilog="Example: playbooks trial tested run-1 run-2 --by maintainers")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=_THERE)
@click.option("--by", required=True, help="The handle of who had them run.")
def tested_command(runs: tuple[Path, ...], by: str) -> None:
    """Print graded runs, each a folder, as entries of their playbook's `tested`, to be pasted and formatted."""
    entries = []
    for place in runs:
        try:
            entries.append(running.tested_entry(running.handed(place, OUTCOME, "has no graded run"), by))
        except (KeyError, ValidationError) as error:
            raise UsageError(f"{place} makes no entry: {error}") from error
    click.echo(msgspec.yaml.encode({"tested": entries}).decode(), nl=False)


@trial.command("export", epilog="Example: playbooks trial export fix-flaky-tests tasks/fix-flaky-tests")
@click.argument("slug")
@click.argument("folder", type=_PLACE)
@content_option
@today_option
def export_command(slug: str, folder: Path, content: Path, today: date) -> None:
    """Write the trial of SLUG to FOLDER as a task of Harbor, which other benches read."""
    export(*trial_of(content, slug, today), content, folder)
    click.echo(f"wrote {folder}; try it: harbor run -p {folder} -a oracle")


def _proved(
    content: Path, slug: str, today: date, bwrap: str | None, jobs: int, *, newest: bool, compare: bool
) -> dict[str, Any]:
    """Prove one trial: what is printed of it."""
    began = time.monotonic()
    result: dict[str, Any] = {"trial": slug, "verdict": "error"}
    try:
        with _bench(content, slug, today, bwrap, newest=newest) as (bench, book):
            proof = prove(bench, today, jobs, lambda text: click.echo(text, err=True) if on_terminal() else None)
        result |= {"matrix": matrix(proof)} if proof.tried else {}
        result |= {"problems": list(proof.problems), "refusals": refusals(proof)}
        if not proof.broke:
            result["proof"] = record = record_of(proof, bench, book, today)
            result["problems"] += differences(kept_proof(content, slug), record) if compare else []
            result["verdict"] = "not proven" if result["problems"] else "proven"
            if result["verdict"] == "proven" and not compare and not newest:
                keep(content, slug, record)
    except (TrialError, ContentError, OSError) as error:
        result |= {"verdict": "error", "problems": [str(error)]}
    return result | {"seconds": round(time.monotonic() - began, 1)}


def _as_text(result: dict[str, Any]) -> str:
    caught = ""  # how many cheats were, of the second set apart
    cheats = {name: one for name, one in result.get("proof", {}).get("states", {}).items() if one["kind"] == "cheat"}
    for second, words in ((False, "cheats caught"), (True, "of the second set")):
        fails = ["fails" in one["checks"].values() for name, one in cheats.items() if name.startswith(SECOND) is second]
        caught += f", {sum(fails)} of {len(fails)} {words}" if fails else ""
    lines = [f"{result['trial']}: {result['verdict']}{caught} ({result['seconds']} s)"]
    if "matrix" in result:
        lines.append(result["matrix"])
    for name, checks in result.get("refusals", {}).items():
        lines += [f"{name}, check {number}: {said}" for number, said in checks.items()]
    lines += [f"  {line}" for problem in result["problems"] for line in problem.splitlines()]
    return "\n".join(lines) + "\n"


@contextmanager
def ending_well() -> Iterator[None]:
    """A polite end (SIGTERM) goes the way of Ctrl+C, so that no case and no process is left."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def trial_of(content: Path, slug: str, today: date) -> tuple[TrialSpec, Playbook]:
    """A trial and its playbook. Raises `ContentError` with all that is wrong with either."""
    if not (content / TRIALS / slug / "trial.yaml").is_file():
        raise UsageError(f"there is no trial of {slug!r}; `playbooks trial new {slug}` begins one")
    library, problems = check_content(content, today)
    own = (item for item in errors_in(problems) if item.file.startswith((f"{TRIALS}/{slug}/", f"playbooks/{slug}.")))
    if wrong := below(content, own):
        raise ContentError(wrong)
    return library.trials[slug], read_playbook(content, slug, today)


def _chosen(content: Path, *, slugs: Sequence[str], every: bool, changed: bool, base: str, others: int) -> list[str]:
    """The trials that are asked for. Raises `UsageError` where none are, or one is not there."""
    if every + changed + bool(slugs) != 1:
        raise UsageError("name trials, or give --all or --changed")
    there = sorted(path.parent.name for path in (content / TRIALS).glob("*/trial.yaml"))
    if missing := [slug for slug in slugs if slug not in there]:
        raise UsageError(f"there is no trial of {', '.join(missing)}; `playbooks trial new SLUG` begins one")
    if not changed:
        return list(slugs) or there
    names = ""  # of files in the playbooks, trials and shipped scripts that differ from a commit
    for words in (["diff", "--name-only", "--relative", base], ["ls-files", "--others", "--exclude-standard"]):
        said = subprocess.run(["git", *words], cwd=content, capture_output=True, text=True, check=False)  # noqa: S607 - git
        if said.returncode:
            raise UsageError(f"git cannot say what changed since {base!r}: {said.stderr.strip()}")
        names += said.stdout
    touched = set(re.findall(rf"^(?:playbooks|{TRIALS}|{SKILLS})/([^/.\n]+)", names, re.MULTILINE))
    rest = sorted(set(there) - touched, key=lambda slug: ((kept_proof(content, slug) or {}).get("date", ""), slug))
    return [*(slug for slug in there if slug in touched), *rest[:others]]
