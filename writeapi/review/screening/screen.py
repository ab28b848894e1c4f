"""The review agent: looks at each item of the queue as it stands, writes down what it found, and what it advises."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from traceback import extract_tb

from library.interface.reasons import codes_for
from library.problems import LibraryError
from library.records.vocabulary import Advice, Decision
from library.search.index import IndexUnusable
from library.search.query import SearchEngine
from writeapi.store import Conflict, Finding, NotFound, Review, RunRecord, Store, SubmissionRecord

from ..services import ReviewServices, record_of
from .alike import fingerprint
from .rules import Around, Flag, findings
from .sent import Sent, sent

Reviewer = Callable[[Sent, Sequence[Flag]], Sequence[Flag]]
"""An outside reviewer: is given an item and what the rules found, and says what else there is to find."""

BATCH = 100


@dataclass(frozen=True, slots=True)
class Screened:
    """What became of one item: its review, or why there is none."""

    subject: str
    kind: str
    review: Review | None
    skipped: str = ""


def screen_all(
    review: ReviewServices,
    reviewer: Reviewer | None = None,
    *,
    limit: int | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[Screened]:
    """Screen what no review agent has looked at as it stands, oldest first: all of it, or at most `limit`.

    Each item is tried once, and what fails at one is its own. `stop` is asked between two items. Raises `Unavailable`
    and `ContentError`.
    """
    tried: set[str] = set()
    while limit is None or len(tried) < limit:
        # What could not be screened stays at the head of the queue; asking for more reaches what stands behind it.
        waiting = [name for name in review.store.unscreened(BATCH + len(tried)) if name not in tried]
        if not waiting:
            return
        for subject in waiting[: None if limit is None else limit - len(tried)]:
            if stop():
                return
            tried.add(subject)
            yield _attempt(review, subject, reviewer)


def advice_of(found: Sequence[Flag]) -> Advice:
    """Reject what breaks a hard rule; accept only that in which nothing was found."""
    if any(item.hard for item in found):
        return Advice.REJECT
    return Advice.EDITOR if found else Advice.ACCEPT


def _attempt(review: ReviewServices, subject: str, reviewer: Reviewer | None) -> Screened:
    try:
        record = record_of(review.store, subject)
        return Screened(subject, sent(record).kind, screen(review, record, reviewer))
    except (Conflict, NotFound) as error:
        return Screened(subject, "", None, str(error))
    except LibraryError:
        raise  # the content or the queue is away: that holds for every item
    except Exception as error:  # noqa: BLE001 - one item that nobody thought of must not keep it from the others
        last = extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}:{last.lineno}"
        return Screened(subject, "", None, f"the review agent failed at it ({type(error).__name__}, {place})")


def screen(review: ReviewServices, record: RunRecord | SubmissionRecord, reviewer: Reviewer | None = None) -> Review:
    """Screen one item and keep what was found, in one transaction.

    Raises `Conflict` when it was decided or changed meanwhile, `Unavailable`, and `ContentError`.
    """
    item = sent(record)
    found = findings(item, _around(review, item, record))
    if reviewer and advice_of(found) is not Advice.REJECT:
        # What is rejected anyhow, perhaps for a secret in it, is not shown to anybody outside.
        found += reviewer(item, found)
    advice = advice_of(found)
    reasons = [code for code in codes_for(Decision.REJECT) if any(one.hard and one.code == code for one in found)]
    made = Review(
        item.subject, item.version, str(advice), tuple(Finding(one.code, one.pointer, one.detail) for one in found)
    )
    review.store.screened(made, reject=advice is Advice.REJECT, reasons=reasons)
    return made


def _around(review: ReviewServices, item: Sent, record: RunRecord | SubmissionRecord) -> Around:
    nobodys = record.reporter if record.contributor_id is None else None
    borrowed = bool(nobodys) and review.store.contributor(nobodys or "") is not None
    return Around(review.shelf.library(), _engine(review), _twins(review.store, item.subject), borrowed)


def _engine(review: ReviewServices) -> SearchEngine | None:
    """The search, where a site was built."""
    try:
        return review.search()
    except IndexUnusable:
        return None


def _twins(store: Store, subject: str) -> tuple[str, ...]:
    """Open items that came earlier and say the same, whatever their spaces, capitals and punctuation."""
    texts = store.texts_beside(subject)
    mine = fingerprint(texts.get(subject, ()))
    return tuple(name for name, other in texts.items() if mine and name != subject and fingerprint(other) == mine)
