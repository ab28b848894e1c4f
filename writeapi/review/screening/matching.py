"""What was sent, as data, and what its words mean in this library: what they name, what says the same already."""

import base64
import binascii
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus, urlsplit

from library.interface.bodies import pointer
from library.interface.intake import RunReport, Submission
from library.problems import Pointer
from library.records.collection import Library
from library.records.naming import slug_of
from library.records.vocabulary import ResultType, SubmissionKind
from library.records.who import called, folded
from library.rules import privacy
from writeapi.store.records import RunRecord, SubmissionRecord

HOSTS, PHRASES = (
    tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8")) for name in ("hosts.toml", "phrases.toml")
)


def _pattern(shapes: Iterable[str], parts: Mapping[str, str], flags: str = "i") -> re.Pattern[str]:
    """Any of these shapes, in which a name in braces stands for a part."""
    text = "|".join(shapes)
    for name, part in parts.items():
        text = text.replace(f"{{{name}}}", part)
    return re.compile(f"(?{flags}){text}")


_LISTS = {name: "|".join(map(re.escape, HOSTS[name])) for name in ("shorteners", "not_public")}
_ODDITIES = [(row["of"], _pattern([row["shape"]], _LISTS), row["says"]) for row in HOSTS["oddities"]]
_ENGLISH, _OTHERS = (
    [(sort["says"], _pattern(sort["shapes"], PHRASES["parts"], sort.get("flags", "i"))) for sort in PHRASES[name]]
    for name in ("sorts", "other_languages")
)
_BEFORE_A_REPORT = _pattern(PHRASES["before_a_report"], PHRASES["parts"])
_SHAPES = {name: re.compile(shape) for name, shape in PHRASES["shapes"].items()}
_SELLS = re.compile(rf"\b(?:{'|'.join(PHRASES['advertising']['shapes'])})\b", re.IGNORECASE)
_LOOKALIKES = str.maketrans("аеорсухіѕјԁһԛԝАВЕКМНОРСТХІЅЈαεοινκτυρ", "aeopcyxisjdhqwABEKMHOPCTXISJaeoivktup")
_LONG_BLOB = 400


def in_text(text: str) -> list[str]:
    """The addresses in running text, without the punctuation that follows them."""
    return [found.rstrip(".,;:!?*_") for found in _SHAPES["in_text"].findall(text)]


def host_of(address: str) -> str:
    """The host of an address in small letters, without `www.`; empty where there is none."""
    try:
        return (urlsplit(address).hostname or "").rstrip(".").removeprefix("www.")
    except ValueError:
        return ""


def oddities(address: str) -> Iterator[str]:
    """What is odd about an address that was given as a source, a clause each."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        yield "cannot be read"
        return
    seen = {
        "host": host_of(address),
        "port": str(port or ""),
        "place": parts.netloc,
        "path": parts.path,
        "query": unquote_plus(parts.query[:2_000]),
    }
    for of, shape, says in _ODDITIES:
        if shape.search(seen[of]):
            yield says.format(seen[of])


def injections(text: str) -> Iterator[tuple[str, int]]:
    """What in a text seems to be meant for reviewers or their tools: a clause each, and the line (from 1)."""
    plain = _SHAPES["spaced"].sub(lambda found: re.sub(r"[ .\-_*]", "", found[0]), privacy.normalised(text))
    versions = tuple(dict.fromkeys((plain, plain.translate(_LOOKALIKES))))
    # Some words are the same in several languages.
    yield from list(_matches(_ENGLISH, versions)) or _matches(_OTHERS, versions)
    yield from _hidden(text)


def _matches(sorts: Iterable[tuple[str, re.Pattern[str]]], versions: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Each sort that tells somebody to do something, with the line of its first match."""
    for says, pattern in sorts:
        starts = ((text, one.start()) for text in versions for one in pattern.finditer(text))
        orders = (_line(text, at) for text, at in starts if not _BEFORE_A_REPORT.search(text[max(0, at - 60) : at]))
        if line := next(orders, 0):
            yield says, line


def _hidden(text: str) -> Iterator[tuple[str, int]]:
    shown = _SHAPES["code"].sub(lambda found: "\n" * found[0].count("\n"), text)
    if comment := _SHAPES["comment"].search(shown):
        yield "holds a comment or a style that a page hides", _line(shown, comment.start())
    if unseen := _SHAPES["unseen"].search(text):
        yield "holds characters that cannot be seen", _line(text, unseen.start())
    if blob := next((one for one in _SHAPES["blob"].finditer(text) if _says_something(one[0])), None):
        yield "holds an encoded text", _line(text, blob.start())


def _says_something(blob: str) -> bool:
    """Whether a run of letters and figures is a text in base 64, or so long that nobody can read it."""
    if not (re.search("[A-Z]", blob) and re.search("[a-z]", blob)):
        return False
    body = blob.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        told = base64.b64decode(body[: len(body) // 4 * 4], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return len(blob) >= _LONG_BLOB
    return told.replace("\n", " ").isprintable() and " " in told


def _line(text: str, start: int) -> int:
    return text.count("\n", 0, start) + 1


def sales_talk(text: str) -> frozenset[str]:
    """The phrases of advertisements in a text, outside of quotations and code."""
    return frozenset(found.lower() for found in _SELLS.findall(_SHAPES["quoted"].sub(" ", text)))


def linked_by_markup(text: str) -> bool:
    """Whether a text holds links as forums and pages mark them, outside of quotations and code."""
    return bool(_SHAPES["markup"].search(_SHAPES["code"].sub(" ", text)))


def shouts(text: str) -> bool:
    """Whether most of a text of some length is in capitals, or it is full of exclamation marks."""
    shown = _SHAPES["quoted"].sub(" ", text)
    letters = [letter for letter in shown if letter.isalpha() and letter.lower() != letter.upper()]
    loud = sum(letter.isupper() for letter in letters)
    return (len(letters) >= 60 and loud > 0.7 * len(letters)) or len(re.findall(r"!{3,}", shown)) >= 2


def repeats(text: str) -> bool:
    """Whether a text says the same sentence five times or more, outside of code."""
    sentences = re.split(r"[.!?\n]+", _SHAPES["code"].sub(" ", text).casefold())
    said = Counter(tuple(words) for sentence in sentences if len(words := re.findall(r"\w+", sentence)) >= 3)
    return max(said.values(), default=0) >= 5


RUN = "run"


@dataclass(frozen=True)
class Sent:
    """Something that was sent. `kind` is `run` or a submission's kind; `values` is what was sent, as JSON.

    Keys of texts are JSON pointers.
    """

    subject: str
    version: int
    kind: str
    values: Mapping[str, Any]

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """Every text in it."""
        return {place: value for place, value in leaves(self.values) if isinstance(value, str)}

    @property
    def playbook(self) -> str | None:
        """The slug of the playbook that it refers to."""
        return self.values.get("playbook")

    @property
    def payload(self) -> Mapping[str, Any]:
        """The playbook in it; empty without one."""
        found = self.values.get("payload")
        return found if isinstance(found, Mapping) else {}

    @property
    def agents(self) -> Mapping[str, str]:
        """The agents that it names."""
        return {place: text for place, text in self.texts.items() if re.match("/agent$|/payload/agents/", place)}

    @cached_property
    def addresses(self) -> Mapping[str, str]:
        """The addresses that it gives as sources; those within running text are not among them."""
        sources = {place: text for place, text in self.texts.items() if place.startswith("/payload/sources/")}
        found = {place: text for place, text in sources.items() if text.lower().startswith("http")}
        return found | ({"/source_url": self.texts["/source_url"]} if "/source_url" in self.texts else {})

    @property
    def prose(self) -> list[tuple[str, str]]:
        """Every text but the addresses, with its place."""
        return [(place, text) for place, text in self.texts.items() if place not in self.addresses]


def sent(record: RunRecord | SubmissionRecord) -> Sent:
    """The view of a stored record. Nothing is in it that its sender did not send, but the handle of its key."""
    model, kind = (RunReport, RUN) if isinstance(record, RunRecord) else (Submission, record.kind)
    given = {name: value for name in model.model_fields if (value := getattr(record, name)) is not None}
    return Sent(record.id, record.version, kind, given)


def leaves(value: object, place: Pointer = ()) -> Iterator[tuple[str, object]]:
    """Every single value in something that was sent, with its JSON pointer; what is absent is not there."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from leaves(inner, (*place, str(name)))
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from leaves(inner, (*place, index))
    elif value is not None:
        yield pointer(place), value


_CLOSE = 0.86


def agents_of(library: Library, names: Iterable[str], spare: str) -> list[str]:
    """The slugs of the agents that a sender names, each once; of an unknown one a guess, which `check` then names."""
    return list(dict.fromkeys(agent_of(library, name) or slug_of(name, spare) for name in names))


def present_slug(library: Library, slug: str) -> str | None:
    """The slug that a playbook has now, given that or a former one; None when no playbook has or had it."""
    return book.slug if (book := library.playbook(slug)) else None


def task_of(library: Library, job: str) -> str | None:
    """The task that a job is: of the same slug, name or nearly the same words; None when there is none."""
    return _closest(job, {slug: task.name for slug, task in library.tasks.items()})


def category_of(library: Library, name: str) -> str | None:
    """The category that a sender names."""
    return _closest(name, {slug: category.name for slug, category in library.categories.items()})


def platform_of(url: str) -> str:
    """What sort of place an address is, where its host says so; else empty."""
    host = f".{urlsplit(url).hostname or ''}"
    platforms = HOSTS["platforms"].items()
    return next((name for name, hosts in platforms if host.endswith(tuple(f".{known}" for known in hosts))), "")


def agent_of(library: Library, name: str) -> str | None:
    """The slug of an agent by what it is called, else by what is typed nearly so; None when there is none."""
    names = {slug: agent.name for slug, agent in library.agents.items()}
    return called(name, library.agents_by_name) or _closest(name, names)


def _closest(text: str, names: Mapping[str, str]) -> str | None:
    """The slug whose own words, or whose name's, are those of the text, or nearly."""
    wanted = folded(text)[:200]
    spelled = {folded(slug): slug for slug in names} | {folded(name): slug for slug, name in names.items()}
    words = frozenset(re.findall(r"\w+", text.casefold()))
    same = (slug for slug, name in names.items() if words == frozenset(re.findall(r"\w+", name.casefold())))
    near = get_close_matches(wanted, spelled, n=1, cutoff=_CLOSE) if wanted else []
    return spelled.get(wanted) or next(same, None) or (spelled[near[0]] if near else None)


_TITLES = 0.85
_SUMMARIES = 0.7
_ENOUGH_WORDS = 8
_ENOUGH_LETTERS = 24
_SMALL = frozenset(
    "a an and as at by for from how in into is it of on or our that the then this to use with your".split()
)


def doubles(item: Sent, library: Library) -> Iterator[tuple[ResultType, str]]:
    """The records that say nearly what this does: their type and slug. A correction is a double of nothing."""
    named = item.kind == SubmissionKind.USE_CASE and item.playbook is not None
    title = "" if named else str((item.payload or item.values).get("title") or "")
    words, said = _words(title), _words(str(item.payload.get("summary") or item.values.get("body") or ""))
    for kind, slug, known, text in _records(item.kind, library) if title else ():
        same = words and words == _words(known)
        alike = get_close_matches(title.casefold(), [known.casefold()], cutoff=_TITLES)
        other = _words(text)
        long = min(len(said), len(other)) >= _ENOUGH_WORDS
        if same or alike or (long and len(said & other) >= _SUMMARIES * len(said | other)):
            yield kind, slug


def _records(kind: str, library: Library) -> Iterator[tuple[ResultType, str, str, str]]:
    """The type, slug, title and text of the records that a submission of this kind may be a double of."""
    if kind in (SubmissionKind.PLAYBOOK, SubmissionKind.USE_CASE):
        yield from ((ResultType.PLAYBOOK, book.slug, book.title, book.summary) for book in library.all_books)
    if kind == SubmissionKind.LESSON:
        yield from ((ResultType.LESSON, one.slug, one.title, one.problem) for one in library.lessons.values())
    if kind == SubmissionKind.USE_CASE:
        yield from ((ResultType.TASK, slug, task.name, task.summary) for slug, task in library.tasks.items())


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold())) - _SMALL


def fingerprint(texts: Iterable[str | None]) -> str:
    """What two items have in common when they say the same; empty where they say little."""
    whole = folded("".join(text or "" for text in texts))
    return whole if len(whole) >= _ENOUGH_LETTERS else ""
