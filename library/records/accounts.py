"""Which agent an account means: free text of accounts and reports, read word by word."""

import re
from functools import lru_cache

from .models import Agent


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """The words of a text in small letters, without what stands between them."""
    return tuple(re.findall(r"\w+", text.casefold()))


def names(told: str, agent: Agent) -> bool:
    """Whether a text names this agent: its name, without what the name has in brackets, or its slug, as whole words."""
    name = re.sub(r"\([^()]*\)", " ", agent.name)
    said = _spaced(told)
    return any(called.strip() and called in said for called in map(_spaced, (name, agent.slug)))


def _spaced(text: str) -> str:
    return f" {' '.join(words(text))} "
