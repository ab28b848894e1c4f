"""Proof and scripts in every rendition: named, linked, escaped; never what the trial hides; after an edit as anew."""

from __future__ import annotations

import hashlib
import zipfile
from datetime import date
from pathlib import Path

import orjson
import pytest

from library.content.loading import load
from library.records import collection
from library.records.trials import CANARY
from library.records.vocabulary import Arm, Outcome
from library.rules.trust import runs_on_trial
from library.search.query import Question, SearchEngine
from tests.builders import BOOK, an_entry, put, write_content
from tests.generator.edits import World
from tests.proofs import SCRIPT, proof_in, put_proof, put_trial
from tests.rich import write_rich_content
from tests.trees import built, tree

SCRIPT_FILE = f"skills/{BOOK}/scripts/check-1.py"
BUNDLE = f"s/{BOOK}/skill.zip"
INDEX = ".well-known/agent-skills/index.json"


def proven(folder: Path) -> Path:
    content = write_content(folder)
    put_trial(content)
    put_proof(content)
    return content


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("proven")
    built(proven(folder), folder / "site", release=False)
    return folder / "site"


def text(site: Path, name: str) -> str:
    return (site / name).read_text(encoding="utf-8")


def test_a_script_lies_beside_the_skill_as_it_is(site: Path) -> None:
    assert text(site, SCRIPT_FILE) == SCRIPT


def test_the_answer_names_links_and_seals_the_script_and_says_what_is_proven(site: Path) -> None:
    book = orjson.loads(text(site, f"api/v1/playbooks/{BOOK}.json"))
    mark = f"sha256:{hashlib.sha256(SCRIPT.encode()).hexdigest()}"
    url = f"https://playbooks.example/{SCRIPT_FILE}"
    assert book["steps"][0]["check_script"] == {"path": "scripts/check-1.py", "url": url, "digest": mark}
    assert book["steps"][0]["proven"] is True
    assert [(item["path"], item["size"]) for item in book["scripts"]] == [("scripts/check-1.py", len(SCRIPT))]
    assert (book["proven"], book["proof"]["current"], book["proof"]["caught_count"]) == (True, True, 5)
    assert "states" not in book["proof"]
    assert orjson.loads(text(site, "api/v1/playbooks.json"))["items"][0]["proven"] is True
    stats = orjson.loads(text(site, "api/v1/stats.json"))
    assert [stats[name] for name in ("proven_count", "cheat_count", "caught_count", "trial_run_count")] == [1, 5, 5, 0]


def test_the_page_shows_the_proof_and_the_script_escaped(site: Path) -> None:
    page = text(site, f"playbooks/{BOOK}/index.html")
    assert (
        "Checks proven</span> 20 Nov 2026: 5 of 5 planted shortcuts caught (python 3.11.7); 1 command not tried."
        in page
    )
    assert "&lt;b&gt;&amp;amp; none of this is markup&lt;/b&gt;" in page
    assert "<b>&amp;" not in page
    assert f'href="/{SCRIPT_FILE}"' in page
    assert '<span class="proven">proven</span>' in page
    assert "Checks proven</span>" in text(site, "playbooks/index.html")


def test_markdown_and_skill_name_both_too(site: Path) -> None:
    twin, core = text(site, f"playbooks/{BOOK}.md"), text(site, f"skills/{BOOK}/SKILL.md")
    assert "*Check (proven):*" in twin
    assert f"[scripts/check-1.py](https://playbooks.example/{SCRIPT_FILE})" in twin
    assert "**Proof:** Checks proven 20 Nov 2026" in twin
    assert "*Check (proven):*" in core
    assert "Run `scripts/check-1.py`." in core
    head = text(site, f"skills/{BOOK}/SKILL.md").split("---")[1]
    assert 'scripts: "scripts/check-1.py"' in head
    assert 'proof: "Checks proven 20 Nov 2026' in head


def test_a_skill_with_scripts_is_offered_as_an_archive_of_all_its_files(site: Path) -> None:
    for name in (INDEX, f"s/{BOOK}/{INDEX}"):
        (entry,) = orjson.loads(text(site, name))["skills"]
        assert (entry["type"], entry["url"]) == ("archive", f"https://playbooks.example/{BUNDLE}")
        assert entry["digest"] == f"sha256:{hashlib.sha256((site / BUNDLE).read_bytes()).hexdigest()}"
    with zipfile.ZipFile(site / BUNDLE) as archive:
        names = archive.namelist()
        assert (names[0], names[-1]) == ("SKILL.md", "scripts/check-1.py")
        assert archive.read("scripts/check-1.py").decode() == SCRIPT
        assert archive.read("SKILL.md") == (site / f"skills/{BOOK}/SKILL.md").read_bytes()


def test_a_skill_without_scripts_has_none(tmp_path: Path) -> None:
    built(write_content(tmp_path), tmp_path / "site")
    with zipfile.ZipFile(tmp_path / "site" / BUNDLE) as archive:
        assert [name for name in archive.namelist() if name.startswith("scripts/")] == []


def test_nothing_of_what_a_trial_hides_is_in_the_site(site: Path) -> None:
    files = {**tree(site), **tree(site.resolve().parent)}
    assert len(files) > 50
    hidden = (CANARY.encode(), b"01-shortcut", b"also-other", b"grade.sh")
    assert [(name, word) for name, body in files.items() for word in hidden if word in body] == []


def test_runs_on_the_trial_stand_side_by_side_as_counts(tmp_path: Path) -> None:
    content = proven(tmp_path)
    version = proof_in(content)["playbook_version"]
    sides = {"playbook": ["worked"] * 3, "bare": ["worked", "failed", "failed"]}
    entry = (
        "  - {{date: 2026-11-19, agent: unnamed-ai-agent, outcome: {outcome}, by: editor, version: {version},"
        " arm: {arm}, trial_digest: 0a1b2c3d4e5f, duration_minutes: 12, sandbox: bubblewrap,"
        " transcript_digest: {digest}, transcript_read: true}}\n"
    )
    runs = [
        entry.format(outcome=outcome, version=version, arm=arm, digest="0a1b2c3d" * 8)
        for arm, outcomes in sides.items()
        for outcome in outcomes
    ]
    path = content / f"playbooks/{BOOK}.yaml"
    path.write_text(path.read_text() + "tested:\n" + "".join(runs))
    built(content, tmp_path / "site")
    sentence = (
        "Runs on the trial: with the playbook 3 of 3 worked, bare sentence 1 of 3; on a small prepared case, by an AI"
        " agent that is not named."
    )
    book = orjson.loads(text(tmp_path / "site", f"api/v1/playbooks/{BOOK}.json"))
    assert book["trial_runs"]["sentence"] == sentence
    assert (book["trust"], book["proof"]["current"]) == ("tested", True)
    assert book["trial_runs"]["bare"] == {"run_count": 3, "worked": 1}
    page = text(tmp_path / "site", f"playbooks/{BOOK}/index.html")
    assert sentence in page
    assert "%" not in page.partition('id="runs"')[2].partition("</section>")[0]
    assert page.count("Bare sentence · unnamed ai agent · 19 Nov 2026 · 12 minutes · bubblewrap · editor") == 3
    assert "Tests by the editors" not in page
    assert sentence in text(tmp_path / "site", f"playbooks/{BOOK}.md")
    assert orjson.loads(text(tmp_path / "site", "api/v1/stats.json"))["trial_run_count"] == 6


@pytest.mark.parametrize(
    ("playbook", "bare", "said"),
    [
        (3, 3, "3 of 3 worked, bare sentence 3 of 3, so the playbook was no help there;"),
        (1, 2, "1 of 3 worked, bare sentence 2 of 3, which did better there;"),
        (2, 1, "2 of 3 worked, bare sentence 1 of 3; on"),
    ],
)
def test_a_playbook_that_does_not_help_says_so(playbook: int, bare: int, said: str) -> None:
    runs = [
        collection.TestedEntry("0a1b2c3d4e5f", "codex", Outcome.WORKED if number < worked else Outcome.FAILED, arm)
        for arm, worked in ((Arm.PLAYBOOK, playbook), (Arm.BARE, bare))
        for number in range(3)
    ]
    told = runs_on_trial(an_entry(version="0a1b2c3d4e5f", tested=tuple(runs)), None)
    assert told is not None
    assert said in told.sentence


def test_runs_without_the_playbook_outlive_its_version_as_long_as_their_case_is_the_same(tmp_path: Path) -> None:
    trial = load(proven(tmp_path), date(2026, 11, 20)).trials[BOOK]
    runs = [
        collection.TestedEntry("0a1b2c3d4e5f", "codex", Outcome.WORKED, arm, case)
        for case in (trial.case_digest, "000000000000", None)
        for arm in Arm
    ]
    found = runs_on_trial(an_entry(version="111111111111", tested=tuple(runs)), trial)
    assert found is not None
    assert (found.playbook.run_count, found.bare.run_count) == (0, 1)


def test_search_finds_what_is_proven_alone(site: Path) -> None:
    engine = SearchEngine(site.resolve().parent)
    answer = engine.answer(Question("flaky tests", proven=True))
    assert [(hit.type, hit.slug, hit.proven) for hit in answer.items] == [("playbook", BOOK, True)]
    assert engine.answer(Question("flaky tests")).total > 1
    assert answer.facets["proven"] == {"true": 1}


def test_what_is_withdrawn_ships_nothing(tmp_path: Path) -> None:
    content = proven(tmp_path)
    path = content / f"playbooks/{BOOK}.yaml"
    path.write_text(path.read_text() + "status: withdrawn\nstatus_reason: It was wrong.\n")
    built(content, tmp_path / "site")
    assert not [name for name in tree(tmp_path / "site") if "check-1" in name or name.endswith(".zip")]
    book = orjson.loads(text(tmp_path / "site", f"api/v1/playbooks/{BOOK}.json"))
    assert book["scripts"] == []
    assert "proof" not in book


@pytest.mark.slow
def test_after_each_edit_of_scripts_trial_and_proof_the_site_is_as_a_cold_build_makes_it(tmp_path: Path) -> None:
    world = World(tmp_path, write_rich_content(tmp_path))
    world.edit("site")

    def agrees() -> None:
        assert world.edit("site").edit
        world.build("cold")
        assert world.differences("site", "cold") == []

    put_trial(world.content)
    agrees()
    put_proof(world.content)
    agrees()
    assert "Checks proven</span> 20 Nov" in text(world.folder, f"site/playbooks/{BOOK}/index.html")
    put(world.content, SCRIPT_FILE, "print('another')\n")
    agrees()
    assert text(world.folder, f"site/{SCRIPT_FILE}") == "print('another')\n"
    put_proof(world.content)
    agrees()
    put(world.content, f"trials/{BOOK}/cheats/01-shortcut.sh", f"# {CANARY}\nfalse\n")
    agrees()
    assert "for its trial as it was then" in text(world.folder, f"site/playbooks/{BOOK}/index.html")
    (world.content / f"trials/{BOOK}/proven.json").unlink()
    (world.content / SCRIPT_FILE).unlink()
    agrees()
    with zipfile.ZipFile(world.folder / "site" / BUNDLE) as archive:
        assert not any(name.startswith("scripts/") for name in archive.namelist())
    assert not (world.folder / "site" / SCRIPT_FILE).exists()
