"""Every environment variable that commands and services read, and every extra part that they can do without."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path

import msgspec
import msgspec.yaml

PREFIX = "PLAYBOOKS_"
_NEAR = 0.8
"""How alike a name must be to a known one to count as that one misspelt; a name of a later release is not so near."""
_FAR = 0.5
_OF_TESTS = ("PLAYBOOKS_LONG",)  # how long the project's own tests run; they start services that see these too


class Variable(msgspec.Struct, frozen=True):
    """What one variable says. `default` is what it is if absent, where a value says that; else `absent` tells it."""

    name: str
    says: str
    default: str = ""
    absent: str = ""


_TABLE = Path(__file__).with_suffix(".yaml").read_bytes()
SERVICE, GUNICORN, COMMANDS = msgspec.yaml.decode(_TABLE, type=dict[str, tuple[Variable, ...]]).values()
VARIABLES = (*SERVICE, *GUNICORN, *COMMANDS)
_KNOWN = frozenset({*(variable.name for variable in VARIABLES), *_OF_TESTS})


def misspelt(environment: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with each name that is nearly one of ours: whoever set it believes that it counts."""
    for name, near in _strange(environment, _NEAR):
        if near:
            yield f"{name} is not read by anything; it looks like {near}: rename it, or take it away"


def unread(environment: Mapping[str, str]) -> Iterator[str]:
    """A line for each further name that begins like ours. It stops nothing: a later release may know it."""
    further = {name for name, near in _strange(environment, _NEAR) if not near}
    for name, near in _strange(environment, _FAR):
        if name in further:
            yield f"{name} is not read by anything{f'; the nearest is {near}' if near else ''}"


def _strange(environment: Mapping[str, str], least: float) -> Iterator[tuple[str, str]]:
    """Names that begin like ours and are none, or are ours without the `S`, each with the one that is so near."""
    tails = sorted(known.removeprefix(PREFIX) for known in _KNOWN if known.startswith(PREFIX))
    for name in sorted(environment):
        head, _, tail = name.partition("_")
        if (head == "PLAYBOOKS" and name not in _KNOWN) or (head == "PLAYBOOK" and PREFIX + tail in _KNOWN):
            near = get_close_matches(tail, tails, n=1, cutoff=least)
            yield name, PREFIX + near[0] if near else ""


EXTRAS = {"postgresql": {"psycopg": "PostgreSQL"}, "redis": {"redis": "Redis"}, "release": {"PIL": "pictures"}}
"""Each extra of `pyproject.toml`: the modules that it brings, and what each is for."""


def missing(extra: str) -> str:
    """What of an extra is not installed, with the command that installs it; empty where all of it is there."""
    what = " and ".join(name for module, name in EXTRAS[extra].items() if find_spec(module) is None)
    install = f"pip install 'playbook-library[{extra}]' (in a checkout: make setup)"
    return f"{what} is not installed: {install}" if what else ""
