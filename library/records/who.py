"""Who did it, by one name: what a report calls an agent or a model, told less and less exactly until it is known.

An account tells it in free text, which is read word by word.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from .models import Agent

OTHER = "other"  # what an agent or a model is called that no record of the library knows
_IN_BRACKETS = re.compile(r"\s*[(\[].*", re.DOTALL)
_VERSION = re.compile(r"[\s/@:_.-]+(?:v?\d\w*|latest|preview|stable)$")
_DAY = re.compile(r"(?:@.*|[\s_-]+(?:20\d\d-?\d\d(?:-?\d\d)?|v\d|latest|preview))$")
"""Which of a model it is: its own number says which model, and stays."""
_SORT = re.compile(r"[\s/_-]+(?:cli|agent|ide|app|desktop|web|bot|assistant|extension)$")
_MAKERS = re.compile(r"(?:[a-z]+\.)+")
_OF_AGENTS, _OF_MODELS = (_IN_BRACKETS, _VERSION, _SORT), (_IN_BRACKETS, _DAY)


def folded(name: str) -> str:
    """A name without what does not make it another one: case, space, punctuation. C, C++ and C# are three."""
    return re.sub(r"((?<=[^\W_])(?:\+\+|#))|[\W_]", r"\1", name.casefold())


def spellings(sent: str, *, model: bool = False) -> Iterator[str]:
    """What is meant by a name, as it was sent first: without what stands in brackets, a version, its sort, a maker.

    `anthropic/claude-code/2.1 (cli)` is called `claude-code` too, and an ARN what stands at its end.
    """
    whole = unicodedata.normalize("NFKC", sent).casefold().strip()
    parts = re.split(r"[/:]+", whole)
    heads = [whole, parts[0], *reversed(parts[1:])]
    heads += [_MAKERS.sub("", part) for part in heads if _MAKERS.match(part)]
    changes = _OF_MODELS if model else _OF_AGENTS
    for head in dict.fromkeys(heads):
        name = head
        while name:
            yield name
            name = next((less for change in changes if (less := change.sub("", name)) != name), "")


def called(sent: str, known: Mapping[str, str], *, model: bool = False) -> str | None:
    """The slug of what a text names, of those that are `known` by their folded names; None for what none is called."""
    words = (folded(name) for name in spellings(sent, model=model))
    return next((known[word] for word in words if word and word in known), None)


def by_names(records: Iterable[tuple[str, Iterable[str]]]) -> dict[str, str]:
    """The slug of each record by its slug and all its names, folded; of two that share a name the first has it."""
    found: dict[str, str] = {}
    for slug, names in records:
        for name in (slug, *names):
            for spelt in (name, _IN_BRACKETS.sub("", name)):
                found.setdefault(folded(spelt), slug)
    return found


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
