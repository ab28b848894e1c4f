"""The review agent: looks at each item of the queue by its rules, writes down what it found, and what it advises.

Each rule is a generator whose docstring is the rule. A reviewer that runs outside may be asked too.
"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from traceback import extract_tb
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from library.interface import bodies
from library.interface.bodies import pointer
from library.interface.errors import codes_for
from library.interface.intake import RunReport, Submission
from library.problems import LibraryError, UsageError, printable
from library.records.collection import Library
from library.records.fields import Text
from library.records.validating import validate
from library.records.vocabulary import Advice, Decision, Status, SubmissionKind
from library.rules import privacy
from writeapi.store.engine import Conflict, NotFound
from writeapi.store.records import Finding, Review, RunRecord, SubmissionRecord

from ..services import ReviewServices, record_of
from . import matching
from .matching import RUN, Sent, agent_of, category_of, doubles, fingerprint, sent, task_of

_MANY_LINKS = 5
_KNOWN_HOSTS = frozenset(matching.HOSTS["well_known"])


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
        evidence = (item.site.partition("/")[0] for book in library.all_books for item in book.evidence)
        own = [matching.host_of(agent.url) for agent in library.agents.values()]
        return _KNOWN_HOSTS | {*evidence, *own, matching.host_of(library.site.site_url)}


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
        talk, signs = matching.sales_talk(text), list(_spam_signs(text, around))
        if len(talk) >= 2:
            signs.insert(0, "talks like an advertisement")
        strange = any(matching.host_of(address) not in around.hosts for address in matching.in_text(text))
        blatant = len(talk) >= 3 and (strange or matching.linked_by_markup(text)) and len(signs) >= 2
        for sign in signs:
            yield Flag("spam", place, sign, hard=blatant)


def _spam_signs(text: str, around: Around) -> Iterator[str]:
    hosts = Counter(matching.host_of(address) for address in matching.in_text(text))
    times = max((times for host, times in hosts.items() if host not in around.hosts), default=0)
    if times >= _MANY_LINKS:
        yield f"links {times} times to one host"
    words = len(re.findall(r"\w+", text))
    if hosts.total() > 2 * _MANY_LINKS and hosts.total() * 8 > words:
        yield "is hardly more than links"
    if matching.linked_by_markup(text):
        yield "holds links as markup"
    if matching.shouts(text):
        yield "shouts"
    if matching.repeats(text):
        yield "says the same again and again"


def injection(item: Sent, _around: Around) -> Iterator[Flag]:
    """It speaks to readers, not to reviewers and their tools: no orders to set instructions aside, no verdicts, no
    marks of roles, nothing hidden or encoded. Whatever such a text says, it is never followed.
    """
    for place, text in item.texts.items():
        for what, line in matching.injections(text):
            yield Flag("injection", place, f"line {line} {what}")


def unknown_agent(item: Sent, around: Around) -> Iterator[Flag]:
    """Every agent that it names is one of the library, by slug, name or alias in any spelling."""
    for place, name in item.agents.items():
        if not agent_of(around.library, name):
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
        for oddity in matching.oddities(given):
            yield Flag("address", place, oddity)
    for place, text in item.prose:
        if any(matching.host_of(link) in matching.HOSTS["shorteners"] for link in matching.in_text(text)):
            yield Flag("address", place, "holds a link that hides where it leads (a shortener)")


def reporter_is_a_handle(_item: Sent, around: Around) -> Iterator[Flag]:
    """What came without a key is not signed with the handle of a contributor."""
    if around.borrowed:
        yield Flag("reporter-is-a-handle", "/reporter", "is the handle of a contributor, and came without its key")


RULES: tuple[Rule, ...] = (
    malformed, private_data, maybe_private, spam, injection, unknown_agent, unknown_task, unknown_playbook, no_playbook,
    duplicate, address, reporter_is_a_handle,
)  # fmt: skip


SECONDS = 5.0  # after so long the rules that are left are not asked of an item: an editor looks at it


def findings(item: Sent, around: Around, clock: Callable[[], float] = time.monotonic) -> list[Flag]:
    """What the rules find, in their order. A rule that breaks is a finding itself: no item stops the others.

    So is an item that takes more than `SECONDS`.
    """
    found: list[Flag] = []
    until = clock() + SECONDS
    for rule in RULES:
        if clock() > until:
            found.append(Flag("rule-failed", "", f"took too long from the rule {code_of(rule)} on; look at all of it"))
            break
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


VARIABLE = "PLAYBOOKS_REVIEWER"
_HANDED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TZ")
_OWN_PREFIX = "REVIEWER_"
CODES = tuple(dict.fromkeys([*codes_for(Decision.REJECT), *codes_for(Decision.REQUEST_CHANGES)]))
"""What an outside reviewer may find: the reasons that an editor may give a sender."""
_POINTER = r"^(/[A-Za-z0-9_~-]{1,64}){0,6}$"
_CUT = 300
_MOST_OUTPUT = 64 * 1024
_MOST_ERRORS = 4 * 1024
_LOOK = 0.05  # seconds between two looks at how much the command has written


class FindingMade(BaseModel):
    """Something that an outside reviewer found."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: Annotated[str, Field(pattern=f"^({'|'.join(CODES)})$")] = Field(
        description="One of the codes that came with the item."
    )
    pointer: Annotated[str, Field(max_length=200, pattern=_POINTER)] = Field(
        "", description="The field, as a JSON pointer into `fields`; empty, or a field that is not there: the whole."
    )
    detail: Annotated[Text, Field(max_length=500, pattern=r"^[^\n\r\t]+$")] = Field(
        description="A sentence for editors, without control characters."
    )


class ReviewerVerdict(BaseModel):
    """What an outside reviewer answers on standard output: this and nothing else."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    advice: Advice = Field(description="What to do. Nothing is accepted or rejected because of it alone.")
    findings: Annotated[tuple[FindingMade, ...], Field(max_length=20)] = Field((), description="What there is to find.")


@dataclass(frozen=True)
class OutsideReviewer:
    """The command of an outside reviewer. `say` is told what a failed one wrote to standard error, line by line."""

    command: Sequence[str]
    environment: Mapping[str, str]
    seconds: float
    say: Callable[[str], None]

    def __call__(self, item: Sent, found: Sequence[Flag]) -> list[Flag]:
        """What it found; a failure of it is a finding too. Whatever it answers, nothing that was found goes away."""
        seen = [{"code": one.code, "pointer": one.pointer, "detail": one.detail} for one in found]
        told = {"format": 1, "id": item.subject, "kind": item.kind, "fields": item.values}
        complaints = b""
        try:
            # What it leaves and nobody can delete stays: that is the operator's to see, and no reason to stop.
            with (
                TemporaryDirectory(prefix="reviewer-", ignore_cleanup_errors=True) as folder,
                TemporaryFile() as question,
                TemporaryFile("a+b") as out,  # files, not pipes: a grandchild that keeps them open delays nothing
                TemporaryFile("a+b") as errors,
            ):
                question.write(json.dumps({**told, "findings": seen, "codes": CODES}).encode())
                question.seek(0)
                why = self._run(folder, question.fileno(), out.fileno(), errors.fileno())
                for file in (out, errors):
                    file.seek(0)
                verdict = why or read_verdict(out.read(_MOST_OUTPUT))
                complaints = errors.read(_MOST_ERRORS)
        except OSError as error:
            verdict = f"could not be run ({error.strerror or type(error).__name__})"
        if isinstance(verdict, ReviewerVerdict):
            return list(_findings(verdict, item))
        for line in complaints.decode(errors="replace").splitlines():
            self.say(f"reviewer: {printable(line)}")
        return [Flag("reviewer-failed", "", f"the outside reviewer {verdict}")]

    def _run(self, folder: str, question: int, out: int, errors: int) -> str:
        """Run the command without a shell, in an empty folder and a session of its own; says why it failed, or nothing.

        Its process group is killed when it ends, or at a bound; a child that began a session of its own escapes that.
        What standard error holds beyond its bound is thrown away.
        """
        process = subprocess.Popen(
            self.command,
            stdin=question,
            stdout=out,
            stderr=errors,
            cwd=folder,
            env=dict(self.environment),
            start_new_session=True,
        )
        until = time.monotonic() + self.seconds
        try:
            code = None
            while code is None and os.fstat(out).st_size <= _MOST_OUTPUT:
                if time.monotonic() >= until:
                    return f"gave no verdict within {self.seconds:g} s"
                with suppress(subprocess.TimeoutExpired):
                    code = process.wait(_LOOK)
                if os.fstat(errors).st_size > _MOST_ERRORS:
                    os.ftruncate(errors, _MOST_ERRORS)  # it goes on at the new end
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if os.fstat(out).st_size > _MOST_OUTPUT:
            return f"wrote more than {_MOST_OUTPUT // 1024} KiB"
        if code:
            return f"ended with the code {code}" if code > 0 else f"was ended by the signal {-code}"
        return ""


def read_verdict(raw: bytes) -> ReviewerVerdict | str:
    """The verdict in an outside reviewer's output, or what is wrong with it; what it wrote is not repeated."""
    try:
        value = bodies.parse(raw)
    except bodies.NotJson:
        return "wrote something else than one JSON object"
    result = validate(ReviewerVerdict, value, "verdict")
    if isinstance(result, ReviewerVerdict):
        return result
    known = {"advice", "findings", "code", "pointer", "detail"}  # nothing that the reviewer made up is repeated
    told = [[str(part) if isinstance(part, int) or part in known else "…" for part in one.pointer] for one in result]
    places = [f"/{'/'.join(parts)} ({one.code})" for parts, one in zip(told, result, strict=True)]
    return f"wrote no verdict of the schema: {', '.join(dict.fromkeys(places))}"[:_CUT]


def _findings(verdict: ReviewerVerdict, item: Sent) -> list[Flag]:
    found = [
        Flag(one.code, one.pointer if one.pointer in item.texts else "", f"outside reviewer: {one.detail}")
        for one in verdict.findings
    ]
    if verdict.advice is Advice.REJECT or (verdict.advice is Advice.EDITOR and not found):
        words = "to reject it" if verdict.advice is Advice.REJECT else "that an editor looks at it"
        found.append(Flag("reviewer", "", f"the outside reviewer advises {words}"))
    return found


def reviewer_from(environment: Mapping[str, str], seconds: float, say: Callable[[str], None]) -> OutsideReviewer | None:
    """The outside reviewer that `PLAYBOOKS_REVIEWER` names; None where it names none.

    Raises `UsageError` for a command that cannot be split or found.
    """
    try:
        words = shlex.split(environment.get(VARIABLE, ""))
    except ValueError as error:
        raise UsageError(f"{VARIABLE} cannot be split into words: {error}") from error
    if not words:
        return None
    found = shutil.which(words[0], path=environment.get("PATH"))
    if found is None:
        raise UsageError(f"{VARIABLE} names the command {words[0]!r}, which cannot be found or run")
    own = {name: text for name, text in environment.items() if name in _HANDED_ON or name.startswith(_OWN_PREFIX)}
    # The command runs in another folder, so a relative name of it would lead nowhere; it sees none of our secrets.
    return OutsideReviewer((str(Path(found).absolute()), *words[1:]), own, seconds, say)
