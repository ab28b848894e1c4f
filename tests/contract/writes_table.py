"""The table of writes: what is sent, and the status, kind and places that must come back, on every engine."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.builders import BOOK

JSON = "application/json"
RUN: dict[str, Any] = {"playbook": BOOK, "agent": "claude-code", "outcome": "worked"}
SUBMISSION: dict[str, Any] = {"title": "Tune a piano", "body": "Somebody asked for this job."}
PAYLOAD: dict[str, Any] = {
    "title": "Tune a piano",
    "agents": ["claude-code"],
    "summary": "By ear.",
    "prompt": "Tune it.",
    "steps": ["Listen.", "Turn the pin."],
}
WHOLE_RUN = {
    **RUN,
    "agent_version": "2.1",
    "model": "some model",
    "what_changed": "Nothing.\nReally.",
    "lesson": "Look first.",
    "duration_minutes": 30,
    "reporter": "somebody",
}
WHOLE_PAYLOAD = {
    **PAYLOAD,
    "job": "Tune a piano",
    "category": "music",
    "what_went_wrong": ["A string broke."],
    "human_checkpoints": ["Before the pin."],
    "sources": ["https://example.com/piano"],
    "outcome": "A piano in tune.",
    "agent_version": "2.1",
    "time_taken": "an hour",
}
KEY_OF_NOBODY = "pbl_" + "A" * 43 + "000000"


@dataclass(frozen=True)
class Case:
    """One request and what must come back. `kind` is the fragment of the error's type; `errors` pointer and code."""

    name: str
    path: str
    body: bytes
    status: int
    kind: str = ""
    errors: tuple[tuple[str, str], ...] = ()
    method: str = "POST"
    headers: Mapping[str, str] = field(default_factory=dict)
    chunked: bool = False


def told(status: int, kind: str, path: str, bodies: Mapping[str, bytes]) -> Iterator[Case]:
    for name, body in bodies.items():
        yield Case(f"{name} to {path}", path, body, status, kind)


def invalid(path: str, name: str, body: Any, *errors: tuple[str, str], **options: Any) -> Case:
    return Case(f"{name} to {path}", path, json.dumps(body).encode(), 422, "invalid", errors, **options)


def taken(path: str, name: str, body: Any, **options: Any) -> Case:
    return Case(f"{name} to {path}", path, json.dumps(body).encode(), 201, **options)


def number(text: str) -> bytes:
    return json.dumps(RUN)[:-1].encode() + f', "duration_minutes": {text}}}'.encode()


NO_JSON: Mapping[str, bytes] = {
    "no body": b"",
    "text": b"outcome=worked",
    "half of an object": b'{"playbook": "x"',
    "two values": b"{} {}",
    "bad UTF-8": b'{"agent": "\xff\xfe"}',
    "UTF-16": json.dumps(RUN).encode("utf-16"),
    "a byte-order mark": b"\xef\xbb\xbf{}",
    "a lone surrogate": b'{"agent": "\\ud800"}',
    "a lone surrogate as a key": b'{"\\udfff": 1}',
    "NaN": number("NaN"),
    "Infinity": number("-Infinity"),
    "1e999": number("1e999"),
    "an integer of 5,000 digits": number("9" * 5_000),
    "duplicate keys": b'{"agent": "a", "agent": "b"}',
    "duplicate keys, one escaped": b'{"agent": "a", "a\\u0067ent": "b"}',
    "duplicate keys within": b'{"payload": {"a": 1, "a": 1}}',
    "30,000 brackets": b"[" * 30_000 + b"]" * 30_000,
    "10,000 objects deep": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "33 levels": b"[" * 33 + b"]" * 33,
    "5,000 values": b"[" + b"1," * 5_000 + b"1]",
    "a control character in a string": b'{"agent": "a\x00b"}',
    "quotes that never close": b'"' + b'\\"' * 32_000,
    "single quotes": b"{'agent': 'x'}",
    "a comment": b"{} // x",
    "a comma too many": b'{"agent": "x",}',
}
NO_OBJECT: Mapping[str, bytes] = {
    "an array": b"[]",
    "an array of a report": json.dumps([RUN]).encode(),
    "null": b"null",
    "true": b"true",
    "a number": b"1",
    "a string": b'"x"',
}
NO_HANDLES = ["a", "x" * 40, "a-" * 20 + "a", "-ab", "ab-", "a--b", "a_b", "a b", "ab\n", "a\0b", "ab\u200b", "é2"]
LOOK_ALIKES = ["\u0261race-h", "\uff47race-h", "gr\u0430ce-h", "grace\u2010h", "\u212aate", "grace-\U0001d421"]
NO_TEXTS: tuple[Any, ...] = (1, True, [], {}, ["x"])
PATHS = ("/runs", "/submissions", "/contributors")
SIZE = 64 * 1024


def _wire() -> Iterator[Case]:
    """What no endpoint takes."""
    for path in PATHS:
        yield from told(400, "not-json", path, NO_JSON)
        for name, body in NO_OBJECT.items():
            yield Case(f"{name} to {path}", path, body, 422, "invalid", (("", "model-type"),))
        fine = json.dumps(SUBMISSION).encode()
        for name, kind in {"no type": "", "text": "text/plain", "a form": "application/x-www-form-urlencoded"}.items():
            yield Case(
                f"{name} as the type to {path}", path, fine, 415, "not-json-by-type", headers={"Content-Type": kind}
            )
        latin = {"Content-Type": "application/json; charset=latin-1"}
        yield Case(f"Latin-1 to {path}", path, fine, 415, "not-json-by-type", headers=latin)
        for coding in ("br", "gzip", "deflate, gzip", "unheard-of"):
            sent = {"Content-Encoding": coding}
            yield Case(f"a body coded as {coding} to {path}", path, fine, 415, "coded", headers=sent)
        yield Case(f"chunks to {path}", path, fine, 411, "length-required", chunked=True)
        yield Case(f"64 KiB and one to {path}", path, b" " * (SIZE + 1), 413, "too-large")
        yield Case(f"1 MiB to {path}", path, b" " * (SIZE * 16), 413, "too-large")
        for name, header in {
            "an unknown key": f"Bearer {KEY_OF_NOBODY}",
            "no key": "Bearer x",
            "another scheme": "Basic eDp5",
            "nothing": "Bearer ",
            "rubbish": "\xff\xfe;;",
            "8,000 characters": "Bearer " + "x" * 8_000,
        }.items():
            if path != "/contributors":
                sent = {"Authorization": header}
                yield Case(f"{name} as a key to {path}", path, fine, 401, "bad-key", headers=sent)


def _runs() -> Iterator[Case]:
    path = "/runs"
    yield taken(path, "the least", RUN)
    yield taken(path, "everything", WHOLE_RUN)
    yield taken(path, "charset", RUN, headers={"Content-Type": "application/json; charset=UTF-8"})
    yield taken(path, "no coding", RUN, headers={"Content-Encoding": "identity"})
    yield taken(path, "optional fields that are null", {**RUN, "lesson": None, "duration_minutes": None})
    yield taken(path, "an unknown agent", {**RUN, "agent": "nobody's agent"})
    yield taken(path, "lines of Windows", {**RUN, "lesson": "One.\r\nTwo."})
    yield taken(path, "letters of everywhere", {**RUN, "lesson": "Größe 漢字 🎹 كيف"})
    yield taken(path, "a deprecated playbook", {**RUN, "playbook": "older"})
    yield taken(path, "a version", {**RUN, "playbook_version": "0123456789ab"})
    for name, minutes in {"5.0": 5.0, "0": 0, "the most": 525_600, "-0.0": -0.0}.items():
        yield taken(path, f"{name} minutes", {**RUN, "duration_minutes": minutes})
    yield Case("1e2 minutes to /runs", path, number("1e2"), 201)
    yield taken(path, "8,192 characters", {**RUN, "lesson": "x" * 8_192, "what_changed": "ü" * 8_192})
    names = dict.fromkeys(("agent", "agent_version", "model"), "x" * 128)
    yield taken(path, "the longest names", {**RUN, **names, "reporter": "x" * 64})
    yield Case("exactly 64 KiB to /runs", path, json.dumps(RUN).encode().ljust(SIZE), 201)


def _wrong_reports() -> Iterator[Case]:
    path = "/runs"
    missing = [(f"/{name}", "missing-field") for name in RUN]
    yield invalid(path, "an empty object", {}, *missing)
    for name in RUN:
        rest = {other: value for other, value in RUN.items() if other != name}
        yield invalid(path, f"no {name}", rest, (f"/{name}", "missing-field"))
    outcomes: tuple[Any, ...] = ("succeeded", "WORKS", "work ed", 1, None, ["worked"], "pending")
    for wrong in outcomes:
        yield invalid(path, f"the outcome {wrong!r}", {**RUN, "outcome": wrong}, ("/outcome", "not-allowed"))
    no_numbers: tuple[Any, ...] = (True, "five", [5], {}, 5.5)
    for wrong in no_numbers:
        yield invalid(
            path, f"{wrong!r} minutes", {**RUN, "duration_minutes": wrong}, ("/duration_minutes", "whole-number")
        )
    yield invalid(path, "-1 minutes", {**RUN, "duration_minutes": -1}, ("/duration_minutes", "greater-than-equal"))
    for much in (525_601, 2**63, 10**299):
        yield invalid(
            path, f"{much:.3g} minutes", {**RUN, "duration_minutes": much}, ("/duration_minutes", "less-than-equal")
        )
    for name, slug in {"unknown": "none", "withdrawn": "gone", "reserved": "full"}.items():
        yield invalid(path, f"a playbook {name}", {**RUN, "playbook": slug}, ("/playbook", "unknown-playbook"))
    for name in ("../x", "x\n", "A", "a--b", "x.json", "é"):
        yield invalid(path, f"the playbook {name!r}", {**RUN, "playbook": name}, ("/playbook", "unknown-playbook"))
    for name, code in {"a\0": "hidden-character", "a\nb": "one-line", "x" * 201: "string-too-long"}.items():
        found = (("/playbook", code), ("/playbook", "unknown-playbook"))
        yield invalid(path, f"the playbook {name[:4]!r}", {**RUN, "playbook": name}, *found)


def _wrong_texts() -> Iterator[Case]:
    path = "/runs"
    for name in ("agent", "agent_version", "model", "reporter"):
        most = 64 if name == "reporter" else 128
        found = (f"/{name}", "string-too-long")
        yield invalid(path, f"too many characters of {name}", {**RUN, name: "x" * (most + 1)}, found)
        yield invalid(path, f"two lines of {name}", {**RUN, name: "a\nb"}, (f"/{name}", "one-line"))
    for name in ("lesson", "what_changed"):
        yield invalid(path, f"8,193 characters of {name}", {**RUN, name: "x" * 8_193}, (f"/{name}", "string-too-long"))
        for shown, text in {"NUL": "a\0b", "an invisible one": "a\u202eb", "escape": "\x1b[2J"}.items():
            yield invalid(path, f"{shown} in {name}", {**RUN, name: text}, (f"/{name}", "hidden-character"))
        for no_text in NO_TEXTS:
            yield invalid(path, f"{no_text!r} as {name}", {**RUN, name: no_text}, (f"/{name}", "string-type"))
        for blank in ("", " ", "\n\n"):
            yield invalid(path, f"{blank!r} as {name}", {**RUN, name: blank}, (f"/{name}", "empty"))
    yield invalid(path, "no version", {**RUN, "playbook_version": "1.0"}, ("/playbook_version", "version"))


def _wrong_as_a_whole() -> Iterator[Case]:
    path = "/runs"
    yield invalid(
        path, "unknown fields", {**RUN, "id": "x", "a/b~c": 1}, ("/a~1b~0c", "unknown-key"), ("/id", "unknown-key")
    )
    everything = {"playbook": "none", "outcome": "?", "duration_minutes": True, "lesson": 5, "x": 1, "model": "x" * 129}
    yield invalid(
        path,
        "everything wrong at once",
        everything,
        ("/agent", "missing-field"),
        ("/duration_minutes", "whole-number"),
        ("/lesson", "string-type"),
        ("/model", "string-too-long"),
        ("/outcome", "not-allowed"),
        ("/playbook", "unknown-playbook"),
        ("/x", "unknown-key"),
    )
    for name, key in {"a space": "a b", "nothing": "", "256 characters": "k" * 256, "no ASCII": "\xff\xe9"}.items():
        sent = {"Idempotency-Key": key}
        yield invalid(path, f"an idempotency key of {name}", RUN, ("", "idempotency-key"), headers=sent)


def _submissions() -> Iterator[Case]:
    path = "/submissions"
    for kind in ("use_case", "lesson", "correction"):
        yield taken(path, kind, {**SUBMISSION, "kind": kind})
        yield taken(path, f"{kind} with a payload", {**SUBMISSION, "kind": kind, "payload": PAYLOAD})
    yield taken(path, "no kind", SUBMISSION)
    whole = {"playbook": BOOK, "agent": "claude-code", "source_url": "https://example.com/a", "reporter": "somebody"}
    yield taken(path, "every field", {**SUBMISSION, **whole})
    yield taken(path, "a correction of a withdrawn one", {**SUBMISSION, "kind": "correction", "playbook": "gone"})
    yield taken(path, "a playbook", {**SUBMISSION, "kind": "playbook", "payload": PAYLOAD})
    yield taken(path, "a whole playbook", {**SUBMISSION, "kind": "playbook", "payload": WHOLE_PAYLOAD})
    yield taken(path, "longest texts", {**SUBMISSION, "title": "x" * 200, "body": "x" * 8_192})
    yield taken(
        path, "the longest prompt", {**SUBMISSION, "kind": "playbook", "payload": {**PAYLOAD, "prompt": "x" * 16_000}}
    )
    yield invalid(path, "an empty object", {}, ("/body", "missing-field"), ("/title", "missing-field"))
    yield invalid(path, "no payload", {**SUBMISSION, "kind": "playbook"}, ("/payload", "missing-field"))
    empty = [(f"/payload/{name}", "missing-field") for name in PAYLOAD]
    yield invalid(path, "an empty payload", {**SUBMISSION, "kind": "playbook", "payload": {}}, *empty)
    yield invalid(path, "an array as payload", {**SUBMISSION, "payload": [PAYLOAD]}, ("/payload", "model-type"))
    yield invalid(path, "an unknown kind", {**SUBMISSION, "kind": "poem"}, ("/kind", "not-allowed"))
    yield invalid(path, "an unknown playbook", {**SUBMISSION, "playbook": "none"}, ("/playbook", "unknown-playbook"))
    for url in ("javascript:alert(1)", "//evil.example", "example.com", "https://a:b@example.com/", "https://"):
        yield invalid(path, url, {**SUBMISSION, "source_url": url}, ("/source_url", "address"))
    yield invalid(path, "201 characters", {**SUBMISSION, "title": "x" * 201}, ("/title", "string-too-long"))
    yield invalid(path, "8,193 characters", {**SUBMISSION, "body": "x" * 8_193}, ("/body", "string-too-long"))
    wrong = {**PAYLOAD, "steps": ["Listen.", 2, ""], "agents": [], "prompt": [], "sources": ["ftp://x"], "x": 1}
    yield invalid(
        path,
        "a payload with everything wrong",
        {**SUBMISSION, "kind": "playbook", "payload": wrong},
        ("/payload/agents", "too-short"),
        ("/payload/prompt", "string-type"),
        ("/payload/sources/0", "address"),
        ("/payload/steps/1", "string-type"),
        ("/payload/steps/2", "empty"),
        ("/payload/x", "unknown-key"),
    )
    many = {**PAYLOAD, "steps": ["x"] * 31}
    yield invalid(path, "31 steps", {**SUBMISSION, "payload": many}, ("/payload/steps", "too-long"))


def _contributors() -> Iterator[Case]:
    path = "/contributors"
    yield taken(path, "a handle", {"handle": "grace-h"})
    yield taken(path, "the shortest handle", {"handle": "g2"})
    yield taken(path, "the longest handle", {"handle": "x" * 39})
    yield taken(path, "capitals", {"handle": "Linus-T", "email": "linus@mail.example"})
    for name, handle in {"same": "grace-h", "capitals of a": "GRACE-H", "mixed case of a": "gRaCe-h"}.items():
        yield Case(f"the {name} handle again", path, json.dumps({"handle": handle}).encode(), 409, "handle-taken")
    for handle in (*NO_HANDLES, *LOOK_ALIKES):
        yield invalid(path, f"the handle {ascii(handle)[:30]}", {"handle": handle}, ("/handle", "handle"))
    for handle in ("me", "Admin", "official", "EDITOR"):
        yield invalid(path, f"the handle {handle}", {"handle": handle}, ("/handle", "reserved"))
    for no_text in NO_TEXTS:
        yield invalid(path, f"the handle {no_text!r}", {"handle": no_text}, ("/handle", "string-type"))
    yield invalid(path, "no handle", {}, ("/handle", "missing-field"))
    yield invalid(path, "an empty handle", {"handle": ""}, ("/handle", "empty"))
    for mail in ("nobody", "a@b", "a b@mail.example", "@mail.example"):
        yield invalid(path, f"the e-mail {mail}", {"handle": "mailed", "email": mail}, ("/email", "e-mail"))
    yield invalid(path, "a role", {"handle": "sneaky", "role": "editor"}, ("/role", "unknown-key"))


UNKNOWN = "/submissions/sub_" + "a" * 26
OWN = (("GET", "/contributors/me"), ("POST", "/contributors/me/keys"), ("DELETE", "/contributors/me/keys/x"))
NOT_ALLOWED = {
    "/runs": ("PUT", "DELETE", "PATCH"),
    "/contributors": ("PUT", "DELETE"),
    "/submissions": ("PUT", "DELETE"),
    "/contributors/me": ("POST", "DELETE"),
    UNKNOWN: ("POST", "PATCH"),
    "/healthz": ("POST",),
    "/readyz": ("PUT",),
}


def _others() -> Iterator[Case]:
    """Addresses that need somebody, that are not there, or that do not take a method."""
    for method, path in OWN:
        yield Case(f"{method} {path} without a key", path, b"", 401, "bad-key", method=method)
        sent = {"Authorization": f"Bearer {KEY_OF_NOBODY}"}
        yield Case(f"{method} {path} with a wrong key", path, b"", 401, "bad-key", method=method, headers=sent)
    for name in (UNKNOWN, "/submissions/x", "/submissions/..%2f", "/submissions/a%00b", "/submissions/" + "x" * 3_000):
        yield Case(f"GET {name[:40]}", name, b"", 404, "not-found", method="GET")
    for method in ("PUT", "DELETE"):
        body = json.dumps(SUBMISSION).encode()
        yield Case(f"{method} of an unknown one", UNKNOWN, body, 404, "not-found", method=method)
    for path, methods in NOT_ALLOWED.items():
        for method in methods:
            yield Case(f"{method} {path}", path, b"{}", 405, "method-not-allowed", method=method)


def cases() -> list[Case]:
    """The whole table, in the order in which it is sent."""
    return [
        *_wire(),
        *_runs(),
        *_wrong_reports(),
        *_wrong_texts(),
        *_wrong_as_a_whole(),
        *_submissions(),
        *_contributors(),
        *_others(),
    ]
