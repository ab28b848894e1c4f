"""No pattern that a stranger's text meets takes time by its square: four times the text, about four times the time."""

from __future__ import annotations

import re
import time
from importlib import import_module

import pytest

from library.content import formatting
from library.rules import privacy
from library.rules.checks import within
from library.search import words
from writeapi.review.screening import matching

pytestmark = pytest.mark.slow
SMALL, FACTOR = 4 * 1024, 4
FAST = 0.01  # what takes fewer seconds for the small text is not asked again
MOST = 9  # times as long for four times the text; by the square it would be sixteen

ATOMS = (
    *(
        "a",
        "A",
        "1",
        " ",
        "\n",
        "-",
        ".",
        "_",
        "/",
        "@",
        "(",
        "[",
        "'",
        '"',
        "`",
        "<",
        "#",
        "|",
        "\t",
        "=",
        "!",
        "{",
        "*",
    ),
    *(
        "a ",
        "a.",
        "1-",
        "1 ",
        "a-",
        "a@",
        "A1",
        "- ",
        "``` `",
        "a@a.",
        "a: ",
        "[a](",
        "a\n",
        " \n",
        "\n ",
        "> ",
        '"a',
        "_a",
        "{{",
    ),
    *(
        "ignore ",
        "ignore-",
        "all ",
        "all-a-",
        "approve ",
        "approve -",
        "this ",
        "give a ",
        "show ",
        "you are ",
        "as a reviewer ",
    ),
    *(
        "<!--",
        "<a ",
        "<|a",
        "[//]: ",
        "display ",
        "\u201c",
        "\u00ab",
        "\ufe00",
        "\u0300",
        "http://a",
        "://a:",
        "/home/a",
        "a.internal ",
    ),
    *(
        "passw: ",
        "user: ",
        "token = ",
        "key ",
        "bearer ",
        "sid=",
        "eyJa",
        "sk-a",
        "xoxb-",
        "10.0.0.1 ",
        "::",
        "DE12",
        "+1 ",
        "(0",
        "at dot ",
    ),
)
"""What texts that are meant to take long are made of: each again and again."""


def patterns() -> dict[str, re.Pattern[str]]:
    """Every pattern by which what was sent is screened, checked or searched, by a name."""
    found = {f"private {at} {shape.kind}": re.compile(shape.pattern) for at, shape in enumerate(privacy.SHAPES)}
    whole = ("odd", "first", "pass", "figures", "long")  # the others look at what was found, which has a bound
    found |= {f"private {name}": privacy.PATTERNS[name] for name in whole}
    found |= {f"shape {name}": pattern for name, pattern in matching._SHAPES.items()}
    found |= {f"says {says}": pattern for says, pattern in (*matching._ENGLISH, *matching._OTHERS)}
    found |= {f"address {says}": pattern for _, pattern, says in matching._ODDITIES}
    found |= {f"question {at}": pattern for at, pattern in enumerate(words._DROPPED)}
    named = (
        "library.rules.markdown",
        "library.rules.checks.across",
        "build.views.renditions",
    )
    found["not literal"] = formatting._NOT_LITERAL
    for module in (within, words, matching, *map(import_module, named)):
        rest = {name: value for name, value in vars(module).items() if isinstance(value, re.Pattern)}
        found |= {f"{module.__name__} {name}": value for name, value in rest.items()}
    return found


def seconds(pattern: re.Pattern[str], text: str) -> float:
    """Processor seconds to find all of a pattern."""
    began = time.process_time()
    for _ in pattern.finditer(text):
        pass
    return time.process_time() - began


@pytest.mark.parametrize("name", patterns())
def test_four_times_the_text_takes_about_four_times_as_long(name: str) -> None:
    pattern = patterns()[name]
    for atom in ATOMS:
        text = (atom * SMALL)[:SMALL] + "\0"
        if (small := seconds(pattern, text)) > FAST:
            long = seconds(pattern, (atom * SMALL * FACTOR)[: SMALL * FACTOR] + "\0")
            assert long < MOST * max(small, FAST), f"{atom!r}: {small:.2f} s, then {long:.2f} s"
