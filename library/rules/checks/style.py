"""Rules of style that a machine can hold: all of them warnings, because an editor may know better."""

import re
from collections import Counter
from collections.abc import Iterator

from library.problems import Problem, Severity, did_you_mean
from library.records.collection import Library
from library.records.fields import texts_of
from library.records.models import Playbook

from .within import prompts_of

PROMPT_WORDS = (80, 250)
COPY_WORDS = 10
TAGS_FROM = 20
"""In a library of fewer playbooks a tag may well stand alone for a while."""

_HOLLOW = re.compile(
    r"\b(?:makes? sure|ensure[sd]?|properly|correctly|as expected|looks? (?:good|right|fine)|works? (?:well|fine))\b",
    re.IGNORECASE,
)
_OBSERVABLE = re.compile(
    r"`|\d|\b(?:no|none|nothing|never|not|every|each|all|both|only|same|equal|equals|zero|one|two|three|four|five|six|ten"
    r"|first|second|third|last|prints?|shows?|lists?|names?|says?|holds?|has|contains?|matche?s?|fails?|failed|passe?s?"
    r"|exits?|opens?|returns?|stands?|appears?|sees?|turns?|lands?|reads?|writes?|number|table|written|recorded|signed"
    r"|approved|confirmed|answered|counts?|differs?|agrees?|quotes?|links?)\b",
    re.IGNORECASE,
)
"""What a check may rest on: code, a number, a comparison, a thing that is there or is not."""

_SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+|\n+")
_WORD = re.compile(r"[\w'’-]+")


def prompts_have_a_good_length(book: Playbook) -> Iterator[Problem]:
    """A prompt, and each variant's, has 80 to 250 words."""
    low, high = PROMPT_WORDS
    for field, prompt in prompts_of(book).items():
        words = len(prompt.split())
        if words < low:
            mend = "say what to read first, what to do, when to stop and ask, what to hand back and how to verify it"
            yield book.wrong(field, f"has {words} words, under {low}; {mend}", severity=Severity.WARNING)
        if words > high:
            mend = "move what a step says already into the step"
            yield book.wrong(field, f"has {words} words, over {high}; {mend}", severity=Severity.WARNING)


def checks_are_not_hollow(book: Playbook) -> Iterator[Problem]:
    """A check does not rest on words such as "ensure", "make sure", "properly" or "as expected"."""
    for index, step in enumerate(book.steps):
        if found := _HOLLOW.search(step.check):
            mend = "say what is seen when the step is done and would be otherwise if it were not"
            yield book.wrong(f"steps.{index}.check", f"rests on {found[0]!r}; {mend}", severity=Severity.WARNING)


def checks_can_be_observed(book: Playbook) -> Iterator[Problem]:
    """A check names something to observe: a command, a number, a comparison, something that is or is not there."""
    for index, step in enumerate(book.steps):
        if not _OBSERVABLE.search(step.check):
            mend = "name a command and its output, a count, a comparison or an artefact"
            yield book.wrong(f"steps.{index}.check", f"names nothing to observe; {mend}", severity=Severity.WARNING)


class CopiedSentences:
    """Finds sentences that stand in two playbooks; it is shown one whole playbook after the other."""

    def __init__(self) -> None:
        self._seen: dict[int, str] = {}

    def sentences_are_our_own(self, book: Playbook) -> Iterator[Problem]:
        """No sentence of ten or more words stands in two playbooks."""
        for pointer, text in texts_of(book):
            ours = pointer[0] not in ("evidence", "references")  # an account's title and outcome belong to its page
            for sentence in _SENTENCE_END.split(text) if ours else ():
                words = _WORD.findall(sentence.casefold())
                if len(words) < COPY_WORDS:
                    continue
                other = self._seen.setdefault(hash(tuple(words)), book.slug)
                if other != book.slug:
                    said = f"“{sentence.strip()[:60]}…”; say it anew"
                    message = f"a sentence stands in {other!r} too, word for word: {said}"
                    yield Problem(book.file, pointer, "sentences-are-our-own", message, Severity.WARNING)


def tags_are_shared(library: Library) -> Iterator[Problem]:
    """A tag stands on more than one playbook, once the library has twenty."""
    used = Counter(tag for book in library.listed for tag in book.tags)
    for book in library.listed if len(library.playbooks) >= TAGS_FROM else ():
        for index, tag in enumerate(book.tags):
            if used[tag] == 1:
                shared = [other for other, times in used.items() if times > 1 and other not in book.tags]
                end = did_you_mean(tag, shared, "; use one that does, or leave it out")
                message = f"the tag {tag!r} stands on no other playbook{end}"
                yield book.wrong("tags", message, index=index, severity=Severity.WARNING)
