"""`check --fix` makes each sure change once, keeps comments, and leaves alone what it cannot read."""

from __future__ import annotations

from pathlib import Path

import pytest

from library.content import loading
from library.content.formatting import fix_files, format_bytes
from library.content.yamlfile import comments
from library.problems import Problem, sure
from tests.broken.case import Case, changed
from tests.broken.syntax import SYNTAX
from tests.builders import AGENT, BOOK, PLAYBOOK, TODAY, put, titled, write_content

FILE = f"playbooks/{BOOK}.yaml"
_CANONICAL = format_bytes(PLAYBOOK.encode(), FILE)


def fixed(folder: Path, text: str) -> tuple[str, list[str], list[str]]:
    """The playbook's text after `--fix`, the codes that were mended, and those that are left."""
    others = titled(PLAYBOOK, "Mend slow builds") + "aliases:\n  - speed-up-ci\n"
    content = write_content(folder, {FILE: text, "playbooks/mend-slow-builds.yaml": others})
    done = fix_files(content, TODAY)
    again = fix_files(content, TODAY)
    assert again == []
    left = loading.check(content, TODAY)[1]
    return (content / FILE).read_text(), [problem.code for problem in done], [problem.code for problem in left]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("outcome:", "ouctome:", "unknown-key"),
        ("    check:", "    chek:", "unknown-key"),
        ("title: Fix", "slug: fix-flaky-tests\ntitle: Fix", "unknown-key"),
        ("risk: low", "risk: Low", "not-allowed"),
        ("  - claude-code", "  - Claude Code", "slug"),
        ("  - claude-code", "  - claude-cod", "agents-exist"),
        ("task: fix-flaky-tests", "task: fix-flaky-test", "task-exists"),
        ("{{repository}}", "{repository}", "variables-are-named"),
        ("{{repository}}", "{{ Repository }}", "variables-are-named"),
        ("\n", "\r\n", "line-ending"),
        ("title: Fix", "\ufefftitle: Fix", "byte-order-mark"),
    ],
)
def test_what_has_one_mend_becomes_what_was_meant(old: str, new: str, code: str, tmp_path: Path) -> None:
    text, done, left = fixed(tmp_path, PLAYBOOK.replace(old, new))
    assert (text.encode(), done, left) == (_CANONICAL, [code], [])


def test_a_number_gets_its_quotes_and_a_former_slug_becomes_the_present_one(tmp_path: Path) -> None:
    wrong = changed(PLAYBOOK, "1-4 hours", "30") + f"related:\n  - {BOOK}\n  - speed-up-ci\n"
    text, done, left = fixed(tmp_path, wrong)
    assert 'time: "30"\n' in text
    assert "related:\n  - mend-slow-builds\n" in text
    assert (sorted(done), left) == (["names-others", "related-exist", "unquoted"], [])


def test_many_mends_in_one_file_keep_every_comment_in_its_place(tmp_path: Path) -> None:
    wrong = (
        PLAYBOOK.replace("risk: low", "risk: Low # as it is\n# the reason")
        .replace("risk_note", "risk_nte")
        .replace("- claude-code", "- Claude Code # here")
        .replace("    check:", "    # seen\n    chek:")
    )
    text, done, left = fixed(tmp_path, wrong)
    assert (len(done), left) == (4, [])
    assert [comment for *_, comment in comments(text)][1:] == [comment for *_, comment in comments(wrong)]
    assert "  - claude-code # here\n" in text
    assert "risk: low # as it is\n# the reason\nrisk_note: " in text
    assert "    # seen\n    check: " in text


@pytest.mark.slow
def test_a_key_whose_comment_would_be_lost_stays_and_the_rest_is_mended(tmp_path: Path) -> None:
    text, done, left = fixed(tmp_path, PLAYBOOK.replace("risk: low", "trust: tested # by me\nrisk: Low"))
    assert "trust: tested # by me\n" in text
    assert (done, left) == (["not-allowed"], ["unknown-key"])


@pytest.mark.slow
@pytest.mark.parametrize("case", SYNTAX, ids=[case.name for case in SYNTAX])
def test_a_file_that_cannot_be_read_is_not_touched(case: Case, tmp_path: Path) -> None:
    content = write_content(tmp_path)
    put(content, case.path, case.body)
    mended = {problem.file for problem in fix_files(content, TODAY)}
    if case.name not in ("crlf", "lone-cr", "byte-order-mark"):
        assert mended == set()
        assert (content / case.path).read_bytes() == case.body


def test_files_without_a_sure_mend_keep_their_form(tmp_path: Path) -> None:
    body = PLAYBOOK.replace("risk: low", "risk: none").replace("- claude-code", "-   claude-code")
    content = write_content(tmp_path, {FILE: body, "agents/other.yaml": AGENT})
    assert fix_files(content, TODAY) == []
    assert (content / FILE).read_text() == body


def test_names_that_differ_in_their_figures_are_never_taken_for_each_other() -> None:
    assert sure("gpt-4", ["gpt-5"]) is None
    assert sure("modle-5", ["model-5", "module-5"]) is None
    assert sure("titel", ["title", "time"]) == "title"


def test_a_problem_keeps_its_mend_when_it_is_placed() -> None:
    problem = Problem("a", ("b",), "c", "d").mended("rename", "e")
    assert problem.at(3, 4).mend == problem.mend
    assert Problem("a", ("b",), "c", "d").mended("rename", None).mend is None
