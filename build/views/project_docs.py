"""The documentation pages of the site: which of the project's own documents readers see."""

import re

import msgspec

from ..settings import PROJECT

DOCS = {
    "interface": "docs/interface.md",
    "api": "docs/api.md",
    "search": "docs/search.md",
    "agents": "docs/agents.md",
    "contributing": "docs/contributing.md",
    "content-style": "docs/content-style.md",
    "trust-and-evidence": "docs/evidence.md",
    "takedown": "docs/takedown.md",
    "editors": "docs/editors.md",
    "publishing": "docs/publishing.md",
    "reviewer": "docs/reviewer.md",
    "privacy": "docs/privacy.md",
    "theming": "docs/theming.md",
    "site": "docs/site.md",
}
"""The slug of each document, and its file below the project's root."""


class ProjectDocument(msgspec.Struct, frozen=True):
    """One document."""

    slug: str
    title: str
    text: str


class DocumentList(msgspec.Struct, frozen=True):
    """All documents, for their index."""

    items: tuple[tuple[str, str], ...]


def read(slug: str) -> ProjectDocument:
    """One document: its first heading is its title, the rest its text."""
    text = (PROJECT / DOCS[slug]).read_text(encoding="utf-8")
    title, _, body = text.partition("\n")
    return ProjectDocument(slug, title.lstrip("# ").strip(), _linked(body))


def _linked(text: str) -> str:
    """Links between documents lead to their pages; links to other files of the project become plain words.

    Pictures are for readers of the repository; a page has what they show nearer at hand, and does without them.
    """
    text = re.sub(r"^!\[[^\]]*\]\((?!https?:)[^)]*\)\n+", "", text, flags=re.MULTILINE)
    pages = {path.rpartition("/")[2]: slug for slug, path in DOCS.items()}

    def link(match: re.Match[str]) -> str:
        words, target, fragment = match[1], match[2].rpartition("/")[2], match[3] or ""
        return f"[{words}](/docs/{pages[target]}/{fragment})" if target in pages else words

    return re.sub(r"\[([^\]]+)\]\((?!https?:)([^)#\s]+)(#[^)\s]*)?\)", link, text)


def contents(_facts: object) -> DocumentList:
    """The titles of all documents."""
    return DocumentList(tuple((slug, read(slug).title) for slug in DOCS))
