"""The command `init`: a library of one's own, with one example that `check` finds nothing wrong with."""

from datetime import date
from pathlib import Path

import click

from ..options import today_option
from ..problems import Problem, UsageError, printable
from ..records.schemas import FOLDER, write_schemas
from .changing import changed
from .loading import read_bytes

STARTER = Path(__file__).resolve().parents[1] / "starter"
_HIDDEN = {"gitignore": ".gitignore", "vscode": ".vscode", "workflows": ".github/workflows"}
"""What would be hidden in the starter too, and is therefore called otherwise there."""


@click.command(epilog="Example: playbooks init my-library")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--title", help="What the library is called.")
@click.option("--site-url", help="The address that it will have.")
@today_option
def init(folder: Path, title: str | None, site_url: str | None, today: date) -> None:
    """Start an empty library in FOLDER, with one example that shows the form. FOLDER must be empty or not there."""
    contact = f"{site_url.rstrip('/')}/docs/takedown/" if site_url else None
    given = {"title": title, "site_url": site_url, "contact": contact}
    files = starter_files({name: value for name, value in given.items() if value}, today)
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise UsageError(f"{folder} is there and is not empty; name another folder, or empty it")
    for name, body in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    write_schemas(folder / FOLDER, folder / "content")
    click.echo(f"{printable(str(folder))}: a library with one example; next: cd there and run playbooks serve --watch")


def starter_files(settings: dict[str, str], today: date) -> dict[str, bytes]:
    """The files of a new library by their paths; `settings` go into `site.yaml`, the day into the example.

    Raises `UsageError` for settings that `site.yaml` cannot hold.
    """
    files = {_place(path): path.read_bytes() for path in sorted(STARTER.rglob("*")) if path.is_file()}
    for name in [name for name in files if name.startswith("content/")]:
        file = name.removeprefix("content/")
        fields: dict[str, str] = settings if file == "site.yaml" else {}
        if file.startswith(("playbooks/", "lessons/")):
            fields = {"updated": today.isoformat()}
        files[name] = _filled(files[name], file, fields, today)
    return files


def _filled(raw: bytes, file: str, fields: dict[str, str], today: date) -> bytes:
    body: bytes | list[Problem] = changed(raw, file, fields=fields)
    problems = body if isinstance(body, list) else read_bytes(body, file, today).problems
    if isinstance(body, list) or problems:
        raise UsageError("\n".join(f"{problem.field}: {problem.message}" for problem in problems))
    return body


def _place(path: Path) -> str:
    """Where a file of the starter goes in a library."""
    first, *rest = path.relative_to(STARTER).parts
    return "/".join([_HIDDEN.get(first, first), *rest])
