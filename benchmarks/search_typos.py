"""What one letter typed wrong costs: how much of the first ten stays the same, and the time that mending takes."""

from __future__ import annotations

import random
import statistics
import string

from benchmarks.search_corpus import questions
from benchmarks.search_engines import Ours
from benchmarks.usage import timed

SAME = 0.97
ADDED = 0.0001
WORDS = (2, 4)


def typos(ours: Ours, count: int, rounds: int) -> bool:
    """Print both figures for short questions, one word of each with a typo; whether the targets are met."""
    chance = random.Random(3)  # noqa: S311 - a measurement
    pairs = [(right, mistyped(right, chance)) for right in questions(count, seed=4, words=WORDS)]
    same, added = [], []
    for right, wrong in pairs:
        first, other = ({name for name, _ in ours.top(text)} for text in (right, wrong))
        same.append(len(first & other) / len(first) if first else 1.0)
        turns = [(timed(ours.top, right), timed(ours.top, wrong)) for _ in range(rounds)]
        added.append(statistics.median(late - early for early, late in turns))
    share, more = statistics.mean(same), statistics.median(added)
    missed = [f"{right} / {wrong}" for (right, wrong), part in zip(pairs, same, strict=True) if part < 0.5]
    print(
        f"{ours.name}, one typo in {WORDS[0]} to {WORDS[1]} words, {count:,} questions: {share:.1%} of the first ten"
        f" the same, {sum(part == 1 for part in same) / count:.1%} all the same; {more * 1000:+.3f} ms (median)"
    )
    print(f"  less than half the same: {len(missed)}, such as {'; '.join(missed[:3])}")
    print(f"  at least {SAME:.0%} the same: {_told(share >= SAME)}")
    print(f"  at most {ADDED * 1000:g} ms more: {_told(more <= ADDED)}")
    return share >= SAME and more <= ADDED


def mistyped(text: str, chance: random.Random) -> str:
    """The text with one letter of one word more, fewer, other, or swapped with the next; never the word's first."""
    words = text.split(" ")
    at = chance.randrange(len(words))
    words[at] = _wrong(words[at], chance)
    return " ".join(words)


def _wrong(word: str, chance: random.Random) -> str:
    """The word with one edit that changes it."""
    while True:
        place, letter = chance.randrange(1, len(word)), chance.choice(string.ascii_lowercase)
        head, here, tail = word[:place], word[place], word[place + 1 :]
        edits = (head + letter + here + tail, head + tail, head + letter + tail, head + tail[:1] + here + tail[1:])
        found = chance.choice(edits)
        if found != word:
            return found


def _told(met: bool) -> str:
    return "met" if met else "missed"
