"""What the pages of review show and do: the queue, the desk, every decision, and what is typed is never lost."""

from __future__ import annotations

from pathlib import Path
from unicodedata import category

import pytest

from library.interface.errors import codes_for
from library.records.vocabulary import Decision
from tests.builders import BOOK, LESSON, PLAYBOOK, put
from tests.writeapi.review.desk import BOOK_FILE, a_contributor, a_payload, content_of, reported, sent
from tests.writeapi.review.pages import NEW_LESSON, Page, Pages, a_draft
from tests.writeapi.store.builders import an_id
from writeapi.review.decisions.texts import digest
from writeapi.review.web.app import ASSETS, MAX_FORM
from writeapi.review.web.pages import TEMPLATES, plain
from writeapi.store import Store
from writeapi.store.records import Finding, Review


@pytest.fixture
def pages(store: Store, url: str, tmp_path: Path) -> Pages:
    made = Pages(store, url, tmp_path)
    assert made.sign_in().status_code == 303
    return made


def screened(pages: Pages, subject: str, advice: str = "accept", *findings: Finding) -> None:
    """Let a report have been screened."""
    pages.store.screened(Review(subject, 1, advice, findings), reject=False)


# The queue


def test_an_empty_queue_says_so(pages: Pages) -> None:
    assert "Nothing waits." in pages.ask("/").text


def test_the_queue_says_how_much_waits_and_since_when(pages: Pages) -> None:
    run = reported(pages.store, 1)
    screened(pages, run, "editor", Finding("unclear", "/lesson", "What failed?"), Finding("spam", "", "Loud."))
    sent(pages.store, 1, title="Sort photographs")
    page = Page(pages.ask("").text)
    assert "2 items waiting, the oldest for 3 days." in page.words
    assert "Run report: worked" in page.words
    assert "needs an editor" in page.words
    assert "2 findings" in page.words
    assert "Sort photographs" in page.words


@pytest.mark.slow
def test_the_queue_is_narrowed_by_kind_and_playbook(pages: Pages) -> None:
    reported(pages.store, 1)
    sent(pages.store, 1, title="Sort photographs")
    assert "Sort photographs" not in pages.ask("/?kind=run").text
    assert "Sort photographs" in pages.ask("/?kind=use_case").text
    assert "Sort photographs" not in pages.ask(f"/?playbook={BOOK}").text
    assert "Nothing of this kind waits." in pages.ask("/?kind=lesson").text
    for odd in ("/?kind=nonsense", "/?from=x", "/?from=99999999999999999999", "/?playbook=%00", "/?playbook=%ff"):
        assert pages.ask(odd).status_code == 200, odd


@pytest.mark.slow
def test_what_the_review_agent_would_accept_is_ticked_and_approved_together(pages: Pages) -> None:
    fine, odd, new = (reported(pages.store, name) for name in ("fine", "odd", "new"))
    screened(pages, fine)
    screened(pages, odd, "editor", Finding("unclear", "/lesson", "What failed?"))
    page = Page(pages.ask(f"/?playbook={BOOK}").text)
    boxes = {
        attributes["value"]: "checked" in attributes for _, attributes in page.tags if attributes.get("name") == "run"
    }
    assert boxes == {f"{fine}:1": True, f"{odd}:1": False, f"{new}:1": False}
    assert "run" not in {attributes.get("name") for _, attributes in Page(pages.ask("/").text).tags}
    answer = pages.post("/approve-runs", {"run": [f"{fine}:1", f"{new}:1"], "playbook": BOOK})
    assert answer.headers["Location"] == "/review/?done=approve"
    assert {row.id for row in pages.store.waiting()} == {odd}
    assert {entry.subject for entry in pages.store.outbox("waiting")} == {fine, new}


def test_what_reports_tell_is_read_beside_their_ticks_as_text(pages: Pages) -> None:
    reported(pages.store, 1, lesson="<b>It waits.</b>", what_changed="Two workers.")
    reported(pages.store, 2)
    page = Page(pages.ask(f"/?playbook={BOOK}").text)
    assert "<b>It waits.</b>" in page.words
    assert "Two workers." in page.words
    assert [tag for tag, _ in page.tags].count("details") == 1
    assert "It waits." not in pages.ask("/").text


@pytest.mark.slow
def test_next_leads_to_what_came_after_this_one_and_then_to_the_first(pages: Pages) -> None:
    first, second, third = (reported(pages.store, name) for name in ("one", "two", "three"))

    def then(subject: str) -> list[str | None]:
        tags = Page(pages.ask(f"/{subject}").text).tags
        return [attributes["href"] for _, attributes in tags if attributes.get("class") == "next"]

    assert [then(name) for name in (first, second, third)] == [[f"/review/{name}"] for name in (second, third, first)]
    pages.store.move(second, "rejected", by="editor:c:1", reasons=["unclear"])
    assert then(second) == [f"/review/{third}"]
    pages.store.move(third, "rejected", by="editor:c:1", reasons=["unclear"])
    assert then(first) == []


@pytest.mark.slow
def test_a_text_made_from_an_older_file_is_marked_and_needs_a_tick(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="correction", playbook=BOOK)
    file = f"playbooks/{BOOK}.yaml"
    mine, theirs = PLAYBOOK.replace("hundred times.", "thousand times."), PLAYBOOK.replace("1-4 hours", "1-5 hours")
    form = {"file": file, "text": mine, "base": digest(PLAYBOOK), "now": digest(PLAYBOOK), "version": "2"}
    put(content_of(pages.review), file, theirs)
    answer = pages.post(f"/{item.id}/save", {**form, "revision": "0"})
    assert answer.status_code == 422
    page = Page(answer.text)
    assert "somebody changed the file since" in page.words
    assert (page.values("base")[0], page.values("now")[0]) == (digest(PLAYBOOK), digest(theirs))
    again = {**form, "base": page.values("base")[0], "now": page.values("now")[0], "revision": "0"}
    assert pages.post(f"/{item.id}/save", again).status_code == 422
    assert pages.post(f"/{item.id}/save", {**again, "over": file}).status_code == 303
    put(content_of(pages.review), file, PLAYBOOK)
    assert pages.post(f"/{item.id}/begin-again", {**form, "revision": "1"}).status_code == 303
    assert pages.store.draft(item.id).files[0].text == PLAYBOOK  # type: ignore[union-attr]  # None fails as well


@pytest.mark.slow
def test_of_a_correction_that_names_no_playbook_the_file_is_chosen(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="correction")
    assert "choose" in {attributes.get("name") for _, attributes in Page(pages.ask(f"/{item.id}").text).tags}
    form = {"version": "2", "revision": "0"}
    for wrong, why in (("../x.yaml", "must be named"), ("lessons/gone.yaml", "there is no such file")):
        answer = pages.post(f"/{item.id}/choose", {**form, "choose": wrong})
        assert (answer.status_code, why in Page(answer.text).words) == (422, True)
    assert pages.post(f"/{item.id}/choose", {**form, "choose": BOOK_FILE}).status_code == 303
    page = Page(pages.ask(f"/{item.id}").text)
    assert page.values("file") == [BOOK_FILE, None]
    assert "choose" not in {attributes.get("name") for _, attributes in page.tags}


def test_a_report_that_cannot_be_approved_is_named_and_the_others_are_approved(pages: Pages) -> None:
    fine, gone = reported(pages.store, "fine"), reported(pages.store, "gone")
    pages.store.move(gone, "rejected", by="editor:c:1", reasons=["unclear"])
    answer = pages.post("/approve-runs", {"run": [f"{gone}:1", f"{fine}:1", f"{an_id('run', 'none')}:1"]})
    assert answer.status_code == 409
    words = Page(answer.text).words
    assert "1 report approved" in words
    assert "was faster: it is rejected since" in words
    assert "There is no such report" in words
    assert pages.store.waiting() == []


@pytest.mark.slow
def test_nothing_ticked_is_told(pages: Pages) -> None:
    reported(pages.store)
    for chosen in ({}, {"run": "x"}, {"run": "run_x:1e3"}, {"run": "\0:1"}, {"run": f"{an_id('run', 1)}:{10**30}"}):
        assert pages.post("/approve-runs", {"playbook": BOOK, **chosen}).status_code == 422


# The desk


@pytest.mark.slow
def test_a_report_shows_what_was_sent_what_was_found_and_what_it_would_change(pages: Pages) -> None:
    run = reported(pages.store, 1, outcome="failed", lesson="It waits.", contributor_id=a_contributor(pages.store).id)
    found = (Finding("unclear", "/lesson", "What waits?"), Finding("spam", "/nothing", "Belongs nowhere."))
    screened(pages, run, "editor", *found)
    html = pages.ask(f"/{run}").text
    words = " ".join(Page(html).words.split())
    for told in ("Run report: failed", "It waits.", "unclear What waits?", "spam Belongs nowhere.", "cleo"):
        assert told in words, told
    assert "now Reported: no account of this job yet; this playbook itself was not run yet." in words
    assert "after Reported: 0 of 1 run worked, last on 20 Nov 2026, 1 reporter." in words
    assert "approved 0 1" in words
    assert "sent, by cleo" in words
    assert html.index("It waits.") < html.index("What waits?") < html.index("What happened to it")


def test_addresses_in_what_was_sent_are_text(pages: Pages) -> None:
    item = sent(
        pages.store, 1, source_url="https://evil.example/x", body="See https://evil.example/y and [z](//evil.example)"
    )
    page = Page(pages.ask(f"/{item.id}").text)
    assert "https://evil.example/x" in page.words
    links = [
        value or "" for _, attributes in page.tags for name, value in attributes.items() if name in ("href", "src")
    ]
    assert links
    assert not [link for link in links if not link.startswith(("/review", "#"))]


def test_a_finding_in_the_payload_stands_beside_its_field(pages: Pages) -> None:
    item = sent(pages.store, 1, screened=False, kind="playbook", payload=a_payload())
    found = (Finding("unclear", "/payload/steps/1", "Which tests?"), Finding("unclear", "/payload/agents", "Whose?"))
    pages.store.screened(Review(item.id, 1, "editor", found), reject=False)
    html = pages.ask(f"/{item.id}").text
    assert html.index("Change them. Then run the tests.") < html.index("Which tests?")
    assert html.index(">agents 1<") < html.index("Whose?") < html.index(">summary<")
    assert "steps 2" in Page(html).words


def test_characters_that_nobody_sees_are_named() -> None:
    shown = plain("a\u202eb\u200bc\x07d\n\t<e>")
    assert shown == (
        'a<span class="odd">U+202E</span>b<span class="odd">U+200B</span>c<span class="odd">U+0007</span>d\n\t&lt;e&gt;'
    )
    assert not any(category(char) in ("Cf", "Co") for char in shown)
    assert plain("a\u3164❤\ufe0f\ufe04") == 'a<span class="odd">U+3164</span>❤\ufe0f<span class="odd">U+FE04</span>'


def test_a_draft_shows_each_problem_beside_its_file(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="lesson", playbook=BOOK)
    page = Page(pages.ask(f"/{item.id}").text)
    assert any(attributes.get("data-line") == "4" for _, attributes in page.tags)
    assert 'line 4 fix: "", fix: is empty' in " ".join(page.words.split())


def test_a_draft_is_saved_and_shown_again_with_unix_lines(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="lesson", playbook=BOOK)
    assert pages.post(f"/{item.id}/save", a_draft(body="title: A new lesson\nfix: <b> & é\n")).status_code == 303
    draft = pages.store.draft(item.id)
    assert draft
    assert draft.files[0].text == "title: A a new lesson\nfix: <b> & é\n"
    html = pages.ask(f"/{item.id}?done=save").text
    assert "The draft is saved." in html
    assert Page(html).values("revision") == ["1"]
    assert "fix: &lt;b&gt; &amp; é\n</textarea>" in html


@pytest.mark.slow
def test_two_files_and_one_more_are_one_draft(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="lesson", playbook=BOOK)
    both = {"file": ["lessons/one.yaml", "lessons/two.yaml", "", " "], "text": ["a: b", "c: d", "", "\r\n"]}
    assert (
        pages.post(f"/{item.id}/save", {**both, "base": ["", "", "", ""], "version": "2", "revision": "0"}).status_code
        == 303
    )
    page = Page(pages.ask(f"/{item.id}").text)
    assert page.values("file") == ["lessons/one.yaml", "lessons/two.yaml", None]


REFUSED: list[tuple[list[tuple[str, str]], str, str]] = [
    ([("lessons/a.yaml", "a: b"), ("lessons/a.yaml", "c: d")], "0", "Two files are named lessons/a.yaml"),
    ([("", "typed and precious")], "0", "A file has no name"),
    ([("../../etc/passwd", "typed and precious")], "0", "must be named one of"),
    ([("runs/x/y.yaml", "typed and precious")], "0", "must be named one of"),
    ([("lessons/a.yaml", "typed and precious")], "x", "has no number revision"),
]


@pytest.mark.slow
def test_what_cannot_be_saved_is_refused_and_stays_typed(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="lesson", playbook=BOOK)
    for files, revision, why in REFUSED:
        typed = {"file": [name for name, _ in files], "text": [text for _, text in files], "version": "2"}
        more = {"revision": revision, "reject-note": "half a thought"}
        answer = pages.post(f"/{item.id}/save", {**typed, **more})
        assert answer.status_code == 422, why
        page = Page(answer.text)
        assert why in page.words
        assert "half a thought" in page.words
        for name, text in files:
            assert text in page.words
            assert name in page.values("file")
    assert pages.store.draft(item.id) is None


@pytest.mark.slow
def test_accepting_with_problems_names_them_all_and_loses_nothing(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="lesson", playbook=BOOK)
    body = LESSON.replace("fix: Reproduce the failure before mending it.", 'fix: ""').replace(BOOK, "nobody-knows-it")
    answer = pages.post(f"/{item.id}/accept", a_draft(body=body, **{"accept-note": "Thank you."}))
    assert answer.status_code == 422
    words = " ".join(Page(answer.text).words.split())
    assert 'line 3 fix: "", fix: is empty' in words
    assert "nobody-knows-it" in words
    assert "Thank you." in words
    assert "Nothing was changed." in words
    found = pages.store.submission(item.id)
    assert found
    assert found.state == "screened"
    assert pages.store.outbox() == []


@pytest.mark.slow
def test_checking_tries_what_is_typed_and_changes_nothing(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="lesson", playbook=BOOK)
    before = pages.dump()
    answer = pages.post(f"/{item.id}/check", a_draft())
    assert answer.status_code == 200
    assert "No problems in this file." in answer.text
    assert "data-line" in pages.post(f"/{item.id}/check", a_draft(body="title: [")).text
    assert pages.dump() == before


@pytest.mark.slow
def test_what_is_typed_as_a_name_is_no_path(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="lesson", playbook=BOOK)
    content = content_of(pages.review)
    (content.parent / "outside.yaml").write_text("precious: elsewhere\n")
    for name in ("../outside.yaml", "lessons/../../outside.yaml", str(content.parent / "outside.yaml"), "site.yaml"):
        for action in ("check", "save", "accept"):
            html = pages.post(f"/{item.id}/{action}", a_draft() | {"file": name}).text
            assert "must be named one of" in html
            assert "precious" not in html
            assert "Playbook Library" not in html
            assert Page(html).values("base")[0] == ""


@pytest.mark.slow
def test_the_first_button_of_a_form_is_the_one_that_changes_nothing(pages: Pages) -> None:
    """The Enter key presses it."""
    for subject in (reported(pages.store, 1, lesson="It waits."), sent(pages.store, 1).id):
        page = Page(pages.ask(f"/{subject}").text)
        desk = next(
            at for at, (tag, given) in enumerate(page.tags) if tag == "form" and "about-item" in (given["class"] or "")
        )
        button = next(given for tag, given in page.tags[desk:] if tag == "button")
        assert (page.tags[desk][1]["action"], "formaction" in button) == (f"/review/{subject}/check", False)


@pytest.mark.slow
def test_an_accepted_submission_is_on_its_way(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="lesson", playbook=BOOK, title="The one that was sent")
    run = reported(pages.store, 1)
    assert pages.post(f"/{item.id}/accept", a_draft(**{"accept-note": "Thank you."})).status_code == 303
    assert pages.post(f"/{run}/approve", {"version": "1"}).status_code == 303
    words = " ".join(Page(pages.ask("/on-its-way").text).words.split())
    for told in ("The one that was sent", "lessons/a-new-lesson.yaml waits for publishing", f"runs/{BOOK}/{run}.yaml"):
        assert told in words, told
    words = " ".join(Page(pages.ask(f"/{item.id}?done=accept").text).words.split())
    assert "Accepted: it is on its way." in words
    assert "accepted, by editor ann Thank you." in words


@pytest.mark.slow
def test_a_correction_is_shown_as_a_difference_with_words_and_signs(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="correction", playbook=BOOK)
    mended = PLAYBOOK.replace("Run the test a hundred times.", "Run it 300 times.")
    page = Page(pages.ask(f"/{item.id}").text)
    base = page.values("base")[0]
    form = {"file": BOOK_FILE, "text": mended, "base": base, "revision": "0", "version": "2"}
    assert pages.post(f"/{item.id}/save", form).status_code == 303
    page = Page(pages.ask(f"/{item.id}").text)
    words = " ".join(page.words.split())
    assert "− removed detail: Run the test a hundred times." in words
    assert "+ added detail: Run it 300 times." in words
    assert {"ins", "del"} <= {tag for tag, _ in page.tags}
    assert pages.post(f"/{item.id}/accept", {**form, "revision": "1"}).status_code == 303


@pytest.mark.slow
def test_a_file_that_changed_meanwhile_is_compared_before_it_is_saved_again(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="correction", playbook=BOOK)
    base = Page(pages.ask(f"/{item.id}").text).values("base")[0]
    mended = PLAYBOOK.replace("Run the test a hundred times.", "Run it 300 times.")
    form = {"file": BOOK_FILE, "text": mended, "base": base, "revision": "0", "version": "2"}
    assert pages.post(f"/{item.id}/save", form).status_code == 303
    content = content_of(pages.review)
    (content / BOOK_FILE).write_text(PLAYBOOK.replace("1-4 hours", "1-5 hours"))
    answer = pages.post(f"/{item.id}/accept", {**form, "revision": "1"})
    assert answer.status_code == 422
    assert "Run it 300 times." in answer.text
    shown = Page(answer.text)
    assert shown.values("base")[0] == base
    now = shown.values("now")[0]
    assert now != base
    assert pages.post(f"/{item.id}/accept", {**form, "now": now, "revision": "1"}).status_code == 422
    text = mended.replace("1-4 hours", "1-5 hours")
    merged = {**form, "now": now, "over": BOOK_FILE, "text": text, "revision": "1"}
    assert pages.post(f"/{item.id}/save", merged).status_code == 303
    saved = {**form, "base": now, "now": now, "text": text, "revision": "2"}
    assert pages.post(f"/{item.id}/accept", saved).status_code == 303


# Decisions


def test_an_editor_who_was_slower_reads_who_was_faster_and_keeps_what_was_typed(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="lesson", playbook=BOOK)
    pages.sign_in("bea")
    why = {"version": "2", "reject-reason": "unclear", "reject-note": "Say what happened."}
    assert pages.post(f"/{item.id}/reject", why).status_code == 303
    pages.sign_in("cara")
    typed = {"accept-note": "Thanks", "promote-title": "A title"}
    answer = pages.post(f"/{item.id}/accept", a_draft(**typed))
    assert answer.status_code == 409
    words = " ".join(Page(answer.text).words.split())
    assert "editor bea was faster: it is rejected since" in words
    assert "It is not clear what was done or seen" in words
    for kept in ("lessons/a-new-lesson.yaml", "Reproduce the failure before mending it.", "Thanks", "A title"):
        assert kept in words


def test_a_draft_that_another_editor_saved_is_not_overwritten(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="lesson", playbook=BOOK)
    assert pages.post(f"/{item.id}/save", a_draft()).status_code == 303
    answer = pages.post(f"/{item.id}/save", a_draft(body="title: Mine\n"))
    assert answer.status_code == 409
    assert "title: Mine" in answer.text
    draft = pages.store.draft(item.id)
    assert draft
    assert "Mine" not in draft.files[0].text


@pytest.mark.slow
def test_a_rejection_needs_a_reason_and_tells_it(pages: Pages) -> None:
    item = sent(pages.store, 1)
    answer = pages.post(f"/{item.id}/reject", {"version": "2", "reject-note": "No."})
    assert answer.status_code == 422
    assert answer.text.index("<summary>Reject</summary>") < answer.text.index("name at least one")
    assert '<details class="decision" id="to-reject" open>' in answer.text
    assert "missing-field" not in answer.text
    assert "No." in Page(answer.text).words
    odd = pages.post(f"/{item.id}/reject", {"version": "2", "reject-reason": "<zq9>"})
    assert (odd.status_code, "<zq9>" in odd.text) == (422, False)
    boxes = Page(answer.text).values("reject-reason")
    assert boxes == list(codes_for(Decision.REJECT))
    assert pages.post(f"/{item.id}/reject", {"version": "2", "reject-reason": ["unclear", "spam"]}).status_code == 303
    words = Page(pages.ask(f"/{item.id}").text).words
    assert "It advertises instead of telling" in words
    assert "Decide" not in words


def test_ticked_reasons_and_notes_stay_when_something_else_is_wrong(pages: Pages) -> None:
    item = sent(pages.store, 1)
    form = {"version": "2", "request_changes-reason": ["other", "unclear"], "reject-note": "kept too"}
    answer = pages.post(f"/{item.id}/request-changes", form)
    assert answer.status_code == 422
    page = Page(answer.text)
    ticked = {given["id"] for _, given in page.tags if "checked" in given and "reason" in (given.get("name") or "")}
    assert ticked == {"request_changes-other", "request_changes-unclear"}
    assert "kept too" in page.words


@pytest.mark.slow
def test_changes_are_requested_and_a_submission_is_sent_back(pages: Pages) -> None:
    one, two = sent(pages.store, 1), sent(pages.store, 2, kind="lesson", playbook=BOOK)
    form = {"version": "2", "request_changes-reason": "needs-source"}
    assert pages.post(f"/{one.id}/request-changes", form).status_code == 303
    assert pages.post(f"/{two.id}/accept", a_draft()).status_code == 303
    form = {"version": "3", "send_back-reason": "pull-request-closed"}
    assert pages.post(f"/{two.id}/send-back", form).status_code == 303
    assert [pages.store.submission(item.id).state for item in (one, two)] == ["changes_requested", "screened"]  # type: ignore[union-attr]  # None fails as well
    assert [entry.state for entry in pages.store.outbox()] == ["cancelled"]


@pytest.mark.slow
def test_a_report_is_promoted_with_the_words_of_its_sender_to_begin_with(pages: Pages) -> None:
    run = reported(
        pages.store, 1, outcome="failed", lesson="Two workers wrote to one folder.", what_changed="One folder each."
    )
    page = Page(pages.ask(f"/{run}").text)
    assert page.values("promote-title") == ["Two workers wrote to one folder."]
    assert "One folder each." in page.words
    form = {
        "version": "1",
        "promote-to": "lesson",
        "promote-title": "Two workers share a folder",
        "promote-problem": "",
        "promote-fix": "Two.",
    }
    answer = pages.post(f"/{run}/promote", form)
    assert answer.status_code == 422
    assert "Two workers share a folder" in Page(answer.text).values("promote-title")
    answer = pages.post(f"/{run}/promote", {**form, "promote-problem": "They write to it.", "promote-to": "failure"})
    assert answer.status_code == 303
    made = answer.headers["Location"].removeprefix("/review/").partition("?")[0]
    assert pages.store.submission(made).state == "accepted"  # type: ignore[union-attr]  # None fails as well
    assert pages.store.run(run).state == "approved"  # type: ignore[union-attr]  # None fails as well


def test_an_approved_report_is_withdrawn(pages: Pages) -> None:
    run = reported(pages.store, 1)
    pages.post(f"/{run}/approve", {"version": "1"})
    assert pages.post(f"/{run}/withdraw", {"version": "2", "withdraw-reason": "not-credible"}).status_code == 303
    assert pages.store.run(run).state == "withdrawn"  # type: ignore[union-attr]  # None fails as well


def test_a_withdrawal_is_of_the_version_that_was_looked_at(pages: Pages) -> None:
    run = reported(pages.store, 1)
    pages.post(f"/{run}/approve", {"version": "1"})
    before = pages.dump()
    assert pages.post(f"/{run}/withdraw", {"version": "1", "withdraw-reason": "not-credible"}).status_code == 409
    assert pages.dump() == before


@pytest.mark.slow
def test_a_playbook_is_withdrawn_with_a_word_to_its_readers(pages: Pages) -> None:
    form = {"playbook": BOOK, "withdraw-reason": "unsafe", "replaced-by": "", "withdraw-note": ""}
    answer = pages.post("/withdraw-playbook", form)
    assert answer.status_code == 422
    assert "say why: readers of its page are told" in answer.text
    assert pages.post("/withdraw-playbook", {**form, "playbook": "../x", "withdraw-note": "x"}).status_code == 422
    assert pages.post("/withdraw-playbook", {**form, "withdraw-note": "It deletes files."}).status_code == 303
    words = " ".join(Page(pages.ask("/on-its-way").text).words.split())
    assert f"playbook:{BOOK} playbooks/{BOOK}.yaml waits for publishing" in words


# What goes wrong


@pytest.mark.slow
def test_an_unknown_id_is_a_page_that_says_so(pages: Pages) -> None:
    for name in ("run_" + "a" * 26, "sub_" + "a" * 26, "run_x", "..%2f..", "%00", "<script>"):
        for path in (f"/{name}", f"/{name}/preview/0"):
            answer = pages.ask(path)
            assert answer.status_code == 404, path
            assert "Nothing here" in answer.text
        answer = pages.post(f"/{name}/reject", {"version": "1", "reject-reason": "spam"})
        assert answer.status_code == 404, name


@pytest.mark.slow
def test_a_form_of_another_kind_of_subject_is_refused(pages: Pages) -> None:
    run, item = reported(pages.store, 1), sent(pages.store, 1)
    before = pages.dump()
    for path, form in (
        (f"/{run}/accept", a_draft()),
        (f"/{run}/save", a_draft()),
        (f"/{item.id}/approve", {"version": "2"}),
        (f"/{item.id}/promote", {"version": "2", "promote-title": "x", "promote-problem": "x", "promote-fix": "x"}),
        (f"/{item.id}/withdraw", {"withdraw-reason": "unsafe"}),
    ):
        assert pages.post(path, form).status_code in (404, 409, 422), path
    assert pages.dump() == before


@pytest.mark.slow
def test_characters_that_no_store_can_hold_are_refused_with_a_word(pages: Pages) -> None:
    run, item = reported(pages.store, 1, lesson="It waits."), sent(pages.store, 1)
    before = pages.dump()
    for path, form in (
        (f"/{item.id}/save", a_draft(body="title: \0\n")),
        (f"/{item.id}/accept", a_draft(body="title: \0\n")),
        (f"/{item.id}/accept", a_draft(**{"accept-note": "\0"})),
        (f"/{item.id}/reject", {"version": "2", "reject-reason": "spam", "reject-note": "a\0b"}),
        (f"/{run}/promote", {"version": "1", "promote-title": "\0", "promote-problem": "x", "promote-fix": "x"}),
        ("/withdraw-playbook", {"playbook": "a\0", "withdraw-reason": "unsafe", "withdraw-note": "a\0b"}),
    ):
        assert pages.post(path, form).status_code == 422, (path, form)
    assert pages.dump() == before


def test_content_with_problems_is_named_and_nothing_is_lost(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="lesson", playbook=BOOK)
    content = content_of(pages.review)
    (content / BOOK_FILE).write_text("title: [")
    answer = pages.post(f"/{item.id}/accept", a_draft())
    assert answer.status_code == 503
    assert f"{BOOK_FILE}:2:" in answer.text
    assert "Reproduce the failure before mending it." in answer.text
    assert pages.ask("/").status_code == 200


@pytest.mark.slow
def test_a_store_that_is_away_is_said_to_be(tmp_path: Path, store: Store, url: str) -> None:
    pages = Pages(store, url, tmp_path)
    pages.sign_in()
    pages.execute("DROP TABLE outbox")
    answer = pages.ask("/on-its-way")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert "The queue cannot be reached now" in answer.text


def test_limits_that_cannot_be_counted_are_no_crash(store: Store, url: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    pages = Pages(store, url, tmp_path / "content", limits_path=tmp_path / "file" / "limits.db")
    answer = pages.sign_in()
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert "nothing was changed" in answer.text


def test_signed_out_while_typing_loses_nothing(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="lesson", playbook=BOOK)
    pages.store.revoke_contributor("ann", by="operator", withdraw_runs=False)
    answer = pages.post(f"/{item.id}/accept", a_draft(**{"accept-note": "Thanks"}))
    assert answer.status_code == 401
    assert "Reproduce the failure before mending it." in answer.text
    assert "Thanks" in answer.text


@pytest.mark.slow
def test_the_largest_draft_is_taken(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="lesson", playbook=BOOK)
    body = NEW_LESSON + "# " + "é" * 100_000 + "\n"
    assert pages.post(f"/{item.id}/save", a_draft(body=body)).status_code == 303
    answer = pages.post(f"/{item.id}/save", a_draft(body="x" * MAX_FORM, revision="1"))
    assert answer.status_code == 413
    assert "1024 KiB" in answer.text


def test_accepting_passes_over_no_draft_that_another_editor_saved(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="lesson", playbook=BOOK)
    first, pages.cookie = (pages.cookie, pages.csrf), ""
    pages.sign_in("bea")
    assert pages.post(f"/{item.id}/save", a_draft(body="title: Of Bea\n")).status_code == 303
    pages.cookie, pages.csrf = first
    answer = pages.post(f"/{item.id}/accept", a_draft())
    assert answer.status_code == 409
    words = Page(answer.text).words
    assert "editor bea was faster: a draft was saved" in words
    assert "Reproduce the failure before mending it." in words
    draft = pages.store.draft(item.id)
    assert draft
    assert "Of Bea" in draft.files[0].text
    assert pages.post(f"/{item.id}/accept", a_draft(revision="1")).status_code == 303


def test_a_text_without_a_name_is_a_problem_and_stays_typed(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="lesson", playbook=BOOK)
    form = a_draft()
    answer = pages.post(f"/{item.id}/accept", {**form, "text": [form["text"], "typed and precious"]})
    assert answer.status_code == 422
    assert "A file has no name" in answer.text
    assert "typed and precious" in answer.text


def test_approvals_are_counted_and_a_report_is_named_once(pages: Pages) -> None:
    good, gone = reported(pages.store, 1), an_id("run", "gone")
    twice = pages.post("/approve-runs", {"run": [f"{good}:1", f"{good}:1"], "playbook": BOOK})
    assert (twice.status_code, "each once" in twice.text) == (422, True)
    answer = pages.post("/approve-runs", {"run": [f"{good}:1", f"{gone}:1"], "playbook": BOOK})
    assert answer.status_code == 409
    assert "1 report approved. Not approved:" in answer.text
    assert "There is no such report." in answer.text


def test_notes_are_said_to_be_public(pages: Pages) -> None:
    item = sent(pages.store, 1, kind="lesson", playbook=BOOK)
    assert pages.ask(f"/{item.id}").text.count("ids stand in branch names, pull requests and commits") == 3


# What a page loads, and errors


def test_what_pages_load_is_given_whole_with_its_kind_and_nothing_else_is(pages: Pages) -> None:
    pages.cookie = ""
    for name, (file, kind) in ASSETS.items():
        answer = pages.ask(f"/assets/{name}")
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, kind)
        assert answer.data == (TEMPLATES / file).read_bytes()
    for name in ("style", "base.html"):
        assert pages.ask(f"/assets/{name}").status_code == 404, name


def test_an_error_of_http_is_a_page_that_keeps_what_was_typed_and_what_http_says_of_it(pages: Pages) -> None:
    answer = pages.post("/sign-in/", {"text": "What I typed."})
    assert (answer.status_code, "What I typed." in answer.text, "Nothing here" in answer.text) == (404, True, True)
    refused = pages.ask("/x/accept")
    assert refused.status_code == 405
    assert "Method not allowed" in refused.text
    assert "POST" in refused.headers["Allow"]
    assert refused.headers.get_all("Content-Type") == ["text/html; charset=utf-8"]
