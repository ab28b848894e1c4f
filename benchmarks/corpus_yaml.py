"""Records as YAML the way contributors write it, quickly; and as Markdown with front matter for the peers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

WIDTH = 100
_PLAIN = re.compile(
    r"(?!(?:null|true|false|yes|no|on|off|[yn])$)[A-Za-z](?:[A-Za-z0-9 .,/_-]|:(?! |$))*", re.IGNORECASE
)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(T[0-9:]+Z)?")


def as_yaml(value: Mapping[str, Any]) -> bytes:
    """A record of texts, lists and mappings: long texts folded, those of several lines literal, others plain."""
    return ("\n".join(_mapping(value, 0)) + "\n").encode()


def _mapping(value: Mapping[str, Any], indent: int) -> Iterator[str]:
    for key, item in value.items():
        if item:
            yield from _under(f"{' ' * indent}{key}:", item, indent)


def _under(head: str, item: Any, indent: int) -> Iterator[str]:  # noqa: ANN401 - a text, a list or a mapping
    if isinstance(item, str):
        yield from _text(head, item, indent + 2)
    elif isinstance(item, list):
        yield head
        for one in item:
            yield from _item(one, indent + 2)
    else:
        yield head
        yield from _mapping(item, indent + 2)


def _item(one: Any, indent: int) -> Iterator[str]:  # noqa: ANN401 - as above
    if isinstance(one, str):
        yield from _text(f"{' ' * indent}-", one, indent + 2)
        return
    first, *others = _mapping(one, indent + 2)
    yield f"{' ' * indent}- {first.lstrip()}"
    yield from others


def _text(head: str, text: str, indent: int) -> Iterator[str]:
    if "\n" in text:
        yield f"{head} |-"
        yield from (" " * indent + line if line else "" for line in text.split("\n"))
        return
    plain = bool(_PLAIN.fullmatch(text) or _DATE.fullmatch(text))
    short = f"{head} {text if plain else json.dumps(text)}"
    if len(short) <= WIDTH:
        yield short
        return
    yield f"{head} >-"
    yield from (
        " " * indent + line for line in wrap(text, WIDTH - indent, break_long_words=False, break_on_hyphens=False)
    )


def as_markdown(record: Mapping[str, Any], slug: str) -> str:
    """The same playbook as Markdown with front matter: short fields above, texts and lists as sections below."""
    short = ("title", "summary", "task", "agents", "tags", "difficulty", "time", "cost", "risk")
    head = {"slug": slug, "date": record["updated"], **{name: record[name] for name in short}}
    return "---\n" + as_yaml(head).decode() + "---\n" + "\n\n".join(_sections(record)) + "\n"


def _sections(record: Mapping[str, Any]) -> Iterator[str]:
    yield f"**What you end up with:** {record['outcome']}"
    yield f"Risk: {record['risk_note']}"
    yield "## What you need"
    yield "\n".join(f"- {need['name']} ({need['kind']}): {need['note']}" for need in record["needs"])
    yield "## Where a person decides"
    yield "\n".join(f"- {text}" for text in record["human_checkpoints"])
    yield "## What goes wrong"
    yield "\n".join(f"- **{item['problem']}** {item['fix']}" for item in record["failures"])
    for variant in ({"prompt": record["prompt"]}, *record["variants"]):
        yield f"## Prompt {variant.get('agent', '')}"
        yield f"```text\n{variant['prompt']}\n```"
    yield "## Steps"
    for number, step in enumerate(record["steps"], 1):
        yield f"{number}. **{step['title']}**\n\n   {step['detail']}\n\n   *Check:* {step['check']}"
    yield "## Public accounts"
    yield "\n".join(f"- [{item['title']}]({item['url']}): {item['reported_outcome']}" for item in record["evidence"])
    yield "## References"
    yield "\n".join(f"- [{item['title']}]({item['url']}), checked {item['checked']}" for item in record["references"])
