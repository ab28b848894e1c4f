"""What markdown would make of a text: its links and images, and whatever would reach beyond the text's own place."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

_REACHING = re.compile(r"<|```|~~~|\]:|^[^A-Za-z_\n]*#|[=-][ \t]*$", re.MULTILINE)
"""What an element, a fence, a definition or a heading is made of: `#` behind signs alone, or a rule at a line's end."""
_WHOLE = re.compile("https?://", re.IGNORECASE)
_LINK = re.compile(r"\A[a-z][a-z0-9+.-]*:|[/\\#?]|%(?:2f|5c)", re.IGNORECASE)


@dataclass(frozen=True)
class Read:
    """What markdown makes of a text outside its code: `beyond` are words for what does not stay in its place."""

    links: tuple[str, ...] = ()
    images: int = 0
    beyond: tuple[str, ...] = ()

    @property
    def bad_links(self) -> tuple[str, ...]:
        """The targets that are no whole http(s) address; a bare word, as in `handlers[0](event)`, is no link."""
        return tuple(link for link in self.links if not _WHOLE.match(link) and _LINK.search(link))


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": True})
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005 - its name; bad links are wanted
    return parser


def _tokens(text: str, known: dict[str, object] | None = None) -> list[Token]:
    """Blocks with what stands in them; link reference definitions are told in `known`."""
    return [token for block in _markdown().parse(text, known) for token in (block, *(block.children or ()))]


@lru_cache(maxsize=4096)
def read(text: str) -> Read:
    """What markdown makes of this text, by the rules of CommonMark."""
    if "](" not in text and not _REACHING.search(text):
        return Read()
    known: dict[str, object] = {}
    tokens = _tokens(text, known)
    links = tuple(str(token.attrGet("href")) for token in tokens if token.type == "link_open")
    beyond = [*_beyond(tokens), *(["a link reference definition (`[a]: …`)"] if known.get("references") else [])]
    return Read(links, sum(token.type == "image" for token in tokens), tuple(dict.fromkeys(beyond)))


def code_in(text: str) -> list[str]:
    """The code of a text, in order: every span, and every block whole."""
    return [token.content.strip() for token in _tokens(text) if token.type in ("code_inline", "fence", "code_block")]


def stays(text: str) -> bool:
    """Whether nothing of it reaches beyond its place: what `read` says, and quicker where there are only links."""
    return not _REACHING.search(text) or not read(text).beyond


def _beyond(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "heading_open":
            yield "a heading"
        elif token.type in ("html_block", "html_inline"):
            yield f"HTML ({token.content.strip()[:40]!r})"
        elif token.type == "fence" and not _is_closed(token):
            yield f"a fence ({token.markup}) that is not closed"


def _is_closed(fence: Token) -> bool:
    """Whether it has a line for each end beside those of its content."""
    first, end = fence.map or [0, 0]
    content = fence.content.removesuffix("\n").count("\n") + bool(fence.content)
    return end - first == content + 2


def as_text(text: str) -> str:
    """The text so that markdown shows it letter by letter: everything that could mean something is escaped."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)
