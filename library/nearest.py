"""The known word that is nearest to one that nobody knows: what was meant, as far as letters tell."""

from collections.abc import Iterable
from difflib import get_close_matches

_CLOSE, _SURE = 0.6, 0.75
OPEN = 0.9
"""How alike two words must be where an unknown one may be new as well, as a record's name may."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that looks most like this one; None where none does."""
    near = get_close_matches(word.casefold(), known, n=1, cutoff=_CLOSE)
    return near[0] if near else None


def sure(word: str, known: Iterable[str], alike: float = _SURE) -> str | None:
    """The one known word that can be meant: very like this one, with the same figures, and no other is."""
    near = get_close_matches(word.casefold(), known, n=2, cutoff=alike)
    return near[0] if len(near) == 1 and _figures(near[0]) == _figures(word) else None


def _figures(word: str) -> str:
    return "".join(char for char in word if char.isdigit())


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """The end of a message: `; did you mean …?`, or what is said where no known word is near."""
    near = nearest(word, known)
    return f"; did you mean {near!r}?" if near else otherwise
