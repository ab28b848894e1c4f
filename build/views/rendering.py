"""What every rendering may use beside what it shows: the site's settings, the templates, the prose and the assets."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from functools import cached_property, lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache, StrictUndefined, TemplateRuntimeError
from markupsafe import Markup, escape

from library.content.history import NO_HISTORY, Texts
from library.records.models import Site

from ..output.artifacts import Artifact
from ..settings import PROJECT, TEMPLATES
from . import charts
from .addresses import Addresses
from .prose import Prose
from .theme import COLOURS, ORIGINAL, ThemeBroken, asset_files, broken, colours, loader_of

_ASSET_KINDS = (".css", ".js", ".svg", ".png", ".ico")
_IMPORTED = re.compile(rb"""((?:\bfrom|\bimport)[ (]?\s*["'])\./([a-z0-9-]+\.js)(["'])""")
_REVIEW = "review/"
"""The folder of the templates of the review pages, which have filters of their own."""
_INPUT = re.compile(r"\{\{\s*([\w.-]+)\s*\}\}")


class RenderEnvironment:
    """The tools of one build; made once, used by every page. `release`: whole-library files are written too.

    `texts` gives the texts of former versions. `theme` is the folder of the owner's templates and assets. `compiled` is
    where compiled templates are kept, if at all.
    """

    def __init__(
        self,
        site: Site,
        templates: Path = TEMPLATES,
        *,
        theme: Path | None = None,
        release: bool = False,
        texts: Texts = NO_HISTORY.texts,
        compiled: Path | None = None,
    ) -> None:
        self.site = site
        self.texts = texts
        self.release = release
        self.templates = templates
        self.theme = theme
        self.compiled = compiled
        self.addresses = Addresses(site)
        self.prose = Prose()

    @cached_property
    def assets(self) -> Mapping[str, Artifact]:
        """Style sheets, scripts and pictures by their plain names.

        Their paths carry their digests, so caches may keep them for ever.
        """
        bodies = {
            name: path.read_bytes() for name, path in asset_files(self.templates, self.theme, _ASSET_KINDS).items()
        }
        if made := colours(self.site):
            bodies[COLOURS] = made
        found: dict[str, Artifact] = {}
        for name in sorted(bodies):
            _make_asset(name, bodies, found)
        return found

    @cached_property
    def environment(self) -> Environment:
        """The templates: everything is escaped, nothing may be undefined."""
        environment = Environment(
            loader=loader_of(self.templates, self.theme),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            cache_size=-1,
            bytecode_cache=_kept(self.compiled),
        )
        environment.filters.update(block=self.prose.block, line=self.prose.line, day=_day, count=_count)
        environment.filters.update(marked=_marked, inputs=_inputs)
        environment.globals.update(
            site=self.site, root=self.site.root, api=self.site.root + "/api/v1", asset=self._asset
        )
        environment.globals.update(release=self.release, runs_by_month=charts.runs_by_month, stacked=charts.stacked)
        return environment

    def warm(self) -> None:
        """Read every template once, before several processes would each do it."""
        for name in self.environment.list_templates(extensions=["html", "xml"]):
            if not name.removeprefix(f"{ORIGINAL}/").startswith(_REVIEW):
                with self._blamed():
                    self.environment.get_template(name)

    @contextmanager
    def _blamed(self) -> Iterator[None]:
        """What a template is to blame for is raised as `ThemeBroken`, with its place."""
        try:
            yield
        except Exception as error:
            if told := broken(error, self.theme):
                raise told from error
            raise

    def _asset(self, name: str) -> str:
        if name not in self.assets:
            raise TemplateRuntimeError(f"there is no asset {name!r}")
        return f"{self.site.root}/{self.assets[name].path}"

    def icon(self) -> bytes:
        """The icon that browsers ask for where no page names one."""
        return self.assets["favicon.ico"].body

    def page(self, template: str, **values: object) -> bytes:
        """A rendered template as UTF-8."""
        with self._blamed():
            return self.environment.get_template(template).render(values).encode()


def _kept(folder: Path | None) -> FileSystemBytecodeCache | None:
    """Compiled templates on the disk, by their source and the version of our code, whose filters stand in them.

    To compile them takes 0.3 s of CPU: a tenth of the build of a library of 50 playbooks, which always is a whole one.
    """
    if folder is None:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    code = sorted(path for room in ("build", "library") for path in (PROJECT / room).rglob("*.py"))
    version = hashlib.sha256(b"".join(path.read_bytes() for path in code)).hexdigest()[:16]
    for path in folder.iterdir():
        if not path.name.startswith(version):
            path.unlink(missing_ok=True)
    return FileSystemBytecodeCache(str(folder), f"{version}-%s")


def _make_asset(
    name: str, bodies: Mapping[str, bytes], found: dict[str, Artifact], within: tuple[str, ...] = ()
) -> Artifact:
    """An asset, after those that it imports: a module names another as it is in the folder, `./other.js`.

    `within` are the modules on whose behalf it is made, each imported by the one before it.
    """
    if name not in found:
        if name not in bodies or name in within:
            why = "there is no such asset" if name not in bodies else "which imports it in turn"
            raise ThemeBroken(f"assets/{within[-1]}: imports ./{name}, {why}; mend the import")
        body = bodies[name]
        stem, kind = name.rsplit(".", 1)
        if kind == "js":
            body = _IMPORTED.sub(lambda named: _imported(named, bodies, found, (*within, name)), body)
        mark = hashlib.sha256(body).hexdigest()[:10]
        found[name] = Artifact(f"assets/{stem}.{mark}.{kind}", body)
    return found[name]


def _imported(
    named: re.Match[bytes], bodies: Mapping[str, bytes], found: dict[str, Artifact], within: tuple[str, ...]
) -> bytes:
    """The address of an imported module beside the one that imports it."""
    made = _make_asset(named[2].decode(), bodies, found, within)
    return named[1] + b"./" + made.path.removeprefix("assets/").encode() + named[3]


@lru_cache(maxsize=4096)
def _day(day: date | str) -> str:
    """A date as people read it: 20 Nov 2026."""
    moment = date.fromisoformat(day[:10]) if isinstance(day, str) else day
    return f"{moment.day} {moment:%b %Y}"


def _count(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: 1 run, 2 runs."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def _marked(prompt: str) -> Markup:
    """A prompt with its `{{variables}}` marked; everything in it is escaped first."""
    return Markup(_INPUT.sub(lambda found: f'<mark data-input="{found[1]}">{found[0]}</mark>', str(escape(prompt))))  # noqa: S704 - escaped on this line


def _inputs(prompt: str) -> list[str]:
    """The names of a prompt's `{{variables}}`, each once, in their order."""
    return list(dict.fromkeys(_INPUT.findall(prompt)))
