"""Nothing that was sent or typed is obeyed: script in every field of every page is text, and leads nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import BOOK
from tests.writeapi.review.desk import a_payload, reported, sent
from tests.writeapi.review.pages import NEW_LESSON, Page, Pages, a_draft
from writeapi.keys import hash_of
from writeapi.store import Store
from writeapi.store.records import Finding, Review

EVIL = (
    "\"'><zq9 zq9=1 onerror=alert(1) style=x></textarea></pre></title><script>alert(1)</script>{{ 7*7 }}{% raw %}&amp;"
)
"""Text that would make an element, leave a field or run if a page did not escape it."""
TAGS = frozenset(
    "html head meta title link script body a header div img nav ul li form input span button main h1 h2 h3 p section"
    " dl dt dd ol time strong code footer kbd dialog label textarea details summary iframe table caption thead tbody"
    " tr th td del ins pre fieldset legend b br select option".split()
)
ATTRIBUTES = frozenset(
    "lang charset name content rel href src defer type class id method action value aria-labelledby aria-label"
    " aria-current aria-describedby datetime title dir for rows readonly maxlength spellcheck autocapitalize formaction"
    " data-save data-file data-line data-for open checked selected tabindex role scope sandbox loading alt width height"
    " size required autocomplete".split()
)


@pytest.fixture
def pages(store: Store, url: str, tmp_path: Path) -> Pages:
    made = Pages(store, url, tmp_path)
    assert made.sign_in().status_code == 303
    return made


def inert(html: str) -> None:
    """No element or attribute came from what was sent, and nothing runs or leads elsewhere."""
    page = Page(html)
    assert {tag for tag, _ in page.tags} <= TAGS
    assert {name for _, given in page.tags for name in given} <= ATTRIBUTES
    assert [given["src"] for tag, given in page.tags if tag == "script"] == ["/review/assets/review.js"]
    places = [
        value or ""
        for _, given in page.tags
        for name, value in given.items()
        if name in ("href", "src", "action", "formaction")
    ]
    assert not [place for place in places if not place.startswith(("/review", "#main"))]
    assert "{{ 7*7 }}" in html
    assert "49}" not in html


@pytest.mark.slow
def test_script_in_every_field_is_inert_on_every_page(pages: Pages) -> None:
    store, fields = pages.store, dict.fromkeys(("agent", "reporter"), EVIL)
    run = reported(
        store, 1, agent_version=EVIL, model=EVIL, what_changed=EVIL, lesson=EVIL, playbook_version=EVIL, **fields
    )
    elsewhere = reported(store, 2, playbook=EVIL, outcome=EVIL)
    found = (Finding(EVIL, "/lesson", EVIL), Finding(EVIL, "/title", EVIL), Finding(EVIL, EVIL, EVIL))
    store.screened(Review(run, 1, "editor", found), reject=False)
    payload = a_payload(**dict.fromkeys(("title", "summary", "prompt", "job"), EVIL), steps=[EVIL], sources=[EVIL])
    items = [
        sent(
            store, kind, kind=kind, title=EVIL, body=EVIL, playbook=book, source_url=EVIL, payload=payload, **fields
        ).id
        for kind, book in (("playbook", None), ("lesson", EVIL), ("use_case", None), ("correction", BOOK))
    ]
    pages.post(f"/{items[1]}/save", a_draft(body=f"title: {EVIL}\n{EVIL}: x\n"))
    pages.post(
        f"/{items[2]}/request-changes",
        {"version": "2", "request_changes-reason": "other", "request_changes-note": EVIL},
    )
    inert(pages.ask("/").text)
    inert(pages.ask(f"/?playbook={EVIL}").text)
    for subject in (run, *items):
        inert(pages.ask(f"/{subject}").text)
    assert pages.ask(f"/{elsewhere}").status_code == 200
    typed = a_draft(file=EVIL, body=EVIL, revision=EVIL, version=EVIL)
    typed |= {f"{name}-note": EVIL for name in ("accept", "reject", "request_changes")}
    for action in ("check", "save", "accept", "reject", "request-changes"):
        inert(pages.post(f"/{items[0]}/{action}", typed).text)
    promotion = {f"promote-{name}": EVIL for name in ("title", "problem", "fix", "slug", "to")}
    inert(pages.post(f"/{run}/promote", {**promotion, "version": "1"}).text)
    inert(pages.post("/withdraw-playbook", {"playbook": EVIL, "replaced-by": EVIL, "withdraw-note": EVIL}).text)
    inert(pages.post(f"/{items[2]}/accept", typed | {"version": "2"}).text)
    pages.csrf = "x"
    inert(pages.post(f"/{items[0]}/accept", typed).text)
    store.close_session(hash_of(pages.cookie), 1)
    inert(pages.post(f"/{items[0]}/accept", typed).text)


@pytest.mark.slow
def test_script_in_what_is_previewed_is_inert_too(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="lesson", playbook=BOOK)
    evil = "``" + EVIL.replace('"', "") + "``"  # as code: outside of it no file may hold an element
    body = NEW_LESSON.replace("needs more load", f"needs {evil}".replace("{", "(").replace("}", ")").replace(": ", " "))
    assert pages.post(f"/{item.id}/save", a_draft(body=body)).status_code == 303
    html = pages.ask(f"/{item.id}/preview/0").text
    page = Page(html)
    assert "<script>alert(1)</script>" in page.words
    assert "zq9" not in {tag for tag, _ in page.tags}
    data = {"type": "application/ld+json"}  # its text is escaped: what it holds is tested with the renditions
    assert not [given for tag, given in page.tags if tag == "script" and "src" not in given and given != data]
