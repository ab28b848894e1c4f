"""Two changes of one file become one, field by field; what both changed otherwise is named, and nothing is lost."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from library.content.formatting import canonical
from library.content.yamlfile import parse
from tests.builders import BOOK
from tests.writeapi.review.desk import BOOK_FILE, a_desk, an_editor, content_of, sent
from tests.writeapi.review.outgoing import go, results
from writeapi.review.decisions import decide
from writeapi.review.decisions.items import item
from writeapi.review.publishing.publish import merge_files
from writeapi.review.publishing.targets import Outdated
from writeapi.review.web.pages import file_views
from writeapi.store import Store

FILE = BOOK_FILE
BASE = canonical(
    {
        "title": "A job",
        "task": "job",
        "agents": ["claude-code"],
        "cost": "Mostly tokens",
        "time": "1 hour",
        "steps": [{"title": f"Part {n}", "detail": f"Do {n}.", "check": f"See {n}."} for n in (1, 2, 3)],
        "tags": ["one", "two"],
        "updated": "2026-11-01",
    },
    FILE,
).decode()


def edited(**fields: Any) -> str:
    """The base with other values at its top."""
    values = parse(BASE, FILE).value
    assert isinstance(values, dict)
    return canonical({**values, **fields}, FILE).decode()


def steps(*words: str) -> list[dict[str, str]]:
    return [{"title": f"Part {n}", "detail": f"Do {n}.", "check": word} for n, word in enumerate(words, 1)]


def test_fields_that_one_changed_come_together() -> None:
    ours, theirs = edited(cost="Nothing", tags=["one", "two", "three"]), edited(time="2 hours", updated="2026-11-02")
    merged = merge_files(FILE, BASE, ours, theirs)
    assert merged == edited(cost="Nothing", tags=["one", "two", "three"], time="2 hours", updated="2026-11-02")
    assert merge_files(FILE, BASE, theirs, ours) == merged


def test_two_steps_that_two_changed_come_together_and_one_that_both_changed_is_named() -> None:
    ours, theirs = edited(steps=steps("New 1.", "See 2.", "See 3.")), edited(steps=steps("See 1.", "See 2.", "New 3."))
    assert merge_files(FILE, BASE, ours, theirs) == edited(steps=steps("New 1.", "See 2.", "New 3."))
    with pytest.raises(Outdated, match=r"changes it too: steps\[0\]\.check$"):
        merge_files(FILE, BASE, ours, edited(steps=steps("Other 1.", "See 2.", "See 3.")))


def test_two_fields_of_one_step_come_together() -> None:
    one, two = steps("See 1.", "See 2.", "See 3."), steps("See 1.", "See 2.", "See 3.")
    one[1] |= {"check": "New check."}
    two[1] |= {"detail": "New detail."}
    merged = parse(merge_files(FILE, BASE, edited(steps=one), edited(steps=two)), FILE).value
    assert isinstance(merged, dict)
    assert isinstance(merged["steps"], list)
    assert merged["steps"][1] == {"title": "Part 2", "detail": "New detail.", "check": "New check."}


def test_items_that_both_added_or_one_took_out_come_together() -> None:
    ours, theirs = edited(tags=["zero", "one", "two"]), edited(tags=["one", "two", "three"])
    assert merge_files(FILE, BASE, ours, theirs) == edited(tags=["zero", "one", "two", "three"])
    assert merge_files(FILE, BASE, edited(tags=["two"]), theirs) == edited(tags=["two", "three"])


def test_a_field_that_one_took_out_and_the_other_changed_is_a_conflict() -> None:
    without = edited()
    without = without.replace("cost: Mostly tokens\n", "")
    assert merge_files(FILE, BASE, without, edited(time="2 hours")) == edited(time="2 hours").replace(
        "cost: Mostly tokens\n", ""
    )
    with pytest.raises(Outdated, match=r"too: cost$"):
        merge_files(FILE, BASE, without, edited(cost="Much"))


def test_comments_of_the_other_stay() -> None:
    theirs = edited(time="2 hours").replace("cost:", "# As of today.\ncost:")
    assert "# As of today.\ncost: Mostly tokens\n" in merge_files(FILE, BASE, edited(tags=["one"]), theirs)


@pytest.mark.parametrize("broken", ["[1, 2]\n", "title: [\n", ""])
def test_what_is_no_record_is_a_conflict(broken: str) -> None:
    with pytest.raises(Outdated, match="the whole file"):
        merge_files(FILE, BASE, edited(cost="Nothing"), broken)


VALUES = st.fixed_dictionaries(
    {
        "cost": st.sampled_from(["a", "b", "c"]),
        "time": st.sampled_from(["a", "b", "c"]),
        "tags": st.lists(st.sampled_from(["one", "two", "three"]), min_size=1, max_size=3, unique=True),
    }
)


@settings(deadline=None, max_examples=60)
@given(ours=VALUES, theirs=VALUES)
def test_a_merge_has_what_either_alone_changed(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    base = parse(BASE, FILE).value
    assert isinstance(base, dict)
    try:
        merged = parse(merge_files(FILE, BASE, edited(**ours), edited(**theirs)), FILE).value
    except Outdated:
        assert any(ours[key] != base[key] != theirs[key] != ours[key] for key in ours)
        return
    assert isinstance(merged, dict)
    for key, mine in ours.items():
        if theirs[key] in (base[key], mine):
            assert merged[key] == mine
        elif mine == base[key]:
            assert merged[key] == theirs[key]


def test_a_correction_is_merged_with_what_came_between_and_a_clash_comes_back(store: Store, tmp_path: Path) -> None:
    desk, editor = a_desk(store, tmp_path), an_editor(store)
    file = content_of(desk) / FILE
    one, two = (sent(store, number, kind="correction", playbook=BOOK) for number in (1, 2))

    def decided(name: str, old: str, new: str) -> None:
        text = item(desk, name).files[0].text
        assert old in text
        decide.accept(desk, editor, name, 2, {FILE: text.replace(old, new)})

    decided(one.id, "Mostly tokens", "Tokens")
    file.write_text(file.read_text().replace("difficulty: intermediate", "difficulty: advanced"))
    assert results(go(desk)) == [(one.id, "written")]
    merged = file.read_text()
    assert ("difficulty: advanced\n" in merged, "cost: Tokens" in merged) == (True, True)
    assert results(go(desk)) == [], "once"
    decided(two.id, "cost: Tokens", "cost: Few")
    file.write_text(merged.replace("cost: Tokens", "cost: Many"))
    assert results(go(desk)) == [(two.id, "sent back")]
    found = item(desk, two.id)
    assert "changes it too: cost" in str(found.steps[-1].note)
    (draft,) = found.files
    texts = (str(draft.original), draft.text, found.olds[FILE])
    assert [re.findall("^cost: (.*)$", text, re.MULTILINE) for text in texts] == [["Tokens"], ["Few"], ["Many"]]
    (view,) = file_views(found, None, (), desk.shelf.text)
    assert [line for line in view.ours if line[0] == "+"] == ["+cost: Few"]
    assert [line for line in view.theirs if line[0] == "+"] == ["+cost: Many"]


def test_the_later_day_and_all_contributors_stay() -> None:
    base = BASE.replace("updated: 2026-11-01", "updated: 2026-11-01\ncontributors:\n  - handle: ada")
    ours = base.replace("2026-11-01", "2026-11-20") + "  - handle: bo\n"
    theirs = base.replace("2026-11-01", "2026-11-19") + "  - handle: cy\n"
    merged = parse(merge_files(FILE, base, ours, theirs), FILE).value
    assert isinstance(merged, dict)
    assert merged["updated"] == "2026-11-20"
    assert merged["contributors"] == [{"handle": name} for name in ("ada", "cy", "bo")]
