"""Problems as values: how they are shown, in which order, each once."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from library.problems import ContentError, Problem, Severity, in_order, printable, wrong

_PROBLEMS = st.lists(
    st.builds(
        Problem,
        st.sampled_from(["a.yaml", "b.yaml"]),
        st.sampled_from([(), ("steps", 0)]),
        st.sampled_from(["alias", "tag"]),
        st.sampled_from(["is one", "is another"]),
        st.sampled_from(Severity),
        st.integers(1, 3),
        st.integers(1, 3),
    ),
    max_size=20,
)


def test_a_problem_reads_as_place_severity_field_message_and_code() -> None:
    problem = Problem("tasks/a.yaml", ("steps", 0, "check"), "empty", "is empty", Severity.WARNING).at(3, 5)
    assert str(problem) == "tasks/a.yaml:3:5: warning: steps[0].check: is empty [empty]"
    assert str(Problem("a", (), "empty", "is empty")) == "a:1:1: error: is empty [empty]"


def test_nothing_that_a_terminal_would_obey_is_printed() -> None:
    shown = str(Problem("a", ("k\x1b[31m",), "unknown-key", "two\nlines \u202e"))
    assert shown == "a:1:1: error: k\\x1b[31m: two\\nlines \\u202e [unknown-key]"
    assert printable("Bücher — 本") == "Bücher — 本"


def test_a_rule_names_fields_with_dots_and_items_by_their_index() -> None:
    assert wrong("a", "steps.0.check", "m").pointer == ("steps", 0, "check")
    assert wrong("a", "agents.2", "m").pointer == ("agents", 2)


def test_an_error_over_content_holds_and_says_every_problem_once_and_in_order() -> None:
    first, second = Problem("a", (), "empty", "is empty"), Problem("b", (), "empty", "is empty")
    error = ContentError([second, first, second])
    assert error.problems == [first, second]
    assert [str(first) in str(error), str(second) in str(error)] == [True, True]


@settings(max_examples=80, deadline=None)
@given(_PROBLEMS)
def test_problems_come_in_order_and_each_once(problems: list[Problem]) -> None:
    told = in_order(problems)
    assert set(told) == set(problems)
    assert len(told) == len(set(told))
    places = [(problem.file, problem.line, problem.column) for problem in told]
    assert places == sorted(places)
