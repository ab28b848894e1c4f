"""The rules that content keeps: a rule is a generator whose docstring is what readers see, and whose name is its code.

It is asked because of what it takes: each public function of these modules that makes problems of one subject.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from inspect import isfunction
from itertools import chain
from types import ModuleType
from typing import Any, TypeVar, get_type_hints

from library.problems import Problem
from library.records.collection import Library
from library.records.models import Categories, Filed, Playbook, Run, Site

from . import across as between
from . import merging, trials, within
from .trials import TrialCase

S = TypeVar("S")
_Rules = tuple[Callable[[Any], Iterator[Problem]], ...]


def _rules(subject: type, room: ModuleType) -> _Rules:
    """All rules about such a subject, in the order in which they stand."""
    found = (rule for name, rule in vars(room).items() if isfunction(rule) and name[0] != "_")
    return tuple(rule for rule in found if [*get_type_hints(rule).values()] == [subject, Iterator[Problem]])


_OF_RECORDS = _rules(within.CheckedRecord, within)
_OF_KINDS: Mapping[type, _Rules] = {kind: _rules(kind, within) for kind in (Site, Categories, Playbook, Run)}
_OF_LIBRARIES, TRIAL_RULES = _rules(Library, between), _rules(TrialCase, trials)
_OF_INCOMING_BOOKS, _OF_INCOMING = _rules(Playbook, merging), _rules(Library, merging)


def of_record(record: Filed, today: date) -> Iterator[Problem]:
    """What the rules that need one record alone find in it."""
    yield from _asked(_OF_RECORDS, within.CheckedRecord(record, today))
    yield from _asked(_OF_KINDS.get(type(record), ()), record)


def of_incoming(record: Filed) -> Iterator[Problem]:
    """What the rules for what comes in find in one record."""
    return _asked(_OF_INCOMING_BOOKS if isinstance(record, Playbook) else (), record)


def of_trial(case: TrialCase) -> Iterator[Problem]:
    """What the rules of trials find in one, with its files and its playbook at hand."""
    return _asked(TRIAL_RULES, case)


def across(library: Library, *, for_merge: bool = False) -> Iterator[Problem]:
    """What the rules that need the whole library find; `for_merge` asks those of what comes in too."""
    return _asked((*_OF_LIBRARIES, *(_OF_INCOMING if for_merge else ())), library)


def _asked(rules: Iterable[Callable[[S], Iterator[Problem]]], subject: S) -> Iterator[Problem]:
    for rule in rules:
        for problem in rule(subject):
            yield problem if problem.code else replace(problem, code=_code(rule))


def rule_book() -> list[tuple[str, str]]:
    """Every rule as (code, sentence), in the order in which they run."""
    of_kinds = chain.from_iterable(_OF_KINDS.values())
    return _book(*_OF_RECORDS, *of_kinds, *TRIAL_RULES, *_OF_LIBRARIES, between.sentences_are_our_own)


def merge_rule_book() -> list[tuple[str, str]]:
    """Every rule that is asked before a merge only, as (code, sentence)."""
    return _book(*_OF_INCOMING_BOOKS, *_OF_INCOMING)


def _book(*rules: Callable[..., object]) -> list[tuple[str, str]]:
    return [(_code(rule), " ".join((rule.__doc__ or "").split())) for rule in rules]


def _code(rule: Callable[..., object]) -> str:
    return rule.__name__.replace("_", "-")
