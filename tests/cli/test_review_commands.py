"""The commands of the editor's desk, over a small content and a queue in a folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import cli
from tests.builders import BOOK, LESSON, PLAYBOOK, write_content
from tests.writeapi.review.desk import BOOK_FILE, a_contributor, reported, sent
from tests.writeapi.store.builders import an_id, migrated, sqlite_url
from writeapi.keys import make_key
from writeapi.review.decisions.texts import digest
from writeapi.store import Store
from writeapi.store.records import Finding, Review

KEY = make_key(bytes)
GOOD = LESSON.replace("The stress run is green without the fix too", "It hangs")
ESCAPES = "\x1b[31mred\x1b[0m \x07\x9b2J\u202e"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A content, a queue with the editor ann, whose key is in the environment."""
    for name in ("PLAYBOOKS_DATABASE_URL", "PLAYBOOKS_LIMITS_URL", "WEB_CONCURRENCY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PLAYBOOKS_EDITOR_KEY", KEY.text)
    write_content(tmp_path)
    with the_store(tmp_path) as store:
        store.add_contributor("ann", None, KEY.hash, KEY.prefix)
        store.promote("ann", by="operator")
    return tmp_path


@contextmanager
def the_store(folder: Path) -> Iterator[Store]:
    (folder / "var").mkdir(exist_ok=True)
    url = sqlite_url(folder / "var" / "queue.db")
    store = migrated(Store(url, clock=lambda: datetime(2026, 11, 18, tzinfo=UTC)), url)
    yield store
    store.close()


def run(folder: Path, *arguments: object, **options: Any) -> Result:
    where = (
        "--content",
        folder / "content",
        "--var",
        folder / "var",
        "--today",
        "2026-11-20",
    )
    words = [str(argument) for argument in ("review", *arguments, *where)]
    result = CliRunner().invoke(cli.main, words, **options)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def state(folder: Path, name: str) -> str:
    with the_store(folder) as store:
        found = store.submission(name) or store.run(name)
    assert found is not None
    return found.state


def a_lesson(folder: Path, **changes: Any) -> str:
    """A lesson that waits, screened."""
    with the_store(folder) as store:
        return sent(store, kind="lesson", **{"title": "It hangs", "playbook": BOOK, **changes}).id


def a_report(folder: Path, name: object = 1, advice: str = "accept", **changes: Any) -> str:
    """A report that waits, screened with this advice."""
    with the_store(folder) as store:
        made = reported(store, name, **changes)
        store.screened(Review(made, 1, advice, ()), reject=False)
    return made


def drafted(folder: Path, text: str = GOOD, name: str = "mine.yaml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_an_empty_queue_says_so(folder: Path) -> None:
    assert run(folder, "list").output == "nothing waits\n"


def test_the_queue_begins_with_its_size_and_age(folder: Path) -> None:
    lesson, report = a_lesson(folder), a_report(folder)
    first, *rows = run(folder, "list").output.splitlines()
    assert first == "2 wait (1 lesson, 1 run); the oldest since 2026-11-18T00:00:00Z, 2 days"
    assert {row.split()[0] for row in rows} == {lesson, report}
    assert run(folder, "list", "--kind", "run").output.splitlines()[1:] == [row for row in rows if report in row]
    assert run(folder, "list", "--playbook", "none").output.splitlines() == [first, "none of them"]
    answer = json.loads(run(folder, "list", "--json").output)
    assert (answer["total"], {row["id"] for row in answer["items"]}) == (2, {lesson, report})


def test_an_item_shows_findings_beside_its_fields_and_problems_beside_its_lines(folder: Path) -> None:
    with the_store(folder) as store:
        name = sent(store, screened=False, kind="lesson", title="It hangs", body="Line one.\nLine two.").id
        findings = (Finding("unclear", "/body", "What was seen?"), Finding("spam", "/nowhere", "Perhaps."))
        store.screened(Review(name, 1, "editor", findings), reject=False)
    lines = run(folder, "show", name).output.splitlines()
    at = lines.index("body:")
    assert lines[at : at + 4] == ["body:", "  Line one.", "  Line two.", "  ! unclear /body: What was seen?"]
    assert "  ! spam /nowhere: Perhaps." in lines
    at = next(number for number, line in enumerate(lines) if line.endswith('| fix: ""'))
    assert "lessons/it-hangs.yaml:6:1: error: fix: is empty" in lines[at + 1]
    assert "what may be done: accept, reject, request_changes, edit" in lines
    answer = json.loads(run(folder, "show", name, "--json").output)
    assert answer["review"]["advice"] == "editor"
    assert answer["files"][0]["problems"]
    assert not {"origin", "edit_hash", "contributor_id"} & answer.keys()


def test_a_report_shows_what_it_does_to_trust(folder: Path) -> None:
    output = run(folder, "show", a_report(folder)).output
    assert f"trust of {BOOK}: reported -> reported\n" in output


def test_a_difference_is_shown_of_a_file_that_exists(folder: Path) -> None:
    with the_store(folder) as store:
        name = sent(store, playbook=BOOK, source_url="https://example.com/x").id
    output = run(folder, "show", name, "--diff").output
    assert "  +evidence:\n" in output
    assert f"{BOOK_FILE}  changed  not saved\n" in output
    assert "error: evidence[0].title: is empty" in output


@pytest.mark.slow
@pytest.mark.parametrize("command", ["list", "show"])
def test_nothing_that_was_sent_reaches_the_terminal_as_a_command(folder: Path, command: str) -> None:
    with the_store(folder) as store:
        told: dict[str, Any] = {
            "title": ESCAPES,
            "body": f"{ESCAPES}\n{ESCAPES}",
            "agent": ESCAPES,
            "reporter": ESCAPES,
        }
        name = sent(store, kind="use_case", **told).id
    for arguments in ([command, "--json"], [command]):
        output = run(folder, arguments[0], *([name] if command == "show" else []), *arguments[1:]).output
        assert "red" in output
        assert all(character == "\n" or character.isprintable() for character in output)


def test_a_first_draft_with_empty_places_is_not_accepted(folder: Path) -> None:
    name = a_lesson(folder)
    result = run(folder, "accept", name)
    assert result.exit_code == 1
    assert "lessons/it-hangs.yaml:" in result.output
    assert "fix: is empty; write it" in result.output
    assert state(folder, name) == "screened"


def test_a_text_of_ones_own_is_accepted(folder: Path) -> None:
    name = a_lesson(folder)
    result = run(folder, "accept", name, "--edited", "lessons/it-hangs.yaml", drafted(folder), "--note", "Thanks.")
    assert (result.exit_code, result.output) == (0, f"accepted {name} as lessons/it-hangs.yaml\n")
    assert state(folder, name) == "accepted"
    again = run(folder, "accept", name)
    assert again.exit_code == 1
    assert "It is accepted since " in again.output


def test_a_decision_about_what_was_looked_at_refuses_what_changed_since(folder: Path) -> None:
    name = a_lesson(folder)
    with the_store(folder) as store:
        store.move(name, "withdrawn", by="sender")
    for command in (["accept"], ["reject", "--reason", "spam"], ["request-changes", "--reason", "unclear"]):
        result = run(folder, *command, name, "--version", 2)
        assert result.exit_code == 1
        assert "sender was faster: it is withdrawn since 2026-" in result.output


@pytest.mark.slow
@pytest.mark.parametrize("name", ["../x.yaml", "site.yaml", "lessons/It.yaml"])
def test_a_bad_name_is_refused(folder: Path, name: str) -> None:
    result = run(folder, "accept", a_lesson(folder), "--edited", name, drafted(folder))
    assert result.exit_code == 1
    assert "[file-name]" in result.output


def test_a_text_in_another_encoding_is_wrong_use(folder: Path) -> None:
    (folder / "latin.yaml").write_bytes(b"title: \xe9\n")
    result = run(folder, "accept", a_lesson(folder), "--edited", "lessons/it-hangs.yaml", folder / "latin.yaml")
    assert result.exit_code == 2
    assert "UTF-8" in result.output


def test_reports_are_approved_by_their_ids(folder: Path) -> None:
    good, bad = a_report(folder, 1), a_report(folder, 2, playbook="gone")
    result = run(folder, "approve", good, bad, "--yes")
    assert result.exit_code == 1
    assert f"approved {good}\n" in result.output
    assert f"{bad}: Its playbook" in result.output
    assert (state(folder, good), state(folder, bad)) == ("approved", "pending")


@pytest.mark.slow
def test_all_reports_of_a_playbook_are_approved_that_the_agent_would_accept(folder: Path) -> None:
    good, doubtful = a_report(folder, 1), a_report(folder, 2, advice="editor")
    assert run(folder, "approve", "--playbook", BOOK, input="n\n").exit_code == 1
    assert state(folder, good) == "pending"
    result = run(folder, "approve", "--playbook", BOOK, input="y\n")
    assert (result.exit_code, state(folder, good), state(folder, doubtful)) == (0, "approved", "pending")
    assert run(folder, "approve", "--playbook", BOOK, "--yes").exit_code == 1
    assert run(folder, "approve", "--playbook", BOOK, "--all", "--yes").exit_code == 0
    assert state(folder, doubtful) == "approved"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [(), ("run_x", "--playbook", BOOK), ("run_x",), ("run_x", "run_x"), ("run_x", "--all")]
)
def test_approving_nothing_that_is_there_is_wrong_use(folder: Path, words: tuple[str, ...]) -> None:
    assert run(folder, "approve", *words, "--yes").exit_code == 2


@pytest.mark.slow
def test_one_wrong_id_is_named_and_the_others_are_approved(folder: Path) -> None:
    good, lesson = a_report(folder), a_lesson(folder)
    result = run(folder, "approve", "run_x", good, lesson, "--yes")
    assert result.exit_code == 1
    for line in (f"approved {good}", "run_x: There is no such report.", f"{lesson}: It is a submission; use accept."):
        assert line in result.output
    assert state(folder, good) == "approved"
    assert "waits that" not in run(folder, "approve", "--playbook", BOOK, "--all", "--yes").output


def test_what_cannot_be_done_is_said_with_what_can(folder: Path) -> None:
    report, lesson = a_report(folder), a_lesson(folder)
    for words, told in (
        (("reject", report, "--reason", "spam", "--version", 99), "changed since you looked (now version 1)"),
        (("withdraw", report, "--reason", "takedown"), "reject a pending report instead of withdrawing it"),
        (("withdraw", lesson, "--reason", "takedown"), "only run reports and playbooks are withdrawn"),
    ):
        result = run(folder, *words)
        assert (result.exit_code, told in result.output) == (1, True), result.output
    assert (state(folder, report), state(folder, lesson)) == ("pending", "screened")


@pytest.mark.slow
def test_what_was_not_looked_at_yet_and_a_kept_draft_are_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with the_store(folder) as store:
        new, lesson = reported(store), sent(store, kind="lesson", title="It hangs", screened=False).id
    rows = run(folder, "list").output.splitlines()[1:]
    assert [row.partition("  ")[0] for row in rows if "not screened yet" in row] == [new, lesson]
    assert "advice: not screened yet" in run(folder, "show", new).output
    monkeypatch.setenv("EDITOR", "true")
    run(folder, "edit", lesson)
    assert "draft: kept, revision 1\n" in run(folder, "show", lesson).output


@pytest.mark.slow
def test_an_output_that_nobody_reads_any_more_ends_it_quietly(folder: Path) -> None:
    a_lesson(folder)
    words = [sys.executable, "-m", "cli", "review", "list", "--content", "content", "--var", "var"]
    place = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parent)}
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(words, cwd=folder, env=place, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert done.stderr == b""


@pytest.mark.slow
def test_a_key_that_comes_by_a_pipe_is_taken_without_a_warning(folder: Path) -> None:
    name = a_lesson(folder)
    words = [sys.executable, "-m", "cli", "review", "reject", name, "--reason", "spam"]
    place = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parent)}
    del place["PLAYBOOKS_EDITOR_KEY"]
    done = subprocess.run(
        words, cwd=folder, env=place, input=KEY.text.encode(), capture_output=True, start_new_session=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, f"rejected {name}\n".encode())
    assert b"Warning" not in done.stderr


@pytest.mark.slow
def test_the_other_decisions_are_made_and_said(folder: Path) -> None:
    first, second, third = (a_lesson(folder, name=number) for number in range(3))
    assert run(folder, "reject", first, "--reason", "off-topic", "--reason", "unclear").output == f"rejected {first}\n"
    assert run(folder, "request-changes", second, "--reason", "needs-fix", "--note", "How?").exit_code == 0
    run(folder, "accept", third, "--edited", "lessons/it-hangs.yaml", drafted(folder))
    assert run(folder, "send-back", third, "--reason", "check-failed").output == f"sent {third} back\n"
    assert [state(folder, name) for name in (first, second, third)] == ["rejected", "changes_requested", "screened"]


@pytest.mark.slow
def test_reports_and_playbooks_are_withdrawn(folder: Path) -> None:
    name = a_report(folder)
    run(folder, "approve", name, "--yes")
    assert run(folder, "withdraw", name, "--reason", "takedown").output == f"withdrew {name}\n"
    assert state(folder, name) == "withdrawn"
    assert run(folder, "withdraw", BOOK, "--reason", "outdated").exit_code == 1
    assert run(folder, "withdraw", BOOK, "--reason", "outdated", "--note", "It does harm.").exit_code == 0
    with the_store(folder) as store:
        assert "status: withdrawn" in (store.outbox("waiting")[0].text or "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [("reject", "--reason", "no-such"), ("reject",), ("withdraw", "--reason", "needs-fix"), ("promote",)]
)
def test_a_reason_that_is_none_is_wrong_use(folder: Path, words: tuple[str, ...]) -> None:
    name = a_lesson(folder)
    assert run(folder, words[0], name, *words[1:]).exit_code == 2
    assert state(folder, name) == "screened"


@pytest.mark.slow
def test_a_draft_is_edited_in_the_editors_editor(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = a_lesson(folder, source_url="https://example.com/told")
    monkeypatch.setenv("EDITOR", "sed -i s/^fix:.*/fix:/")
    result = run(folder, "edit", name)
    assert result.exit_code == 0
    assert "lessons/it-hangs.yaml:4:1: error: fix: is empty" in result.output
    assert result.output.endswith("saved as revision 1\n")
    monkeypatch.setenv("EDITOR", 'sed -i -e s/^fix:.*/fix:\\ Mended./ -e s/title:\\ ""/title:\\ Told/')
    assert run(folder, "edit", name).output == "editing lessons/it-hangs.yaml\nsaved as revision 2\n"
    assert run(folder, "accept", name).exit_code == 0


@pytest.mark.slow
def test_a_draft_of_an_older_file_is_told_and_begun_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with the_store(folder) as store:
        name = sent(store, kind="correction", playbook=BOOK).id
    monkeypatch.setenv("EDITOR", "sed -i s/hundred/thousand/")
    run(folder, "edit", name)
    (folder / "content" / BOOK_FILE).write_text(PLAYBOOK.replace("1-4 hours", "1-5 hours"))
    assert "made from an older file" in run(folder, "show", name).output
    for command in ("edit", "accept"):
        result = run(folder, command, name)
        assert (result.exit_code, "[base-changed]" in result.output) == (1, True)
    assert run(folder, "edit", name, "--begin-again").exit_code == 0
    diff = run(folder, "show", name, "--diff").output
    assert "1-4 hours" not in diff
    assert "thousand" in diff
    (folder / "content" / BOOK_FILE).write_text(PLAYBOOK.replace("1-4 hours", "1-6 hours"))
    assert run(folder, "accept", name, "--over-changes").exit_code == 0


@pytest.mark.slow
def test_a_file_of_the_content_is_accepted_with_what_it_was_changed_from(folder: Path) -> None:
    with the_store(folder) as store:
        name = sent(store, kind="correction").id
    told = ("--edited", BOOK_FILE, drafted(folder, PLAYBOOK.replace("1-4 hours", "1-5 hours")))
    assert "[place-taken]" in run(folder, "accept", name, *told).output
    assert "[base-changed]" in run(folder, "accept", name, *told, "--base", BOOK_FILE, "0" * 64).output
    assert run(folder, "accept", name, *told, "--base", BOOK_FILE, digest(PLAYBOOK)).exit_code == 0


@pytest.mark.slow
def test_another_file_is_put_beside_a_draft_and_dropped_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with the_store(folder) as store:
        name = sent(store, kind="correction").id
    monkeypatch.setenv("EDITOR", "sed -i s/hundred/thousand/")
    assert run(folder, "edit", name, "--file", BOOK_FILE).exit_code == 0
    assert "+    detail: Run the test a thousand times." in run(folder, "show", name, "--diff").output
    assert run(folder, "edit", name, "--file", "../x.yaml").exit_code == 1
    monkeypatch.setenv("EDITOR", "sed -i d")
    run(folder, "edit", name)
    with the_store(folder) as store:
        draft = store.draft(name)
    assert draft is not None
    assert draft.files == ()


@pytest.mark.slow
def test_a_report_is_promoted_in_one_step(folder: Path) -> None:
    with the_store(folder) as store:
        sender = a_contributor(store)
    name = a_report(folder, lesson="It waits for a key.", contributor_id=sender.id, outcome="failed")
    told = ["--title", "The runner hangs", "--problem", "It waits.", "--fix", "Give it `--yes`."]
    refused = run(folder, "promote", name, "--to", "lesson", *told[:-1], " ")
    assert refused.exit_code == 1
    assert "fix: is empty; write it" in refused.output
    result = run(folder, "promote", name, "--to", "lesson", *told)
    assert result.exit_code == 0
    made = result.output.split()[-1]
    assert (state(folder, name), state(folder, made)) == ("approved", "accepted")


CHANGING = [
    ("accept", "{lesson}"),
    ("approve", "{report}", "--yes"),
    ("reject", "{lesson}", "--reason", "spam"),
    ("request-changes", "{lesson}", "--reason", "unclear"),
    ("send-back", "{lesson}", "--reason", "check-failed"),
    ("withdraw", BOOK, "--reason", "outdated", "--note", "x"),
    ("edit", "{lesson}"),
    ("promote", "{report}", "--to", "lesson", "--title", "x", "--problem", "x", "--fix", "x"),
]


@pytest.mark.slow
@pytest.mark.parametrize("key", ["", "wrong", "contributor", "revoked"])
def test_only_an_editor_changes_anything(folder: Path, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    names = {"lesson": a_lesson(folder), "report": a_report(folder, lesson="Something.")}
    other = make_key(lambda length: b"\1" * length)
    with the_store(folder) as store:
        store.add_contributor("bea", None, other.hash, other.prefix)
        if key == "revoked":
            store.revoke_contributor("ann", by="operator", withdraw_runs=False)
    shown = {"contributor": other.text, "revoked": KEY.text}.get(key, key)
    monkeypatch.setenv("PLAYBOOKS_EDITOR_KEY", shown)
    for words in CHANGING:
        result = run(folder, *(word.format(**names) for word in words))
        assert result.exit_code in (1, 2, 130), words
        assert (shown or "pbl_") not in result.output
    with the_store(folder) as store:
        assert store.outbox() == []
        assert [len(store.steps(name)) for name in names.values()] == [2, 1]
        assert store.draft(names["lesson"]) is None


@pytest.mark.slow
@pytest.mark.parametrize("strange", ["", "' OR 1=1 --", "../../etc"])
def test_what_is_not_there_is_wrong_use(folder: Path, strange: str) -> None:
    names = {"lesson": strange or an_id("sub", "none"), "report": strange or an_id("run", "none")}
    for words in CHANGING:
        result = run(folder, *(word.format(**names).replace(BOOK, "gone") for word in words))
        assert result.exit_code == 2, words
        assert "Traceback" not in result.output
    assert run(folder, "show", names["lesson"]).exit_code == 2


def test_content_with_errors_is_told_before_anything_is_decided(folder: Path) -> None:
    name = a_report(folder)
    (folder / "content" / BOOK_FILE).write_text(PLAYBOOK.replace("risk: low", "risk: none"))
    result = run(folder, "approve", name, "--yes")
    assert result.exit_code == 1
    assert f"{BOOK_FILE}:" in result.output
    assert state(folder, name) == "pending"
