"""Pictures for where an address is shared: in releases only, whatever the title, with nothing beyond its place."""

from __future__ import annotations

import io
import re
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageFont

from build.pipeline import Resident
from build.reading import Sources
from build.settings import BuildSettings
from build.views.cards import FONTS, MARGIN, MOST_LINES, SIZE, _legible, wrapped
from library.content.formatting import canonical
from tests.builders import BOOK, TODAY, put
from tests.rich import a_book, write_rich_content
from tests.trees import built

TITLES = {
    "long": "Find and mend every single flaky test of a large repository " * 2,
    "wide": "W" * 118,
    "chinese": "修复不稳定的测试",
    "arabic": "إصلاح الاختبارات المتقلبة",
    "hebrew": "תיקון בדיקות לא יציבות",
    "emoji": "🎹 🎻 🥁 Play",
    "only-emoji": "🎹🎻🥁 4",
    "accents": "Réparer où ça échoue à Łódź, Ελλάδα и Россия",
    "combining": "e\u0301tude ze\u0302bre",
}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cards")
    content = write_rich_content(folder)
    for slug, title in TITLES.items():
        put(content, f"playbooks/{slug}.yaml", canonical(a_book(title=title[:120].strip()), f"playbooks/{slug}.yaml"))
    built(content, folder / "site", release=True)
    return folder / "site"


def opened(path: Path) -> Image.Image:
    return Image.open(io.BytesIO(path.read_bytes()))


def picture(path: Path) -> Image.Image:
    found = opened(path)
    found.load()
    assert (found.size, found.format) == (SIZE, "PNG")
    return found.convert("L")


@pytest.mark.slow
@pytest.mark.parametrize("slug", [BOOK, "older", *TITLES])
def test_whatever_the_title_a_card_is_drawn_within_its_margins(release: Path, slug: str) -> None:
    card = picture(release / f"playbooks/{slug}/card.png")
    dark = card.point(lambda value: 255 * (value < 128))
    assert dark.crop((MARGIN, 140, SIZE[0] - MARGIN, 220)).getbbox(), "no title is drawn"
    for edge in ((SIZE[0] - MARGIN + 4, 0, *SIZE), (25, 600, *SIZE), (25, 0, SIZE[0], 60), (25, 0, MARGIN - 6, 630)):
        assert card.crop(edge).getextrema() == (255, 255), f"something is drawn at {edge}"
    assert card.crop((25, 525, SIZE[0], 548)).getextrema() == (255, 255), "the text reaches down to the last line"


@pytest.mark.slow
def test_a_release_names_its_cards_by_their_whole_address(release: Path) -> None:
    found = set()
    for name in ("index.html", f"playbooks/{BOOK}/index.html", "stats/index.html", "tasks/index.html"):
        html = (release / name).read_text()
        [image] = re.findall(r'<meta property="og:image" content="https://playbooks\.example/([^"]+)">', html)
        assert (release / image).is_file()
        found.add(image)
        assert '<meta name="twitter:card" content="summary_large_image">' in html
    assert found == {"card.png", f"playbooks/{BOOK}/card.png"}
    assert not (release / "playbooks/gone/card.png").exists()


@pytest.mark.slow
def test_cards_have_the_same_bytes_again_and_only_what_changed_is_drawn_anew(content: Path, tmp_path: Path) -> None:
    resident = Resident(Sources(content))
    told = BuildSettings(content, tmp_path / "site", TODAY, jobs=1, release=True, durable=False)
    resident.build(told)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "site").rglob("card.png")}
    assert len(before) == 4
    put(content, "playbooks/older.yaml", (content / "playbooks/older.yaml").read_text().replace("Rerun", "Run again"))
    resident.build(told)
    changed = [path.parent.name for path, moment in before.items() if path.stat().st_mtime_ns != moment]
    assert changed == ["older"]
    built(content, tmp_path / "cold", release=True)
    for path in before:
        assert path.read_bytes() == (tmp_path / "cold" / path.relative_to(tmp_path / "site")).read_bytes()


@pytest.mark.slow
def test_other_builds_have_no_cards_and_name_the_icon(rich_site: Path) -> None:
    assert not list(rich_site.rglob("card.png"))
    for path in (rich_site / "index.html", rich_site / f"playbooks/{BOOK}/index.html"):
        html = path.read_text()
        [image] = re.findall(r'<meta property="og:image" content="https://playbooks\.example/([^"]+)">', html)
        assert opened(rich_site / image).size == (512, 512)
        assert '<meta name="twitter:card" content="summary">' in html


@pytest.mark.slow
def test_every_page_says_what_it_is_where_it_is_shared(rich_site: Path) -> None:
    for path in rich_site.rglob("index.html"):
        html = path.read_text()
        found = dict(re.findall(r'<meta property="(og:[a-z_:]+)" content="([^"]*)">', html))
        if 'http-equiv="refresh"' in html:
            continue
        assert found["og:site_name"] == "Playbook Library"
        assert found["og:url"] == re.findall(r'<link rel="canonical" href="([^"]+)">', html)[0]
        assert found["og:title"]
        kind = "article" if re.search(r"/(playbooks|lessons)/[a-z-]+/$", found["og:url"]) else "website"
        assert found["og:type"] == kind


@pytest.mark.slow
def test_icons_are_there_in_the_sizes_that_they_promise(rich_site: Path) -> None:
    manifest = orjson.loads((rich_site / "site.webmanifest").read_bytes())
    assert (manifest["name"], manifest["start_url"]) == ("Playbook Library", "/")
    for icon in manifest["icons"]:
        path = rich_site / icon["src"].removeprefix("/")
        assert path.is_file()
        if icon["type"] == "image/png":
            assert opened(path).size == tuple(map(int, icon["sizes"].split("x")))
    assert opened(rich_site / "favicon.ico").info["sizes"] == {(16, 16), (32, 32), (48, 48)}
    html = (rich_site / "index.html").read_text()
    assert '<link rel="manifest" href="/site.webmanifest">' in html
    [touch] = re.findall(r'<link rel="apple-touch-icon" href="/([^"]+)">', html)
    assert opened(rich_site / touch).size == (180, 180)


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("🎹 Play", "Play"),
        ("修复", ""),
        ("إصلاح", ""),
        ("Łódź", "Łódź"),
        ("a\u202eb\u0000", "ab"),
        ("", ""),
        ("🎹", ""),
        ("AB 修复复", ""),
    ],
)
def test_what_cannot_be_drawn_is_left_out(text: str, drawn: str) -> None:
    assert _legible(text) == drawn


FONT = ImageFont.truetype(str(FONTS / "DejaVuSans.ttf"), 34, layout_engine=ImageFont.Layout.BASIC)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=300), width=st.integers(60, 900), most=st.integers(0, MOST_LINES))
def test_no_line_is_wider_than_its_place(text: str, width: int, most: int) -> None:
    lines = wrapped(text, FONT.getlength, width, most)
    assert len(lines) <= most
    assert all(FONT.getlength(line) <= width for line in lines)
    if most and not any(line.endswith("…") for line in lines):
        assert "".join(lines).replace(" ", "") == "".join(text.split())
