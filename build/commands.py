"""The command `build`."""

import os
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Annotated, BinaryIO

import click
import msgspec

from library.options import content_option, on_terminal, today_option
from library.problems import ContentError, UsageError

from .settings import BuildReport, BuildSettings

MOST_PENDING = 1_000_000_000  # no queue holds more reports of one playbook


def default_jobs() -> int:
    """Two processes where there are two cores: more cost more memory than they bring."""
    return min(2, os.cpu_count() or 1)


jobs_option = click.option(
    "--jobs", type=click.IntRange(1, 64), default=default_jobs, show_default="2", help="How many processes work."
)


class SiteAddress(click.ParamType[str]):
    """The address of a site: absolute, http or https, without query or fragment."""

    name = "address"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The address, or a usage error that says how to write one."""
        from pydantic import TypeAdapter, ValidationError

        from library.records.fields import Url

        try:
            address: str = TypeAdapter(Url).validate_python(value)
        except ValidationError:
            address = ""
        if not address or set("?#") & set(address):
            self.fail(f"{value!r} is no plain http(s) address, such as https://library.example", param, ctx)
        return address


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
@click.option("--site-url", type=SiteAddress(), help="Another address than the one in site.yaml.")
@click.option("--release", is_flag=True, help="Also write the whole-library files.")
@click.option("--compress", is_flag=True, help="Also write .gz and .br beside the files, for servers that send those.")
@click.option(
    "--pending", type=click.File("rb"), help="JSON of waiting run reports by playbook; `playbooks pending` prints it."
)
@click.option("--profile", is_flag=True, help="Print the seconds of every stage.")
def build(
    content: Path,
    out: Path,
    today: date,
    jobs: int,
    site_url: str | None,
    release: bool,
    compress: bool,
    pending: BinaryIO | None,
    profile: bool,
) -> None:
    """Build the static site and API from the content.

    Always all of it: the new site takes the place of the old one when it is whole. After an edit, serve with --watch
    makes only what the edit moves.
    """
    waiting = read_pending(pending) if pending else {}
    settings = BuildSettings(content, out, today, jobs, site_url, waiting, release=release, progress=say)
    report = built_or_exit(settings)
    for line in summary_lines(report, out, profile=profile):
        click.echo(line)
    if compress:
        from .output.compress import compress as compress_site

        count = compress_site(out, content, jobs, lambda: say("waiting for another build"))
        click.echo(f"{count:,} files compressed")


def read_pending(file: BinaryIO) -> dict[str, int]:
    """The counts of waiting run reports by playbook. Raises `UsageError` for a file that holds none."""
    try:
        return msgspec.json.decode(file.read(), type=dict[str, Annotated[int, msgspec.Meta(ge=0, le=MOST_PENDING)]])
    except msgspec.DecodeError as error:
        raise UsageError(f"{file.name} is no JSON object of counts by playbook: {error}") from error


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
    books = "playbook" if report.playbooks == 1 else "playbooks"
    yield (
        f"{out}: {report.playbooks:,} {books}, {report.files:,} files; built {kind}:"
        f" {report.written:,} written, {report.removed:,} removed, {seconds:.2f} s"
    )
    if report.warnings:
        count = len(report.warnings)
        yield f"{count} warning{'' if count == 1 else 's'}; `playbooks check` prints them"
    if profile:
        yield from (f"  {stage:<11} {spent:7.3f} s" for stage, spent in report.seconds.items())
