"""Which playbook a text means that names one: a slug, a former slug, a title, an address; else the nearest slugs."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import chain
from typing import Literal
from urllib.parse import unquote, urlsplit

from ..records.who import folded

How = Literal["slug", "former slug", "spelling", "title", "address"]
LONGEST_NAME = 2_000  # so long may a text be that names a playbook: it may be an address
_LONGEST_WORD, _MOST, _CLOSE = 128, 3, 0.6
_OWN_SCHEMES = ("playbook", "skill")
_AROUND = " \t\n`'\"<>()[].,;“”‘’"
_FORMS = re.compile(
    r"(?:.*/)?(?:playbooks?|skills|s|runs/by-playbook)/(?P<slug>[^/]+?)(?:\.(?:json|md|yaml)|/(?:SKILL\.md|skill\.zip|"
    r"changes|feed\.xml|feed\.json|card\.png|scripts/[^/]+))?/?"
)


@dataclass(frozen=True, slots=True)
class PlaybookNames:
    """What playbooks are called: titles by slug, withdrawn ones too, slugs by former slug, and the site's address."""

    titles: Mapping[str, str]
    former: Mapping[str, str]
    site_url: str


@dataclass(frozen=True, slots=True)
class Resolved:
    """The playbook that was meant, and by which of its names."""

    slug: str
    how: How


@dataclass(frozen=True, slots=True)
class Unresolved:
    """No playbook is called that; the nearest slugs, best first, perhaps none."""

    suggestions: tuple[str, ...]

    @property
    def mend(self) -> str:
        """What to do, in a sentence for whoever sent it."""
        if not self.suggestions:
            return "is no playbook of this library; search finds slugs: /api/v1/search?q=…"
        near = " or ".join(map(repr, self.suggestions))
        return f"is no playbook of this library; did you mean {near}? Send its name in addresses alone"


def resolve_playbook(text: str, names: PlaybookNames) -> Resolved | Unresolved:
    """The playbook that a text names for sure, or slugs that are like it: a name that is only near is never taken."""
    said = unicodedata.normalize("NFKC", text).strip(_AROUND)[:LONGEST_NAME]
    address = _in_address(said, names.site_url)
    word, ours = address or (said, True)
    if (found := _called(word, names)) is None:
        return Unresolved(_near(word, names))
    if address is None:
        return found
    return Resolved(found.slug, "address") if ours else Unresolved((found.slug,))


def _called(word: str, names: PlaybookNames) -> Resolved | None:
    """The playbook of a slug or a title, in whatever letters and with whatever between its words."""
    if word in names.titles:
        return Resolved(word, "slug")
    wanted = folded(word)
    for kind, called in _kinds(names):
        meant = {slug for name, slug in called if wanted and folded(name) == wanted}
        if len(meant) == 1:
            return Resolved(meant.pop(), kind)
    return None


def _kinds(names: PlaybookNames) -> Iterator[tuple[How, Iterable[tuple[str, str]]]]:
    """Every name of every playbook with its slug, the surest kind first."""
    yield "spelling", zip(names.titles, names.titles, strict=True)
    yield "former slug", names.former.items()
    yield "title", ((title, slug) for slug, title in names.titles.items())


def _in_address(said: str, site_url: str) -> tuple[str, bool] | None:
    """What stands in the place of the slug in an address, or in a path, of a playbook; None for what is neither.

    With it whether that may be one of this library: a path, one of our schemes, or the site's host.
    """
    try:
        parts = urlsplit(said)
    except ValueError:
        return None
    if parts.scheme in _OWN_SCHEMES:
        return parts.netloc, True
    ours = not parts.netloc or parts.netloc.casefold() == urlsplit(site_url).netloc.casefold()
    asked = re.search(r"(?:^|&)playbook=([^&]+)", parts.query)
    if asked and parts.path.endswith("/runs"):
        return unquote(asked[1]), ours
    match = _FORMS.fullmatch(unquote(parts.path)) if "/" in said else None
    return (match["slug"], ours) if match else None


def _near(word: str, names: PlaybookNames) -> tuple[str, ...]:
    called = chain.from_iterable(called for _, called in _kinds(names))
    plain = [(re.sub(r"[\W_]+", " ", name.casefold()), slug) for name, slug in called]
    wanted = re.sub(r"[\W_]+", " ", word[:_LONGEST_WORD].casefold())
    near = get_close_matches(wanted, dict.fromkeys(name for name, _ in plain), n=2 * _MOST, cutoff=_CLOSE)
    return tuple(dict.fromkeys(slug for like in near for name, slug in plain if name == like))[:_MOST]
