"""The commands `playbooks review publish` and `settle`: from what was decided to the content, and to the site."""

import os
from collections.abc import Iterable
from datetime import date
from functools import partial
from itertools import chain
from pathlib import Path

import click

from build.reading import read_site
from library.content.git import Git
from library.options import content_option, today_option, var_option
from library.problems import UsageError
from writeapi.review.publishing.publish import DecisionResult, publish
from writeapi.review.publishing.targets import BranchTarget, ContentFolder, ContentTarget, author_of, start

from ..built import is_built, settled
from .group import out_option, review, reviewing


@review.command("publish", epilog="Example: playbooks review publish --branch --push origin")
@click.option("--branch", is_flag=True, help="Put each on a git branch accepted/<id> instead of into the folder.")
@click.option("--push", "remote", metavar="REMOTE", help="With --branch: fetch this remote first, and push to it.")
@click.option("--base", help="With --branch: where branches begin.  [default: the branch in site.yaml]")
@click.option("--author-name", help="With --branch: who commits.  [default: git's user.name]")
@click.option("--author-email", help="With --branch: that one's address.  [default: git's user.email]")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@content_option
@out_option
@var_option
@today_option
def publish_accepted(
    branch: bool,
    remote: str | None,
    base: str | None,
    author_name: str | None,
    author_email: str | None,
    dry_run: bool,
    content: Path,
    out: Path,
    var: Path,
    today: date,
) -> None:
    """Write what was accepted into the content, and take out what was taken back. Twice is the same as once."""
    if not branch and (remote or base or author_name or author_email):
        raise UsageError("--push, --base, --author-name and --author-email need --branch")
    author = (author_name, author_email)
    with reviewing(content, out, var, today) as services:
        target = (
            _branches(content, today, base, remote, author)
            if branch
            else ContentTarget(ContentFolder(content), services.shelf)
        )
        waiting = partial(click.echo, "waiting for another publisher …", err=True)
        done = publish(services, content, target, dry=dry_run, waiting=waiting)
        failed = _say(chain(done, () if dry_run else settled(services.store, content, out, os.environ)))
    raise SystemExit(1 if failed else 0)


@review.command("settle", epilog="Example: playbooks build && playbooks review settle")
@click.option("--site-url", help="The address of the site.  [default: the one that it was built for]")
@content_option
@out_option
@var_option
@today_option
def settle_built(site_url: str | None, content: Path, out: Path, var: Path, today: date) -> None:
    """Note as published what was accepted and is in the built site."""
    with reviewing(content, out, var, today) as services:
        if not is_built(out):
            raise UsageError(f"no built site at {out}; `playbooks build` makes it, and --out says where it is")
        failed = _say(settled(services.store, content, out, os.environ, site_url))
    raise SystemExit(1 if failed else 0)


def _branches(
    content: Path, today: date, base: str | None, remote: str | None, author: tuple[str | None, str | None]
) -> BranchTarget:
    """Branches that begin at `base`. Raises `UsageError` or `GitError`."""
    git = Git(content, os.environ)
    site = read_site(content, today, None)
    at = start(git, base or (site.branch if site else "main"), remote)
    return BranchTarget(git, at, author_of(git, *author), today, remote)


def _say(outcomes: Iterable[DecisionResult]) -> int:
    """Print a line for each, and one where there is none; count those that somebody has to look at."""
    failed, nothing = 0, True
    for outcome in outcomes:
        click.echo(str(outcome), err=outcome.failed)
        failed, nothing = failed + outcome.failed, False
    if nothing:
        click.echo("nothing to publish")
    return failed
