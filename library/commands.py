"""The commands of the domain: check, fmt, schemas and stats."""

import sys
from datetime import date
from pathlib import Path

import click

from .content.formatting import fix_files, format_files
from .content.loading import check as check_content
from .content.loading import load
from .options import Progress, content_option, today_option
from .problems import ContentError, Severity, count_of
from .records.schemas import FOLDER, keep_schemas, write_schemas
from .reports import FORMATS, as_text, below, looked_at, with_excerpts
from .rules.judgment import judged
from .rules.statistics import breadth_lines, gap_lines, summary_lines


@click.command(epilog="Example: playbooks check --content content --format github")
@content_option
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help="How problems are printed.",
)
@click.option("--strict", is_flag=True, help="Count warnings as problems for the exit code.")
@click.option("--for-merge", is_flag=True, help="Ask all that is asked before a merge: form and completeness too.")
@click.option("--fix", is_flag=True, help="First make each change that mends a problem for sure, and say which.")
@today_option
def check(content: Path, form: str, strict: bool, for_merge: bool, fix: bool, today: date) -> None:
    """Check the content and print every problem with its place and mend."""
    find = judged if for_merge else check_content
    for problem in below(content, fix_files(content, today, find) if fix else ()):
        click.echo(f"mended {problem}", err=True)
    library, problems = find(content, today, progress=Progress("checking"))
    keep_schemas(content)
    if form == "text" and sys.stdout.isatty():
        printed = "\n".join(with_excerpts(content, problems))
    else:
        printed = FORMATS[form](below(content, problems))
    if printed:
        click.echo(printed)
    click.echo(looked_at(library, content, problems), err=True)
    if library.drafts:
        left_out = count_of(len(library.drafts), "draft")
        click.echo(f"{left_out} left out: {', '.join(sorted(library.drafts))}", err=True)
    if (strict and problems) or any(problem.severity is Severity.ERROR for problem in problems):
        raise SystemExit(1)


@click.command(epilog="Example: playbooks fmt content/playbooks/fix-flaky-tests.yaml")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, exists=True))
@content_option
@click.option("--check", "only_check", is_flag=True, help="Change nothing; exit 1 when something would change.")
def fmt(paths: tuple[Path, ...], content: Path, only_check: bool) -> None:
    """Write YAML files in the canonical form; comments stay. Without PATHS: all of the content."""
    changed, problems = format_files(paths, content, write=not only_check)
    for path in changed:
        click.echo(f"{'would change' if only_check else 'changed'} {path}")
    if problems:
        click.echo(as_text(below(content, problems)), err=True)
    if problems or (only_check and changed):
        raise SystemExit(1)


@click.command(epilog="Example: playbooks schemas")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path(FOLDER))
@content_option
def schemas(folder: Path, content: Path) -> None:
    """Write the JSON Schemas of content files to FOLDER, where editors look for them: beside the content.

    They know the names of this content, so that editors complete them. `check` and `serve --watch` keep them current.
    """
    for path in write_schemas(folder, content):
        click.echo(f"changed {path}")


@click.command(epilog="Example: playbooks stats --content content")
@content_option
@today_option
@click.option("--gaps", is_flag=True, help="Print instead what is thin or stale.")
def stats(content: Path, today: date, gaps: bool) -> None:
    """Print the counts of the library: records, evidence, runs, trust."""
    try:
        library = load(content, today)
    except ContentError as error:
        click.echo(as_text(below(content, error.problems)), err=True)
        raise SystemExit(1) from error
    for line in (*gap_lines(library), *breadth_lines(library)) if gaps else summary_lines(library):
        click.echo(line)
