"""`playbooks trial new` and `export`: what is begun is told to be unfinished, what is exported is whole."""

from __future__ import annotations

import tomllib
from pathlib import Path

from library.content import loading
from library.content.formatting import format_bytes
from tests.builders import BOOK, TODAY
from tests.trials.tiny import STEP, a_content, cache, run, script

__all__ = ["cache"]


def test_a_begun_trial_has_every_span_and_is_not_done(tmp_path: Path, cache: Path) -> None:
    content = a_content(tmp_path)
    assert run(content, cache, "new", BOOK).exit_code == 1, "there is one"
    assert STEP.split("`")[1] in (content / f"playbooks/{BOOK}.yaml").read_text("utf-8")
    for path in sorted((content / "trials").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    assert run(content, cache, "new", BOOK).exit_code == 0
    begun = (content / f"trials/{BOOK}/trial.yaml").read_bytes()
    assert format_bytes(begun, f"trials/{BOOK}/trial.yaml") == begun
    assert begun.count(b"not written yet") == 2
    codes = {problem.code for problem in loading.check(content, TODAY)[1]}
    assert codes == {"trials-have-solutions-and-cheats"}
    assert run(content, cache, "new", "no-such").exit_code == 2


def test_what_is_exported_has_the_form_of_harbors_tasks_and_shows_the_agent_no_answer(
    tmp_path: Path, cache: Path
) -> None:
    content, task = a_content(tmp_path, {"shared/parts.inc": script("true")}), tmp_path / "task"
    assert run(content, cache, "export", BOOK, task).exit_code == 0
    settings = tomllib.loads((task / "task.toml").read_text("utf-8"))
    assert settings["task"]["name"] == f"playbook-library/{BOOK}"
    assert settings["environment"]["network_mode"] == "no-network"
    names = {path.relative_to(task).as_posix() for path in task.rglob("*") if path.is_file()}
    assert names >= {
        "instruction.md",
        "environment/Dockerfile",
        "solution/solve.sh",
        "solution/shared/parts.inc",
        "tests/test.sh",
    }
    assert {name for name in names if name.startswith("environment/")} == {
        "environment/Dockerfile",
        "environment/world/question",
    }
    assert "What is six by seven?" in (task / "instruction.md").read_text("utf-8")
    assert (task / "tests/test.sh").stat().st_mode & 0o111
    assert run(content, cache, "export", BOOK, task).exit_code == 1
