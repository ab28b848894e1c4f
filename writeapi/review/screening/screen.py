"""The review agent: looks at each item of the queue by its rules, writes down what it found, and what it advises.

Each rule is a generator whose docstring is the rule.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from traceback import extract_tb

from library.interface.bodies import pointer
from library.interface.errors import codes_for
from library.interface.intake import RunReport, Submission
from library.problems import LibraryError
from library.records.collection import Library
from library.records.validating import validate
from library.records.vocabulary import Advice, Decision, Status, SubmissionKind
from library.rules import privacy
from writeapi.store.engine import Conflict, NotFound
from writeapi.store.records import Finding, Review, RunRecord, SubmissionRecord

from ..services import ReviewServices, record_of
from . import phrases
from .matching import RUN, Sent, agents_known, category_of, doubles, fingerprint, sent, task_of

_MANY_LINKS = 5
_KNOWN_HOSTS = frozenset(phrases.HOSTS["well_known"])


@dataclass(frozen=True, slots=True)
class Flag(Finding):
    """A finding that is not kept yet, and whether it is reason to reject."""

    hard: bool = False


@dataclass(frozen=True)
class Around:
    """What a rule may ask beside the item itself.

    `twins` are ids of open items that came earlier and say the same. `borrowed` says that it came without a key and
    under the handle of somebody who has one.
    """

    library: Library
    twins: tuple[str, ...] = ()
    borrowed: bool = False

    @cached_property
    def hosts(self) -> frozenset[str]:
        """The hosts that a report may well name often: code forges, agents' makers, sites that evidence stands on."""
        library = self.library
        evidence = (item.site.partition("/")[0] for book in library.listed for item in book.evidence)
        own = [phrases.host_of(agent.url) for agent in library.agents.values()]
        return _KNOWN_HOSTS | {*evidence, *own, phrases.host_of(library.site.site_url)}


Rule = Callable[[Sent, Around], Iterator[Flag]]


def malformed(item: Sent, _around: Around) -> Iterator[Flag]:
    """It still keeps the form, the limits and the character rules of the interface. Rejected otherwise."""
    result = validate(RunReport if item.kind == RUN else Submission, dict(item.values), "body")
    for problem in result if isinstance(result, list) else ():
        yield Flag("malformed", pointer(problem.pointer), problem.message, hard=True)


def private_data(item: Sent, _around: Around) -> Iterator[Flag]:
    """No text holds private data or a secret that is refused at the door. Rejected otherwise."""
    for place, text in item.texts.items():
        for words in dict.fromkeys(finding.words for finding in privacy.find(text) if finding.refused):
            yield Flag("private-data", place, f"holds {words}", hard=True)


def maybe_private(item: Sent, _around: Around) -> Iterator[Flag]:
    """IP addresses are looked at by an editor."""
    for place, text in item.texts.items():
        for words in dict.fromkeys(finding.words for finding in privacy.find(text) if not finding.refused):
            yield Flag("maybe-private", place, f"holds {words}; is it anybody's?")


def spam(item: Sent, around: Around) -> Iterator[Flag]:
    """It does not advertise: sales talk, links as markup, many links to one strange host, shouting, the same sentence
    again and again. Rejected only where much of this comes together.
    """
    for place, text in item.prose:
        talk, signs = phrases.sales_talk(text), list(_spam_signs(text, around))
        if len(talk) >= 2:
            signs.insert(0, "talks like an advertisement")
        strange = any(phrases.host_of(address) not in around.hosts for address in phrases.in_text(text))
        blatant = len(talk) >= 3 and (strange or phrases.linked_by_markup(text)) and len(signs) >= 2
        for sign in signs:
            yield Flag("spam", place, sign, hard=blatant)


def _spam_signs(text: str, around: Around) -> Iterator[str]:
    hosts = Counter(phrases.host_of(address) for address in phrases.in_text(text))
    times = max((times for host, times in hosts.items() if host not in around.hosts), default=0)
    if times >= _MANY_LINKS:
        yield f"links {times} times to one host"
    words = len(re.findall(r"\w+", text))
    if hosts.total() > 2 * _MANY_LINKS and hosts.total() * 8 > words:
        yield "is hardly more than links"
    if phrases.linked_by_markup(text):
        yield "holds links as markup"
    if phrases.shouts(text):
        yield "shouts"
    if phrases.repeats(text):
        yield "says the same again and again"


def injection(item: Sent, _around: Around) -> Iterator[Flag]:
    """It speaks to readers, not to reviewers and their tools: no orders to set instructions aside, no verdicts, no
    marks of roles, nothing hidden or encoded. Whatever such a text says, it is never followed.
    """
    for place, text in item.texts.items():
        for what, line in phrases.injections(text):
            yield Flag("injection", place, f"line {line} {what}")


def unknown_agent(item: Sent, around: Around) -> Iterator[Flag]:
    """Every agent that it names is one of the library, by slug, name or alias in any spelling."""
    for place, name in item.agents.items():
        if not agents_known(around.library, [name]):
            yield Flag(
                "unknown-agent", place, "counts as `other` until a file of content/agents/ has it among its aliases"
            )


def unknown_task(item: Sent, around: Around) -> Iterator[Flag]:
    """The job and the category of a playbook are some of the library."""
    job, category = item.payload.get("job"), item.payload.get("category")
    if isinstance(job, str) and not task_of(around.library, job):
        yield Flag("unknown-task", "/payload/job", "is no task of the library; perhaps a new one, or other words")
    if isinstance(category, str) and not category_of(around.library, category):
        yield Flag("unknown-category", "/payload/category", "is no category of the library")


def unknown_playbook(item: Sent, around: Around) -> Iterator[Flag]:
    """The playbook that it refers to is one of the library, and was not withdrawn."""
    if item.playbook is None:
        return
    book = around.library.playbook(item.playbook)
    if book is None:
        yield Flag("unknown-playbook", "/playbook", "is no playbook of the library as it is now")
    elif book.status is Status.WITHDRAWN and item.kind != SubmissionKind.CORRECTION:
        yield Flag("unknown-playbook", "/playbook", "was withdrawn")


def no_playbook(item: Sent, _around: Around) -> Iterator[Flag]:
    """A correction names the playbook that it corrects."""
    if item.kind == SubmissionKind.CORRECTION and item.playbook is None:
        yield Flag("no-playbook", "", "names no playbook; an editor chooses the file that it corrects")


def duplicate(item: Sent, around: Around) -> Iterator[Flag]:
    """The library does not say nearly the same already, and nothing that waits says it either."""
    place = "/payload/title" if item.kind == SubmissionKind.PLAYBOOK else "/title"
    for kind, slug in doubles(item, around.library):
        yield Flag("duplicate", place, f"is nearly the {kind} {slug}")
    for twin in around.twins:
        yield Flag("duplicate", "" if item.kind == RUN else "/body", f"says the same as {twin}, which waits too")


def address(item: Sent, _around: Around) -> Iterator[Flag]:
    """Addresses given as sources lead to public pages by themselves: no shorteners, numbers for hosts, private hosts,
    strange ports, programs or tracking; and no shortener in a text. They are never fetched.
    """
    for place, given in item.addresses.items():
        for oddity in phrases.oddities(given):
            yield Flag("address", place, oddity)
    for place, text in item.prose:
        if any(phrases.shortened(link) for link in phrases.in_text(text)):
            yield Flag("address", place, "holds a link that hides where it leads (a shortener)")


def reporter_is_a_handle(_item: Sent, around: Around) -> Iterator[Flag]:
    """What came without a key is not signed with the handle of a contributor."""
    if around.borrowed:
        yield Flag("reporter-is-a-handle", "/reporter", "is the handle of a contributor, and came without its key")


RULES: tuple[Rule, ...] = (
    malformed, private_data, maybe_private, spam, injection, unknown_agent, unknown_task, unknown_playbook, no_playbook,
    duplicate, address, reporter_is_a_handle,
)  # fmt: skip


def findings(item: Sent, around: Around) -> list[Flag]:
    """What the rules find, in their order. A rule that breaks is a finding itself: no item stops the others."""
    found: list[Flag] = []
    for rule in RULES:
        try:
            found += rule(item, around)
        except Exception:  # noqa: BLE001 - whatever a text does to a rule, an editor looks at it and the queue goes on
            found.append(Flag("rule-failed", "", f"the rule {code_of(rule)} broke on it; please report this"))
    return found


def code_of(rule: Rule) -> str:
    """A rule's name as findings and documents write it."""
    return rule.__name__.replace("_", "-")


Reviewer = Callable[[Sent, Sequence[Flag]], Sequence[Flag]]
"""An outside reviewer: is given an item and what the rules found, and says what else there is to find."""

_MOST = 100_000  # items that are looked for at a time; what came meanwhile is for the next


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
    for subject in review.store.unscreened(_MOST)[:limit]:
        if stop():
            return
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
        place = f"{type(error).__name__}, {Path(last.filename).name}:{last.lineno}"
        return Screened(subject, "", None, f"the review agent failed at it ({place})")


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
    kept = tuple(Finding(one.code, one.pointer, one.detail) for one in found)
    made = Review(item.subject, item.version, str(advice), kept)
    review.store.screened(made, reject=advice is Advice.REJECT, reasons=reasons)
    return made


def _around(review: ReviewServices, item: Sent, record: RunRecord | SubmissionRecord) -> Around:
    nobodys = record.reporter if record.contributor_id is None else None
    borrowed = bool(nobodys) and review.store.taken(nobodys or "")
    texts = review.store.texts_beside(item.subject)
    mine = fingerprint(texts.pop(item.subject, ()))
    twins = tuple(name for name, other in texts.items() if mine and fingerprint(other) == mine)
    return Around(review.shelf.library(), twins, borrowed)
