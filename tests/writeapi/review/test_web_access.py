"""Who may do what at the pages of review: every address of the application, every caller, every kind of form."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from library.problems import UsageError
from library.records.vocabulary import SENDING
from tests.builders import BOOK
from tests.writeapi.review.desk import sent
from tests.writeapi.review.pages import HERE, Pages, a_draft, a_world
from tests.writeapi.store.builders import sha
from writeapi.keys import hash_of, make_key
from writeapi.review.web.app import MAX_FIELDS, PUBLIC
from writeapi.settings import review_proxy
from writeapi.store import Store
from writeapi.store.engine import Conflict

Ids = dict[str, str]
ELSEWHERE = "https://elsewhere.example"
WHY = {"version": "2", "reject-reason": "unclear", "request_changes-reason": "unclear", "send_back-reason": "other"}
NOTE = {"send_back-note": "Look again.", "withdraw-reason": "other", "withdraw-note": "It was unsafe."}
TAUGHT = {"promote-title": "Two workers share a folder", "promote-problem": "They write to it.", "promote-fix": "Two."}
FORMS: dict[str, Callable[[Ids], tuple[str, dict[str, Any]]]] = {
    "sign_out": lambda _: ("/sign-out", {}),
    "end_session": lambda _: ("/end-session", {"session": sha("nobody's").hex()}),
    "approve_runs": lambda ids: ("/approve-runs", {"run": f"{ids['pending']}:1", "playbook": BOOK}),
    "withdraw_playbook": lambda _: ("/withdraw-playbook", {"playbook": BOOK, **NOTE}),
    "check": lambda ids: (f"/{ids['screened']}/check", a_draft()),
    "save": lambda ids: (f"/{ids['screened']}/save", a_draft()),
    "accept": lambda ids: (f"/{ids['screened']}/accept", a_draft()),
    "approve": lambda ids: (f"/{ids['pending']}/approve", {"version": "1"}),
    "reject": lambda ids: (f"/{ids['screened']}/reject", WHY),
    "request-changes": lambda ids: (f"/{ids['screened']}/request-changes", WHY),
    "begin-again": lambda ids: (f"/{ids['screened']}/begin-again", {"version": "2", "revision": "0"}),
    "choose": lambda ids: (
        f"/{ids['screened']}/choose",
        {"version": "2", "revision": "0", "choose": f"playbooks/{BOOK}.yaml"},
    ),
    "send-back": lambda ids: (f"/{ids['accepted']}/send-back", {**WHY, **NOTE, "version": "3"}),
    "withdraw": lambda ids: (f"/{ids['approved']}/withdraw", {**NOTE, "version": "2"}),
    "promote": lambda ids: (f"/{ids['pending']}/promote", {"version": "1", "promote-to": "lesson", **TAUGHT}),
}
"""For each address that takes forms one that an editor may send; only `check` changes nothing by it, nor
`end_session` of a session that is nobody's."""
PATHS: dict[str, str] = {
    "waiting": "/",
    "account": "/account",
    "on_its_way": "/on-its-way",
    "ask_withdrawal": "/withdraw-playbook",
    "show": "/{pending}",
    "preview": "/{pending}/preview/0",
}
"""For each address that shows something and is closed, one that is there."""


@pytest.fixture
def pages(store: Store, url: str, tmp_path: Path) -> Pages:
    made = Pages(store, url, tmp_path)
    assert made.sign_in().status_code == 303
    return made


def test_every_address_is_in_these_tables(pages: Pages) -> None:
    rules = list(pages.app.url_map.iter_rules())
    posts = {rule.endpoint for rule in rules if "POST" in (rule.methods or ())}
    assert posts - PUBLIC == set(FORMS)
    assert {rule.endpoint for rule in rules} - posts - PUBLIC == set(PATHS)
    assert {method for rule in rules for method in rule.methods or ()} == {"GET", "HEAD", "OPTIONS", "POST"}


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "BREW"])
def test_a_method_that_no_address_takes_is_told_so_before_anybody_is_asked_to_sign_in(
    pages: Pages, method: str
) -> None:
    editor = pages.cookie
    for cookie in ("", editor):
        pages.cookie = cookie
        for path in ("/", "/sign-in", "/approve-runs"):
            answer = pages.ask(path, method)
            assert answer.status_code == 405, path
            told = {name.strip() for name in answer.headers["Allow"].split(",")}
            assert told >= ({"POST"} if path == "/approve-runs" else {"GET", "HEAD"})
            assert method not in told


class Caller:
    """Somebody with a cookie, perhaps, and headers."""

    def __init__(self, cookie: str = "", **headers: str) -> None:
        self.cookie, self.headers = cookie, headers


def strangers(pages: Pages) -> dict[str, Caller]:
    """Everybody who is not an editor with a session that lasts."""
    editor, token = pages.cookie, pages.csrf
    found = {
        "nobody": Caller(),
        "a forged cookie": Caller("0" * 64),
        "a cookie that is no secret": Caller("' OR 1=1 --"),
        "a capital one": Caller(editor.upper()),
    }
    key = make_key(pages.review.random)
    pages.store.add_contributor("dora", None, key.hash, key.prefix)
    found["a contributor's key"] = Caller(Authorization=f"Bearer {key.text}")
    key = make_key(pages.review.random)
    pages.store.add_contributor("emma", None, key.hash, key.prefix)
    pages.store.promote("emma", by="operator")
    found["an editor's key without a session"] = Caller(Authorization=f"Bearer {key.text}")
    for handle in ("fred", "gina", "hugo", "ines", "jana"):
        pages.sign_in(handle)
        found[handle] = Caller(pages.cookie)
    pages.store.revoke_contributor("fred", by="operator", withdraw_runs=False)
    pages.execute("UPDATE contributors SET role = 'contributor' WHERE handle = 'gina'")
    pages.execute(
        "UPDATE sessions SET expires = '2020-01-01T00:00:00.000000Z'"
        " WHERE key_id IN (SELECT keys.id FROM keys JOIN contributors ON contributors.id = contributor_id"
        " WHERE handle = 'hugo')"
    )
    pages.cookie = found["ines"].cookie
    pages.end_session()
    jana = pages.store.contributor("jana")
    assert jana
    assert pages.store.revoke_key(jana.id, pages.store.keys(jana.id)[0].prefix, by="operator")
    pages.cookie, pages.csrf = editor, token
    return found


@pytest.mark.slow
@pytest.mark.parametrize("endpoint", FORMS)
def test_only_an_editor_with_the_right_token_changes_anything(pages: Pages, endpoint: str) -> None:
    ids = a_world(pages)
    path, form = FORMS[endpoint](ids)
    others = strangers(pages)
    editor, token = pages.cookie, pages.csrf
    pages.sign_in("bea")
    another, pages.cookie, pages.csrf = pages.csrf, editor, token
    before = pages.dump()
    for name, caller in others.items():
        for wrong in (token, "", "x" * 64, another):
            pages.cookie = caller.cookie
            answer = pages.ask(path, "POST", data={**form, "csrf": wrong}, headers=caller.headers)
            assert answer.status_code == 401, name
    pages.cookie = editor
    for wrong in ("", "x" * 64, another, token[:-1], f"{token} ", "ü"):
        assert pages.ask(path, "POST", data={**form, "csrf": wrong}).status_code == 403
    assert pages.ask(path, "POST", data={**form, "x": "y"}).status_code == 403
    assert pages.ask(path, "POST").status_code == 411
    for headers in ({"Origin": ELSEWHERE}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        assert pages.post(path, form, headers=headers).status_code == 403
    for headers in ({"Sec-Fetch-Site": "same-site"}, {"Origin": f"{HERE}.evil.example"}):
        assert pages.post(path, form, headers=headers).status_code == 403
    assert pages.ask(path, "POST", json={**form, "csrf": token}).status_code == 403
    for method in ("PUT", "DELETE", "PATCH"):
        assert pages.ask(path, method, data={**form, "csrf": token}).status_code == 405
    assert pages.ask(path, query_string={**form, "csrf": token}).status_code in (200, 404, 405)
    assert pages.dump() == before
    answer = pages.post(path, form, headers={"Origin": HERE, "Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == (200 if endpoint == "check" else 303), answer.text
    assert (pages.dump() == before) == (endpoint in ("check", "end_session"))


@pytest.mark.slow
def test_only_an_editor_sees_anything(pages: Pages) -> None:
    ids = a_world(pages)
    others, editor = strangers(pages), pages.cookie
    for path in (path.format(**ids) for path in PATHS.values()):
        for name, caller in others.items():
            pages.cookie = caller.cookie
            answer = pages.ask(path, headers=caller.headers)
            assert (answer.status_code, answer.data) == (303, b""), name
            assert answer.headers["Location"].startswith("/review/sign-in?next=%2F")
        pages.cookie = editor
        assert pages.ask(path).status_code == 200


def test_what_is_not_there_tells_a_stranger_nothing(pages: Pages) -> None:
    ids = a_world(pages)
    pages.cookie = ""
    for path in (f"/{ids['pending']}", "/run_" + "a" * 26, "/nothing/at/all"):
        assert pages.ask(path).status_code == 303
        assert pages.ask(path, "POST", data={"csrf": ""}).status_code == 401


@pytest.mark.slow
def test_every_answer_is_private_and_inert(pages: Pages) -> None:
    ids = a_world(pages)
    answers = [
        pages.ask(path)
        for path in (
            "",
            "/",
            f"/{ids['screened']}",
            "/nothing",
            "/assets/review.js",
            "/assets/../base.html",
            "/sign-in",
        )
    ]
    answers += [pages.post("/approve-runs"), pages.ask("/", "PUT", data={"csrf": pages.csrf}), pages.post("/sign-out")]
    assert {answer.status_code for answer in answers} >= {200, 303, 404, 405, 422}
    for answer in answers:
        assert answer.headers["Cache-Control"] == "no-store"
        policy = answer.headers["Content-Security-Policy"]
        assert {"default-src 'none'", "frame-ancestors 'none'", "script-src 'self'"} <= set(policy.split("; "))
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert answer.headers["X-Robots-Tag"] == "noindex"
        assert "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.slow
def test_a_preview_is_sandboxed_and_framed_by_these_pages_only(pages: Pages) -> None:
    ids = a_world(pages)
    answer = pages.ask(f"/{ids['pending']}/preview/0")
    assert "Fix flaky tests" in answer.text
    policy = answer.headers["Content-Security-Policy"].split("; ")
    assert {"default-src 'none'", "sandbox", "frame-ancestors 'self'", "form-action 'none'"} <= set(policy)
    assert not any(part.startswith("script-src") for part in policy)
    assert pages.ask(f"/{ids['pending']}/preview/1").status_code == 404


def test_the_cookie_is_a_secret_that_only_its_hash_is_kept_of(pages: Pages) -> None:
    pages.cookie = ""
    answer = pages.sign_in("bea")
    told = answer.headers["Set-Cookie"]
    assert {part.strip() for part in told.split(";")[1:]} == {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"}
    assert pages.cookie not in repr(pages.dump())
    assert hash_of(pages.cookie) in [row[0] for row in pages.dump()["sessions"]]


def test_a_library_below_a_path_keeps_its_links_there(store: Store, url: str, tmp_path: Path) -> None:
    pages = Pages(store, url, tmp_path, site_url="https://playbooks.test/sub/path")
    answer = pages.sign_in()
    assert answer.headers["Location"] == "/sub/path/review/"
    assert answer.headers["Set-Cookie"].startswith("__Host-review=")
    assert "Path=/;" in answer.headers["Set-Cookie"]
    assert 'href="/sub/path/review/assets/style.css"' in pages.ask("").text


def test_an_editor_sees_their_sessions_and_ends_one(pages: Pages) -> None:
    first, csrf = pages.cookie, pages.csrf
    key = make_key(pages.review.random)
    ann = pages.store.contributor("ann")
    assert ann
    pages.store.add_key(ann.id, key.hash, key.prefix, by="operator")
    pages.cookie = ""
    told = pages.ask("/sign-in", "POST", data={"key": key.text}).headers["Set-Cookie"]
    second = told.partition("=")[2].partition(";")[0]
    pages.sign_in("bea")
    pages.cookie, pages.csrf = first, csrf
    shown = pages.ask("/account").text
    assert (shown.count("This session"), shown.count("Another session"), key.prefix in shown) == (1, 1, True)
    assert hash_of(second).hex() in shown
    assert pages.post("/end-session", {"session": hash_of(second).hex()}).status_code == 303
    assert pages.store.session(hash_of(second)) is None
    for wrong in ("", "x", hash_of(second).hex()):
        assert pages.post("/end-session", {"session": wrong}).status_code == 303
    assert pages.ask("/").status_code == 200
    pages.post("/end-session", {"session": hash_of(first).hex()})
    assert pages.ask("/account").headers["Location"].startswith("/review/sign-in")


def test_over_https_only_the_cookie_of_this_very_host_counts(pages: Pages) -> None:
    secret, pages.cookie = pages.cookie, ""
    assert pages.ask("/", headers={"Cookie": f"review={secret}"}).status_code == 303
    assert pages.ask("/", headers={"Cookie": f"__Host-review={secret}"}).status_code == 200
    here = {"base": "http://127.0.0.1:8000"}
    assert pages.ask("/", headers={"Cookie": f"__Host-review={secret}"}, **here).status_code == 303
    assert pages.ask("/", headers={"Cookie": f"review={secret}"}, **here).status_code == 200


def test_a_key_without_the_scope_review_does_not_sign_in(pages: Pages) -> None:
    pages.cookie, key, ann = "", make_key(pages.review.random), pages.store.contributor("ann")
    assert ann
    pages.store.add_key(ann.id, key.hash, key.prefix, by="operator", scopes=SENDING)
    answer = pages.ask("/sign-in", "POST", data={"key": key.text})
    assert (answer.status_code, "not for review" in answer.text) == (403, True)


@pytest.mark.parametrize(("network", "peer"), [("10.0.0.5/32", "10.0.0.5"), ("fd00::/64", "fd00::7"), ("unix", "")])
def test_behind_a_proxy_only_it_says_who_is_there(
    store: Store, url: str, tmp_path: Path, network: str, peer: str
) -> None:
    told = review_proxy({"PLAYBOOKS_REVIEW_PROXY": f"Remote-User from {network}"})
    pages = Pages(store, url, tmp_path, review_proxy=told, secret=b"s" * 32, trusted_proxies=1)
    pages.sign_in()
    pages.sign_in("dora", editor=False)
    assert not pages.cookie, "a key opens nothing"
    name = sent(store, "screened", kind="lesson", playbook=BOOK).id

    def come(address: str, path: str = "/", form: dict[str, Any] | None = None, **headers: str) -> TestResponse:
        told = {header.replace("_", "-"): value for header, value in headers.items()}
        where: dict[str, Any] = {"environ_base": {"REMOTE_ADDR": address}, "headers": told}
        return pages.ask(path, "POST", data=form, **where) if form else pages.ask(path, **where)

    page = come(peer, f"/{name}", Remote_User="ann")
    assert (page.status_code, "Sign out" in page.text) == (200, False)
    elsewhere: dict[str, Any] = {"X_Forwarded_For": peer, "X_Real_Ip": peer, "Forwarded": f"for={peer}"}
    refused = [come("192.0.2.7", Remote_User="ann"), come("192.0.2.7", Remote_User="ann", **elsewhere), come(peer)]
    refused += [come(peer, X_Remote_User="ann"), come(peer, "/sign-in")]
    refused += [come(peer, Remote_User=who) for who in ("dora", "nobody", "ann,ann", "Ann", "ann dora", "")]
    for answer in refused:
        assert (answer.status_code, "identity-aware proxy" in answer.text) == (403, True), answer.request.headers
    csrf = re.search('name="csrf" value="([0-9a-f]{64})"', page.text)
    assert csrf
    for token, status in (("0" * 64, 403), (csrf[1], 303)):
        assert come(peer, f"/{name}/reject", {**WHY, "csrf": token}, Remote_User="ann").status_code == status
    for path in ("/sign-in", "/account"):
        assert come(peer, path, Remote_User="ann").headers["Location"] == "/review/"


@pytest.mark.parametrize(
    "wrong",
    [
        "Remote-User",
        "Remote-User from",
        "Remote-User from 10.0.0.5/8",
        "Remote_User from 10.0.0.5",
        "User from unix",
        "Remote-User from localhost",
        "a-b from 0.0.0.0/0, 10.0.0.1",
        " from unix",
        "Remote-User from 0.0.0.0/0",
        "Remote-User from ::/0",
        "User-Agent from unix",
        "X-Forwarded-For from unix",
        "Content-Type from unix",
    ],
)
def test_a_proxy_that_is_not_said_exactly_stops_the_start(wrong: str) -> None:
    with pytest.raises(UsageError, match="PLAYBOOKS_REVIEW_PROXY"):
        review_proxy({"PLAYBOOKS_REVIEW_PROXY": wrong})
    assert review_proxy({}) is None
    assert review_proxy({"PLAYBOOKS_REVIEW_PROXY": "X-Forwarded-User from unix"})


def test_a_contributors_key_and_a_wrong_one_do_not_sign_in(pages: Pages) -> None:
    pages.cookie = ""
    before = len(pages.dump()["sessions"])
    answer = pages.sign_in("dora", editor=False)
    assert answer.status_code == 403
    assert "This key is no editor" in answer.text
    for wrong in ("", "pbl_x", make_key(pages.review.random).text, "' OR 1=1 --", "\0"):
        answer = pages.ask("/sign-in", "POST", data={"key": wrong})
        assert answer.status_code == 401
        assert "Set-Cookie" not in answer.headers
        assert not wrong or wrong not in answer.text
    assert len(pages.dump()["sessions"]) == before


def test_another_site_cannot_sign_anybody_in(pages: Pages) -> None:
    key = make_key(pages.review.random)
    pages.store.add_contributor("bea", None, key.hash, key.prefix)
    pages.store.promote("bea", by="operator")
    before = pages.dump()
    for headers in ({"Origin": ELSEWHERE}, {"Origin": "https://["}, {"Sec-Fetch-Site": "cross-site"}):
        assert pages.ask("/sign-in", "POST", data={"key": key.text}, headers=headers).status_code == 403
    assert pages.dump() == before


def test_ten_attempts_a_minute_for_an_address(pages: Pages) -> None:
    pages.cookie = ""
    statuses = [pages.ask("/sign-in", "POST", data={"key": "pbl_x"}).status_code for _ in range(12)]
    assert statuses == [401] * 9 + [429] * 3
    assert pages.sign_in("bea").status_code == 429
    answer = pages.ask("/sign-in", "POST", data={"key": "x"}, headers={"X-Forwarded-For": "198.51.100.1"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "60")
    other = {"REMOTE_ADDR": "192.0.2.2"}
    assert pages.ask("/sign-in", "POST", data={"key": "x"}, environ_base=other).status_code == 401


CONNECTIONS: list[tuple[str, int, dict[str, str], bool]] = [
    ("https://playbooks.test", 0, {}, True),
    ("http://playbooks.test", 0, {}, False),
    ("http://127.0.0.1:8000", 0, {}, True),
    ("http://localhost:8000", 0, {}, True),
    ("http://[::1]:8000", 0, {}, True),
    ("http://localhost.evil.example", 0, {}, False),
    ("http://playbooks.test", 0, {"X-Forwarded-Proto": "https"}, False),
    ("http://127.0.0.1:8000", 0, {"X-Forwarded-For": "192.0.2.9"}, False),
    ("http://playbooks.test", 1, {"X-Forwarded-Proto": "https"}, True),
    ("http://playbooks.test", 1, {"X-Forwarded-Proto": "https, http"}, False),
    ("http://127.0.0.1:8000", 1, {}, False),
    ("http://playbooks.test", 0, {"Host": "[::1"}, False),
    ("http://playbooks.test", 0, {"Host": "127.0.0.1@evil.example"}, False),
]


@pytest.mark.slow
@pytest.mark.parametrize("proxies", [0, 1])
def test_a_key_is_typed_over_a_safe_connection_only(store: Store, url: str, tmp_path: Path, proxies: int) -> None:
    pages = Pages(store, url, tmp_path, trusted_proxies=proxies)
    key = make_key(pages.review.random)
    store.add_contributor("ann", None, key.hash, key.prefix)
    store.promote("ann", by="operator")
    for base, behind, headers, allowed in CONNECTIONS:
        if behind != proxies:
            continue
        page = pages.ask("/sign-in", base=base, headers=headers)
        assert (page.status_code, 'type="password"' in page.text) == ((200, True) if allowed else (403, False)), base
        before = len(pages.dump()["sessions"])
        answer = pages.ask("/sign-in", "POST", data={"key": key.text}, base=base, headers=headers)
        assert answer.status_code == (303 if allowed else 403), base
        assert len(pages.dump()["sessions"]) == before + allowed


WAYS = {
    "/on-its-way": "/review/on-its-way",
    "/?kind=run&playbook=fix-flaky-tests": "/review/?kind=run&playbook=fix-flaky-tests",
    "/run_aaaa": "/review/run_aaaa",
    "//evil.example": "/review/",
    "https://evil.example": "/review/",
    "/\\evil.example": "/review/",
    "/x\r\nSet-Cookie: y=z": "/review/",
    "javascript:alert(1)": "/review/",
    "": "/review/",
}


def test_signing_in_leads_to_these_pages_only(pages: Pages) -> None:
    key = make_key(pages.review.random)
    pages.store.add_contributor("bea", None, key.hash, key.prefix)
    pages.store.promote("bea", by="operator")
    for number, (then, to) in enumerate(WAYS.items()):
        form, address = {"key": key.text, "next": then}, {"REMOTE_ADDR": f"198.51.100.{number}"}
        answer = pages.ask("/sign-in", "POST", data=form, environ_base=address)
        assert answer.headers["Location"] == to


def test_signing_in_again_ends_the_older_session_of_the_browser(pages: Pages) -> None:
    old = pages.cookie
    pages.sign_in("bea", again=True)
    assert pages.store.session(hash_of(old)) is None
    assert pages.ask("/").status_code == 200


@pytest.mark.slow
def test_a_form_that_is_too_large_or_has_no_length_changes_nothing(pages: Pages) -> None:
    ids = a_world(pages)
    before = pages.dump()
    path, form = FORMS["accept"](ids)
    assert pages.post(path, {**form, "text": "x" * 1_100_000}).status_code == 413
    answer = pages.ask(path, "POST", input_stream=None, headers={"Transfer-Encoding": "chunked"})
    assert answer.status_code in (403, 411)
    assert pages.dump() == before
    whole = "# " + "é" * 100_000 + "\n"
    assert pages.post(path, {**form, "text": whole + form["text"]}).status_code in (303, 422)


def test_a_session_ends_with_the_key_that_it_began_with(pages: Pages) -> None:
    ann = pages.store.contributor("ann")
    assert ann
    (old,) = pages.store.keys(ann.id)
    for name in ("second", "third"):  # other keys, added before and after, keep nobody in
        key = make_key(pages.review.random)
        pages.store.add_key(ann.id, key.hash, key.prefix, by=name)
    assert pages.ask("/").status_code == 200
    assert pages.store.revoke_key(ann.id, old.prefix, by="operator")
    assert pages.ask("/").status_code == 303
    first, pages.cookie = pages.cookie, ""
    assert pages.ask("/sign-in", "POST", data={"key": key.text}).status_code == 303
    with pytest.raises(Conflict):
        pages.store.open_session(sha("no key"), hash_of("0" * 64), "token")
    pages.cookie = first
    assert pages.ask("/").status_code == 303


def test_a_strangers_form_is_not_read(pages: Pages) -> None:
    ids = a_world(pages)
    path, form = FORMS["accept"](ids)
    typed = {**form, "csrf": pages.csrf, "text": "typed and precious"}
    for cookie in ("", "0" * 64, "nonsense"):
        pages.cookie = cookie
        answer = pages.ask(path, "POST", data=typed)
        assert (answer.status_code, "precious" in answer.text) == (401, False)
        answer = pages.ask(path, "POST", data={**typed, "text": "x" * 1_100_000})  # read, it would be too large
        assert answer.status_code == 401
    assert pages.ask("/sign-in", "POST", data={"key": "x" * 9_000}).status_code == 413


def test_what_was_typed_in_a_session_that_ended_is_handed_back_for_a_day(pages: Pages) -> None:
    ids = a_world(pages)
    path, form = FORMS["accept"](ids)
    pages.end_session()
    answer = pages.post(path, {**form, "text": "typed and precious"})
    assert (answer.status_code, "precious" in answer.text) == (401, True)
    assert pages.post(path, {**form, "text": "x" * 1_100_000}).status_code == 413
    pages.execute("UPDATE sessions SET expires = '2020-01-01T00:00:00.000000Z'")
    answer = pages.post(path, {**form, "text": "typed and precious"})
    assert (answer.status_code, "precious" in answer.text) == (401, False)
    ended = pages.cookie
    pages.sign_in("bea")
    assert hash_of(ended) not in [row[0] for row in pages.dump()["sessions"]]


def test_a_form_of_too_many_fields_is_not_read(pages: Pages) -> None:
    many = {"run": [f"run_{number}:1" for number in range(MAX_FIELDS)]}
    answer = pages.post("/approve-runs", many)
    assert (answer.status_code, "200 fields" in answer.text) == (413, True)
    assert pages.post("/approve-runs", many, content_type="multipart/form-data").status_code == 413
    pages.end_session()
    assert pages.post("/approve-runs", many).status_code == 413


def test_strangers_forms_are_limited_as_writes_are(store: Store, url: str, tmp_path: Path) -> None:
    pages = Pages(store, url, tmp_path, write_limits="3 per minute")
    assert pages.sign_in().status_code == 303
    editor, pages.cookie = pages.cookie, ""
    answers = [pages.ask("/approve-runs", "POST", data={"x": "y"}) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [401] * 3 + [429] * 2
    assert answers[-1].headers["Retry-After"] == "60"
    other = {"REMOTE_ADDR": "192.0.2.2"}
    assert pages.ask("/approve-runs", "POST", data={"x": "y"}, environ_base=other).status_code == 401
    pages.cookie = editor
    assert pages.post("/approve-runs").status_code == 422
