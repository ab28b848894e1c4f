"""The rules about the inputs of a prompt: how a variable is written, and that each is explained."""

import re
from collections.abc import Iterator

from library.nearest import did_you_mean
from library.problems import Problem, Severity
from library.records.models import Playbook

VARIABLE = re.compile(r"\{\{([^{}]*)\}\}")
"""An input of a prompt."""
_VARIABLE_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_SINGLE = re.compile(r"(?<![{$\\\w%])\{([a-z][a-z0-9_]{0,39})\}+")
"""An input in a single brace; one of a shell, a template or a format has a sign or a word before it."""
_CODE = re.compile(r"(`+).*?\1", re.DOTALL)


def variables_are_named(book: Playbook) -> Iterator[Problem]:
    """A variable in a prompt is written {{snake_case}} in two braces, and every `{{` is closed."""
    prompts = [
        ("prompt", book.prompt),
        *((f"variants.{index}.prompt", variant.prompt) for index, variant in enumerate(book.variants)),
    ]
    for field, prompt in prompts:
        if single := _SINGLE.findall(_CODE.sub("", prompt)):
            names = ", ".join(f"{{{{{name}}}}}" for name in dict.fromkeys(single))
            message = f"an input stands in a single brace; write {names}"
            yield book.wrong(field, message, severity=Severity.WARNING).mended("write", _doubled(prompt))
        for name in VARIABLE.findall(prompt):
            if not _VARIABLE_NAME.fullmatch(name):
                near = "_".join(re.findall("[a-z0-9]+", name.lower()))
                fine = _VARIABLE_NAME.fullmatch(near) is not None
                such = f"write {{{{{near}}}}}" if fine else "such as {{repository}}"
                message = f"the variable {name.strip()[:40]!r} must be a lower-case name; {such}"
                mended = prompt.replace(f"{{{{{name}}}}}", f"{{{{{near}}}}}") if fine else None
                yield book.wrong(field, message).mended("write", mended)
        if "{{" in VARIABLE.sub("", prompt):
            yield book.wrong(field, "a `{{` is not closed by `}}`; write variables as {{name}}")


def inputs_of(book: Playbook) -> tuple[str, ...]:
    """The variables of all its prompts, each once, in the order of their first use."""
    return variables_in(book.prompt, *(variant.prompt for variant in book.variants))


def variables_in(*prompts: str) -> tuple[str, ...]:
    """The variables of these prompts, each once, in the order of their first use."""
    return tuple(dict.fromkeys(name for text in prompts for name in VARIABLE.findall(text)))


def inputs_stand_in_a_prompt(book: Playbook) -> Iterator[Problem]:
    """Each of `inputs` is a {{variable}} of a prompt, and is explained once."""
    used = inputs_of(book)
    names = [item.name for item in book.inputs]
    for index, name in enumerate(names):
        if name not in used:
            end = did_you_mean(name, used, "; remove it")
            yield book.wrong(f"inputs.{index}.name", f"no prompt has {{{{{name}}}}}{end}")
        if name in names[:index]:
            yield book.wrong(f"inputs.{index}.name", f"{name!r} is explained already; keep one")


def _doubled(prompt: str) -> str | None:
    """The prompt with two braces about each input; None where code in it holds such braces too."""
    return None if _CODE.search(prompt) else _SINGLE.sub(r"{{\1}}", prompt)
