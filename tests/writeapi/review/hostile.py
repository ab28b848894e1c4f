"""Texts that some reader along the way would obey, what they would be sent as, and readers that notice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

MARK = "zq9"
"""Stands in every name that a text would give to an element, an attribute or a file."""

LINES: dict[str, str] = {
    "a script": f"<script>{MARK}()</script>",
    "an attribute": f"\"'><{MARK} {MARK}=1 onerror={MARK}() style=x>",
    "the ends of elements": f"</textarea></pre></title></script><{MARK}>",
    "the end of CDATA": f"]]><{MARK}/> &lt;{MARK}&gt; &#60;{MARK}>",
    "a comment": f"a <!-- {MARK} --!> <?{MARK} ?> <!{MARK}>",
    "a script as code": f"`<script>{MARK}()</script></textarea></pre>`",
    "a link that runs": f"<javascript:{MARK}()> javascript:{MARK}() [a]: javascript:{MARK}() [a]",
    "an image as HTML": f"a <img src=https://evil.example/{MARK}.png>",
    "an anchor and an alias": "&a [*a, *a, *a] <<: *a",
    "a tag of YAML": "!!python/object/apply:os.system [id]",
    "a mapping of YAML": "title: {a: [b, *c]} # d",
    "a document of YAML": "--- {a: b",
    "a directive of YAML": "%YAML 1.1 @ ` | > ? - x",
    "quotes": "'\"''\"\\n\\u0000\\x00\"'",
    "a template": "{{config}} {% include 'x' %} {# #} ${7*191} <%= 7*191 %>",
    "a fence": f"``` ~~~ `{MARK}` ````` x",
    "a heading": "# ## Prompt",
    "an option of git": f"--upload-pack=touch /tmp/{MARK}",
    "a setting of git": f"-c core.pager={MARK} --exec=x $({MARK}) `{MARK}`; {MARK}",
    "a trailer of git": "Signed-off-by: evil Submission: run_evil",
    "a way up": "../../../etc/passwd ..%2f..%2f ..\\..\\ a%00",
    "a device": "CON",
    "a boolean": "true",
    "nothing of YAML": "~",
    "a number": "0x1F",
    "a day": "2026-11-20",
    "a table": "a|b\\|c| --- |:-:|",
    "towers": "e\u0301\u0327\u0323\u0330\u0331\u0332\u0333\u0347\u0348\u0349 Z\u0337\u0321\u0322",
    "pictures": "Tune \U0001f3b9 \U0001f469\u200d\U0001f469\u200d\U0001f467 \U0001f3f4",
    "right to left": "\u05d0\u05d1\u05d2 \u0645\u0631\u062d\u0628\u0627 (abc)",
}
"""Texts of one line and at most 64 characters: they go into every field."""

REFUSED: dict[str, str] = {
    "links that run": f"[a](javascript:{MARK}()) [b](data:text/html,x)",
    "links to elsewhere": f"[a](//evil.example/{MARK}) [b](/\\evil.example)",
    "a remote image": f"![a](https://evil.example/{MARK}.png)",
}
"""Texts of one line that may be sent, and that no file of the content may hold but a run report."""

BEYOND = frozenset(
    {
        "a script", "an attribute", "the ends of elements", "the end of CDATA", "a comment", "a link that runs",
        "an image as HTML", "a heading", "documents of YAML", "markdown",
    }
)  # fmt: skip
"""The names of further such texts: they would reach beyond their place in markdown."""

PASSAGES: dict[str, str] = {
    "documents of YAML": f"a\n---\nb: *a\n...\n%TAG ! {MARK}\n- c",
    "trailers": f"Fix.\n\nSigned-off-by: {MARK}\nReviewed-by: {MARK}\nSubmission: run_{MARK}",
    "markdown": (
        f"# A\n\n```\n{MARK}\n```\n\n| a |\n|---|\n<{MARK}>\n\n***\n\n1. x\n\n    y\n\n[r]: javascript:{MARK}()\n\n[r]"
    ),
    "markdown as code": f"~~~\n# A\n<{MARK}>\n\n## Prompt\n\n```\n\n[r]: javascript:{MARK}()\n~~~",
    "blanks": "\n\n  a  \n\tb\t\n\n\n   \n c \n\n",
    "brackets": "[" * 4_000,
    "towers": "a" + "\u0301" * 3_999,
    "a long word": "x" * 4_000,
}
"""Texts of many lines, or long: they go into every field that takes such."""

HIDDEN = {
    "right-to-left override": "a\u202eb",
    "zero width": "a\u200bb",
    "a joiner in ASCII": "a\u200db",
    "isolate": "a\u2066b",
    "byte order mark": "\ufeffa",
    "escape": "a\x1b[31mb",
    "delete": "a\x7fb",
    "NUL": "a\x00b",
    "line separator": "a\u2028b",
    "a tag character": "a\U000e0041b",
    "soft hyphen": "a\u00adb",
}
"""What the door refuses in every text."""

SLUGS = (
    "../x", "..%2f", "x\n", "a%00", "a\x00", "/etc/passwd", "CON", "fix-flaky-tests/../gone",
    ".", "..", "", "-x", "--exec=x", "a--b", "fix_flaky", "fix-flaky-tests.yaml", "x" * 65,
    "\u0455lug",
)  # fmt: skip
"""What no slug is, nor read as one: capitals and spaces around it are (`library/interface/resolving.py`)."""


def hostile() -> Iterator[tuple[str, str, str]]:
    """Each name with what goes into fields of one line, and into those of many."""
    yield from ((name, text, text) for name, text in {**LINES, **REFUSED}.items())
    yield from ((name, f"Text {number}", text) for number, (name, text) in enumerate(PASSAGES.items(), 1))


def a_run(line: str, passage: str, playbook: str) -> dict[str, Any]:
    """A report with the text in every field that takes text."""
    lines = dict.fromkeys(("agent", "agent_version", "model", "reporter"), line)
    return {"playbook": playbook, "outcome": "failed", **lines, "what_changed": passage, "lesson": passage}


def a_submission(kind: str, line: str, passage: str, **more: Any) -> dict[str, Any]:
    """A submission with the text in every field that takes text."""
    sent: dict[str, Any] = {"kind": kind, "title": line, "body": passage, "agent": line, "reporter": line, **more}
    if kind == "playbook":
        sent["payload"] = {
            **dict.fromkeys(("title", "job", "category", "agent_version", "time_taken"), line),
            **dict.fromkeys(("summary", "prompt", "outcome"), passage),
            **{name: [passage] for name in ("steps", "what_went_wrong", "human_checkpoints")},
            "agents": [line],
            "sources": [f"https://example.org/?q='><{MARK}>".replace("<", "%3C").replace(">", "%3E")],
        }
    return sent


DATA_BLOCKS = ({"type": "application/ld+json"}, {"type": "application/json", "id": "private-table"})
"""Data that no browser runs; what stands in them is tested with the renditions, and with the forms."""


class Page(HTMLParser):
    """A page's elements with their attributes, its words, and what its text areas hold."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.areas: list[str] = []
        self._within = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep it."""
        self.tags.append((tag, dict(attrs)))
        if tag == "textarea":
            self._within = tag
            self.areas.append("")

    def handle_endtag(self, tag: str) -> None:
        """Keep it."""
        self._within = "" if tag == self._within else self._within

    def handle_data(self, data: str) -> None:
        """Keep it."""
        self.words += data
        if self._within:
            self.areas[-1] += data

    def values(self, name: str) -> list[str]:
        """The values of the fields of a form with this name."""
        return [str(attributes.get("value")) for _, attributes in self.tags if attributes.get("name") == name]


SETS_UP = re.compile(
    r"(?:vscode:mcp|cursor://anysphere\.cursor-deeplink/mcp)/install\?|goose://extension\?name=playbooks&"
)
"""What our own links that set a client up begin with."""


def obeyed(html: str) -> list[str]:
    """What a page has that no template of ours wrote: elements, attributes, and addresses that run or load."""
    found: list[str] = []
    for tag, attributes in Page(html).tags:
        if MARK in tag or tag in ("style", "object", "embed", "base"):
            found.append(tag)
        for name, value in attributes.items():
            said = (value or "").strip().casefold()
            runs = name == "style" or name.startswith("on") or MARK in name
            leads = name in ("href", "action", "formaction") and not re.match(r"(https?://|/(?![/\\])|#|\?|$)", said)
            leads = leads and not SETS_UP.match(said)
            loads = name in ("src", "srcset", "data", "poster") and not re.match(r"/(?!/)", said)
            found += [f"{tag} {name}={value}"] if runs or leads or loads else []
        if "srcdoc" in attributes or (tag == "script" and not attributes.get("src") and attributes not in DATA_BLOCKS):
            found.append(f"{tag} {attributes}")
    return found
