"""Words typed wrong: what is within one edit, what is too short to be mended, what begins so, and two words in one."""

from __future__ import annotations

import numpy as np
import pytest

from library.search.compact import near_top
from library.search.meaning import Speller, is_likely
from library.search.words import ENGLISH, LONGEST, MAX_LENGTH

WORDS = [("tests", 5), ("texts", 5), ("toasts", 1), ("merge", 3), ("csv", 2), ("file", 2), ("files", 9), ("12345", 4)]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("tests", "tests"),
        ("tetss", "tests"),
        ("tesst", "tests"),
        ("tessts", "tests"),
        ("tess", "tests"),
        ("tezts", "tests"),
        ("ests", "tests"),
        ("mreg", None),
        ("mereg", "merge"),
        ("emrge", "merge"),
        ("mrgee", None),
        ("xile", "file"),
        ("fils", "files"),
        ("filess", "files"),
        ("csx", "csv"),
        ("xsv", None),
        ("cs", None),
        ("12346", None),
        ("", None),
    ],
)
def test_one_edit_is_mended_to_the_word_that_most_documents_hold(typed: str, meant: str | None) -> None:
    assert Speller(WORDS).nearest(typed) == meant


def test_the_same_first_letter_comes_before_more_documents_and_then_the_first_in_order() -> None:
    assert Speller([("bests", 9), ("tesps", 1)]).nearest("tests") == "tesps"
    assert Speller([("tesbs", 2), ("tesas", 2)]).nearest("tests") == "tesas"
    assert Speller([("tesbs", 3), ("tesas", 2)]).nearest("tests") == "tesbs"


def test_a_letter_left_out_or_two_swapped_come_before_one_that_was_put_in_or_is_another() -> None:
    assert Speller([("prostate", 1), ("probate", 9)]).nearest("protate") == "prostate"
    assert Speller([("renal", 1), ("real", 9)]).nearest("rneal") == "renal"
    assert is_likely("otp", "opt")
    assert is_likely("otp", "otap")
    assert not is_likely("totp", "top")
    assert not is_likely("seo", "see")


def test_what_begins_so_comes_by_how_many_hold_it_and_then_by_name() -> None:
    speller = Speller(WORDS)
    assert speller.beginning("te", 9) == ["tests", "texts"]
    assert speller.beginning("f", 9) == ["files", "file"]
    assert speller.beginning("t", 2) == ["tests", "texts"]
    assert speller.beginning("tests", 9) == ["tests"]
    assert speller.beginning("z", 9) == []
    assert "csv" in speller.counts
    assert "cs" not in speller.counts
    many = Speller([(f"a{number:03}", number) for number in range(120)])
    assert many.beginning("a", 2) == ["a099", "a098"], "a hundred are looked at, in their order"


def test_two_words_in_one_are_two_that_several_documents_hold() -> None:
    speller = Speller([*WORDS, ("csv", 3), ("mer", 2), ("gecsv", 2), ("cab", 1)])
    assert speller.halves("mergecsv") == ("merge", "csv")
    assert speller.halves("csvmerge") == ("csv", "merge")
    assert speller.halves("csvcab") is None, "one document alone may have it from a typing error"
    assert speller.halves("csvfi") is None
    assert speller.halves("filescsv") == ("files", "csv")


def test_what_is_meant_is_found_in_any_run_of_a_question_and_not_what_stands_there_already() -> None:
    meanings = ENGLISH.meanings_of([(("money paper", "bill"), ("invoices", "merge files")), (("bill",), ("csv",))])
    assert meanings.of(["pay", "money", "paper"]) == dict.fromkeys(["file", "invoic", "merg"], 0.7)
    assert meanings.of(["bill", "merg"]) == dict.fromkeys(["csv", "file", "invoic"], 0.7)
    assert list(meanings.of(["bill"])) == ["csv", "file", "invoic", "merg"]
    assert meanings.of(["paper", "money"]) == {}
    assert meanings.said == {"money", "paper", "bill"}
    long = [f"w{number}" for number in range(LONGEST + 1)]
    known = ENGLISH.meanings_of([((" ".join(long[:LONGEST]),), ("csv",)), ((" ".join(long),), ("file",))])
    assert known.of(long) == {"csv": 0.7}


@pytest.mark.parametrize(
    ("count", "near"), [(1, [3]), (2, [1, 3, 4]), (3, [1, 3, 4]), (4, [0, 1, 3, 4]), (5, [0, 1, 3, 4])]
)
def test_the_best_are_those_above_nothing_and_equal_ones_in_their_order(count: int, near: list[int]) -> None:
    scores = np.array([1.0, 2.0, 0.0, 3.0, 2.0])
    assert near_top(scores, count).tolist() == near


def test_words_are_folded_and_cut() -> None:
    assert ENGLISH.spelt("Ärger: C++ & C#, x2!") == ["arger", "c++", "c#", "x2"]
    assert ENGLISH.normalised("  The  ÄRGER, again ") == "the arger again"
    assert ENGLISH.folded("\u0301") == "\u0301"
    assert ENGLISH.stem("running") == "run"
    assert ENGLISH.stem("x" * 50) == "x" * MAX_LENGTH
    assert ENGLISH.stem("c++") == "c++"
