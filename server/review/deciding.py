"""The commands of the editor's desk: look at what waits, decide about it, edit what it becomes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import click

from library.problems import LibraryError, printable
from library.records.vocabulary import Decision, SubmissionKind
from writeapi.review.decisions import decide
from writeapi.review.services import ReviewServices

from .group import review, the_editor
from .sharing import (
    LIMIT,
    at_the_desk,
    chosen_of,
    edited,
    not_older,
    note_option,
    over_option,
    reason_option,
    say,
    text_in,
    version_of,
    version_option,
)
from .words import item_json, problem_lines, queue_json, shown, size_line, waiting_line


@review.command("list", epilog="Example: playbooks review list --kind run --playbook fix-flaky-tests")
@click.option("--kind", type=click.Choice(["run", *(kind.value for kind in SubmissionKind)]), help="Only these.")
@click.option("--playbook", default="", help="Only what names this playbook, by its slug.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@at_the_desk
def list_waiting(desk: ReviewServices, kind: str | None, playbook: str, as_json: bool) -> None:
    """What waits for a decision, oldest first."""
    size, rows = desk.store.queue_size(), desk.store.waiting(kind=kind or "", playbook=playbook, limit=LIMIT)
    if as_json:
        click.echo(queue_json(size, rows))
        return
    none = ["none of them"] if size.total and not rows else []
    say([size_line(size, _now(click.get_current_context().params["today"])), *map(waiting_line, rows), *none])


def _now(today: date) -> datetime:
    """The present time; of another day than this one, its beginning."""
    now = datetime.now(UTC)
    return now if now.date() == today else datetime.combine(today, time(), UTC)


@review.command("show", epilog="Example: playbooks review show sub_… --diff")
@click.argument("subject")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--diff", is_flag=True, help="Of files that exist, print what would change.")
@at_the_desk
def show(desk: ReviewServices, subject: str, as_json: bool, diff: bool) -> None:
    """All of one report or submission: what was sent, what was found, what it would become."""
    item = decide.item(desk, subject)
    say([item_json(item)] if as_json else shown(item, diff=diff))


@review.command("accept", epilog="Example: playbooks review accept sub_… --edited lessons/it-hangs.yaml mine.yaml")
@click.argument("subject")
@click.option(
    "--edited",
    "own",
    type=(str, click.Path(path_type=Path, exists=True, dir_okay=False)),
    multiple=True,
    metavar="FILE PATH",
    help="Take the text of FILE (its name in the content) from PATH; may be repeated.",
)
@click.option(
    "--base",
    "bases",
    type=(str, str),
    multiple=True,
    metavar="FILE SHA256",
    help="Of a FILE that is in the content and not in the draft: the SHA-256 of what you changed; may be repeated.",
)
@over_option
@note_option
@version_option
@at_the_desk
def accept(
    desk: ReviewServices,
    subject: str,
    own: Sequence[tuple[str, Path]],
    bases: Sequence[tuple[str, str]],
    over: bool,
    note: str | None,
    version: int | None,
) -> None:
    """Accept a submission as its draft, or as texts of your own; publishing takes it from there."""
    editor = the_editor(desk.store)
    item = decide.item(desk, subject)
    texts = {file.file: file.text for file in item.files} | {name: text_in(path) for name, path in own}
    seen = item.version if version is None else version
    taken = item.stale if over else ()
    decide.accept(desk, editor, subject, seen, texts, note, dict(bases), item.revision, taken)
    say([f"accepted {subject} as {', '.join(map(printable, texts))}"])


@review.command("approve", epilog="Example: playbooks review approve --playbook fix-flaky-tests")
@click.argument("subjects", nargs=-1)
@click.option("--playbook", help="All reports of this playbook that the review agent would accept.")
@click.option("--all", "whatever", is_flag=True, help="With --playbook: whatever the review agent says.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@at_the_desk
def approve(desk: ReviewServices, subjects: Sequence[str], playbook: str | None, whatever: bool, yes: bool) -> None:
    """Approve run reports; what fails the checks is told, and the others are approved."""
    editor = the_editor(desk.store)
    chosen = chosen_of(desk, subjects, playbook, whatever=whatever)
    if not chosen:
        more = "" if whatever else " that the review agent would accept; --all takes whatever waits"
        raise LibraryError(f"no report of this playbook waits{more}")
    if not yes:
        say(name for name, _ in chosen)
        if not click.confirm(f"approve {len(chosen)} run reports?"):
            click.echo("Aborted!", err=True)
            raise SystemExit(1)
    refused = decide.approve(desk, editor, chosen)
    say(f"approved {name}" for name, _ in chosen if name not in refused)
    if refused:
        raise LibraryError("\n".join(f"{printable(name)}: {why}" for name, why in refused.items()))


@review.command("reject", epilog="Example: playbooks review reject sub_… --reason off-topic")
@click.argument("subject")
@reason_option(Decision.REJECT)
@note_option
@version_option
@at_the_desk
def reject(desk: ReviewServices, subject: str, reasons: Sequence[str], note: str | None, version: int | None) -> None:
    """Reject a report or a submission."""
    editor = the_editor(desk.store)
    decide.reject(desk, editor, subject, version_of(desk, subject, version), reasons, note)
    say([f"rejected {subject}"])


@review.command("request-changes", epilog="Example: playbooks review request-changes sub_… --reason needs-fix")
@click.argument("subject")
@reason_option(Decision.REQUEST_CHANGES)
@note_option
@version_option
@at_the_desk
def request_changes(
    desk: ReviewServices, subject: str, reasons: Sequence[str], note: str | None, version: int | None
) -> None:
    """Ask the sender of a submission for changes."""
    editor = the_editor(desk.store)
    decide.request_changes(desk, editor, subject, version_of(desk, subject, version), reasons, note)
    say([f"asked for changes of {subject}"])


@review.command("send-back", epilog="Example: playbooks review send-back sub_… --reason check-failed")
@click.argument("subject")
@reason_option(Decision.SEND_BACK)
@note_option
@version_option
@at_the_desk
def send_back(
    desk: ReviewServices, subject: str, reasons: Sequence[str], note: str | None, version: int | None
) -> None:
    """Return an accepted submission to the editors; what is not written yet will not be."""
    editor = the_editor(desk.store)
    decide.send_back(desk, editor, subject, version_of(desk, subject, version), reasons, note)
    say([f"sent {subject} back"])


@review.command("withdraw", epilog="Example: playbooks review withdraw old-way --reason outdated --note 'Use new-way.'")
@click.argument("subject", metavar="ID|SLUG")
@reason_option(Decision.WITHDRAW)
@note_option
@click.option("--replaced-by", help="Of a playbook: the slug of the one to use instead.")
@at_the_desk
def withdraw(
    desk: ReviewServices, subject: str, reasons: Sequence[str], note: str | None, replaced_by: str | None
) -> None:
    """Take out an approved report, or a whole playbook, which leaves a tombstone that says why."""
    editor = the_editor(desk.store)
    decide.withdraw(desk, editor, subject, reasons, note, replaced_by)
    say([f"withdrew {subject}"])


@review.command("edit", epilog="Example: EDITOR=vim playbooks review edit sub_…")
@click.argument("subject")
@click.option("--file", "only", help="Only this file of the draft, or another to put beside: its name in the content.")
@click.option("--begin-again", "again", is_flag=True, help="First put files as they are in the place of older texts.")
@over_option
@at_the_desk
def edit(desk: ReviewServices, subject: str, only: str | None, again: bool, over: bool) -> None:
    """Open the draft of a submission in $EDITOR, print its problems and save it; a file left empty is dropped."""
    editor = the_editor(desk.store)
    item = decide.item(desk, subject)
    if again and item.stale:
        decide.begin_again(desk, editor, subject, item.version, item.revision)
        item = decide.item(desk, subject)
    if not over:
        not_older(item)
    texts, bases = edited(desk, item, only)
    revision = decide.save(
        desk, editor, subject, texts, item.revision, bases, version=item.version, over=item.stale if over else ()
    )
    say(problem_lines(decide.item(desk, subject).tried.problems))
    say([f"saved as revision {revision}"])


@review.command("promote", epilog="Example: playbooks review promote run_… --to lesson --title … --problem … --fix …")
@click.argument("subject")
@click.option("--to", "goal", type=click.Choice(["lesson", "failure"]), required=True, help="What it becomes.")
@click.option("--title", required=True, help="The symptom in a few words.")
@click.option("--problem", required=True, help="What is seen.")
@click.option("--fix", required=True, help="What mends it.")
@click.option("--slug", default="", help="The name of a lesson; else its title says it.")
@version_option
@at_the_desk
def promote(desk: ReviewServices, subject: str, goal: Any, version: int | None, **told: str) -> None:  # noqa: ANN401 - a choice of click's
    """Make a lesson, or a known failure of its playbook, of what a report teaches; a report that waits is approved."""
    editor = the_editor(desk.store)
    made = decide.promote(desk, editor, subject, version_of(desk, subject, version), goal, **told)
    say([f"promoted {subject}: accepted {made}"])
