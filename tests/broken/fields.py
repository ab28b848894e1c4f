"""Records whose fields are wrong: keys, types, bounds, dates, addresses and what must never be published."""

from __future__ import annotations

from tests.broken.case import Case, added, book, lesson, task

_TOKEN = "sk-ant-" + "aB3dE5gH7jK9mN1pQ3sT"  # looks like a key, and is one of nobody's
_EVIDENCE = (
    "evidence:\n  - title: A day with it\n    url: {url}\n    platform: blog\n    agent: Claude Code\n"
    "    reported_outcome: It worked.\n"
)
_TESTED = (
    "tested:\n  - date: {date}\n    agent: claude-code\n    outcome: worked\n    by: editor\n"
    "    version: 0a1b2c3d4e5f\n"
)
_MAIL = "grace" + "@" + "mail.museum"


def _address(name: str, url: str) -> Case:
    return added(name, _EVIDENCE.format(url=url), "address 20:5")


FIELDS: tuple[Case, ...] = (
    added("unknown-top-key", "ouctome: x\n", "unknown-key 18:1", says=("did you mean 'outcome'",)),
    added("unknown-far-key", "zzz: x\n", "unknown-key 18:1", says=("known are title, task",)),
    book(
        "unknown-step-key",
        "check: It failed",
        "chek: It failed",
        "unknown-key 16:5",
        says=("did you mean 'check'",),
    ),
    book("nested-duplicate-key", "check: It", "title: Twice\n    check: It", "duplicate-key 16:5"),
    book(
        "list-for-text",
        "risk_note: Only the code of tests changes.",
        "risk_note:\n  - a",
        "string-type 11:1",
        says=("must be text",),
    ),
    book("text-for-list", "agents:\n  - claude-code", "agents: claude-code", "tuple-type 3:1", says=("- ",)),
    book("mapping-for-list", "agents:\n  - claude-code", "agents:\n  one: claude-code", "tuple-type 3:1"),
    book(
        "text-for-a-step",
        "  - title: Reproduce it\n    detail: Run the test a hundred times.\n    check: It failed at least once.",
        "  - Reproduce it",
        "model-type 14:5",
    ),
    book(
        "missing-top-field",
        "outcome: A test suite that gives the same answer twice.\n",
        "",
        "missing-field 1:1",
        says=("outcome",),
    ),
    book(
        "missing-step-field",
        "    check: It failed at least once.\n",
        "",
        "missing-field 14:5",
        says=("steps[0].check",),
    ),
    book("empty-field", "cost: Mostly tokens", "cost:", "empty 9:1"),
    book("blank-field", "cost: Mostly tokens", 'cost: "  "', "empty 9:1"),
    book("empty-list", "agents:\n  - claude-code", "agents: []", "too-short 3:1"),
    book("no-words", "title: no-words", 'title: "!!!"', "no-words 1:1", says=("no letter",)),
    book("two-lines", "cost: Mostly tokens", "cost: |-\n  one\n  two", "one-line 9:1"),
    book("wrong-enum", "risk: low", "risk: lwo", "not-allowed 10:1", says=("did you mean 'low'",)),
    book("wrong-enum-far", "difficulty: intermediate", "difficulty: 9x", "not-allowed 7:1", says=("'beginner'",)),
    book("same-agent-twice", "  - claude-code\n", "  - claude-code\n  - claude-code\n", "twice 3:1"),
    book("no-slug", "  - claude-code\n", "  - Claude Code\n", "slug 4:5"),
    book("unquoted-number", "cost: Mostly tokens", "cost: 5", "unquoted 9:7", says=('"5"',)),
    book("unquoted-sexagesimal", "time: 1-4 hours", "time: 1:30", "unquoted 8:7"),
    book(
        "too-long-field",
        "cost: Mostly tokens",
        f"cost: {'x' * 201}",
        "string-too-long 9:1",
        says=("at most 200", "201"),
    ),
    added(
        "too-many-items",
        "tags:\n" + "".join(f"  - tag-{number}\n" for number in range(51)),
        "too-long 18:1",
        says=("at most 50", "51"),
    ),
    book("zero-width", "cost: Mostly tokens", "cost: Most\u200bly tokens", "hidden-character 9:1", says=("U+200B",)),
    book(
        "bidi",
        "cost: Mostly tokens",
        'cost: "Most\\u202Ely tokens"',
        "hidden-character 9:1",
        says=("U+202E",),
        hides="\u202e",
    ),
    book("escaped-nul", "cost: Mostly tokens", 'cost: "a\\0b"', "hidden-character 9:1", hides="\0"),
    book("future", "updated: 2026-11-01", "updated: 2026-11-21", "dates-are-past 17:1"),
    book("impossible-date", "updated: 2026-11-01", "updated: 2026-02-30", "date 17:1", says=("not a day",)),
    book("date-with-time", "updated: 2026-11-01", "updated: 2026-11-01T10:00:00Z", "date 17:1", says=("YYYY-MM-DD",)),
    added("future-test", _TESTED.format(date="2027-01-01"), "dates-are-past 19:5"),
    _address("javascript-address", "javascript:alert(1)"),
    _address("ftp-address", "ftp://example.com/x"),
    _address("address-without-host", "https:///page"),
    _address("address-with-credentials", "https://user:word@example.com/"),
    _address("address-with-a-password-only", "https://:word@example.com/"),
    _address("address-with-a-bad-port", "https://example.com:99999/"),
    added(
        "address-with-a-hidden-character",
        _EVIDENCE.format(url='"https://exam\\u200Bple.com/"'),
        "hidden-character 20:5",
    ),
    book("javascript-link", "detail: Run", "detail: '[x](javascript:alert)' #", "links-are-http 15:5"),
    book("relative-link", "detail: Run", "detail: 'See [x](../other) ' #", "links-are-http 15:5"),
    book("heading", "detail: Run", 'detail: "a\\n\\n## Prompt" #', "texts-stay-in-their-place 15:5"),
    book("underlined-heading", "detail: Run", 'detail: "a\\n---" #', "texts-stay-in-their-place 15:5"),
    book(
        "element", "detail: Run", "detail: 'a <img src=x> b' #", "texts-stay-in-their-place 15:5", says=("<img src=x>",)
    ),
    book("comment", "risk_note: ", "risk_note: '<!-- a' #", "texts-stay-in-their-place 11:1"),
    book("open-fence", "detail: Run", "detail: '~~~ a' #", "texts-stay-in-their-place 15:5"),
    book("link-definition", "detail: Run", "detail: '[r]: https://example.com/' #", "texts-stay-in-their-place 15:5"),
    book("link-that-runs", "detail: Run", "detail: 'See <javascript:x>' #", "links-are-http 15:5"),
    lesson("element-in-a-lesson", "problem: ", "problem: '<pre>a' #", "texts-stay-in-their-place 2:1"),
    book("image", "detail: Run", "detail: '![x](https://example.com/x.png)' #", "no-remote-images 15:5"),
    book(
        "secret-in-a-prompt",
        "prompt: Find",
        f"prompt: Use {_TOKEN} and find",
        "no-private-matter 12:1",
        says=("token",),
        hides=_TOKEN,
    ),
    book(
        "e-mail",
        "prompt: Find",
        f"prompt: Write to {_MAIL} and find",
        "no-private-matter 12:1",
        says=("e-mail",),
        hides=_MAIL,
    ),
    book(
        "phone",
        "prompt: Find",
        "prompt: Call +49 30 901820 and find",
        "no-private-matter 12:1",
        says=("phone",),
        hides="901820",
    ),
    lesson("e-mail-in-a-lesson", "needs load", f"needs {_MAIL}", "no-private-matter 2:1"),
    task("no-truth-value", "wanted: true", "wanted: perhaps", "bool-parsing 4:1"),
    Case(
        "site-with-an-odd-address-and-odd-colours",
        "site.yaml",
        b"title: A\ntagline: B\nsite_url: https://playbooks.example/?a=b\nlicence:\n  name: C\n  url: https://playbooks.example/\n"
        b"contact: https://playbooks.example/\naccent: '#ffee00'\naccent_dark: '#222222'\n",
        ("site-address-is-plain 3:1", "accents-can-be-read 8:1", "accents-can-be-read 9:1"),
    ),
)
