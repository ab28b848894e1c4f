"""Records that break the other half of a rule which has two: each yield of a rule has a file that reaches it."""

from __future__ import annotations

from tests.broken.case import Case, added, book, task
from tests.builders import AGENT, CATEGORIES, PLAYBOOK, SITE, TASK, prompt_of, titled

_REPLACED = "status: deprecated\nstatus_reason: Old.\nreplaced_by: {slug}\n"
_VARIANT_HEAD = "variants:\n"
_VARIANT = "  - agent: claude-code\n    prompt: {prompt}\n"
_TAGGED = {
    f"playbooks/tagged-{word}.yaml": titled(PLAYBOOK, f"Tagged {word}")
    for word in "red blue green grey black white pink teal gold lime plum rust sand jade mint navy onyx ruby".split()
}


def _two_of(name: str) -> str:
    """Two variants for the same agent, which differ from the prompt and from each other."""
    return _VARIANT_HEAD + "".join(_VARIANT.format(prompt=prompt_of(f"{name} {number}")) for number in "12")


BRANCHES: tuple[Case, ...] = (
    added("replaced-by-itself", _REPLACED.format(slug="replaced-by-itself"), "names-others 20:1"),
    added(
        "a-tag-of-its-own",
        "tags:\n  - shared\n  - alone\n",
        "tags-are-shared 20:5",
        beside={path: f"{text}tags:\n  - shared\n" for path, text in _TAGGED.items()},
        says=("'alone' stands on no other",),
    ),
    added("two-variants-for-an-agent", _two_of("two variants"), "variants-apply 21:5", says=("keep one",)),
    added("a-short-variant", _VARIANT_HEAD + _VARIANT.format(prompt="Do it."), "prompts-have-a-good-length 20:5"),
)
ALONE: tuple[Case, ...] = (
    added(
        "one-way-round",
        _REPLACED.format(slug="the-other-way"),
        "replacement-exists 20:1",
        beside={
            "playbooks/the-other-way.yaml": titled(PLAYBOOK, "The other way") + _REPLACED.format(slug="one-way-round")
        },
        too="playbooks/the-other-way.yaml",
        says=("break the circle",),
    ),
    book(
        "a-draft-of-a-task",
        "task: fix-flaky-tests",
        "task: unborn",
        "no-draft-is-needed 2:1",
        beside={"tasks/unborn.yaml": TASK + "status: draft\n"},
    ),
    book(
        "a-draft-of-an-agent",
        "  - claude-code",
        "  - unborn",
        "no-draft-is-needed 4:5",
        beside={"agents/unborn.yaml": AGENT + "status: draft\n"},
    ),
    added(
        "tested-by-a-draft",
        "tested:\n  - date: 2026-11-01\n    agent: unborn\n    outcome: worked\n"
        "    by: ann\n    version: 0a1b2c3d4e5f\n",
        "no-draft-is-needed 20:5",
        beside={"agents/unborn.yaml": AGENT + "status: draft\n"},
    ),
    book("one-brace", "{{repository}}", "{repository}", "variables-are-named 12:1", says=("write {{repository}}",)),
    task("nobody-does-it", "wanted: true\n", "", "tasks-are-done-or-wanted 1:1"),
    Case(
        "done-and-wanted",
        "tasks/fix-flaky-tests.yaml",
        f"{TASK}wanted: true\n".encode(),
        ("tasks-are-done-or-wanted 4:1",),
        says=("remove `wanted`",),
    ),
    Case(
        "site-with-one-accent",
        "site.yaml",
        f"{SITE}accent: '#1f4e9e'\n".encode(),
        ("accents-can-be-read 1:1",),
        says=("write accent_dark too",),
    ),
    Case(
        "site-with-the-other-accent",
        "site.yaml",
        f"{SITE}accent_dark: '#9cbdf7'\n".encode(),
        ("accents-can-be-read 1:1",),
        says=("write accent too",),
    ),
    Case(
        "site-with-a-fragment",
        "site.yaml",
        SITE.replace("https://playbooks.example\n", "'https://playbooks.example/#top'\n").encode(),
        ("site-address-is-plain 3:1",),
    ),
    Case(
        "categories-twice",
        "categories.yaml",
        f"{CATEGORIES}  - slug: software\n    name: SOFTWARE\n    summary: Again.\n".encode(),
        ("categories-differ 5:5", "categories-differ 6:5"),
        says=("the slug 'software'", "the name 'software'"),
    ),
)
"""Files of which there is one only, and faults that are not told of where other files are broken too."""
