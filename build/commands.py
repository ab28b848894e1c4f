"""The command `build`."""

import os
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import click

from library.options import content_option, on_terminal, plain_address, today_option
from library.problems import ContentError, count_of

from .settings import BuildReport, BuildSettings

F = TypeVar("F", bound=Callable[..., Any])


def default_jobs() -> int:
    """Two processes where there are two cores: more cost more memory than they bring."""
    return min(2, os.cpu_count() or 1)


jobs_option = click.option(
    "--jobs", type=click.IntRange(1, 64), default=default_jobs, show_default="2", help="How many processes work."
)


def site_url_option(about: str) -> Callable[[F], F]:
    """`--site-url`: the address of a site, absolute, http or https, without query or fragment."""

    def checked(_context: click.Context, _option: click.Parameter, given: str | None) -> str | None:
        return None if given is None else plain_address(given)

    return click.option("--site-url", metavar="ADDRESS", callback=checked, help=about)


@click.command(epilog="Example: playbooks build --content content --out site --today 2026-11-20")
@content_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("site"),
    show_default=True,
    help="The folder of the site: a link to a generation.",
)
@today_option
@jobs_option
@site_url_option("Another address than the one in site.yaml.")
@click.option("--release", is_flag=True, help="Also write the whole-library files.")
@click.option("--compress", is_flag=True, help="Also write .gz and .br beside the files, for servers that send those.")
@click.option("--profile", is_flag=True, help="Print the seconds of every stage.")
def build(
    content: Path, out: Path, today: date, jobs: int, site_url: str | None, release: bool, compress: bool, profile: bool
) -> None:
    """Build the static site and API from the content.

    Always all of it: the new site takes the place of the old one when it is whole. After an edit, serve with --watch
    makes only what the edit moves.
    """
    settings = BuildSettings(content, out, today, jobs, site_url, release=release, progress=say)
    report = built_or_exit(settings)
    for line in summary_lines(report, out, profile=profile):
        click.echo(line)
    if compress:
        from .output.compress import compress as compress_site

        count = compress_site(out, content, jobs, lambda: say("waiting for another build"))
        click.echo(f"{count:,} files compressed")


def built_or_exit(
    settings: BuildSettings, build_site: Callable[[BuildSettings], BuildReport] | None = None
) -> BuildReport:
    """The report of a build; problems in the content are printed, and end the command with 1."""
    from library.reports import as_text, below

    from .pipeline import build as build_whole

    try:
        return (build_site or build_whole)(settings)
    except ContentError as error:
        click.echo(as_text(below(settings.content, error.problems)), err=True)
        raise SystemExit(1) from error


def say(stage: str) -> None:
    """Name a stage on a terminal, on one line that the next takes over; elsewhere only that it waits."""
    if on_terminal():
        click.echo(f"\r\033[K{stage} …", nl=False, err=True)
    elif stage.startswith("waiting"):
        click.echo(f"{stage} …", err=True)


def summary_lines(report: BuildReport, out: Path, *, profile: bool) -> Iterator[str]:
    """What a build did, for people."""
    if on_terminal():
        click.echo("\r\033[K", nl=False, err=True)
    seconds = sum(report.seconds.values())
    kind = "what changed" if report.edit else "everything"
    yield (
        f"{out}: {count_of(report.playbooks, 'playbook')}, {report.files:,} files; built {kind}:"
        f" {report.written:,} written, {report.removed:,} removed, {seconds:.2f} s"
    )
    if report.warnings:
        yield f"{count_of(len(report.warnings), 'warning')}; `playbooks check` prints them"
    if profile:
        yield from (f"  {stage:<11} {spent:7.3f} s" for stage, spent in report.seconds.items())
