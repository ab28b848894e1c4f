"""Charts that hold what the counts say, in a picture, in words, in a table and in a file."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from xml.etree import ElementTree

import orjson
import pytest

from build.facts import Facts
from build.views import figures
from build.views.charts import MOST_COLUMNS
from build.views.rendering import RenderEnvironment
from library.content.formatting import canonical
from library.rules.statistics import Tally, by_agent, by_month
from tests.builders import BOOK, a_library, a_run, an_entry, put, the_site
from tests.generator.test_renditions import Page
from tests.rich import a_report
from tests.trees import built

KINDS = ("worked", "changes", "failed")
SVG = "{http://www.w3.org/2000/svg}"


def drawn(text: str) -> ElementTree.Element:
    """An SVG as its tree; it stands in HTML, where it needs no name of its space."""
    return ElementTree.fromstring(str(text).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


def picture(name: str, *told: object) -> str:
    """What a macro of the template of charts draws."""
    return str(getattr(RenderEnvironment(the_site()).environment.get_template("charts.html").module, name)(*told))


def ends(*told: float) -> str:
    return picture("ends", *told)


def runs_by_month(name: str, tallies: list[Tally]) -> str:
    return picture("runs_by_month", name, tallies)


def tally(name: str, worked: int, changes: int, failed: int) -> Tally:
    return Tally(name=name, worked=worked, with_changes=changes, failed=failed)


def tallies(number: int) -> list[Tally]:
    return [tally(f"{2020 + month // 12}-{month % 12 + 1:02}", month, 1, month % 3) for month in range(number)]


@pytest.mark.parametrize(("counts", "most"), [((3, 0, 1), 4), ((0, 0, 1), 9), ((40, 20, 60), 120), ((1, 0, 0), 500)])
def test_a_bar_is_as_long_as_its_counts_and_has_a_sign_for_each_kind_but_the_first(
    counts: tuple[int, int, int], most: int
) -> None:
    root = drawn(ends(*counts, most))
    bars = [(bar.attrib["class"], float(bar.attrib["width"])) for bar in root.iter(f"{SVG}rect")]
    assert [kind for kind, _ in bars] == [f"b-{kind}" for kind, n in zip(KINDS, counts, strict=True) if n]
    assert sum(wide for _, wide in bars) == pytest.approx(float(root.attrib["width"]), abs=0.2)
    assert float(root.attrib["width"]) <= 180 + 0.2
    assert len(list(root.iter(f"{SVG}path"))) == sum(n > 0 for n in counts[1:])


@pytest.mark.parametrize("number", [1, 2, 13, MOST_COLUMNS, 60])
def test_a_chart_is_well_formed_and_stays_within_its_picture(number: int) -> None:
    root = drawn(runs_by_month("rm", tallies(number)))
    _, _, width, height = (float(part) for part in root.attrib["viewBox"].split())
    found = 0
    for bar in root.iter(f"{SVG}rect"):
        x, y, wide, high = (float(bar.attrib[name]) for name in ("x", "y", "width", "height"))
        assert 0 <= x <= x + wide <= width
        assert 0 <= y <= y + high <= height
        found += bar.attrib.get("class", "").startswith("b-")
    shown = tallies(number)[-MOST_COLUMNS:]
    assert found == sum(bool(count) for item in shown for count in (item.worked, item.with_changes, item.failed))


def test_heights_are_in_proportion_and_parts_stand_on_each_other() -> None:
    root = drawn(runs_by_month("rm", [tally("2026-01", 4, 2, 2), tally("2026-02", 8, 0, 0)]))
    bars = [bar for bar in root.iter(f"{SVG}rect") if "class" in bar.attrib]
    assert [bar.attrib["class"] for bar in bars] == ["b-worked", "b-changes", "b-failed", "b-worked"]
    highs = [float(bar.attrib["height"]) for bar in bars]
    assert highs[0] == pytest.approx(2 * highs[1], abs=0.2)
    assert highs[3] == pytest.approx(2 * highs[0], abs=0.2)
    assert float(bars[1].attrib["y"]) + highs[1] == pytest.approx(float(bars[0].attrib["y"]), abs=0.2)


def test_colour_is_not_the_only_sign_and_nothing_is_styled_inline() -> None:
    text = runs_by_month("rm", [tally("2026-01", 1, 1, 1)])
    ids = set(re.findall(r'id="([^"]+)"', text))
    assert {f"url(#{name})" for name in ids if name.startswith(("rm-c", "rm-f"))} == set(
        re.findall(r'fill="(url\([^"]+\))"', text)
    )
    assert "style" not in text
    assert re.findall(r' on\w+="', text) == []


def test_a_chart_is_told_in_words() -> None:
    root = drawn(runs_by_month("rm", [tally("2025-12", 0, 0, 0), tally("2026-01", 2, 0, 1)]))
    named = root.attrib["aria-labelledby"].split()
    assert [part.attrib["id"] for part in root if part.tag in (f"{SVG}title", f"{SVG}desc")] == named
    assert root.findtext(f"{SVG}desc") == "3 runs. December 2025: 0. January 2026: 2 worked, 1 failed."


@pytest.mark.parametrize(
    ("months", "labels"),
    [
        (["2026-10"], ["Oct 2026"]),
        (["2026-10", "2026-11"], ["Oct 2026", "Nov"]),
        (["2025-12", "2026-01", "2026-02"], ["Dec", "2026", "Feb"]),
    ],
)
def test_a_chart_always_names_a_year(months: list[str], labels: list[str]) -> None:
    root = drawn(runs_by_month("rm", [tally(month, 1, 0, 0) for month in months]))
    assert [column.findall(f"{SVG}text")[-1].text for column in root.iter(f"{SVG}g")] == labels


@pytest.mark.parametrize(
    ("most", "axis"), [(0, [0, 1]), (1, [0, 1]), (3, [0, 1, 2, 3]), (7, [0, 2, 4, 6, 8]), (13, [0, 5, 10, 15, 20])]
)
def test_an_axis_has_whole_numbers(most: int, axis: list[int]) -> None:
    root = drawn(runs_by_month("x", [tally("2026-10", most, 0, 0)]))
    assert [int(str(text.text)) for text in root.iter(f"{SVG}text") if text.get("text-anchor") == "end"] == axis


def test_months_without_runs_are_there_too() -> None:
    runs = [a_run("one", reported="2025-11-30T23:59:59Z"), a_run("two", reported="2026-02-01T00:00:00Z")]
    assert [(item.name, item.total) for item in by_month(runs)] == [
        ("2025-11", 1),
        ("2025-12", 0),
        ("2026-01", 0),
        ("2026-02", 1),
    ]
    assert by_month([]) == ()


def test_agents_are_counted_by_the_name_that_they_have_here() -> None:
    names = ["claude-code", "CLAUDE-Code", "x", "y"]
    runs = [a_run(f"run-{number}", agent=agent) for number, agent in enumerate(names)]
    found = by_agent(a_library(runs=runs))
    assert [(item.name, item.total) for item in found] == [("Claude Code", 2), ("other", 2)]


def rows(site: Path, name: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO((site / f"stats/{name}.csv").read_text(), newline="")))


@pytest.mark.slow
def test_files_and_page_say_the_same(rich_site: Path) -> None:
    page = Page((rich_site / "stats/index.html").read_text())
    stats = orjson.loads((rich_site / "api/v1/stats.json").read_bytes())
    linked = {str(attributes.get("href")) for tag, attributes in page.tags if tag == "a"}
    assert {f"/stats/{name}.csv" for name in figures.FILES} <= linked
    assert sum(int(row[1]) for row in rows(rich_site, "runs-by-month")[1:]) == stats["runs"]["approved"]
    assert sum(int(row[2]) for row in rows(rich_site, "runs-by-agent")[1:]) == stats["runs"]["approved"]
    assert {row[0]: int(row[1]) for row in rows(rich_site, "trust")[1:]} == stats["by_trust"]
    outcomes = [int(row[2]) for row in rows(rich_site, "accounts") if row[0] == "outcome"]
    assert sum(outcomes) == stats["evidence_count"]
    assert rows(rich_site, "coverage")[0] == ["job", "claude-code", "cursor"]
    assert ["nobody-yet", "0", "0"] in rows(rich_site, "coverage")
    assert rows(rich_site, "stale-references")[1:] == [[BOOK, "1", "1", "2025-01-01"]]


@pytest.mark.slow
def test_every_picture_and_table_of_the_page_has_its_n(rich_site: Path) -> None:
    html = (rich_site / "stats/index.html").read_text().partition("</main>")[0]
    heads = re.findall(r"<h2 id=[^>]+>(.*?)</h2>", html)
    assert len(heads) == 9
    assert all(re.search(r"n = \d+", head) for head in heads)


@pytest.mark.slow
def test_without_runs_the_page_says_so_and_points_to_the_accounts(content: Path, tmp_path: Path) -> None:
    for path in (content / "runs").rglob("*.yaml"):
        path.unlink()
    built(content, tmp_path / "site")
    html = (tmp_path / "site/stats/index.html").read_text()
    assert "No run has been reported and approved yet, so there is nothing to draw." in html
    assert "the 3 public accounts counted above" in html
    assert 'class="chart"' not in html
    assert rows(tmp_path / "site", "runs-by-month") == [["month", "runs", "worked", "worked_with_changes", "failed"]]


def test_a_playbook_shows_its_runs_by_month(rich_site: Path) -> None:
    html = (rich_site / f"playbooks/{BOOK}/index.html").read_text()
    assert "6 runs. October 2026: 4 worked, 1 worked with changes, 1 failed." in html
    assert '<td class="num">6</td><td class="num">4</td>' in html
    assert 'class="chart"' not in (rich_site / "playbooks/write-tests/index.html").read_text()


@pytest.mark.slow
def test_no_cell_of_a_file_is_a_formula(content: Path, tmp_path: Path) -> None:
    for number, told in enumerate(["=1+1", "+1", "-1", "@sum", 'quoted "x", y']):
        name = f"runs/{BOOK}/odd-{number}.yaml"
        put(content, name, canonical(a_report(number, book_version="0" * 12, agent_version=told), name))
    built(content, tmp_path / "site")
    named = {row[1] for row in rows(tmp_path / "site", "runs-by-agent")}
    assert {"'=1+1", "'+1", "'-1", "'@sum", 'quoted "x", y'} <= named


def test_ages_of_references_are_counted_by_their_last_check() -> None:
    days = ("2026-11-20", "2026-10-21", "2026-10-20", "2026-05-24", "2026-05-23")
    shown = figures.statistics(Facts(a_library([an_entry(references_checked=days)])))
    assert list(shown.ages.values()) == [2, 1, 1, 1]
    assert [(item.book.slug, item.stale, item.of, item.oldest) for item in shown.stale] == [(BOOK, 1, 5, "2026-05-23")]


@pytest.mark.parametrize(
    ("most", "top"), [(0, 1), (1, 1), (4, 4), (5, 5), (7, 8), (9, 10), (11, 20), (60, 60), (61, 80)]
)
def test_an_axis_ends_at_the_next_round_number(most: int, top: int) -> None:
    chart = drawn(runs_by_month("x", [tally("2026-10", most, 0, 0)]))
    assert max(int(text.text or 0) for text in chart.iter(f"{SVG}text") if (text.text or "").isdigit()) == top


def test_each_column_has_its_whole_count_over_it_and_its_label_under_it() -> None:
    chart = drawn(runs_by_month("x", [tally("2026-02", 2, 0, 1), tally("2026-03", 0, 0, 0)]))
    groups = [[text.text for text in group.iter(f"{SVG}text")] for group in chart.iter(f"{SVG}g")]
    assert groups == [["3", "Feb 2026"], ["0", "Mar"]]
    assert "3 runs. February 2026: 2 worked, 1 failed. March 2026: 0." in ElementTree.tostring(chart, "unicode")
