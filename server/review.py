"""The commands `playbooks review …`: the review agent, the decisions of editors, and publishing, from a terminal.

What was sent is printed without anything that a terminal would obey.
"""

import json
import os
import secrets
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, date, datetime, time
from functools import partial, wraps
from itertools import chain
from pathlib import Path
from typing import Any

import click

from build.output.generations import manifest_of
from library.content.loading import some_bytes
from library.interface.errors import codes_for
from library.options import content_option, today_option, var_option
from library.problems import ContentError, LibraryError, UsageError, printable
from library.records.naming import name_problem
from library.records.vocabulary import Advice, Decision, Scope, SubmissionKind, SubmissionState
from writeapi.keys import hash_of, is_id, is_key
from writeapi.review.decisions import decide
from writeapi.review.decisions.decide import Goal
from writeapi.review.decisions.items import BY_NAME, OF_DECISION
from writeapi.review.decisions.texts import OLDER, digest, of_library, refuse
from writeapi.review.publishing.publish import DecisionResult, publish
from writeapi.review.screening.screen import Screened, reviewer_from, screen_all
from writeapi.review.services import ReviewServices, record_of
from writeapi.review.web.pages import age, as_text
from writeapi.store import Store
from writeapi.store.engine import NotFound
from writeapi.store.records import Member, Waiting

from .queue import ContentShelf, opened_queue, settled
from .work import Publishing, publishing_options, reviewer_option, stopping

KEY_VARIABLE = "PLAYBOOKS_EDITOR_KEY"

_SITE = click.Path(path_type=Path)
_out = click.option("--out", type=_SITE, default=Path("site"), show_default=True, help="Where the site is built.")


@click.group(epilog="Example: playbooks review list")
def review() -> None:
    """Review what was sent: screen it, decide about it, and publish what was accepted."""


def with_services(command: Callable[..., None]) -> Callable[..., None]:
    """Hand a command what review works with as its first argument, and give it the options that say where that is."""

    @wraps(command)
    def run(content: Path, var: Path, today: date, **rest: object) -> None:
        with opened_queue(os.environ, var) as store:
            try:
                command(ReviewServices(store, ContentShelf(content, lambda: today), secrets.token_bytes), **rest)
            except ContentError as error:
                raise LibraryError(of_library(error)) from error

    return content_option(var_option(today_option(run)))


def place() -> tuple[Path, date]:
    """The folder of the content, and the day, of the command that runs."""
    told = click.get_current_context().params
    return told["content"], told["today"]


def the_editor(store: Store) -> Member:
    """Whose key is in the environment, or is typed. Raises `UsageError` unless it is an editor's."""
    key: str | None = os.environ.get(KEY_VARIABLE)
    if not key:  # it is typed, unseen; or comes by a pipe, where nothing is seen anyway
        key = str(click.prompt("Editor's key", hide_input=sys.stdin.isatty(), err=True))
    found = store.caller(hash_of(key), Scope.REVIEW) if is_key(key) else None
    if found is None or not found.editor:
        raise UsageError(
            f"this needs an editor's key, with the scope review: set {KEY_VARIABLE}, or type it when asked"
        )
    return found


@review.command("screen", epilog="Example: playbooks review screen --limit 20")
@click.option("--limit", type=click.IntRange(1), help="Screen at most so many items.")
@reviewer_option
@with_services
def screen_queue(services: ReviewServices, limit: int | None, reviewer_timeout: float) -> None:
    """Let the review agent look at what nobody has screened yet, and print a line for each item.

    `playbooks serve` and `playbooks work` do so by themselves.
    """
    reviewer = reviewer_from(os.environ, reviewer_timeout, partial(click.echo, err=True))
    tally: Counter[str] = Counter()
    with stopping() as stop:
        for done in screen_all(services, reviewer, limit=limit, stop=stop.is_set):
            tally[done.review.advice if done.review else "skipped"] += 1
            click.echo(line_of(done))
    screened = tally.total() - tally["skipped"]
    parts = [f"{tally[name]} {name}" for name in (*map(str, Advice), "skipped") if tally[name]]
    click.echo(f"screened {screened}" + (f": {', '.join(parts)}" if parts else ""))


def line_of(done: Screened) -> str:
    """An item as one line: id, kind, advice, and the codes of what was found; or why it was skipped."""
    if done.review is None:
        return printable(f"{done.subject}  skipped: {done.skipped}")
    codes = ",".join(dict.fromkeys(finding.code for finding in done.review.findings))
    return printable(f"{done.subject}  {done.kind}  {done.review.advice}  {codes or '-'}")


@review.command("publish", epilog="Example: playbooks review publish --branch --push origin")
@publishing_options
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@_out
@with_services
def publish_accepted(services: ReviewServices, dry_run: bool, out: Path, branch: bool, **how: Any) -> None:
    """Write what was accepted into the content, and take out what was taken back. Twice is the same as once."""
    content, today = place()
    target = Publishing(branch, **how).target(content, services, today, os.environ)
    waiting = partial(click.echo, "waiting for another publisher …", err=True)
    done = publish(services, content, target, dry=dry_run, waiting=waiting)
    _told(chain(done, () if dry_run else settled(services.store, content, out, os.environ)))


@review.command("settle", epilog="Example: playbooks build && playbooks review settle")
@click.option("--site-url", help="The address of the site.  [default: the one that it was built for]")
@_out
@with_services
def settle_built(services: ReviewServices, site_url: str | None, out: Path) -> None:
    """Note as published what was accepted and is in the built site."""
    if manifest_of(out.absolute().resolve().parent) is None:  # no site was built to its end
        raise UsageError(f"no built site at {out}; `playbooks build` makes it, and --out says where it is")
    _told(settled(services.store, place()[0], out, os.environ, site_url))


def _told(outcomes: Iterable[DecisionResult]) -> None:
    """Print a line for each, and one where there is none; ends with 1 where somebody has to look at one."""
    failed = []
    for outcome in outcomes:
        click.echo(str(outcome), err=outcome.failed)
        failed.append(outcome.failed)
    if not failed:
        click.echo("nothing to publish")
    raise SystemExit(1 if any(failed) else 0)


LIMIT = 100_000  # how many rows of the queue a command looks at

_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_OWN = "Take the text of FILE (its name in the content) from PATH; may be repeated."
_BASE = "Of a FILE that is in the content and not in the draft: the SHA-256 of what you changed; may be repeated."
_VERSION = "The version that `show` printed; refuses when it changed since."
_OVER = "A text made from an older file takes its place: you compared."
_note_option = click.option("--note", help="A sentence of your own for its sender.")
_version_option = click.option("--version", type=int, help=_VERSION)
_over_option = click.option("--over-changes", "over", is_flag=True, help=_OVER)


def _reason_option(decision: Decision) -> Callable[[Callable[..., None]], Callable[..., None]]:
    known = click.Choice(codes_for(decision))
    return click.option("--reason", "reasons", type=known, multiple=True, required=True, help="Why; may be repeated.")


def _command(name: str, surroundings: str = "") -> Callable[[Callable[..., None]], click.Command]:
    action = BY_NAME[name]
    example = f"Example: {surroundings}playbooks review {action.example}"
    return review.command(action.key, help=f"{action.help} The editor's key: {KEY_VARIABLE}, or typed.", epilog=example)


def _done(name: str, *words: object) -> None:
    click.echo(BY_NAME[name].receipt.format(*words))


@review.command("list", epilog="Example: playbooks review list --kind run --playbook fix-flaky-tests")
@click.option("--kind", type=click.Choice(["run", *(kind.value for kind in SubmissionKind)]), help="Only these.")
@click.option("--playbook", default="", help="Only what names this playbook, by its slug.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@with_services
def list_waiting(services: ReviewServices, kind: str | None, playbook: str, as_json: bool) -> None:
    """What waits for a decision, oldest first."""
    store = services.store
    size, rows = store.queue_size(), store.waiting(kind=kind or "", playbook=playbook, limit=LIMIT)
    if as_json:
        queue = {"total": size.total, "kinds": dict(size.kinds), "oldest": size.oldest, "items": rows}
        click.echo(json.dumps(queue, indent=2, default=asdict))
        return
    if size.oldest is None:
        click.echo("nothing waits")
    else:
        now, today = datetime.now(UTC), place()[1]
        now = now if now.date() == today else datetime.combine(today, time(), UTC)  # of another day its beginning
        kinds = ", ".join(f"{count} {kind}" for kind, count in size.kinds.items())
        click.echo(f"{size.total} wait ({kinds}); the oldest since {size.oldest}, {age(size.oldest, now)}")
    for row in rows:
        click.echo(_waiting_line(row))
    if size.total and not rows:
        click.echo("none of them")


@review.command("show", epilog="Example: playbooks review show sub_… --diff")
@click.argument("subject")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--diff", is_flag=True, help="Of files that exist, print what would change.")
@with_services
def show(services: ReviewServices, subject: str, as_json: bool, diff: bool) -> None:
    """All of one report or submission: what was sent, what was found, what it would become."""
    item = decide.item(services, subject)
    click.echo(_item_json(item) if as_json else as_text(item, diff=diff), nl=as_json)


@_command("accept")
@click.argument("subject")
@click.option("--edited", "own", type=(str, _FILE), multiple=True, metavar="FILE PATH", help=_OWN)
@click.option("--base", "given", type=(str, str), multiple=True, metavar="FILE SHA256", help=_BASE)
@_over_option
@_note_option
@_version_option
@with_services
def accept(
    services: ReviewServices,
    subject: str,
    own: Sequence[tuple[str, Path]],
    given: Sequence[tuple[str, str]],
    over: bool,
    note: str | None,
    version: int | None,
) -> None:
    """Accept a submission as its draft, some of its files as texts of the editor's own."""
    editor = the_editor(services.store)
    item = decide.item(services, subject)
    texts, bases = item.texts, {file.file: file.base for file in item.files if file.base} | dict(given)
    for name, path in own:
        try:
            texts[name] = some_bytes(path).decode()
        except UnicodeDecodeError:
            raise UsageError(f"{path} is not UTF-8 text; save it as UTF-8") from None
    if over:
        bases |= {file: digest(item.olds[file]) for file in item.stale if file in item.olds}
    seen = item.record.version if version is None else version
    decide.accept(services, editor, subject, seen, texts, note, bases, item.revision)
    _done("accept", f"{subject} as {', '.join(map(printable, texts))}")


@_command("approve")
@click.argument("subjects", nargs=-1)
@click.option("--playbook", help="All reports of this playbook that the review agent would accept.")
@click.option("--all", "whatever", is_flag=True, help="With --playbook: whatever the review agent says.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@with_services
def approve(services: ReviewServices, subjects: Sequence[str], playbook: str | None, whatever: bool, yes: bool) -> None:
    """Approve run reports; those that are refused are told of at the end."""
    editor, store = the_editor(services.store), services.store
    if bool(subjects) == bool(playbook) or (whatever and not playbook):
        raise UsageError("name run reports by their ids, or a playbook with --playbook; --all goes with that only")
    if playbook:
        rows = store.waiting(kind="run", playbook=playbook, limit=LIMIT)
        chosen = {row.id: row.version for row in rows if whatever or row.advice == Advice.ACCEPT}
    else:  # of one that is not there, `approve` says so
        chosen = {name: run.version if (run := store.run(name)) else 0 for name in subjects if is_id(name)}
        chosen |= {name: 0 for name in subjects if name not in chosen}
        if not any(chosen.values()):
            raise NotFound("There is no report with this id.")
    if not chosen:
        more = "" if whatever else " that the review agent would accept; --all takes whatever waits"
        raise LibraryError(f"no report of this playbook waits{more}")
    if not yes:
        click.echo("\n".join(chosen))
        if not click.confirm(f"approve {len(chosen)} run reports?"):
            raise LibraryError("nothing was approved")
    refused = decide.approve(services, editor, list(chosen.items()))
    for name in chosen:
        if name not in refused:
            _done("approve", name)
    if refused:
        raise LibraryError("\n".join(f"{printable(name)}: {why}" for name, why in refused.items()))


def _against(decision: Decision) -> None:
    """The command of a decision that needs a version and reasons, and nothing else."""
    name = OF_DECISION[decision].name

    @_command(name)
    @click.argument("subject")
    @_reason_option(decision)
    @_note_option
    @_version_option
    @with_services
    def command(
        services: ReviewServices, subject: str, reasons: Sequence[str], note: str | None, version: int | None
    ) -> None:
        decide.conclude(services, the_editor(services.store), decision, subject, version, reasons, note)
        _done(name, subject)


_against(Decision.REJECT)
_against(Decision.REQUEST_CHANGES)
_against(Decision.SEND_BACK)


@_command("withdraw")
@click.argument("subject", metavar="ID|SLUG")
@_reason_option(Decision.WITHDRAW)
@_note_option
@click.option("--replaced-by", help="Of a playbook: the slug of the one to use instead.")
@with_services
def withdraw(
    services: ReviewServices, subject: str, reasons: Sequence[str], note: str | None, replaced_by: str | None
) -> None:
    """Take out an approved report or a playbook, as it stands."""
    editor = the_editor(services.store)
    if is_id(subject):
        decide.conclude(services, editor, Decision.WITHDRAW, subject, None, reasons, note)
    else:
        decide.withdraw_playbook(services, editor, subject, reasons, note, replaced_by)
    _done("withdraw", subject)


@_command("edit", "EDITOR=vim ")
@click.argument("subject")
@click.option("--file", "only", help="Only this file of the draft, or another to put beside: its name in the content.")
@click.option("--begin-again", "again", is_flag=True, help="First put files as they are in the place of older texts.")
@_over_option
@with_services
def edit(services: ReviewServices, subject: str, only: str | None, again: bool, over: bool) -> None:
    """Open the draft in $EDITOR and save it, whatever its problems."""
    editor = the_editor(services.store)
    item = decide.item(services, subject)
    if again and item.stale:
        decide.begin_again(services, editor, subject, item.record.version, item.revision)
        item = decide.item(services, subject)
    if item.stale and not over:  # before anybody types
        names = ", ".join(map(printable, sorted(item.stale)))
        raise LibraryError(f"{names}: {OLDER} [base-changed]; `edit --begin-again`, or --over-changes")
    texts = item.texts
    if only and only not in texts:
        refuse(problem for problem in [name_problem(only)] if problem)
        texts[only] = services.shelf.text(only) or ""
    bases = {file: digest(now) for file in texts if (now := services.shelf.text(file)) is not None}
    for file in [only] if only else [*texts]:
        click.echo(printable(f"editing {file}"))
        typed = click.edit(texts[file], extension=".yaml", require_save=False)
        texts[file] = texts[file] if typed is None else typed
    kept = {file: text for file, text in texts.items() if text.strip()}
    revision = decide.save(services, editor, subject, kept, item.revision, bases, version=item.record.version)
    for problem in decide.item(services, subject).tried.problems:
        click.echo(str(problem))
    _done("edit", revision)


@_command("promote")
@click.argument("subject")
@click.option("--to", "goal", type=click.Choice(["lesson", "failure"]), required=True, help="What it becomes.")
@click.option("--title", required=True, help="The symptom in a few words.")
@click.option("--problem", required=True, help="What is seen.")
@click.option("--fix", required=True, help="What mends it.")
@click.option("--slug", default="", help="The name of a lesson; else its title says it.")
@_version_option
@with_services
def promote(services: ReviewServices, subject: str, goal: Goal, version: int | None, **words: str) -> None:
    """Make a lesson or a known failure of a report."""
    editor = the_editor(services.store)
    seen = record_of(services.store, subject).version if version is None else version
    _done("promote", subject, decide.promote(services, editor, subject, seen, goal, **words))


def _waiting_line(row: Waiting) -> str:
    advice = f"{row.advice} ({row.findings})" if row.advice else "written by an editor"
    if row.state == SubmissionState.QUEUED or (row.kind == "run" and not row.advice):
        advice = "not screened yet"
    parts = (row.id, row.kind, advice, row.created, row.contributor or "-", row.playbook or "-", row.title)
    return printable("  ".join(parts))


def _item_json(item: decide.Item) -> str:
    """All of one subject as JSON; where it came from and its token's hash are left out."""
    hidden = ("origin", "edit_hash", "contributor_id", "history", "filed", "went")
    problems, verdicts = item.tried.problems, item.tried.verdicts.items()
    answer = {name: value for name, value in asdict(item.record).items() if name not in hidden} | {
        **{name: getattr(item, name) for name in ("kind", "review", "steps", "revision", "actions")},
        "stale": sorted(item.stale),
        "files": [{**asdict(one), "problems": [str(p) for p in problems if p.file == one.file]} for one in item.files],
        "trust": {slug: [before and before.level, after.level] for slug, (before, after) in verdicts},
        "outbox": item.entries,
    }
    return json.dumps(answer, indent=2, sort_keys=True, default=asdict)
