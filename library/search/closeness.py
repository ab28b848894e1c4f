"""Whether an answer fits a short question, or only holds some of its words: four numbers, weighed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .compact import Compact
    from .meaning import Meaning

COEFFICIENTS = (-6.4, 3.19, 4.75, 2.76, 0.85)
"""Fitted by `python -m tools.closeness`: of a constant, and of the numbers that `evidence` gives."""

STRONG = 168
"""A word says at least so much of a document in whose title it stands, or in how people ask for it."""


def evidence(index: Compact, meaning: Meaning, number: int) -> tuple[float, float, float, float]:
    """What speaks for a document: how much the question's words say of it, the shares of them in its title and `asked`,
    and anywhere, and how many were asked. A rare word is a larger share, and one that nothing holds the largest."""
    worth = strong = held = 0.0
    mass = float(meaning.unknown * index.rarest)
    for word in meaning.parts[0]:
        posting = index.of(word)
        if posting is None:
            continue
        mass += posting.idf
        at = int(np.searchsorted(posting.documents, number))
        impact = int(posting.impacts[at]) if at < len(posting.documents) and posting.documents[at] == number else 0
        worth += posting.idf * impact
        held += posting.idf if impact else 0
        strong += posting.idf if impact >= STRONG else 0
    whole = mass or 1.0
    return worth / whole / 255, strong / whole, held / whole, float(len(meaning.parts[0]) + meaning.unknown)


def is_close(index: Compact, meaning: Meaning, number: int) -> bool:
    """Whether a document is more likely one that was looked for than not."""
    constant, *weights = COEFFICIENTS
    for weight, value in zip(weights, evidence(index, meaning, number), strict=True):
        constant += weight * value
    return constant > 0
