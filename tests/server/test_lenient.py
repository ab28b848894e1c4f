"""What `serve --watch` builds: a save goes in when it goes with the others, and waits beside until then."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from build.pipeline import Resident
from build.settings import BuildReport, BuildSettings
from library.problems import ContentError, Severity
from library.records.trials import CANARY
from server.commands import LenientSources
from tests.builders import AGENT, BOOK, LESSON, MINIMAL, PLAYBOOK, RUN, TODAY, put, titled, write_content
from tests.proofs import put_proof, put_trial

FILE = f"playbooks/{BOOK}.yaml"
OTHER = titled(PLAYBOOK, "Tune a piano")


class Desk:
    """A content folder that is built at every save."""

    def __init__(self, folder: Path, changes: dict[str, str | bytes | None]) -> None:
        self.content = write_content(folder, changes)
        self.settings = BuildSettings(self.content, folder / "out", TODAY, jobs=1, durable=False)
        self.copy = LenientSources(self.content)
        self.resident = Resident(self.copy)

    def save(self, changes: dict[str, str | None]) -> BuildReport:
        for name, body in changes.items():
            if body is None:
                (self.content / name).unlink()
            else:
                put(self.content, name, body)
        return self.resident.build(self.settings)

    def page(self, file: str) -> str:
        path = self.settings.out / file.removesuffix(".yaml") / "index.html"
        return path.read_text() if path.exists() else ""

    def told(self) -> dict[str, list[str]]:
        return {file: [problem.code for problem in problems] for file, problems in self.copy.pages.items()}


@pytest.fixture
def begin(tmp_path: Path) -> Callable[..., Desk]:
    def begun(changes: dict[str, str | bytes | None] | None = None) -> Desk:
        desk = Desk(tmp_path, changes or {})
        desk.save({})
        return desk

    return begun


def test_a_file_that_breaks_stays_as_it_was_and_others_go_through(begin: Callable[..., Desk]) -> None:
    desk = begin({"lessons/a.yaml": LESSON})
    desk.save({FILE: PLAYBOOK.replace("risk: low", "risk: none"), "lessons/a.yaml": f"{LESSON}tags: [other]\n"})
    assert desk.told() == {FILE: ["not-allowed"]}
    assert "Fix flaky tests" in desk.page(FILE)
    assert "Tags: other" in desk.page("lessons/a.yaml")
    desk.save({FILE: PLAYBOOK.replace("title: Fix", "title: Mend")})
    assert desk.told() == {}
    assert "Mend flaky tests" in desk.page(FILE)


def test_a_problem_between_files_waits_for_the_other_file(begin: Callable[..., Desk]) -> None:
    desk = begin()
    desk.save({FILE: PLAYBOOK.replace("- claude-code", "- other")})
    assert desk.told() == {FILE: ["agents-exist"]}
    desk.save({"agents/other.yaml": AGENT.replace("Claude Code", "Other")})
    assert desk.told() == {}
    assert "/agents/other/" in desk.page(FILE)


def test_what_others_need_cannot_go_before_they_do(begin: Callable[..., Desk]) -> None:
    desk = begin({"agents/other.yaml": AGENT.replace("Claude Code", "Other")})
    desk.save({"agents/claude-code.yaml": None})
    assert [(problem.file, problem.code) for problem in desk.copy.others] == [(FILE, "agents-exist")]
    assert desk.page("agents/claude-code.yaml")
    desk.save({FILE: PLAYBOOK.replace("- claude-code", "- other")})
    assert desk.copy.others == []
    assert desk.page("agents/claude-code.yaml") == ""


def test_what_was_never_in_order_is_as_a_draft_to_the_others(begin: Callable[..., Desk]) -> None:
    desk = begin(
        {
            "playbooks/bad.yaml": OTHER.replace("risk: low", "risk: none"),
            FILE: f"{PLAYBOOK}related: [bad]\n",
            "lessons/a.yaml": LESSON.replace("  - fix", "  - bad\n  - fix"),
            "runs/bad/run_1.yaml": RUN.replace("fix-flaky-tests", "bad"),
        }
    )
    assert desk.told() == {"playbooks/bad.yaml": ["not-allowed"]}
    assert [(problem.file, problem.code) for problem in desk.copy.others] == [
        ("runs/bad/run_1.yaml", "no-draft-is-needed")
    ]
    assert "/playbooks/bad/" not in desk.page(FILE)
    assert desk.page("lessons/a.yaml")
    desk.save({"playbooks/bad.yaml": OTHER})
    assert (desk.told(), desk.copy.others) == ({}, [])
    assert "/playbooks/bad/" in desk.page(FILE)
    assert "/playbooks/bad/" in desk.page("lessons/a.yaml")


def test_drafts_are_told_with_what_is_left(begin: Callable[..., Desk]) -> None:
    desk = begin({"lessons/later.yaml": f"{LESSON}status: draft\nodd: x\n"})
    assert desk.told() == {"lessons/later.yaml": ["unknown-key"]}
    before = desk.copy.state
    desk.save({"lessons/later.yaml": f"{LESSON}status: draft\n"})
    assert desk.told() == {"lessons/later.yaml": []}
    assert desk.copy.state != before
    assert desk.page("lessons/later.yaml") == ""
    assert desk.resident.library
    assert desk.resident.library.drafts == {"lessons/later.yaml"}


def test_what_was_saved_is_judged_as_before_a_merge(begin: Callable[..., Desk]) -> None:
    desk = begin({"lessons/a.yaml": LESSON})
    assert desk.copy.merge_problems(desk.resident.library) == []
    desk.save({FILE: PLAYBOOK.replace("title: Fix", "title:   Mend")})
    told = desk.copy.merge_problems(desk.resident.library)
    assert {problem.file for problem in told} == {FILE}
    assert {"steps-are-five-to-nine", "canonical-form"} <= {problem.code for problem in told}
    assert {problem.severity for problem in told} == {Severity.ERROR}
    desk.save({FILE: PLAYBOOK.replace("risk: low", "risk: none")})
    assert desk.copy.merge_problems(desk.resident.library) == [], "what is wrong with it is told already"


def test_without_its_settings_there_is_no_site_until_they_are_mended(tmp_path: Path) -> None:
    desk = Desk(tmp_path, {"site.yaml": "odd: x\n", "lessons/a.yaml": "odd: x\n"})
    with pytest.raises(ContentError) as raised:
        desk.save({})
    assert {"unknown-key", "missing-field"} == {problem.code for problem in raised.value.problems}
    desk.save({"site.yaml": MINIMAL["site.yaml"]})
    assert desk.page(FILE)
    desk.save({"site.yaml": "odd: x\n"})
    assert desk.page(FILE), "the last ones go on"
    assert {problem.file for problem in desk.copy.others} == {"site.yaml"}


def test_a_trial_goes_in_with_all_its_files_and_its_proof_is_old_when_one_is_another(
    begin: Callable[..., Desk],
) -> None:
    desk = begin()
    put_trial(desk.content)
    put_proof(desk.content)
    desk.save({})
    assert "Checks proven</span> 20 Nov 2026: 5 of 5" in desk.page(FILE)
    desk.save({f"trials/{BOOK}/trial.yaml": "playbook: [\n"})
    assert "Checks proven</span> 20 Nov 2026: 5 of 5" in desk.page(FILE)
    put_trial(desk.content)
    desk.save({f"trials/{BOOK}/proven.json": "{"})
    assert "Checks proven</span> 20 Nov 2026: 5 of 5" in desk.page(FILE)
    put_proof(desk.content)
    desk.save({f"trials/{BOOK}/cheats/06-another.sh": f"# {CANARY}\ntrue\n"})
    assert "for its trial as it was then, and not since" in desk.page(FILE)
    shutil.rmtree(desk.content / "trials")
    desk.save({})
    assert "planted shortcuts" not in desk.page(FILE)
    assert desk.copy.others == []
