"""What the pages of review say in every state of every kind of subject, kept as a file.

A change that is meant shows as a difference of this file: `python -m tests.writeapi.review.golden` writes it anew.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.builders import BOOK, PLAYBOOK, put
from tests.writeapi.review.desk import BOOK_FILE, a_contributor, a_payload, content_of, reported, sent
from tests.writeapi.review.pages import NEW_LESSON, Pages, a_draft
from tests.writeapi.store.builders import migrated, sqlite_url, ticking
from writeapi.review.decisions.texts import digest
from writeapi.store import Store
from writeapi.store.records import Finding, Review

KEPT = Path(__file__).with_name("kept-pages.txt")
CORRECTED = PLAYBOOK.replace("It failed at least once.", "It failed once, and the log says why.")


def told(folder: Path) -> str:
    """Every page of a queue that holds everything, and what refuses a form, as text without the way to the mend."""
    url = sqlite_url(folder / "queue.db")
    store = migrated(Store(url, clock=ticking(), wait=5), url)
    try:
        pages = Pages(store, url, folder)
        return "".join(f"=== {name}\n{body}\n" for name, body in _pages(pages))
    finally:
        store.close()


def _pages(pages: Pages) -> Iterator[tuple[str, str]]:
    yield "sign-in", _shown(pages, "/sign-in?next=/on-its-way")
    pages.sign_in()
    yield "an empty queue", _shown(pages, "/")
    yield "nothing on its way", _shown(pages, "/on-its-way")
    subjects = {**_runs(pages), **_submissions(pages)}
    for name, path in (("the queue", "/"), ("of a kind", "/?kind=lesson"), ("of a playbook", f"/?playbook={BOOK}")):
        yield name, _shown(pages, path)
    for name, subject in subjects.items():
        yield name, _shown(pages, f"/{subject}")
    yield "on its way", _shown(pages, "/on-its-way")
    yield "withdraw a playbook", _shown(pages, f"/withdraw-playbook?playbook={BOOK}")
    for name, path, form in _refused(subjects):
        yield f"refused: {name}", "\n".join(_shown(pages, path, form).splitlines()[:40])


def _runs(pages: Pages) -> dict[str, str]:
    """A report in every state."""
    store, cleo = pages.store, a_contributor(pages.store)
    full = {
        "outcome": "worked_with_changes", "what_changed": "Two workers.", "lesson": "It <b>waits</b>.\u200b Go.",
        "duration_minutes": 90, "agent_version": "2.1", "model": "m-1", "contributor_id": cleo.id, "reporter": "cleo",
    }  # fmt: skip
    found = {name: reported(store, name, **full) for name in ("pending", "approved", "withdrawn", "rejected")}
    found["bare"] = reported(store, "bare", outcome="failed")
    found["promoted"] = reported(store, "promoted", **{**full, "lesson": "It waits."})
    store.screened(
        Review(
            found["pending"], 1, "editor", (Finding("unclear", "/lesson", "What waits?"), Finding("spam", "", "Loud."))
        ),
        reject=False,
    )
    by = "editor:c:1"
    assert store.approve_runs([(found["approved"], 1), (found["withdrawn"], 1)], by=by) == {}
    store.move(found["withdrawn"], "withdrawn", by=by, reasons=["mistaken"], note="It was not so.")
    store.move(found["rejected"], "rejected", by=by, reasons=["unclear", "spam"], note="Say more.")
    promotion: dict[str, Any] = {
        "promote-to": "lesson",
        "promote-title": "It waits",
        "promote-problem": "It waits.",
        "promote-fix": "Go.",
        "promote-slug": "waiting",
    }
    answer = pages.post(f"/{found['promoted']}/promote", {**promotion, "version": "1"})
    assert answer.status_code == 303, answer.text
    return found | {"made of a report": answer.headers["Location"].removeprefix("/review/").partition("?")[0]}


def _submissions(pages: Pages) -> dict[str, str]:
    """A submission of each kind and in every state."""
    store, cleo = pages.store, pages.store.contributor("cleo")
    assert cleo
    hers = {"contributor_id": cleo.id, "playbook": BOOK, "source_url": "https://playbooks.dev/a?utm_source=x"}
    found = {
        "queued": sent(store, "queued", screened=False).id,
        "a use case": sent(store, "case", agent="cursor", reporter="mo").id,
        "a lesson": sent(store, "lesson", kind="lesson", **hers).id,
        "a correction": sent(store, "correction", kind="correction", **hers).id,
        "a playbook": sent(store, "book", kind="playbook", payload=a_payload(), screened=False).id,
    }
    for name in ("changes requested", "accepted", "sent back", "published", "rejected", "a draft", "an old draft"):
        found[name] = sent(store, name, kind="lesson", title=f"Lesson {name}", **hers).id
    by, reasons = "editor:c:1", ["unclear"]
    store.screened(
        Review(found["a playbook"], 1, "accept", (Finding("thin", "/payload/steps/0", "Which?"),)), reject=False
    )
    store.move(found["changes requested"], "changes_requested", by=by, reasons=reasons, note="Say how.")
    store.move(found["rejected"], "rejected", by=by, reasons=reasons)
    for name in ("accepted", "sent back", "published"):
        answer = pages.post(f"/{found[name]}/accept", a_draft(f"lessons/{name.replace(' ', '-')}.yaml"))
        assert answer.status_code == 303, answer.text
    store.written(store.outbox("waiting", subject=found["published"]), "branch accepted/x at 0123456789ab")
    store.move(
        found["published"], "published", version=3, by="publisher", place="https://playbooks.test/lessons/published/"
    )
    store.move(found["sent back"], "screened", version=3, reasons=["checks-failed"], by=by, note="It says nothing new.")
    assert (
        pages.post(f"/{found['a draft']}/save", a_draft("lessons/drafted.yaml", f"{NEW_LESSON}odd: 1\n")).status_code
        == 303
    )
    old = {"file": BOOK_FILE, "text": CORRECTED, "base": digest(PLAYBOOK), "now": digest(PLAYBOOK)}
    assert pages.post(f"/{found['an old draft']}/save", {**old, "version": "2", "revision": "0"}).status_code == 303
    put(content_of(pages.review), BOOK_FILE, PLAYBOOK.replace("1-4 hours", "1-5 hours"))
    return found


def _refused(subjects: dict[str, str]) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Forms that lack something, with their names and where they go."""
    lesson, run = subjects["a lesson"], subjects["pending"]
    yield "accepting a file with problems", f"/{lesson}/accept", a_draft("lessons/../x.yaml", "title: x\n")
    yield "checking a file with problems", f"/{lesson}/check", a_draft("lessons/odd.yaml", "title: x\nodd: 1\n")
    yield "rejecting without a reason", f"/{lesson}/reject", {"version": "2", "reject-note": "Typed."}
    yield "asking for changes without a reason", f"/{lesson}/request-changes", {"version": "2"}
    yield "an older version", f"/{lesson}/reject", {"version": "1", "reject-reason": "unclear"}
    yield "promoting nothing", f"/{run}/promote", {"version": "1", "promote-title": "", "promote-problem": "x"}
    yield "approving nothing", "/approve-runs", {}
    yield (
        "withdrawing for nothing",
        "/withdraw-playbook",
        {"playbook": BOOK, "withdraw-reason": "unsafe", "withdraw-note": ""},
    )
    yield "no such subject", "/sub_aaaaaaaaaaaaaaaaaaaaaaaaaa/accept", {}
    yield "accepting an old text", f"/{subjects['an old draft']}/accept", {"version": "2", "revision": "1"}


def _shown(pages: Pages, path: str, form: dict[str, str] | None = None) -> str:
    """What a page says between its head and its foot, a line for each element with words or a value."""
    answer = pages.ask(path) if form is None else pages.post(path, form)
    main = re.search(r"<main.*?</main>", answer.text, re.DOTALL)
    body = re.sub(r"\n\s*", "\n", main[0] if main else answer.text).replace(pages.csrf or "?", "csrf")
    return f"{answer.status_code}\n{body.strip()}\n"


def main() -> None:
    """Keep what is told now."""
    with tempfile.TemporaryDirectory() as folder:
        KEPT.write_text(told(Path(folder)))


if __name__ == "__main__":
    main()
