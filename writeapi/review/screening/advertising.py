"""What advertisements look like: sales talk, links as markup, shouting, the same again and again."""

import re

from .phrases import CODE, PHRASES

_SELLS = re.compile(rf"\b(?:{'|'.join(PHRASES['advertising']['shapes'])})\b", re.IGNORECASE)
_QUOTED = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|\"[^\"]{1,2000}\"|“[^”]{1,2000}”|«[^»]{1,2000}»|(?m:^[^\S\n]*>[^\n]*$)"
    r"|(?<!\w)'[^'\n]{3,500}'(?!\w)",
    re.DOTALL,
)
_MARKUP = re.compile(r"\[url[=\]]|\[/url\]|<a\s[^>]{0,200}href", re.IGNORECASE)


def sales_talk(text: str) -> frozenset[str]:
    """The phrases of advertisements in a text, outside of quotations and code."""
    return frozenset(found.lower() for found in _SELLS.findall(_QUOTED.sub(" ", text)))


def linked_by_markup(text: str) -> bool:
    """Whether a text holds links as forums and pages mark them, outside of quotations and code."""
    return bool(_MARKUP.search(CODE.sub(" ", text)))


def shouts(text: str) -> bool:
    """Whether most of a text of some length is in capitals, or it is full of exclamation marks."""
    shown = _QUOTED.sub(" ", text)
    letters = [letter for letter in shown if letter.isalpha() and letter.lower() != letter.upper()]
    loud = sum(letter.isupper() for letter in letters)
    return (len(letters) >= 60 and loud > 0.7 * len(letters)) or len(re.findall(r"!{3,}", shown)) >= 2


def repeats(text: str) -> bool:
    """Whether a text says the same sentence five times or more, outside of code."""
    said: dict[str, int] = {}
    for sentence in re.split(r"[.!?\n]+", CODE.sub(" ", text)):
        words = " ".join(re.findall(r"\w+", sentence.casefold()))
        if words.count(" ") >= 2:
            said[words] = said.get(words, 0) + 1
    return max(said.values(), default=0) >= 5
