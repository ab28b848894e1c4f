"""The rules that content keeps: each a generator whose docstring is the rule, whose name is its code."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import date
from typing import TypeVar

from library.problems import Problem
from library.records.collection import Library
from library.records.models import Filed, Playbook, Run

from .across import LIBRARY_RULES
from .merging import MERGE_BOOK_RULES, MERGE_LIBRARY_RULES
from .style import STYLE_RULES, CopiedSentences, tags_are_shared
from .trials import TRIAL_RULES, TrialCase
from .within import PLAYBOOK_RULES, RECORD_RULES, RUN_RULES, CheckedRecord

__all__ = [
    "CopiedSentences",
    "TrialCase",
    "across",
    "merge_rule_book",
    "of_incoming",
    "of_record",
    "of_trial",
    "rule_book",
]

_BOOK_RULES = (*PLAYBOOK_RULES, *STYLE_RULES)
_LIBRARY_RULES = (*LIBRARY_RULES, tags_are_shared)


S = TypeVar("S")


def of_record(record: Filed, today: date) -> Iterator[Problem]:
    """What the rules that need one record alone find in it."""
    yield from _asked(RECORD_RULES, CheckedRecord(record, today))
    if isinstance(record, Playbook):
        yield from _asked(_BOOK_RULES, record)
    if isinstance(record, Run):
        yield from _asked(RUN_RULES, record)


def of_incoming(record: Filed) -> Iterator[Problem]:
    """What the rules for what comes in find in one record."""
    if isinstance(record, Playbook):
        yield from _asked(MERGE_BOOK_RULES, record)


def of_trial(case: TrialCase) -> Iterator[Problem]:
    """What the rules of trials find in one, with its files and its playbook at hand."""
    yield from _asked(TRIAL_RULES, case)


def across(library: Library, *, for_merge: bool = False) -> Iterator[Problem]:
    """What the rules that need the whole library find; `for_merge` asks those of what comes in too."""
    yield from _asked((*_LIBRARY_RULES, *(MERGE_LIBRARY_RULES if for_merge else ())), library)


def _asked(rules: Iterable[Callable[[S], Iterator[Problem]]], subject: S) -> Iterator[Problem]:
    """What rules find in a subject, each problem with the code of its rule."""
    for rule in rules:
        for problem in rule(subject):
            yield problem if problem.code else replace(problem, code=_code(rule.__name__))


def rule_book() -> list[tuple[str, str]]:
    """Every rule as (code, sentence), in the order in which they run."""
    return _book(
        *RECORD_RULES, *_BOOK_RULES, *RUN_RULES, *TRIAL_RULES, *_LIBRARY_RULES, CopiedSentences.sentences_are_our_own
    )


def merge_rule_book() -> list[tuple[str, str]]:
    """Every rule that is asked before a merge only, as (code, sentence)."""
    return _book(*MERGE_BOOK_RULES, *MERGE_LIBRARY_RULES)


def _book(*rules: Callable[..., Iterator[Problem]]) -> list[tuple[str, str]]:
    return [(_code(rule.__name__), " ".join((rule.__doc__ or "").split())) for rule in rules]


def _code(name: str) -> str:
    return name.replace("_", "-")
