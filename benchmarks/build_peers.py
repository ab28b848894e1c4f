"""The site generators that builds are measured beside, each with its templates over the same content as Markdown."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers import NotInstalled, installed

HUGO = ("hugo", "0.168.0")
PELICAN = ("pelican", "4.12.0")
MKDOCS = ("mkdocs", "1.6.1")
ELEVENTY = ("@11ty/eleventy", "3.1.2")
SECONDS = 300
"""So long a peer may take to be installed."""

_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="description" content="{summary}"></head><body>
<header><nav><ul><li><a href="/">Home</a></li><li><a href="/tags/">Tags</a></li></ul></nav></header>
<main><h1>{title}</h1><p>{summary}</p>{facts}
{content}</main><footer>Content under CC BY 4.0.</footer></body></html>
"""
_FACTS = ("difficulty", "risk", "time", "cost")


@dataclass(frozen=True)
class Peer:
    """A generator that is ready: its name, the command of a whole build, and where its output is."""

    name: str
    command: list[str]
    folder: Path
    output: Path


def hugo(folder: Path, content: Path) -> Peer:
    """Each playbook in the forms that we write too, with related pages; lists of every term, feeds, a site map."""
    commands = installed(HUGO, SECONDS)
    binary = next((commands.parent / "lib").glob("python*/site-packages/hugo/binaries/hugo*"))
    facts = "".join(f"<dt>{name}</dt><dd>{{{{ .Params.{name} }}}}</dd>" for name in _FACTS)
    beside = (
        '<ul>{{ range first 5 (.Site.RegularPages.Related .) }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>'
        "{{ end }}</ul>"
    )
    single = _PAGE.format(
        title="{{ .Title }}",
        summary="{{ .Params.summary }}",
        facts=facts,
        content="{{ .Content }}" + beside + _HUGO_DATA,
    )
    link = '<a href="{{ .RelPermalink }}">{{ .Title }}</a>'
    rows = f"<ul>{{{{ range .Pages }}}}<li>{link} {{{{ .Params.summary }}}}</li>{{{{ end }}}}</ul>"
    listed = _PAGE.format(title="{{ .Title }}", summary="", facts="", content=rows)
    answer = (
        '{{ dict "title" .Title "summary" .Params.summary "task" .Params.task "agents" .Params.agents'
        ' "tags" .Params.tags "updated" (.Date.Format "2006-01-02") "content" .RawContent "url" .Permalink | jsonify }}'
    )
    skill = "---\nname: {{ .Params.slug }}\ndescription: {{ .Params.summary | jsonify }}\n---\n{{ .RawContent }}"
    mount = f"[[module.mounts]]\nsource = {json.dumps(str(content))}\ntarget = 'content/playbooks'\n"
    _put(
        folder,
        {
            "hugo.toml": _HUGO + mount,
            "layouts/_default/single.html": single,
            "layouts/_default/list.html": listed,
            "layouts/_default/single.json": answer,
            "layouts/_default/single.md": "{{ .RawContent }}",
            "layouts/_default/single.skill.md": skill,
            "layouts/_default/single.offer.json": _HUGO_OFFER,
            "layouts/_default/single.news.json": _HUGO_NEWS,
            "layouts/_default/single.atom.xml": _HUGO_ATOM,
        },
    )
    return Peer(f"Hugo {HUGO[1]}", [str(binary), "--quiet"], folder, folder / "public")


_HUGO = """baseURL = "https://playbooks.example/"
title = "Corpus"
disableKinds = []
[taxonomies]
tag = "tags"
agent = "agents"
task = "tasks"
[outputs]
page = ["HTML", "JSON", "MD", "SKILL", "OFFER", "NEWS", "ATOM"]
[mediaTypes."text/markdown"]
suffixes = ["md"]
[outputFormats.MD]
mediaType = "text/markdown"
isPlainText = true
[outputFormats.SKILL]
mediaType = "text/markdown"
baseName = "SKILL"
isPlainText = true
[outputFormats.OFFER]
mediaType = "application/json"
baseName = "offer"
isPlainText = true
[outputFormats.NEWS]
mediaType = "application/json"
baseName = "feed"
isPlainText = true
[outputFormats.ATOM]
mediaType = "application/xml"
baseName = "feed"
[related]
threshold = 30
[[related.indices]]
name = "tags"
weight = 30
[[related.indices]]
name = "task"
weight = 60
"""


_HUGO_DATA = (
    '<script type="application/ld+json">{{ dict "@context" "https://schema.org" "@type" "HowTo" "name" .Title'
    ' "description" .Params.summary "dateModified" (.Date.Format "2006-01-02") "text" .Plain "url" .Permalink'
    " | jsonify | safeJS }}</script>"
)
_HUGO_OFFER = (
    '{{ dict "skills" (slice (dict "name" .Params.slug "description" .Params.summary "url" .Permalink)) | jsonify }}'
)
_HUGO_NEWS = (
    '{{ dict "version" "https://jsonfeed.org/version/1.1" "title" .Title "items"'
    ' (slice (dict "id" .Permalink "title" .Title "date_modified" (.Date.Format "2006-01-02T15:04:05Z")'
    ' "summary" .Params.summary)) | jsonify }}'
)
_HUGO_ATOM = (
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>{{ .Title }}</title><id>{{ .Permalink }}</id><entry>'
    '<title>{{ .Title }}</title><updated>{{ .Date.Format "2006-01-02T15:04:05Z" }}</updated>'
    "<summary>{{ .Params.summary }}</summary></entry></feed>"
)


def pelican(folder: Path, content: Path) -> Peer:
    """Each playbook as HTML and its source, lists of every tag and category, feeds."""
    commands = installed((PELICAN[0] + "[markdown]", PELICAN[1]), SECONDS)
    facts = "".join(f"<dt>{name}</dt><dd>{{{{ article.{name} }}}}</dd>" for name in _FACTS)
    article = _PAGE.format(
        title="{{ article.title }}",
        summary="{{ article.summary|striptags }}",
        facts=facts,
        content="{{ article.content }}",
    )
    rows = '<ul>{% for a in articles %}<li><a href="/{{ a.url }}">{{ a.title }}</a></li>{% endfor %}</ul>'
    lists = ("index", "tag", "category", "author", "tags", "categories", "authors", "archives", "period_archives")
    plain = {name: _PAGE.format(title=name, summary="", facts="", content=rows) for name in lists}
    theme = {f"theme/templates/{name}.html": page for name, page in plain.items()}
    settings = (
        "SITENAME = 'Corpus'\nSITEURL = 'https://playbooks.example'\nTIMEZONE = 'UTC'\nOUTPUT_SOURCES = True\n"
        "FEED_ALL_ATOM = 'feed.xml'\nTHEME = 'theme'\nTHEME_STATIC_PATHS = []\nDEFAULT_PAGINATION = False\n"
        "MARKDOWN = {'extensions': ['markdown.extensions.meta', 'markdown.extensions.fenced_code']}\n"
    )
    _put(folder, {"settings.py": settings, "theme/templates/article.html": article, **theme})
    command = [str(commands / "pelican"), str(content), "-s", "settings.py", "-o", "output", "-q"]
    return Peer(f"Pelican {PELICAN[1]}", command, folder, folder / "output")


def mkdocs(folder: Path, content: Path) -> Peer:
    """Each playbook as HTML by a theme without the tree of all pages, and a site map."""
    commands = installed(MKDOCS, SECONDS)
    page = _PAGE.format(
        title="{{ page.title }}", summary="{{ page.meta.summary }}", facts="", content="{{ page.content }}"
    )
    settings = (
        f"site_name: Corpus\nsite_url: https://playbooks.example/\ndocs_dir: {content}\nsite_dir: {folder}/site\n"
    )
    settings += "theme:\n  name: null\n  custom_dir: theme\nplugins: []\n"
    _put(folder, {"mkdocs.yml": settings, "theme/main.html": page})
    return Peer(f"MkDocs {MKDOCS[1]}", [str(commands / "mkdocs"), "build", "-q"], folder, folder / "site")


def eleventy(folder: Path, content: Path) -> Peer:
    """Each playbook as HTML, JSON, markdown and SKILL.md, lists of every tag."""
    _put(folder, {"package.json": json.dumps({"private": True, "type": "module"})})
    command = ["npm", "install", "--no-audit", "--no-fund", "--silent", f"{ELEVENTY[0]}@{ELEVENTY[1]}"]
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=SECONDS)
    except (OSError, subprocess.SubprocessError) as error:
        raise NotInstalled(f"npm cannot install it: {str(error)[:100]}") from error
    facts = "".join(f"<dt>{name}</dt><dd>{{{{ {name} }}}}</dd>" for name in _FACTS)
    page = _PAGE.format(title="{{ title }}", summary="{{ summary }}", facts=facts, content="{{ content | safe }}")

    def each(ending: str, body: str) -> str:
        head = f"pagination:\n  data: collections.book\n  size: 1\n  alias: book\npermalink: '{ending}'\n"
        return f"---\n{head}eleventyExcludeFromCollections: true\n---\n{body}"

    way = "/playbooks/{{ book.fileSlug }}"
    tag = "{% for book in collections[tag] %}<li>{{ book.data.title }}</li>{% endfor %}"
    by_tag = "pagination:\n  data: collections\n  size: 1\n  alias: tag\npermalink: '/tags/{{ tag | slugify }}/'\n"
    _put(
        folder,
        {
            "eleventy.config.js": _ELEVENTY,
            "src/_includes/page.njk": page,
            "src/json.njk": each(f"{way}.json", "{{ book.data.title | dump | safe }}{{ book.rawInput | dump | safe }}"),
            "src/md.njk": each(f"{way}.md", "{{ book.rawInput | safe }}"),
            "src/skill.njk": each("/skills/{{ book.fileSlug }}/SKILL.md", "{{ book.rawInput | safe }}"),
            "src/tags.njk": f"---\n{by_tag}---\n{tag}",
            "src/playbooks/playbooks.11tydata.json": json.dumps({"layout": "page.njk"}),
        },
    )
    for path in content.iterdir():
        (folder / "src/playbooks" / path.name).symlink_to(path)
    command = ["node", "node_modules/@11ty/eleventy/cmd.cjs", "--quiet", "--input=src", "--output=_site"]
    return Peer(f"Eleventy {ELEVENTY[1]}", command, folder, folder / "_site")


_ELEVENTY = """export default function (config) {
  config.addCollection("book", (all) => all.getFilteredByGlob("src/playbooks/*.md"));
  return { markdownTemplateEngine: false };
}
"""

PEERS: Mapping[str, Callable[[Path, Path], Peer]] = {
    "hugo": hugo,
    "eleventy": eleventy,
    "pelican": pelican,
    "mkdocs": mkdocs,
}


def _put(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
