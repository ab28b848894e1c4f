"""What every page of review works with: the fields of forms, words for people, and how a page is made of a template."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from difflib import unified_diff
from itertools import zip_longest
from pathlib import Path
from urllib.parse import urlsplit

from flask import Response, current_app, g, render_template
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from werkzeug.datastructures import MultiDict

from library.interface.errors import sentences
from library.problems import Problem, UsageError, printable
from library.records.collection import Library
from library.records.vocabulary import SubmissionState
from library.rules.statistics import run_statistics
from writeapi.limits import Counters
from writeapi.review.services import ReviewServices
from writeapi.settings import ServiceSettings
from writeapi.store.records import Member, ReviewStep, Session
from writeapi.store.reviews import REVIEW_AGENT

from ..decisions.items import WORDS, Item
from ..decisions.texts import sentence, unix


class Form(MultiDict[str, str]):
    """What an editor typed: fields as the values that decisions take, and as text that can be copied again."""

    def files(self) -> list[tuple[str, str]]:
        """The names and texts of the files, in the form's order; a place left wholly empty is none.

        A text without a name has an empty one, so that nothing typed is dropped.
        """
        pairs = zip_longest(self.getlist("file"), self.getlist("text"), fillvalue="")
        named = [(name.strip(), unix(text)) for name, text in pairs]
        return [(name, text) for name, text in named if name or text.strip()]

    def texts(self) -> dict[str, str]:
        """The files by name. Raises `UsageError` where a name is missing or stands twice."""
        texts: dict[str, str] = {}
        for name, text in self.files():
            if not name:
                raise UsageError("A file has no name: give it one such as lessons/<slug>.yaml, or empty its text.")
            if name in texts:
                raise UsageError(f"Two files are named {name}: give each a name of its own.")
            texts[name] = text
        return texts

    def bases(self) -> dict[str, str]:
        """The digests of the files that the typed texts were made from, by name; new files have none.

        Of a file that the editor compared (`over`) it is that of the file as the page showed it.
        """
        names = [name.strip() for name in self.getlist("file")]
        made = dict(zip(names, self.getlist("base"), strict=False))
        now = dict(zip(names, self.getlist("now"), strict=False))
        told = made | {name: now.get(name, "") for name in self.getlist("over")}
        return {name: base for name, base in told.items() if base}

    def number(self, name: str) -> int:
        """A whole number that the page itself put in the form. Raises `UsageError`."""
        text = self.get(name, "")
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise UsageError(f"The form has no number {name}: open the page again.")
        return int(text)

    def line(self, name: str) -> str:
        """A text without blanks round it."""
        return unix(self.get(name, "")).strip()

    def note(self, action: str) -> str | None:
        """The note of an action; None when none was typed."""
        return self.line(f"{action}-note") or None

    def reasons(self, action: str) -> list[str]:
        """The reason codes that were ticked for an action, each once."""
        return list(dict.fromkeys(self.getlist(f"{action}-reason")))

    def written(self) -> list[tuple[str, str]]:
        """Everything that somebody wrote, with a name for each, to be copied."""
        labels = {"note": "Note", "title": "Title", "problem": "Problem", "fix": "Fix"}
        fields = [(field, text) for field, text in self.items() if "-" in field and text.strip()]
        named = ((labels.get(field.rpartition("-")[2]), unix(text)) for field, text in fields)
        files = [(name or "a file without a name", text) for name, text in self.files()]
        return files + [(label, text) for label, text in named if label]


MOUNT = "/review"
TEMPLATES = Path(__file__).resolve().parents[3] / "site_templates"


@dataclass(frozen=True, slots=True)
class ReviewSite:
    """Handed to every page; made once. `attempts` counts sign-ins, and forms of those who are not signed in."""

    review: ReviewServices
    settings: ServiceSettings
    attempts: Counters
    clock: Callable[[], datetime]

    @property
    def home(self) -> str:
        """The path of the pages as browsers see it, with the sub-path of the site."""
        return urlsplit(self.settings.site_url).path.rstrip("/") + MOUNT


def site() -> ReviewSite:
    """What the application that answers now works with."""
    found: ReviewSite = current_app.extensions["review"]
    return found


def signed() -> Session | None:
    """The session of the request, once the guard found it valid."""
    found: Session | None = g.get("signed")
    return found


def editor() -> Member:
    """The editor who asks; the guard lets nobody else come here."""
    session = signed()
    if session is None:
        raise LookupError("a page asked for the editor before the guard knew one")
    return session.editor


def page(template: str, status: int = 200, **values: object) -> Response:
    """A page in HTML."""
    return Response(render_template(template, **values), status, content_type="text/html; charset=utf-8")


def moved(path: str) -> Response:
    """The way to another of these pages, asked for with GET; `path` is relative to them."""
    return Response(status=303, headers={"Location": site().home + path})


MOST_LINES = 4_000  # longer files are shown without a difference: working it out takes time that grows with the square
_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})


def in_words(name: str) -> str:
    """A name of the interface as words: `worked_with_changes` is `worked with changes`."""
    return name.replace("_", " ")


def statistics(before: Library, after: Library, slug: str) -> list[tuple[str, int, int]]:
    """The counts of a playbook's runs as they are and as they would be."""
    was, will = run_statistics(before, slug), run_statistics(after, slug)
    names = ("approved", "worked", "with_changes", "failed", "reporters")
    return [(in_words(name), getattr(was, name), getattr(will, name)) for name in names]


def plain(text: object) -> Markup:
    """Text as it is, escaped; each character that a reader would not see is named, so that nothing hides."""
    safe = str(escape(str(text)))
    odd = {char for char in safe if char not in "\n\t" and unicodedata.category(char) in _HIDDEN}
    named = {ord(char): f'<span class="odd">U+{ord(char):04X}</span>' for char in odd}
    return Markup(safe.translate(named))  # noqa: S704 - escaped two lines before


def age(since: str, now: datetime) -> str:
    """How long ago a time of the store was, in its largest unit: `3 days`."""
    seconds = (now - datetime.fromisoformat(since)).total_seconds()
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            return counted(int(seconds // length), unit)
    return "under a minute"


def counted(number: int, noun: str) -> str:
    """A number with its noun: 1 run, 2 runs."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def step_words(step: ReviewStep) -> str:
    """What a step did, in the past tense."""
    if step.became == SubmissionState.SCREENED:
        return step.became if step.by == REVIEW_AGENT else "with the editors"
    return WORDS["steps"].get(step.became, step.became)


def asked_for(problem: Problem) -> str:
    """What a decision lacks, beside the fields that it is asked for in."""
    return sentence(problem) if problem.file else f"Nothing was changed: {problem.message}."


def moment(at: str) -> str:
    """A time of the store as people read it: 20 Nov 2026, 12:05."""
    when = datetime.fromisoformat(at)
    return f"{when.day} {when:%b %Y, %H:%M}"


def summary(text: str, longest: int = 90) -> str:
    """The beginning of a text in one line."""
    line = re.sub(r"\s+", " ", text).strip()
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def difference(old: str, new: str) -> list[str]:
    """What changed, line by line as `diff -u` writes it, with a little around it; nothing when nothing changed."""
    before, after = old.splitlines(), new.splitlines()
    if max(len(before), len(after)) > MOST_LINES:
        return ["@@ The file is too long to be compared here. @@"]
    return list(unified_diff(before, after, lineterm=""))[2:]


def as_text(item: Item, *, diff: bool) -> str:
    """All of one subject as lines for a terminal, with nothing in them that it would obey."""
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES / "review"),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - no page: a terminal reads it
        trim_blocks=True,
        lstrip_blocks=True,
    )
    told = templates.get_template("item.txt").render(item=item, record=item.record, diff=diff, difference=difference)
    return "".join(f"{printable(line)}\n" for line in told.split("\n"))


FILTERS: Mapping[str, Callable[..., object]] = {
    "plain": plain,
    "moment": moment,
    "counted": counted,
    "summary": summary,
    "sentence": sentence,
    "asked_for": asked_for,
    "reasons": sentences,
    "state_words": lambda state: WORDS["states"].get(state, state),
    "step_words": step_words,
    "kind_words": lambda kind: "run report" if kind == "run" else in_words(kind),
    "outcome_words": in_words,
    "advice_words": lambda advice: WORDS["advice"].get(advice or "", "not screened yet"),
    "way_words": lambda state: WORDS["outbox"].get(state, state),
}
