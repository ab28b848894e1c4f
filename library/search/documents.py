"""What is indexed of one record: plain values without markup, and the fields of Whoosh's index made of them."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from whoosh.analysis import Filter, RegexTokenizer, Token
from whoosh.fields import ID, STORED, TEXT, Schema

from ..records.vocabulary import Language, ResultType, Status, Trust
from .words import ENGLISH, WORD, Analyzer

TEXTS = ("title", "asked", "summary", "body")
FILTERS = ("type", "category", "agent", "trust", "status", "proven")
SPELT = "spelt"  # the different words of all texts as they are spelt: what suggestions are made from
VALUES = ("named", "job", *FILTERS)
"""Fields of whole values. `named` are the names of the record itself, normalised, and `job` that of its task."""

SHOWN = ("title", "summary", "url", "trust", "category", "agents", "status", "proven")  # what a hit shows
PROVEN = "true"  # what the field `proven` holds of a playbook whose checks are
Indexed = dict[str, Any]


class Document(msgspec.Struct, frozen=True):
    """One record for the index.

    `names` are other words that it is found by, `former` its former slugs; `job` is the name of a playbook's task,
    `asked` how people ask for it; `proven` says that its checks are.
    """

    type: ResultType
    slug: str
    title: str
    summary: str
    body: str
    url: str
    trust: Trust | None = None
    category: str | None = None
    agents: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    former: tuple[str, ...] = ()
    job: str = ""
    asked: tuple[str, ...] = ()
    status: Status = Status.ACTIVE
    proven: bool = False

    @property
    def id(self) -> str:
        """Its name in the index: `playbook/fix-flaky-tests`."""
        return f"{self.type}/{self.slug}"


class _Stems(Filter):  # type: ignore[misc]  # Whoosh ships no types
    """Words of a query to what texts are indexed by."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def __call__(self, tokens: Iterator[Token]) -> Iterator[Token]:
        analyzer = Analyzer(self.language)
        for token in tokens:
            token.text = analyzer.stem(analyzer.folded(token.text))
            yield token


def schema(language: Language) -> Schema:
    """The fields of the index. Texts have counts and lengths, and no positions; `kept` is all that was indexed of one.

    Words as they are spelt are in `kept` alone: nobody asks Whoosh for them, and they are as many as all stems.
    """
    text = TEXT(analyzer=RegexTokenizer(WORD) | _Stems(language), phrase=False)
    fields = dict.fromkeys(TEXTS, text) | dict.fromkeys(VALUES, ID())
    return Schema(**fields, id=ID(stored=True), kept=STORED())


def indexed(item: Document, analyzer: Analyzer = ENGLISH) -> Indexed:
    """What each field holds of a document, words in one line and values in a list; and what a hit shows as `shown`."""
    plain = msgspec.to_builtins(item)
    normalised, roots = analyzer.normalised, analyzer.roots
    texts = item.title, "\n".join(item.asked), item.summary, "\n".join([item.body, *item.names])
    words = [[word for word in analyzer.spelt(text) if word not in analyzer.stop_words] for text in texts]
    values: dict[str, Iterable[str]] = {
        "named": {normalised(name) for name in (item.title, item.slug, *item.former)},
        "job": [normalised(item.job)],
        "agent": item.agents,
        "proven": [PROVEN] if item.proven else [],
        **{field: [plain[field] or ""] for field in ("type", "category", "trust", "status")},
    }
    stems = (" ".join(root for word in found for root in roots(word)) for found in words)
    return {
        **dict(zip(TEXTS, stems, strict=True)),
        SPELT: " ".join(sorted({word for found in words for word in found if len(word) > 2})),
        **{field: sorted(filter(None, values[field])) for field in VALUES},
        "shown": {"id": item.id} | {name: plain[name] for name in SHOWN},
    }
