"""The search for private data as a table for a browser: the same patterns, in JavaScript's spelling.

What makes a look-alike real is a function there by the same name (`site_templates/assets/form-private.js`); a test
holds both sides to the same labelled texts.
"""

from __future__ import annotations

import re
from typing import Any

from . import lookalikes, privacy
from .portable import to_javascript

_HELPERS = (
    "odd",
    "first",
    "pass",
    "figures",
    "long",
    "placeholder",
    "code",
    "name_in_code",
    "turns",
    "no_person",
    "fictional",
    "country",
    "american",
    "date",
    "brands",
)


def table() -> dict[str, Any]:
    """Plain values: `shapes` in their order, the `patterns` that functions use, the lengths of account numbers."""
    groups = (
        (privacy.TOKEN_SHAPES, "long"),
        (privacy.WORDED_SHAPES, ""),
        (privacy.FIGURE_SHAPES, "figures"),
    )
    return {
        "shapes": [_shape(shape, when) for shapes, when in groups for shape in shapes],
        "patterns": {name: _pattern(name) for name in _HELPERS},
        "ibans": lookalikes.IBAN_LENGTHS,
    }


def _shape(shape: privacy.Shape, when: str) -> dict[str, Any]:
    """One shape; `when` names the pattern that must be in a text to make it worth looking for."""
    source, flags = to_javascript(shape.pattern)
    accept = "" if shape.accept is bool else shape.accept.__name__
    told: dict[str, Any] = {"kind": shape.kind, "words": privacy.KINDS_IN_WORDS[shape.kind], "pattern": source}
    told |= {"flags": flags, "accept": accept, "when": when, "hints": shape.hints, "refused": shape.refused}
    return told


def _pattern(name: str) -> tuple[str, str]:
    home = privacy if hasattr(privacy, f"_{name.upper()}") else lookalikes
    pattern: re.Pattern[str] = getattr(home, f"_{name.upper()}")
    return to_javascript(pattern.pattern)
