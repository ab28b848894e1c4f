"""What `check` says of a trial without running it: each rule has a trial that breaks it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from library.content import loading
from library.problems import Severity
from library.rules.checks import TRIAL_RULES, trials
from tests.broken.yields import met, unmet
from tests.builders import BOOK, TODAY, put
from tests.trials.tiny import FILES, TRIAL, a_content

_ANSWER = '  answer:\n    file: "42"\n    state: solve\n'
_EXCUSED = "  answer:\n    excused: it was late\n    until: {}\n"
BROKEN: Mapping[str, tuple[Mapping[str, str | None], str]] = {
    "trials-lie-with-their-playbook": ({"trial.yaml": TRIAL.replace("fix-flaky-tests", "other")}, "but the folder is"),
    "spans-are-bound": ({"trial.yaml": TRIAL.replace(_ANSWER, "")}, "step 1 holds `answer`"),
    "bindings-are-alive": ({"trial.yaml": TRIAL.replace("cat question", "cat quest", 1)}, "stands in no step"),
    "bindings-name-states": ({"trial.yaml": TRIAL.replace("run: world", "run: worlds")}, "no state 'worlds'"),
    "excuses-are-not-over": ({"trial.yaml": TRIAL.replace(_ANSWER, _EXCUSED.format("2026-11-19"))}, "ended on"),
    "trial-checks-are-of-steps": ({"trial.yaml": TRIAL.replace('"1":', '"2":')}, "there is no step 2"),
    "trials-have-solutions-and-cheats": ({"cheats/05-asks.sh": None}, "has 4 cheats of at least 5"),
    "trial-needs-are-there": ({"trial.yaml": f"{TRIAL}needs:\n  pypi: a.lock\n"}, "names 'a.lock'"),
    "canaries-stand-in-answers": ({"grader/grade.sh": "exit 10\n"}, "lacks the canary"),
    "trials-are-small": ({"world/big": "7" * 300_000}, "300,000 bytes of at most 262,144"),
}
MORE: tuple[Mapping[str, str | None], ...] = (
    {"../other/trial.yaml": TRIAL.replace("fix-flaky-tests", "other")},
    {"grader/grade.sh": None},
    {"world/question": None},
    {f"world/{number}": "7" * 250_000 for number in range(5)},
)
"""What else the same rules say something of."""


def found(content: Path) -> dict[str, str]:
    return {problem.code: problem.message for problem in loading.check(content, TODAY)[1]}


def test_a_sound_trial_has_no_problem_and_is_a_record_of_the_library(tmp_path: Path) -> None:
    content = a_content(tmp_path)
    assert found(content) == {}
    assert [item.file for item in loading.scan(content)[0] if "trials" in item.file] == [f"trials/{BOOK}/trial.yaml"]


def test_every_rule_of_trials_is_broken_here() -> None:
    assert {rule.__name__.replace("_", "-") for rule in TRIAL_RULES} == set(BROKEN)


@pytest.mark.parametrize("code", BROKEN)
def test_a_broken_trial_is_told_of(code: str, tmp_path: Path) -> None:
    changes, words = BROKEN[code]
    assert words in found(a_content(tmp_path, changes))[code]


def test_every_yield_of_a_rule_of_trials_is_met(tmp_path: Path) -> None:
    places: set[tuple[str, int]] = set()
    linked = a_content(tmp_path / "linked")
    (linked / f"trials/{BOOK}/world/link").symlink_to("question")
    broken = (*(changes for changes, _ in BROKEN.values()), *MORE)
    for content in (linked, *(a_content(tmp_path / str(number), each) for number, each in enumerate(broken))):
        with met() as now:
            loading.check(content, TODAY)
        places |= now
    assert unmet([Path(trials.__file__)], places) == []


def test_an_excuse_that_lasts_is_none_of_a_problem_and_one_that_is_over_stops_no_build(tmp_path: Path) -> None:
    later = a_content(tmp_path / "later", {"trial.yaml": TRIAL.replace(_ANSWER, _EXCUSED.format("2026-11-20"))})
    assert found(later) == {}
    over = a_content(tmp_path / "over", {"trial.yaml": TRIAL.replace(_ANSWER, _EXCUSED.format("2026-11-19"))})
    assert [problem.severity for problem in loading.check(over, TODAY)[1]] == [Severity.WARNING]
    assert [problem.severity for problem in loading.check(over, TODAY, for_merge=True)[1]][:1] == [Severity.ERROR]


def test_all_mistakes_of_a_trial_file_are_told_at_once_with_their_places(tmp_path: Path) -> None:
    wrong = TRIAL.replace("run: world", "runs: world").replace("sentence: ", "sentences: ").replace("120", "soon")
    content = a_content(tmp_path, {"trial.yaml": wrong})
    said = [str(problem) for problem in loading.check(content, TODAY)[1]]
    assert len(said) == 3, said
    assert all(f"trials/{BOOK}/trial.yaml:" in line for line in said)
    assert "did you mean 'run'" in "\n".join(said)


def test_a_binding_says_one_thing(tmp_path: Path) -> None:
    both = TRIAL.replace("    run: world\n", "    run: world\n    file: question\n")
    assert "exactly one" in "".join(found(a_content(tmp_path / "both", {"trial.yaml": both})).values())
    endless = TRIAL.replace(_ANSWER, "  answer:\n    excused: it was late\n")
    assert "a day on which it ends" in "".join(found(a_content(tmp_path / "endless", {"trial.yaml": endless})).values())


def test_a_folder_without_a_trial_and_a_file_beside_the_folders_are_told_of(tmp_path: Path) -> None:
    content = a_content(tmp_path)
    put(content, "trials/no-trial/world/a", "1")
    put(content, "trials/alone.yaml", TRIAL)
    messages = [problem.message for problem in loading.check(content, TODAY)[1]]
    assert [
        words for words in ("has no trial.yaml", "in the folder of its playbook") if words not in str(messages)
    ] == []


def test_a_script_that_a_step_names_is_bound_by_the_check_that_runs_it(tmp_path: Path) -> None:
    content = a_content(
        tmp_path, {"trial.yaml": TRIAL.replace('test "$(cat answer)" = 42', "bash $SKILL/scripts/c.sh")}
    )
    book = content / f"playbooks/{BOOK}.yaml"
    book.write_text(book.read_text("utf-8").replace("the product.", "the product; `scripts/c.sh` asks it."), "utf-8")
    assert set(found(content)) == {"spans-are-bound"}
    put(content, f"skills/{BOOK}/scripts/c.sh", 'test "$(cat answer)" = 42\n')
    assert found(content) == {}
    assert len(FILES) == 10
