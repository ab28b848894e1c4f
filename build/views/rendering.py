"""What every rendering may use beside what it shows: settings, templates, assets, and markdown made harmless.

The owner of a library changes its look by colours in `site.yaml`, and by a folder of templates and assets.
"""

import hashlib
import re
import traceback
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from pathlib import Path
from types import CodeType
from urllib.parse import quote, urlencode, urlsplit

import jinja2
import orjson
from jinja2.bccache import Bucket
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markupsafe import Markup, escape

from library import __version__
from library.content.history import NO_HISTORY, Texts
from library.problems import LibraryError, count_of
from library.records.models import Site
from library.records.vocabulary import Language

from ..facts import Addresses
from ..output.writer import Artifact
from ..settings import TEMPLATES, THEME
from . import charts

_MCP = "playbooks"  # what the MCP server is called in a client
_ASSET_KINDS = (".css", ".js", ".svg", ".png", ".ico", ".woff2")
_BESIDE = {
    "js": re.compile(rb"""((?:\bfrom|\bimport)[ (]?\s*["'])\./([a-z0-9-]+\.js)(["'])"""),
    "css": re.compile(rb"""(\burl\(["']?)\./([a-z0-9-]+\.[a-z0-9]+)(["']?\))"""),
}
_REVIEW = "review/"  # the folder of the templates of the review pages, which have filters of their own
_INPUT = re.compile(r"\{\{\s*([\w.-]+)\s*\}\}")


@dataclass(eq=False)
class RenderEnvironment:
    """The tools of one build; made once, used by every page. `release`: whole-library files are written too.

    `texts` gives the texts of former versions. `theme` is the folder of the owner's templates and assets.
    """

    site: Site
    templates: Path = TEMPLATES
    theme: Path | None = None
    release: bool = False
    texts: Texts = NO_HISTORY.texts

    @cached_property
    def addresses(self) -> Addresses:
        """Where everything is."""
        return Addresses(self.site)

    @cached_property
    def assets(self) -> Mapping[str, Artifact]:
        """Style sheets, scripts and pictures by their plain names.

        Their paths carry their digests, so caches may keep them for ever.
        """
        files = asset_files(self.templates, self.theme, _ASSET_KINDS)
        others = {f"stem-{word}.js" for word in Language if word is not self.site.search_language}
        bodies = {name: path.read_bytes() for name, path in files.items() if name not in others}
        if made := colours(self.site):
            bodies[COLOURS] = made
        found: dict[str, Artifact] = {}
        for name in sorted(bodies):
            _make_asset(name, bodies, found)
        return found

    @cached_property
    def environment(self) -> jinja2.Environment:
        """The templates: everything is escaped, nothing may be undefined."""
        environment = jinja2.Environment(
            loader=loader_of(self.templates, self.theme),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            cache_size=-1,
            bytecode_cache=_COMPILED,
        )
        environment.filters |= {"block": PROSE.block, "line": PROSE.line, "json": _json, "structured": structured}
        environment.filters |= {"day": _day, "count": count_of, "marked": _marked}
        environment.filters["inputs"] = lambda prompt: list(dict.fromkeys(_INPUT.findall(prompt)))
        environment.globals |= {"site": self.site, "root": self.site.root, "api": f"{self.site.root}/api/v1"}
        environment.globals |= {"host": urlsplit(self.site.site_url).hostname or "", "version": __version__}
        mcp = f"{self.site.site_url.rstrip('/')}/mcp"
        environment.globals |= {"mcp": mcp, "mcp_links": mcp_links(mcp)}
        environment.globals |= {"asset": self._asset, "release": self.release, "columns": charts.columns}
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
            raise jinja2.TemplateRuntimeError(f"there is no asset {name!r}")
        return f"{self.site.root}/{self.assets[name].path}"

    def page(self, template: str, **values: object) -> bytes:
        """A rendered template as UTF-8."""
        with self._blamed():
            return self.environment.get_template(template).render(values).encode()

    def json(self, template: str, **values: object) -> bytes:
        """A rendered template of JSON, without what is only there to be read."""
        try:
            return orjson.dumps(orjson.loads(self.page(template, **values)))
        except orjson.JSONDecodeError as error:
            raise ThemeBroken(f"{template} makes no JSON: {error}; mend the template") from error


class _Compiled(jinja2.BytecodeCache):
    """Templates compiled once a process: by name and file, as long as their text is the same."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, CodeType | None]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        text, code = self._known.get(bucket.key, ("", None))
        if text == bucket.checksum:
            bucket.code = code

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._known[bucket.key] = bucket.checksum, bucket.code


_COMPILED = _Compiled()


def mcp_links(address: str) -> tuple[tuple[str, str], ...]:
    """Clients that are set up by a link, by name, each in the form that its documentation gives."""
    code = quote(orjson.dumps({"name": _MCP, "type": "http", "url": address}).decode(), safe="")
    cursor = urlencode({"name": _MCP, "config": b64encode(orjson.dumps({"url": address})).decode()})
    goose = urlencode({"name": _MCP, "type": "streamable_http", "url": address})
    return (
        ("VS Code", f"vscode:mcp/install?{code}"),
        ("Cursor", f"cursor://anysphere.cursor-deeplink/mcp/install?{cursor}"),
        ("Goose", f"goose://extension?{goose}"),
    )


def _make_asset(
    name: str, bodies: Mapping[str, bytes], found: dict[str, Artifact], within: tuple[str, ...] = ()
) -> Artifact:
    """An asset, after those that it names: a module or a style sheet names another as it is in the folder.

    `within` are the assets on whose behalf it is made, each named by the one before it.
    """
    if name not in found:
        if name not in bodies or name in within:
            why = "there is no such asset" if name not in bodies else "which names it in turn"
            raise ThemeBroken(f"assets/{within[-1]}: names ./{name}, {why}; mend it")
        body = bodies[name]
        stem, kind = name.rsplit(".", 1)

        def beside(named: re.Match[bytes]) -> bytes:
            made = _make_asset(named[2].decode(), bodies, found, (*within, name))
            return named[1] + b"./" + made.path.removeprefix("assets/").encode() + named[3]

        if kind in _BESIDE:
            body = _BESIDE[kind].sub(beside, body)
        found[name] = Artifact(f"assets/{stem}.{hashlib.sha256(body).hexdigest()[:10]}.{kind}", body)
    return found[name]


@lru_cache(maxsize=4096)
def _day(day: date | str) -> str:
    """A date as people read it: 20 Nov 2026."""
    moment = date.fromisoformat(day[:10]) if isinstance(day, str) else day
    return f"{moment.day} {moment:%b %Y}"


def _marked(prompt: str) -> Markup:
    """A prompt with its `{{variables}}` marked; everything in it is escaped first."""
    return Markup(_INPUT.sub(lambda found: f'<mark data-input="{found[1]}">{found[0]}</mark>', str(escape(prompt))))  # noqa: S704 - escaped on this line


_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})
"""What could end a script element, begin a comment in it, or end a line of a script; JSON may write them so."""


def _json(value: object) -> Markup:
    """A value as JSON, in a text of JSON."""
    return Markup(orjson.dumps(value).decode())  # noqa: S704 - of a file of JSON, or escaped by `structured`


def structured(things: str) -> Markup:
    """Things of schema.org in JSON as the content of a `script` element of type `application/ld+json`."""
    graph = orjson.loads(f"[{things}]")
    text = orjson.dumps({"@context": "https://schema.org", "@graph": graph}).decode()
    return Markup(text.translate(_ESCAPES))  # noqa: S704 - JSON in which nothing can end the element


def _renderer(*links: str) -> MarkdownIt:
    renderer = MarkdownIt("commonmark", {"html": False}).disable("image").enable("table")
    renderer.validateLink = lambda url: url.startswith(links) and not url.startswith("//")  # type: ignore[method-assign]  # the documented way
    renderer.core.ruler.push("wide tables", _reached)
    return renderer


def _reached(state: StateCore) -> None:
    """A table scrolls inside itself where it is wider than the page, so the keyboard has to reach it."""
    for token in state.tokens:
        if token.type == "table_open":
            token.attrSet("tabindex", "0")


class Prose:
    """Markdown as HTML. HTML in the text is shown, never obeyed; links are http(s) only; images are links."""

    def __init__(self) -> None:
        self._markdown = _renderer("https://", "http://")
        self._documents = _renderer("https://", "http://", "/", "#")
        self._rendered = lru_cache(maxsize=4096)(self._markdown.render)
        self._rendered_inline = lru_cache(maxsize=4096)(self._markdown.renderInline)
        self.document = lru_cache(maxsize=64)(self._document)

    def block(self, text: str) -> Markup:
        """Paragraphs, lists, code."""
        return _safe(self._rendered(text))

    def line(self, text: str) -> Markup:
        """Emphasis, code and links, without a paragraph round them."""
        return _safe(self._rendered_inline(text))

    def _document(self, text: str, root: str = "") -> Markup:
        """A whole document of the project's own docs: ids on its headings, links within the site below `root`."""
        tokens = self._documents.parse(text)
        for index, token in enumerate(tokens):
            if token.type == "heading_open":
                token.attrSet("id", anchor(tokens[index + 1].content))
            for child in token.children or ():
                if child.type == "link_open" and str(child.attrGet("href")).startswith("/"):
                    child.attrSet("href", f"{root}{child.attrGet('href')}")
        return _safe(self._documents.renderer.render(tokens, self._documents.options, {}))


PROSE = Prose()  # one for the process: it remembers what it rendered, of every build


def _safe(html: str) -> Markup:
    return Markup(html)  # noqa: S704 - rendered with html=False


def anchor(heading: str) -> str:
    """The id of a heading: its words joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", heading.casefold()).strip("-")


ORIGINAL = "original"
"""`{% extends "original/base.html" %}` in a template of a theme means the one that it takes the place of."""
COLOURS = "colours.css"  # the style sheet that is made of the colours in `site.yaml`


class ThemeBroken(LibraryError):
    """A template or an asset of the owner's cannot be used."""


class _ThemeLoader(jinja2.FileSystemLoader):
    """The owner's templates; a file that is no text is told by its name."""

    def get_source(self, environment: jinja2.Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        try:
            return super().get_source(environment, template)
        except UnicodeDecodeError as error:
            file = str(Path(self.searchpath[0], template))
            raise jinja2.TemplateSyntaxError("the file is not UTF-8", 1, template, file) from error


def loader_of(templates: Path, theme: Path | None) -> jinja2.BaseLoader:
    """Templates by name: the theme's before the project's own, which `original/` always names."""
    ours = jinja2.FileSystemLoader(templates)
    return jinja2.ChoiceLoader([_ThemeLoader(theme), ours, jinja2.PrefixLoader({ORIGINAL: ours})]) if theme else ours


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
    if isinstance(error, jinja2.TemplateSyntaxError):
        places.append((error.filename or error.name or "", error.lineno))
    inside = [(file, line) for file, line in places if Path(file).suffix not in ("", ".py")]
    if isinstance(error, jinja2.TemplateNotFound):
        message = f"there is no template {error.message}"
    elif isinstance(error, jinja2.TemplateError):
        message = error.message or type(error).__name__
    elif inside and theme and Path(inside[-1][0]).is_relative_to(theme):
        message = f"{type(error).__name__}: {error}"
    else:
        return None
    place = f"{inside[-1][0]}:{inside[-1][1]}: " if inside else ""
    return ThemeBroken(f"{place}{message}; mend the template, or take it out of the folder {THEME!r}")
