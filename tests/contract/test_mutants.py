"""Which faults the mutation run makes of a statement, and which statements it leaves alone for a reason."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tools.mutations import mutants
from tools.reaching import Reach, imported
from tools.uses import Uses


def of(text: str) -> list[tuple[str, str]]:
    """Every fault of a text, as its kind and what stands there then."""
    return [(one.kind, one.text) for one in mutants("library/x.py", textwrap.dedent(text).encode())]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x = a < b", [("comparison", "(a <= b)"), ("comparison", "(a >= b)")]),
        ("x = a and b", [("and/or", "(a or b)")]),
        ("x = not a", [("not removed", "(a)")]),
        ("x = 5", [("constant", "4"), ("constant", "6")]),
        ("x = 200", [("constant", "20"), ("constant", "2000")]),
        ("x = 'word'", [("text emptied", '""')]),
        ("x = a[1:]", [("constant", "0"), ("constant", "2"), ("lower bound dropped", "a[:]")]),
        ("f(a, key=b)", [("argument dropped", "f(a)"), ("statement deleted", "pass")]),
        ("x = a if b else c", [("branches swapped", "(c if b else a)")]),
        ("raise ValueError", [("statement deleted", "pass")]),
        ("x = f(timeout=5)", [("argument dropped", "f()")]),
        ("del a[b]", [("statement deleted", "pass")]),
        ("log.warning('word', 5)", [("statement deleted", "pass")]),
    ],
)
def test_a_fault_is_one_edit_of_the_text(text: str, found: list[tuple[str, str]]) -> None:
    assert sorted(of(text)) == sorted(found)


@pytest.mark.parametrize(
    "text",
    [
        '"""Two words."""',
        "x = 'two words'",
        "x = f'{a} word'",
        "x: Literal['word']",
        "Kind = Literal['word']",
        "x = cast('word', a)",
        "x = getLogger('word')",
        "assert a == 5",
        "if TYPE_CHECKING:\n    x = 5",
        "__all__ = ['word']",
        "x = f(encoding=a, strict=True, maxsize=8)",
        "_LOCK_WAIT = 60",
        "BATCH = 100",
        "gc.freeze()",
        "a.warm()",
        "def warm():\n    a.read(5)",
        "time.sleep(5)",
        "del a, b",
        "@cache(maxsize=5)\ndef f(): ...",
    ],
)
def test_what_is_no_behaviour_is_left_alone(text: str) -> None:
    assert of(text) == []


def test_a_constant_is_met_where_its_name_is_used(tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "library/a.py").write_text("MOST = 5\n_LEAST = MOST - 1\n\ndef f(x=3):\n    return x < MOST\n")
    (tmp_path / "library/b.py").write_text("_LEAST = 1\n\ndef g():\n    return _LEAST\n\ndef h():\n    return a.MOST\n")
    uses = Uses(tmp_path, ["library"])
    assert uses.lines("library/a.py", ["MOST"]) == {("library/a.py", 5), ("library/b.py", 7)}
    assert uses.lines("library/b.py", ["_LEAST"]) == {("library/b.py", 4)}
    assert uses.lines("library/a.py", ["_LEAST"]) == set()
    assert uses.lines("library/a.py", ["f"]) == {("library/a.py", 5)}


def test_the_quickest_come_first_and_the_widest_last_that_is_bearable() -> None:
    near, far, wide, slow = (
        f"tests/{name}.py::test" for name in ("library/test_x", "cli/test_y", "all/test_z", "all/test_s")
    )
    seconds = {near: 3.0, far: 1.0, wide: 9.0, slow: 99.0}
    reach = Reach(seconds, {name: [] for name in seconds}, {}, {})
    for name in seconds:
        reach.lines["library/x.py"][1].add(name)
    for file in ("library/y.py", "build/z.py"):
        for name in (wide, slow):
            reach.lines[file][1].add(name)
    (one, *_) = mutants("library/x.py", b"f(5)")
    assert reach.tests(one) == [near, far, wide]
    (other, *_) = mutants("library/x.py", b"\nf(5)")
    assert reach.tests(other) == []


def test_a_field_is_tried_by_the_tests_that_import_its_module() -> None:
    here = "tests/contract/test_mutants.py"
    assert {"tools.mutations", "tools.mutations.mutants", "textwrap"} <= imported(here)
    assert imported("tests/nothing.py") == frozenset()
    reach = Reach(
        {f"{here}::test": 1.0, "tests/x.py::test": 1.0}, {f"{here}::test": [], "tests/x.py::test": []}, {}, {}
    )
    reach.lines["tools/mutations.py"][1].add("tests/x.py::test")
    (one, *_) = mutants("tools/mutations.py", b"NOWHERE = 5")
    assert reach.tests(one) == [f"{here}::test", "tests/x.py::test"]
