"""Markdown as contributors write it, to HTML that cannot do harm."""

import re
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.rules_core import StateCore
from markupsafe import Markup

_WORDS = r"[^\\`*_\[\]<>&!|~#\n]*"
_PLAIN = re.compile(rf"(?!\s|[-+=]|\d+[.)]){_WORDS}(?:`[^`\n]+`(?!`){_WORDS})*(?<!\s)")
"""One line in which nothing means anything to markdown but code between single backticks."""
_CODE = re.compile(r"`([^`]+)`")


def _renderer(*links: str) -> MarkdownIt:
    """A markdown renderer that lets through only links that begin in one of these ways."""
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
    """One renderer, made once. HTML in the text is shown, never obeyed; links are http(s) only; images are links."""

    def __init__(self) -> None:
        self._markdown = _renderer("https://", "http://")
        self._documents = _renderer("https://", "http://", "/", "#")
        self._rendered = lru_cache(maxsize=4096)(self._markdown.render)
        self._rendered_inline = lru_cache(maxsize=4096)(self._markdown.renderInline)

    def block(self, text: str) -> Markup:
        """Paragraphs, lists, code."""
        return _safe(f"<p>{_with_code(text)}</p>\n" if _is_plain(text) else self._rendered(text))

    def line(self, text: str) -> Markup:
        """Emphasis, code and links, without a paragraph round them."""
        return _safe(_with_code(text) if _is_plain(text) else self._rendered_inline(text))

    def document(self, text: str, root: str = "") -> Markup:
        """A whole document of the project's own docs: ids on its headings, links within the site below `root`."""
        tokens = self._documents.parse(text)
        for index, token in enumerate(tokens):
            if token.type == "heading_open":
                token.attrSet("id", anchor(tokens[index + 1].content))
            for child in token.children or ():
                if child.type == "link_open" and str(child.attrGet("href")).startswith("/"):
                    child.attrSet("href", f"{root}{child.attrGet('href')}")
        return _safe(self._documents.renderer.render(tokens, self._documents.options, {}))


def _safe(html: str) -> Markup:
    return Markup(html)  # noqa: S704 - rendered with html=False, or escaped by `_with_code`


def _is_plain(text: str) -> bool:
    return bool(text and _PLAIN.fullmatch(text))


def _with_code(text: str) -> str:
    """A line that `_PLAIN` matches, as the renderer has it: outside of code only `"` is left to be escaped."""
    return _CODE.sub(_code, escapeHtml(text)) if "`" in text else text.replace('"', "&quot;")


def _code(found: re.Match[str]) -> str:
    """Code in a line, without one space at each end where both are there and are not all."""
    inner = found[1]
    if inner[0] == inner[-1] == " " and inner.strip(" "):
        inner = inner[1:-1]
    return f"<code>{inner}</code>"


def anchor(heading: str) -> str:
    """The id of a heading: its words joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", heading.casefold()).strip("-")
