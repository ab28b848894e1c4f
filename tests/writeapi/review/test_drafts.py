"""First drafts: of any text whatever, a file that `check` can read, whole but for its empty places."""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from library.content.formatting import canonical, format_bytes
from library.content.loading import FOLDERS, TYPED, load
from library.content.yamlfile import Value, parse
from library.records.naming import EDITED, free_name, name_problem, slug_of
from library.records.schemas import schema_line
from library.records.vocabulary import SubmissionState
from library.rules.checks import merge_rule_book
from library.rules.judgment import trial
from tests.builders import BOOK, TODAY, write_content
from tests.rich import HOSTILE
from tests.writeapi.review.desk import BOOK_FILE, TASKS, a_payload
from tests.writeapi.store.builders import a_submission
from writeapi.review.decisions.items import first_draft
from writeapi.store.records import DraftFile, SubmissionRecord

TEXTS = {
    "honest": "Rename the package. Then run the tests.",
    "script": "<script>alert(1)</script> <img src=x onerror=alert(1)>",
    "document end": "---\n...\n--- !!python/object:os.system\n&a *a",
    "keys": "a: b\n- c: d\n? e\n<<: f",
    "comment": "# not a comment\n  # nor this",
    "quotes": '"\'" \' "" \\n \\x00 `',
    "template": "{{ 7*7 }} {% raw %} ${HOME} %s {0}",
    "trap": "null",
    "number": "1_000",
    "one long line": "x" * 3900,
    "many lines": "line\n\n\n  indented\n\ttab\n" * 50 + "end",
    "right to left": "עברית وعربية",
    "emoji": "👩\u200d👩\u200d👧 ✅ 🇨🇭 好",
    "blanks": "  before and after  ",
    "hostile": HOSTILE.replace("](https://example.com/?javascript:alert(1))", "]"),
    "shell": "$(rm -rf /); `id` | ../../etc/passwd && git push --force",
}
"""What a sender may write; nothing of it is more than text."""


def a_record(**changes: Any) -> SubmissionRecord:
    """A submission as the store gives it; `contributor` is the handle of a key that it came with."""
    handle = changes.pop("contributor", None)
    new = a_submission(**changes)
    values = {name: getattr(new, name) for name in new.__slots__}
    return SubmissionRecord(
        **values, contributor=handle, state=SubmissionState.SCREENED, version=2, place=None, created="", updated=""
    )


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return write_content(tmp_path)


@pytest.fixture
def draft(content: Path) -> Callable[..., tuple[DraftFile, ...]]:
    """The first draft of a submission over the small content."""

    def text(file: str) -> str | None:
        return (content / file).read_text() if (content / file).is_file() else None

    def fresh(file: str) -> str:
        return free_name(file, lambda name: text(name) is not None)

    return lambda **changes: first_draft(a_record(**changes), load(content, TODAY), text, fresh)


def values_of(item: DraftFile) -> dict[str, Any]:
    value = parse(item.text, item.file, typed=TYPED).value
    assert isinstance(value, dict)
    return value


def filled(item: DraftFile) -> bytes:
    """The file once an editor has written something plain into every empty place."""
    choices = {"difficulty": "beginner", "risk": "low", "category": "software", "platform": "other"}
    choices["url"] = "https://example.com/told"

    def fill(value: Value, key: str) -> Value:
        if isinstance(value, dict):
            return {name: fill(inner, name) for name, inner in value.items()}
        if isinstance(value, list):
            return [fill(inner, key) for inner in value]
        return value or choices.get(key, f"Something was written here: 1 {key}.")

    return canonical(fill(values_of(item), ""), item.file)


SHORT = {code for code, _ in merge_rule_book()}


def assert_good(content: Path, files: tuple[DraftFile, ...], short: AbstractSet[str] = frozenset()) -> None:
    """Each file has a name of the content and its canonical form, and once filled passes every check but one.

    What reaches beyond its place in markdown is left as it was sent: the editor puts it into code. `short` are the
    codes of what the editor may still have to complete.
    """

    def present(file: str) -> bytes | None:
        return (content / file).read_bytes() if (content / file).is_file() else None

    assert files
    for item in files:
        assert name_problem(item.file) is None
        assert format_bytes(item.text.encode(), item.file) == item.text.encode()
    attempt = trial(load(content, TODAY), {item.file: filled(item) for item in files}, present)
    fine = {"texts-stay-in-their-place", "prompts-have-a-good-length", *short}
    assert [str(problem) for problem in attempt.problems if problem.code not in fine] == []


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("kind", ["use_case", "lesson"])
def test_any_text_becomes_a_good_file(content: Path, draft: Any, kind: str, name: str) -> None:
    text = TEXTS[name]
    title = " ".join(text.split())[:200]
    files = draft(kind=kind, title=title, body=text, playbook=BOOK, agent=title[:64], source_url=None)
    if kind == "lesson":
        assert values_of(files[0])["problem"] == text
        files = (without_unknown_agents(files[0]),)
    assert_good(content, files)
    assert values_of(files[0])["title" if kind == "lesson" else "name"] == title


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in TEXTS if name != "one long line"])
def test_any_text_becomes_a_good_playbook(content: Path, draft: Any, name: str) -> None:
    text = TEXTS[name]
    line = " ".join(text.split())[:180]
    payload = a_payload(
        title=line,
        agents=["claude code", "CLAUDE-CODE"],
        summary=text[:400],
        prompt=re.sub(r"\{\{.*?\}\}", "{{thing}}", text),
        steps=[text, text, text],
        job=f"{line} job",
        category="Software",
        what_went_wrong=[text],
        human_checkpoints=[text],
        sources=["https://example.com/a", "https://example.com/a", "https://example.com/b?x=[1]"],
        outcome=text[:600],
        time_taken=line,
    )
    book, task = draft(kind="playbook", title="For the desk", payload=payload, contributor="cleo")
    assert_good(content, (book, task), SHORT)
    values = values_of(book)
    assert values["prompt"] == payload["prompt"]
    assert [step["detail"] for step in values["steps"]] == [text] * 3
    assert len({step["title"] for step in values["steps"]}) == 3
    assert values["agents"] == ["claude-code"]
    assert values["contributors"] == [{"handle": "cleo"}]
    assert values_of(task)["category"] == "software"


def without_unknown_agents(item: DraftFile) -> DraftFile:
    """An unknown agent is for the editor to mend; `check` names it."""
    values = values_of(item)
    values.pop("agents", None)
    return replace(item, text=canonical(values, item.file).decode())


def test_a_playbook_asks_for_what_its_sender_could_not_decide(content: Path, draft: Any) -> None:
    sources = ["https://example.com/a"]
    payload = a_payload(what_went_wrong=["It hung."], sources=sources, time_taken="2 hours", job="Fix flaky tests")
    (book,) = draft(kind="playbook", payload=payload)
    assert book.file == "playbooks/rename-a-python-package.yaml"
    found = trial(load(content, TODAY), {book.file: book.text.encode()}).problems
    assert {problem.code for problem in found} == {"empty"}
    assert {problem.field for problem in found} == {
        "outcome", "difficulty", "cost", "risk", "risk_note", "steps[0].check", "steps[1].check", "failures[0].fix",
        "references[0].title", "essence", "no_trial",
        *(f"inputs[{place}].{part}" for place in (0, 1) for part in ("meaning", "example", "where")),
    }  # fmt: skip
    assert all(problem.line > 1 for problem in found)
    values = values_of(book)
    assert (values["task"], values["time"], values["updated"]) == (BOOK, "2 hours", f"{TODAY}")
    assert [step["title"] for step in values["steps"]] == ["Find every import of the old name", "Change them"]
    assert "contributors" not in values


@pytest.mark.parametrize(
    ("detail", "title"),
    [
        ("Look first. Then leap.", "Look first"),
        ("...\nand then", "... and then"),
        ("\n\n  Indented: yes", "Indented"),
        ("word " * 40, "word " * 13 + "word"),
        ("x" * 100, "x" * 70),
        ("👩" * 69 + "\u200d" + "👩", "👩" * 69),
    ],
)
def test_a_step_is_named_by_its_first_sentence(draft: Any, detail: str, title: str) -> None:
    files = draft(kind="playbook", payload=a_payload(steps=[detail, detail]))
    assert [step["title"] for step in values_of(files[0])["steps"]] == [title, f"{title} (2)"]


def test_a_label_that_nobody_verified_signs_nothing(draft: Any) -> None:
    (lesson,) = draft(kind="lesson", reporter="Linus", contributor=None)
    assert "Linus" not in lesson.text


def test_a_job_that_is_known_is_found_in_other_words(draft: Any) -> None:
    for job in ("fix-flaky-tests", "FIX FLAKY TESTS", "Fix flaky test", "flaky tests fix"):
        files = draft(kind="playbook", payload=a_payload(job=job))
        assert [values_of(item).get("task") for item in files] == [BOOK], job


def test_a_job_that_is_new_becomes_a_task_beside(draft: Any) -> None:
    book, task = draft(kind="playbook", payload=a_payload(job="Tune a piano", category="Music"))
    assert task.file == "tasks/tune-a-piano.yaml"
    assert values_of(book)["task"] == "tune-a-piano"
    assert values_of(task) == {"name": "Tune a piano", "category": "", "summary": ""}


def test_a_task_that_was_wanted_is_wanted_no_more(content: Path, draft: Any) -> None:
    wanted = (content / TASKS).read_text() + "wanted: true\n"
    (content / "tasks/tune-a-piano.yaml").write_text("# for Bea\n" + wanted.replace("Fix flaky tests", "Tune a piano"))
    book, task = draft(kind="playbook", payload=a_payload(job="Tune a piano"))
    assert values_of(book)["task"] == "tune-a-piano"
    assert "wanted" not in values_of(task)
    assert task.text.startswith(f"{schema_line(task.file)}\n# for Bea\n")
    assert task.base is not None


@pytest.mark.parametrize("named", ["Claude Code", "claude-code", "claude  code 2.1", "Claud Code", "CLAUDECODE"])
def test_an_agent_is_known_in_any_spelling(draft: Any, named: str) -> None:
    (lesson,) = draft(kind="lesson", agent=named)
    assert values_of(lesson)["agents"] == ["claude-code"]


def test_an_agent_that_is_unknown_is_named_by_check(content: Path, draft: Any) -> None:
    (lesson,) = draft(kind="lesson", agent="Brand New Agent", playbook=BOOK)
    found = trial(load(content, TODAY), {lesson.file: filled(lesson)}).problems
    assert [problem.code for problem in found] == ["agents-exist"]
    assert "brand-new-agent" in found[0].message


def test_a_lesson_is_tied_to_its_playbook_and_page(content: Path, draft: Any) -> None:
    text = (content / BOOK_FILE).read_text()
    (content / BOOK_FILE).write_text(text + "aliases:\n  - old-name\n")
    (lesson,) = draft(kind="lesson", title="It hangs", playbook="old-name", source_url="https://example.com/x")
    values = values_of(lesson)
    assert values["playbooks"] == [BOOK]
    assert values["sources"] == [{"title": "", "url": "https://example.com/x"}]
    assert values["fix"] == ""


def test_a_correction_begins_with_the_file_its_day_moved_and_its_sender_credited(content: Path, draft: Any) -> None:
    text = "# kept\n" + (content / BOOK_FILE).read_text()
    (content / BOOK_FILE).write_text(text)
    (book,) = draft(kind="correction", playbook=BOOK, body="Step 1 lies.", contributor="grace")
    was = parse(text, BOOK_FILE, typed=TYPED).value
    assert isinstance(was, dict)
    assert values_of(book) == {**was, "updated": f"{TODAY}", "contributors": [{"handle": "grace"}]}
    assert "# kept\n" in book.text
    assert book.base is not None
    (content / BOOK_FILE).write_text(book.text)
    (again,) = draft(kind="correction", playbook=BOOK, body="Step 1 lies.", contributor="grace")
    assert again.text == book.text, "nobody is named twice"
    (nobody,) = draft(kind="correction", playbook=BOOK, body="Step 1 lies.", contributor=None, reporter="Linus")
    assert nobody.text == book.text, "a label that nobody verified signs nothing"


def test_the_version_that_a_playbook_was_tried_with_reaches_the_draft_and_words_are_no_reference(draft: Any) -> None:
    told = a_payload(agents=["Claude Code"], agent_version="2.1", sources=["https://example.com/a", "The README"])
    book, *_ = draft(kind="playbook", payload=told)
    assert values_of(book)["tried_with"] == [{"tool": "Claude Code", "version": "2.1"}]
    assert [item["url"] for item in values_of(book)["references"]] == ["https://example.com/a"]


@pytest.mark.parametrize("playbook", [None, "gone"])
def test_a_correction_of_nothing_known_begins_with_no_file(draft: Any, playbook: str | None) -> None:
    assert draft(kind="correction", playbook=playbook) == ()


def test_an_account_of_a_playbook_becomes_evidence_of_it(content: Path, draft: Any) -> None:
    text = (content / BOOK_FILE).read_text().replace("updated:", "# about the day\nupdated:") + "# the end\n"
    (content / BOOK_FILE).write_text(text)
    url = "https://github.com/a/b/issues/1"
    (book,) = draft(playbook=BOOK, source_url=url, agent="Claude Code")
    assert values_of(book)["evidence"] == [
        {
            "title": "", "url": url, "platform": "github", "agent": "Claude Code", "reported_outcome": "",
            "checked": f"{TODAY}",
        }
    ]  # fmt: skip
    assert "# about the day\nupdated:" in book.text
    assert book.text.endswith("# the end\n")
    assert_good(content, (book,))


def test_a_use_case_without_both_is_a_task_that_is_wanted(content: Path, draft: Any) -> None:
    for changes in ({}, {"playbook": BOOK}, {"source_url": "https://example.com/"}, {"playbook": "gone"}):
        (task,) = draft(title="Sort photographs", body="By person and year.", **changes)
        assert task.file == "tasks/sort-photographs.yaml"
        assert values_of(task) == {
            "name": "Sort photographs", "category": "", "summary": "By person and year.",
            "wanted": "true", "requests": "1",
        }  # fmt: skip
        assert_good(content, (task,))


def test_a_request_for_what_is_wanted_already_is_counted_there(content: Path, draft: Any) -> None:
    wanted = (content / TASKS).read_text().replace("Fix flaky tests", "Tune a piano") + "wanted: true\n"
    for requests, expected in (("", "1"), ("requests: 4\n", "5")):
        (content / "tasks/tune-a-piano.yaml").write_text(wanted + requests)
        (task,) = draft(title="tune a Piano", body="Mine is out of tune.")
        assert (task.file, values_of(task)["requests"]) == ("tasks/tune-a-piano.yaml", expected)
        assert task.base is not None
        assert "Mine" not in task.text
        assert_good(content, (task,))


def test_drafts_of_the_same_are_the_same_bytes(draft: Any) -> None:
    told: dict[str, Any] = {"kind": "playbook", "payload": a_payload(), "contributor": "cleo"}
    assert draft(**told) == draft(**told)


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Fix flaky tests", "fix-flaky-tests"),
        ("../../etc/passwd", "etc-passwd"),
        ("CON", "con-spare"),
        ("Don't größe naïve Łódź", "dont-grosse-naive-lodz"),
        ("日本語", "spare"),
        ("2026", "spare"),
        ("   ", "spare"),
        ("a\nb\0c", "a-b-c"),
        ("The way to the end of the road is the way that it has been for as long as the hills", None),
        ("x" * 200, "x" * 60),
        ("the of and " * 20, None),
    ],
)
def test_a_slug_comes_of_any_text(text: str, slug: str | None) -> None:
    made = slug_of(text, "spare")
    assert name_problem(f"tasks/{made}.yaml") is None
    assert len(made) <= 60
    assert slug in (None, made)


def test_small_words_go_first_where_a_title_is_long() -> None:
    made = slug_of("Find the cause of the failure of a test in the suite of the payments service", "spare")
    assert made == "find-cause-failure-test-suite-payments-service"


def test_a_name_that_is_taken_or_reserved_gets_a_number() -> None:
    taken = {"tasks/a.yaml", "tasks/a-2.yaml"}
    assert free_name("tasks/a.yaml", taken.__contains__) == "tasks/a-3.yaml"
    assert free_name("tasks/search.yaml", taken.__contains__) == "tasks/search-2.yaml"
    longest = f"tasks/{'x' * 64}.yaml"
    assert free_name(longest, {longest}.__contains__) == f"tasks/{'x' * 62}-2.yaml"


@pytest.mark.parametrize(
    "file",
    [
        "", "x.yaml", "runs/x.yaml", "runs/x/run_a.yaml", "site.yaml", "categories.yaml", "playbooks/../site.yaml",
        "playbooks/x.yml", "playbooks/X.yaml", "playbooks/x\n.yaml", "playbooks/x.yaml\n", "/playbooks/x.yaml",
        "playbooks//x.yaml", "playbooks/x/y.yaml", "playbooks/full.yaml", "playbooks/.yaml", "playbooks/é.yaml",
        f"playbooks/{'x' * 65}.yaml", "./playbooks/x.yaml", "playbooks/x.yaml.yaml", "playbooks/x_y.yaml",
    ],
)  # fmt: skip
def test_no_other_name_is_a_file_of_editors(file: str) -> None:
    problem = name_problem(file)
    assert problem is not None
    assert problem.file.isprintable()


def test_every_folder_of_editors_is_one_of_the_content() -> None:
    assert set(EDITED) == set(FOLDERS) - {"runs", "trials"}
