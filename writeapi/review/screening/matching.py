"""What a sender's words mean in this library: the agents, the task and the category that they name."""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from urllib.parse import urlsplit

from library.records.collection import Library
from library.records.entries import folded
from library.records.naming import slug_of
from library.records.vocabulary import Status

from .addresses import HOSTS

WITHDRAWN = "Its playbook was withdrawn: no run of it counts."

_CLOSE = 0.86


def agents_of(library: Library, names: Iterable[str], spare: str) -> list[str]:
    """The slugs of the agents that a sender names, each once; of an unknown one a guess, which `check` then names."""
    named = ((_agent(library, name), name) for name in names)
    return list(dict.fromkeys(found or slug_of(name, spare) for found, name in named))


def agents_known(library: Library, names: Iterable[str]) -> list[str]:
    """The slugs of those agents that are known, each once."""
    return list(dict.fromkeys(found for name in names if (found := _agent(library, name))))


def present_slug(library: Library, slug: str) -> str | None:
    """The slug that a playbook has now, given that or a former one; None when no playbook has or had it."""
    book = library.playbook(slug)
    return book.slug if book else None


def is_withdrawn(library: Library, slug: str) -> bool:
    """Whether the playbook that has or had this slug was withdrawn: no run of it counts from then on."""
    book = library.playbook(slug)
    return book is not None and book.status is Status.WITHDRAWN


def task_of(library: Library, job: str) -> str | None:
    """The task that a job is: of the same slug, name or nearly the same words; None when there is none."""
    return _closest(job, {slug: task.name for slug, task in library.tasks.items()})


def category_of(library: Library, name: str) -> str | None:
    """The category that a sender names."""
    return _closest(name, {slug: category.name for slug, category in library.categories.items()})


def platform_of(url: str) -> str:
    """What sort of place an address is, where its host says so; else empty."""
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    return next((name for name, hosts in HOSTS["platforms"].items() if _within(host, hosts)), "")


def _agent(library: Library, name: str) -> str | None:
    """By slug, by name, by either in another spelling; a version at the end does not count."""
    bare = re.sub(r"[\s/@]+v?\d[\w.]*$", "", name.strip())
    return _closest(name, _agent_names(library)) or _closest(bare, _agent_names(library))


def _agent_names(library: Library) -> dict[str, str]:
    return {slug: agent.name for slug, agent in library.agents.items()}


def _closest(text: str, names: Mapping[str, str]) -> str | None:
    """The slug whose own words, or whose name's, are those of the text, or nearly."""
    wanted = folded(text)
    spelled = {folded(slug): slug for slug in names} | {folded(name): slug for slug, name in names.items()}
    if not wanted or wanted in spelled:
        return spelled.get(wanted)
    words = frozenset(re.findall(r"\w+", text.casefold()))
    for slug, name in names.items():
        if words == frozenset(re.findall(r"\w+", name.casefold())):
            return slug
    near = get_close_matches(wanted[:200], spelled, n=1, cutoff=_CLOSE)
    return spelled[near[0]] if near else None


def _within(host: str, hosts: Iterable[str]) -> bool:
    return any(host == known or host.endswith(f".{known}") for known in hosts)
