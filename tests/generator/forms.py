"""What each form of a playbook says, read back from it by means of the form's own: JSON, a page's tree, markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, NamedTuple

VOID = frozenset({"meta", "link", "input", "br", "hr", "img", "rect", "path", "circle"})


def words(text: str) -> list[str]:
    """The words of a text in their order; markdown's marks, list numbers and the targets of links are no words."""
    text = re.sub(r"\]\([^)\s]*\)", "]", text)
    text = re.sub(r"^\s*(?:[-*+]|\d+[.)])\s+", "", text, flags=re.MULTILINE)
    return re.findall(r"\w+", text.replace("_", ""))


class SaidStep(NamedTuple):
    """A step: its texts in words, the path of its script, and whether its check is proven."""

    title: list[str]
    detail: list[str]
    check: list[str]
    script: str
    proven: bool


@dataclass(frozen=True)
class Said:
    """What every form has to say; texts that a form may lay out in its own way are lists of words."""

    prompt: str
    variants: list[tuple[str, str]]
    steps: list[SaidStep]
    failures: list[list[str]]
    checkpoints: list[list[str]]
    trust: str
    version: str
    note: str


def of_json(book: Mapping[str, Any]) -> Said:
    """What the JSON says, from the API or as a tool's structured result."""
    return Said(
        book["prompt"].rstrip(),
        [(item["agent"], item["prompt"].rstrip()) for item in book["variants"]],
        [
            SaidStep(
                words(item["title"]),
                words(item["detail"]),
                words(item["check"]),
                item.get("check_script", {}).get("path", ""),
                item.get("proven", False),
            )
            for item in book["steps"]
        ],
        [words(item["problem"]) + words(item["fix"]) for item in book["failures"]],
        [words(text) for text in book["human_checkpoints"]],
        book["trust"],
        book["version"],
        book["provenance_note"],
    )


def of_markdown(text: str) -> Said:
    """What a markdown twin says, or the body of an instruction file, by its headings, fences and lists."""
    head, sections = _sections(text)
    trust = re.search(r"^\*\*Trust:\*\* (\w+)", head, re.MULTILINE)
    version = re.search(r"^- Version: (\w+)", head, re.MULTILINE)
    note = re.search(r"^> (.*)$", head, re.MULTILINE)
    assert trust, head
    assert version, head
    assert note, head
    return Said(
        _fenced(sections.get("Prompt", "")),
        [
            (name.removeprefix("Prompt for "), _fenced(body))
            for name, body in sections.items()
            if name.startswith("Prompt for ")
        ],
        list(_steps(sections.get("Steps", ""))),
        [words(item) for item in _items(sections.get("What goes wrong", ""))],
        [words(item) for item in _items(sections.get("Where a person decides", ""))],
        trust[1].lower(),
        version[1],
        note[1],
    )


def _sections(text: str) -> tuple[str, dict[str, str]]:
    """What stands before the first heading of the second level, and the sections by their headings."""
    parts: dict[str, list[str]] = {"": []}
    name, fence = "", ""
    for line in text.splitlines():
        if fence:
            fence = "" if line == fence else fence
        elif found := re.match(r"`{3,}", line):
            fence = found[0]
        elif line.startswith("## "):
            name = line[3:]
            parts[name] = []
            continue
        parts[name].append(line)
    return "\n".join(parts.pop("")), {name: "\n".join(lines) for name, lines in parts.items()}


def _fenced(text: str) -> str:
    found = re.search(r"^(`{3,})text\n(.*?)\n\1$", text, re.MULTILINE | re.DOTALL)
    return found[2] if found else ""


def _items(text: str) -> Iterator[str]:
    yield from (item.removeprefix("- ") for item in re.split(r"\n(?=- )", text.strip("\n")) if item)


def _steps(text: str) -> Iterator[SaidStep]:
    for item in re.split(r"^\d+\. (?=\*\*)", text, flags=re.MULTILINE)[1:]:
        title, _, rest = item.partition("\n")
        rest, _, script = rest.partition("\n   Script: [")
        parts = re.fullmatch(r"(.*)\n   \*Check( \(proven\))?:\*(.*)", rest, re.DOTALL)
        assert parts, item
        detail = re.sub("^   ", "", parts[1], flags=re.MULTILINE)
        yield SaidStep(words(title), words(detail), words(parts[3]), script.partition("]")[0], bool(parts[2]))


@dataclass
class Node:
    """An element of a page."""

    tag: str
    attributes: dict[str, str | None]
    inside: list[Node | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text in it; blocks and lines apart."""
        apart = "\n" if self.tag in ("p", "li", "pre", "br", "td", "th", "div", "h3") else ""
        return apart + "".join(item if isinstance(item, str) else item.text for item in self.inside) + apart

    def all(self, tag: str, **attributes: str) -> list[Node]:
        """The elements in it with a tag and attributes; `class_` asks for one class among others."""
        found = []
        for item in self.inside:
            if isinstance(item, Node):
                found += [item] if item.tag == tag and item.has(attributes) else []
                found += item.all(tag, **attributes)
        return found

    def one(self, tag: str, **attributes: str) -> Node:
        """The first of them."""
        return self.all(tag, **attributes)[0]

    def has(self, attributes: Mapping[str, str]) -> bool:
        """Whether it has these attributes."""
        classes = (self.attributes.get("class") or "").split()
        return all(
            value in classes if name == "class_" else self.attributes.get(name) == value
            for name, value in attributes.items()
        )


class Tree(HTMLParser):
    """A page as elements."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.top = Node("", {})
        self.open = [self.top]
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, dict(attrs))
        self.open[-1].inside.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].inside.append(data)


def of_page(html: str) -> Said:
    """What a page says to whoever looks at it."""
    page = Tree(html).top.one("main")
    prompt = page.one("section", **{"aria-labelledby": "prompt"})
    variants = [
        (str(part.attributes["id"]).removeprefix("prompt-"), part.one("pre", class_="prompt").text)
        for part in prompt.all("section")
    ]
    return Said(
        prompt.one("pre", class_="prompt").text.strip("\n").rstrip(),
        [(agent, text.strip("\n").rstrip()) for agent, text in variants],
        [_step(item) for item in page.one("ol", class_="steps").inside if isinstance(item, Node)],
        [
            words(item.one("h3").text) + words(item.one("div", class_="prose").text)
            for lists in page.all("ul", class_="failures")
            for item in lists.inside
            if isinstance(item, Node)
        ],
        [words(item.text) for lists in page.all("ul", class_="stops") for item in lists.all("li")],
        str(page.one("span", class_="trust").attributes["class"]).split()[-1],
        prompt.one("li", class_="n").one("code").text,
        page.one("p", class_="provenance").text.strip(),
    )


def _step(item: Node) -> SaidStep:
    head, *parts = (part for part in item.one("div", class_="check").inside if isinstance(part, Node))
    scripts = [part.one("summary").one("code").text for part in parts if part.tag == "details"]
    mark = words(head.text)
    assert mark in (["Check"], ["Check", "proven"])
    return SaidStep(
        words(item.one("h3").text),
        words(item.one("div", class_="prose").text),
        words("".join(part.text for part in parts if part.tag != "details")),
        scripts[0] if scripts else "",
        len(mark) > 1,
    )
