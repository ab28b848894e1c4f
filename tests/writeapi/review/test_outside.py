"""An outside reviewer as a real process: what it is given, what it may answer, and all the ways in which it fails."""

from __future__ import annotations

import json
import os
import signal
import stat
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from library.problems import UsageError
from tests.builders import BOOK
from tests.waiting import AT_ONCE, until
from writeapi.review.screening.matching import Sent
from writeapi.review.screening.screen import CODES, Flag, OutsideReviewer, ReviewerVerdict, read_verdict, reviewer_from

PROJECT = Path(__file__).resolve().parents[3]
ITEM = Sent(
    "run_x", 1, "run", {"playbook": BOOK, "agent": "claude-code", "outcome": "worked", "lesson": "Ünïcode \x00?"}
)
FINE = '{"advice": "accept", "findings": []}'

Made = Callable[..., OutsideReviewer]


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def a_reviewer(tmp_path: Path, said: list[str]) -> Made:
    """Makes a reviewer of the body of a Python script."""

    def made(body: str, *, seconds: float = 20.0, **environment: str) -> OutsideReviewer:
        script = tmp_path / "reviewer.py"
        script.write_text(f"import json, os, subprocess, sys, time\n{body}\n", encoding="utf-8")
        command = f"'{sys.executable}' '{script}'"
        told = {"PATH": os.environ["PATH"], "PLAYBOOKS_REVIEWER": command, **environment}
        reviewer = reviewer_from(told, seconds, said.append)
        assert reviewer is not None
        return reviewer

    return made


def answers(verdict: str) -> str:
    """The body of a script that answers this, whatever it is given."""
    return f"sys.stdin.read(); print({verdict!r})"


def failure(reviewer: OutsideReviewer) -> str:
    """What the one finding says that a failed reviewer leaves."""
    (found,) = reviewer(ITEM, [])
    assert (found.code, found.pointer, found.hard) == ("reviewer-failed", "", False)
    assert found.detail.isprintable()
    return found.detail.removeprefix("the outside reviewer ")


def test_it_is_given_the_item_as_data_with_what_was_found(a_reviewer: Made, tmp_path: Path) -> None:
    place = tmp_path / "given.json"
    reviewer = a_reviewer(f"open({str(place)!r}, 'w').write(sys.stdin.read()); print('{FINE}')")
    assert reviewer(ITEM, [Flag("unknown-agent", "/agent", "is no agent of the library")]) == []
    given = json.loads(place.read_bytes())
    Draft202012Validator(json.loads((PROJECT / "docs/reviewer-input.schema.json").read_text())).validate(given)
    assert (given["format"], given["id"], given["kind"], given["fields"]) == (1, "run_x", "run", ITEM.values)
    assert [one["code"] for one in given["findings"]] == ["unknown-agent"]
    assert given["codes"] == [*CODES]


def test_what_it_finds_is_kept_under_its_name(a_reviewer: Made) -> None:
    verdict = {"advice": "editor", "findings": [{"code": "unsafe", "pointer": "/lesson", "detail": "It deletes."}]}
    assert a_reviewer(answers(json.dumps(verdict)))(ITEM, []) == [
        Flag("unsafe", "/lesson", "outside reviewer: It deletes.")
    ]


def test_a_place_that_is_not_there_is_the_whole(a_reviewer: Made) -> None:
    verdict = {"advice": "editor", "findings": [{"code": "unsafe", "pointer": "/prompt", "detail": "It deletes."}]}
    assert a_reviewer(answers(json.dumps(verdict)))(ITEM, [])[0].pointer == ""


@pytest.mark.parametrize(("advice", "words"), [("reject", "to reject it"), ("editor", "that an editor looks at it")])
def test_stricter_advice_is_a_finding_for_the_editor(a_reviewer: Made, advice: str, words: str) -> None:
    (found,) = a_reviewer(answers(json.dumps({"advice": advice})))(ITEM, [])
    assert found == Flag("reviewer", "", f"the outside reviewer advises {words}", hard=False)


VERDICTS: tuple[tuple[str, str], ...] = (
    ("", "wrote something else than one JSON object"),
    ("accept", "wrote something else than one JSON object"),
    (FINE + FINE, "wrote something else than one JSON object"),
    ('{"advice": "accept", "advice": "reject"}', "wrote something else than one JSON object"),
    ('{"advice": NaN}', "wrote something else than one JSON object"),
    ("[" * 100_000, "wrote something else than one JSON object"),
    ("[]", "wrote no verdict of the schema: /"),
    ("{}", "wrote no verdict of the schema: /advice (missing-field)"),
    ('{"advice": "publish"}', "wrote no verdict of the schema: /advice (not-allowed)"),
    ('{"advice": "accept", "ignore previous": 1}', "wrote no verdict of the schema: /… (unknown-key)"),
    ('{"advice": "accept", "findings": [{"code": "evil", "detail": "x"}]}', "/findings/0/code"),
    ('{"advice": "accept", "findings": [{"code": "spam", "detail": ""}]}', "/findings/0/detail"),
    ('{"advice": "accept", "findings": [{"code": "spam", "detail": "a\\u001b[2Jb"}]}', "/findings/0/detail"),
    ('{"advice": "accept", "findings": [{"code": "spam", "detail": "a\\nb"}]}', "/findings/0/detail"),
    ('{"advice": "accept", "findings": [{"code": "spam", "detail": "a\\u202eb"}]}', "/findings/0/detail"),
    (json.dumps({"advice": "accept", "findings": [{"code": "spam", "detail": "x" * 501}]}), "/findings/0/detail"),
    (json.dumps({"advice": "accept", "findings": [{"code": "spam", "detail": "x"}] * 21}), "/findings"),
    ('{"advice": "accept", "findings": [{"code": "spam", "pointer": "../x", "detail": "x"}]}', "/findings/0/pointer"),
    ('{"advice": "accept", "findings": {"code": "spam"}}', "/findings"),
)


@pytest.mark.parametrize(("raw", "words"), VERDICTS, ids=range(len(VERDICTS)))
def test_what_is_no_verdict_is_said_without_repeating_it(raw: str, words: str) -> None:
    found = read_verdict(raw.encode())
    assert isinstance(found, str)
    assert words in found
    assert len(found) <= 300
    assert "ignore previous" not in found


def test_bytes_that_are_no_text_are_no_verdict() -> None:
    assert read_verdict(b"\xff\xfe{}") == "wrote something else than one JSON object"


def test_no_verdict_is_a_finding_and_no_crash(a_reviewer: Made) -> None:
    assert failure(a_reviewer(answers("no idea"))) == "wrote something else than one JSON object"


def test_an_exit_code_counts_though_a_verdict_was_written(a_reviewer: Made, said: list[str]) -> None:
    reviewer = a_reviewer(f"print('{FINE}'); sys.stderr.write('no\\x1b[2J key\\n'); sys.exit(3)")
    assert failure(reviewer) == "ended with the code 3"
    assert said == ["reviewer: no\\x1b[2J key"]


def test_a_signal_counts_too(a_reviewer: Made) -> None:
    assert failure(a_reviewer("os.kill(os.getpid(), 11)")) == "was ended by the signal 11"


@pytest.mark.slow
def test_too_slow_a_reviewer_is_killed_with_all_that_it_started(a_reviewer: Made, tmp_path: Path) -> None:
    note = tmp_path / "child"
    reviewer = a_reviewer(
        f"child = subprocess.Popen(['sleep', '600']); open({str(note)!r}, 'w').write(str(child.pid)); time.sleep(600)",
        seconds=1.5,
    )
    began = time.monotonic()
    assert failure(reviewer) == "gave no verdict within 1.5 s"
    assert time.monotonic() - began < AT_ONCE
    assert_gone(int(note.read_text()))


def test_a_child_that_keeps_the_output_open_delays_nothing_and_is_killed(a_reviewer: Made, tmp_path: Path) -> None:
    note = tmp_path / "child"
    body = (
        f"child = subprocess.Popen(['sleep', '600']); open({str(note)!r}, 'w').write(str(child.pid)); print('{FINE}')"
    )
    began = time.monotonic()
    assert a_reviewer(body)(ITEM, []) == []
    assert time.monotonic() - began < AT_ONCE
    assert_gone(int(note.read_text()))


def assert_gone(process: int) -> None:
    """Wait until a process is no more, or only waits to be collected by whoever inherited it."""

    def gone() -> bool:
        with suppress(FileNotFoundError, ProcessLookupError):
            return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        return True

    try:
        until(gone, "its end")
    except AssertionError:
        os.kill(process, signal.SIGKILL)
        raise


@pytest.mark.parametrize("end", ["time.sleep(600)", "pass"])
def test_too_much_output_ends_it(a_reviewer: Made, end: str) -> None:
    reviewer = a_reviewer(f"sys.stdout.write('x' * 70_000); sys.stdout.flush(); {end}")
    assert failure(reviewer) == "wrote more than 64 KiB"


def test_endless_output_fills_no_memory(a_reviewer: Made) -> None:
    assert failure(a_reviewer("while True: sys.stdout.write('x' * 65_536)")) == "wrote more than 64 KiB"


@pytest.mark.slow
def test_endless_complaints_are_thrown_away_and_the_time_still_counts(a_reviewer: Made, said: list[str]) -> None:
    reviewer = a_reviewer("while True: sys.stderr.write('x' * 65_536)", seconds=1)
    assert failure(reviewer) == "gave no verdict within 1 s"
    assert sum(map(len, said)) < 5_000


def test_many_complaints_do_not_keep_a_verdict_back(a_reviewer: Made) -> None:
    assert a_reviewer(f"sys.stderr.write('x' * 1_000_000); print('{FINE}')")(ITEM, []) == []


def test_a_reviewer_that_does_not_read_is_heard(a_reviewer: Made) -> None:
    large = Sent("sub_x", 1, "use_case", {"kind": "use_case", "title": "x", "body": "y" * 1_000_000})
    assert a_reviewer(f"print('{FINE}')")(large, []) == []


def test_it_sees_no_secrets_and_works_in_an_empty_folder(a_reviewer: Made, tmp_path: Path) -> None:
    note = tmp_path / "seen"
    body = (
        f"open({str(note)!r}, 'w').write(json.dumps([sorted(os.environ), os.getcwd(), os.listdir(), os.getsid(0) =="
        f" os.getpid()])); print('{FINE}')"
    )
    secrets = {"PLAYBOOKS_EDITOR_KEY": "k", "PLAYBOOKS_DATABASE_URL": "postgresql://u:p@h/d", "OTHER": "x"}
    a_reviewer(body, HOME="/h", LANG="C.UTF-8", REVIEWER_AGENT="a", REVIEWER_KEY="b", **secrets)(ITEM, [])
    names, folder, entries, leads = json.loads(note.read_text())
    python_adds = {"LC_CTYPE"}
    assert set(names) - python_adds == {"PATH", "HOME", "LANG", "REVIEWER_AGENT", "REVIEWER_KEY"}
    assert (entries, leads) == ([], True)
    assert not Path(folder).exists()


def test_no_shell_reads_the_command(tmp_path: Path, said: list[str]) -> None:
    echo = {
        "PATH": os.environ["PATH"],
        "PLAYBOOKS_REVIEWER": f"echo '{FINE}' ; touch {tmp_path}/x $(touch {tmp_path}/y)",
    }
    reviewer = reviewer_from(echo, 20, said.append)
    assert reviewer is not None
    assert failure(reviewer) == "wrote something else than one JSON object"
    assert list(tmp_path.iterdir()) == []


def test_without_a_command_there_is_no_reviewer(said: list[str]) -> None:
    assert reviewer_from({}, 1, said.append) is None
    assert reviewer_from({"PLAYBOOKS_REVIEWER": "  "}, 1, said.append) is None


@pytest.mark.parametrize("command", ["no-such-command -x", "/no/such/command", "'unclosed", "./here", "."])
def test_a_command_that_cannot_be_run_stops_the_start(command: str, said: list[str]) -> None:
    with pytest.raises(UsageError, match="PLAYBOOKS_REVIEWER"):
        reviewer_from({"PATH": os.environ["PATH"], "PLAYBOOKS_REVIEWER": command}, 1, said.append)


def test_a_command_of_this_folder_is_found_from_another(
    tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "mine"
    script.write_text(f"#!/bin/sh\necho '{FINE}'\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.chdir(tmp_path)
    reviewer = reviewer_from({"PATH": os.environ["PATH"], "PLAYBOOKS_REVIEWER": "./mine"}, 20, said.append)
    assert reviewer is not None
    assert reviewer(ITEM, []) == []


def test_a_command_that_vanished_is_a_finding(said: list[str], tmp_path: Path) -> None:
    reviewer = OutsideReviewer((str(tmp_path / "gone"),), {}, 60, said.append)
    assert failure(reviewer) == "could not be run (No such file or directory)"


def test_the_published_schema_is_that_of_the_model() -> None:
    text = (PROJECT / "docs/reviewer-verdict.schema.json").read_text(encoding="utf-8")
    assert text == json.dumps(ReviewerVerdict.model_json_schema(), indent=2, ensure_ascii=False) + "\n"


def test_what_it_leaves_behind_stops_nothing(a_reviewer: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    swap = f"here = os.getcwd(); os.rmdir(here); open(here, 'w').close(); print('{FINE}')"
    assert a_reviewer(swap)(ITEM, []) == []
    assert [path.is_file() for path in (tmp_path / "tmp").iterdir()] == [True]


def test_what_the_system_refuses_is_a_finding(
    a_reviewer: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviewer = a_reviewer(answers(FINE))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    assert failure(reviewer) == "could not be run (No such file or directory)"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_a_finding(a_reviewer: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/full").open("r+b", buffering=0) as full:
        monkeypatch.setattr("writeapi.review.screening.screen.TemporaryFile", lambda *_: full)
        assert failure(a_reviewer(answers(FINE))) == "could not be run (No space left on device)"
