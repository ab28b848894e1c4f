"""What the owner of a library changes in its look: colours from `site.yaml`, and a folder of templates and assets."""

import traceback
from collections.abc import Callable
from pathlib import Path

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PrefixLoader,
    TemplateError,
    TemplateNotFound,
    TemplateSyntaxError,
)

from library.problems import LibraryError
from library.records.models import Site

from ..settings import THEME

ORIGINAL = "original"
"""`{% extends "original/base.html" %}` in a template of a theme means the one that it takes the place of."""
COLOURS = "colours.css"
"""The style sheet that is made of the colours in `site.yaml`."""


class ThemeBroken(LibraryError):
    """A template or an asset of the owner's cannot be used."""


class _ThemeLoader(FileSystemLoader):
    """The owner's templates; a file that is no text is told by its name."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        try:
            return super().get_source(environment, template)
        except UnicodeDecodeError as error:
            file = str(Path(self.searchpath[0], template))
            raise TemplateSyntaxError("the file is not UTF-8", 1, template, file) from error


def loader_of(templates: Path, theme: Path | None) -> BaseLoader:
    """Templates by name: the theme's before the project's own, which `original/` always names."""
    ours = FileSystemLoader(templates)
    if theme is None:
        return ours
    return ChoiceLoader([_ThemeLoader(theme), ours, PrefixLoader({ORIGINAL: ours})])


def asset_files(templates: Path, theme: Path | None, kinds: tuple[str, ...]) -> dict[str, Path]:
    """Where each asset lies: in the theme, or in the project.

    Raises `ThemeBroken` for a name that no address can have.
    """
    found: dict[str, Path] = {}
    for folder in (templates / "assets", *([theme / "assets"] if theme else [])):
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if path.suffix in kinds and path.is_file():
                found[path.name] = path
    for path in found.values():
        if not path.stem.replace("-", "").replace("_", "").isalnum() or not path.stem.isascii():
            raise ThemeBroken(f"{path}: the name of an asset is made of a-z, A-Z, 0-9, - and _; rename it")
    return found


def colours(site: Site) -> bytes | None:
    """The style sheet with the accent of `site.yaml`, in light and in dark; None where it names none."""
    if not site.accent:
        return None
    return f":root {{ --accent: light-dark({site.accent}, {site.accent_dark or site.accent}); }}\n".encode()


def broken(error: Exception, theme: Path | None) -> ThemeBroken | None:
    """What is wrong with a template, at its place where that is known; None where no template can be blamed.

    An error that is not Jinja's own, such as a division by zero, is the template's where one of the theme was at work.
    """
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, TemplateSyntaxError):
        places.append((error.filename or error.name or "", error.lineno))
    inside = [(file, line) for file, line in places if Path(file).suffix in (".html", ".xml")]
    if isinstance(error, TemplateNotFound):
        message = f"there is no template {error.message}"
    elif isinstance(error, TemplateError):
        message = error.message or type(error).__name__
    elif inside and theme and Path(inside[-1][0]).is_relative_to(theme):
        message = f"{type(error).__name__}: {error}"
    else:
        return None
    place = f"{inside[-1][0]}:{inside[-1][1]}: " if inside else ""
    return ThemeBroken(f"{place}{message}; mend the template, or take it out of the folder {THEME!r}")
