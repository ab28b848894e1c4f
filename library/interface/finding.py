"""What is answered to a pasted task: the one playbook for it, short enough to be read, or the nearest. Pure."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil
from typing import Annotated, Any, Literal

import orjson
from pydantic import Field

from ..records.fields import must, optional
from ..records.naming import slug_of
from ..records.vocabulary import Match, Status
from .answers import Answer, FailureAnswer, PlaybookAnswer
from .intake import Intake, WhoOrWhich

BUDGET = 1_200  # so many tokens an answer has at most
NEAREST = 3
ASK_FIRST = (
    "Ask the user before any step that spends money, sends messages, submits forms, deletes data or changes access."
)
OUTCOMES = "worked, worked_with_changes or failed"
_BYTES = 3.8  # a token of such texts has more bytes than that, on the average of each text: measured with o200k


class FindTask(Intake):
    """A task to find the playbook for; it may be pasted whole."""

    task: Annotated[str, must("missing", str.strip, "say what job you want to get done")] = Field(
        description="The task, log or mail as it is, or the job in a sentence; 8,000 characters are read."
    )
    agent: WhoOrWhich | None = optional("The agent that will do it, for its variant of the prompt.")


class NearPlaybook(Answer):
    """A playbook that is near, in a line."""

    slug: str
    title: str
    summary: str | None = optional()


class AskedInput(Answer):
    """What stands for a variable of the prompt."""

    name: str
    meaning: str
    example: str | None = optional()
    default: str | None = optional()
    secret: bool | None = optional()


class ReadyCall(Answer):
    """A call that is ready but for what only its caller knows: over MCP of the tool, over HTTP a POST of the same."""

    tool: Literal["report_run", "submit"]
    url: str
    arguments: dict[str, str]
    still: tuple[str, ...] = Field(description="what its caller has to add")


class FindAnswer(Answer):
    """The playbook for a task, as far as it is needed to begin; or, where nothing fits, the nearest."""

    fits: bool
    slug: str | None = optional()
    title: str | None = optional()
    version: str | None = optional()
    verdict: str | None = optional()
    url: str | None = optional()
    agent: str | None = optional("the agent that the prompt is a variant for; absent for the prompt for every agent")
    prompt: str | None = optional()
    inputs: tuple[AskedInput, ...] | None = optional()
    stops: tuple[str, ...] | None = optional()
    failures: tuple[FailureAnswer, ...] | None = optional()
    nearest: tuple[NearPlaybook, ...]
    then: ReadyCall
    notes: tuple[str, ...] | None = optional()


def tokens(text: str) -> int:
    """How many tokens a text has at most, by its length."""
    return ceil(len(text.encode()) / _BYTES)


UNSURE = "It is not sure that this one fits: see whether its title is your job, else take one of the nearest."
_AS_GOOD = 0.9  # what has so much of the score of the first may be what was meant as well


def best(answer: Mapping[str, Any]) -> str | None:
    """The slug of the playbook that fits, by the answer of a search; None where none does."""
    first = next(iter(answer["items"]), None)
    return str(first["slug"]) if first and answer.get("match") != Match.WEAK else None


def unknown(agent: str, agents: Callable[[str], bool]) -> tuple[str, ...]:
    """A sentence where an agent is named that the library does not know; `agents` says of a slug whether it does."""
    slug = slug_of(agent, "")
    if not agent.strip() or (slug and agents(slug)):
        return ()
    return (f"The library knows no agent named {line(agent)[:64]!r}; this is the prompt for any agent.",)


def answer_to(
    task: str,
    agent: str,
    hits: Mapping[str, Any],
    book: PlaybookAnswer | None,
    site_url: str,
    agents: Callable[[str], bool],
) -> FindAnswer:
    """The answer to a task: `hits` is what search says of it, `book` the playbook that is `best` there.

    Without one it names the nearest, and how to ask for it. `agents` says whether an agent of a slug is known.
    """
    if book is not None and book.status is Status.WITHDRAWN:
        book = None
    slug = book.slug if book else ""
    notes = tuple(hits.get("notes") or ())
    near = tuple(
        NearPlaybook(slug=hit["slug"], title=hit["title"], summary=None if book else line(hit["summary"]))
        for hit in [hit for hit in hits["items"] if hit["slug"] != slug][:NEAREST]
    )
    if book is None:
        sent = {"kind": "use_case", "title": line(task)[:120]}
        then = ReadyCall(tool="submit", url=f"{site_url}/api/v1/submissions", arguments=sent, still=("body",))
        return _fitted(FindAnswer(fits=False, nearest=near, then=then, notes=notes or None))
    wanted = slug_of(agent, "")
    variant = next((item for item in book.variants if item.agent == wanted), None)
    sent = {"playbook": slug, "playbook_version": book.version, **({"agent": wanted} if agent else {})}
    scores = [hit["score"] for hit in hits["items"][:2]]
    alike = len(scores) == 2 and _AS_GOOD * scores[0] <= scores[1] <= scores[0]
    still = ("outcome",) if agent else ("agent", "outcome")
    gone = f"{book.status.capitalize()}: {line(book.status_reason)} " if book.status_reason else ""
    answer = FindAnswer(
        fits=True,
        slug=slug,
        title=book.title,
        version=book.version,
        verdict=gone + book.verdict,
        url=book.url,
        agent=variant.agent if variant else None,
        prompt=variant.prompt if variant else book.prompt,
        inputs=tuple(map(AskedInput.model_validate, book.inputs)),
        stops=book.human_checkpoints,
        failures=book.failures[:2],
        nearest=near,
        then=ReadyCall(tool="report_run", url=book.report_url, arguments=sent, still=still),
        notes=(*notes, *unknown(agent, agents), *([UNSURE] if alike or not hits.get("match") else [])) or None,
    )
    return _fitted(answer)


def _fitted(answer: FindAnswer) -> FindAnswer:
    """The answer within the budget, in words and in JSON: what matters least goes first, never the prompt."""
    short = tuple(item.model_copy(update={"example": None}) for item in answer.inputs or ())
    failures = answer.failures or ()
    shorter: list[dict[str, Any]] = [{"inputs": short}, {"failures": failures[:1]}, {"failures": ()}, {"inputs": ()}]
    shorter.insert(len(shorter) if UNSURE in (answer.notes or ()) else 0, {"nearest": ()})
    for update in shorter:
        if max(tokens(words(answer)), tokens(answer.json_bytes().decode())) <= BUDGET:
            break
        answer = answer.model_copy(update=update)
    return answer


def words(answer: FindAnswer) -> str:
    """The answer in words, as markdown."""
    return "\n\n".join(part for part in _parts(answer) if part)


def _parts(answer: FindAnswer) -> Iterator[str]:
    near = [f"- `{item.slug}`: {item.title}" for item in answer.nearest]
    yield from answer.notes or ()
    if answer.prompt is None:
        yield "No playbook here fits this task."
        yield under("The nearest, to be read with get_playbook:", near)
        yield f"Ask the user whether to ask the library for one; then {call(answer.then)}, its `body` the job in words."
        return
    others, first = under("Not this job? Near are:", near), UNSURE in (answer.notes or ())
    yield others if first else ""
    yield f"# {answer.title}\n`{answer.slug}`, version {answer.version}. {answer.verdict}"
    yield f"## Prompt{f' for {answer.agent}' if answer.agent else ''}\n{fenced(answer.prompt)}"
    yield under("## Its inputs", [_input(item) for item in answer.inputs or ()])
    yield "\n".join([f"## Where to stop\n{ASK_FIRST}", *(f"- {line(stop)}" for stop in answer.stops or ())])
    yield under("## What goes wrong", [f"- {line(item.problem)} {line(item.fix)}" for item in answer.failures or ()])
    yield f"## Afterwards\nAsk the user whether to report how it went, {OUTCOMES}; then {call(answer.then)}"
    yield f"Steps with checks, further failures, evidence: get_playbook `{answer.slug}`, or {answer.url}"
    yield "" if first else others


def hits_in_words(answer: Mapping[str, Any]) -> list[str]:
    """What a search answered: a line that counts, then two for each hit."""
    hits = answer["items"]
    lines = [f"{answer['total']} found" + (f", the best {len(hits)}:" if hits else ""), *(answer.get("notes") or ())]
    if hits and answer.get("match") == Match.WEAK:
        lines.append("No close match: these hold some of the words.")
    if answer.get("suggestion"):
        lines.append(f"Did you mean: {answer['suggestion']}")
    for hit in hits:
        marks = [hit["type"], hit.get("trust"), hit.get("status"), "proven" if hit.get("proven") else None]
        lines += [f"- `{hit['slug']}`: {hit['title']} ({', '.join(filter(None, marks))})", f"  {line(hit['summary'])}"]
    return lines


def under(head: str, lines: Sequence[str]) -> str:
    """Lines below their head; nothing where there are none."""
    return "\n".join([head, *lines]) if lines else ""


def call(ready: ReadyCall) -> str:
    """A call in words."""
    whole = {**ready.arguments, **dict.fromkeys(ready.still, "…")}
    told = ", ".join(f'"{name}": "{value}"' for name, value in whole.items())
    return f"{ready.tool} {{{told}}}"


def _input(item: AskedInput) -> str:
    such = f" Such as {code(item.example)}." if item.example else ""
    default = f" Without one: {code(item.default)}." if item.default else ""
    secret = " A secret: name where it is kept, never paste it." if item.secret else ""
    return f"- `{{{{{item.name}}}}}`: {line(item.meaning)}{such}{default}{secret}"


def line(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())


def fenced(text: str) -> str:
    """A text as it stands, in a fence longer than any in it."""
    fence = "`" * max(3, _longest(text) + 1)
    return f"{fence}text\n{text.rstrip()}\n{fence}"


def code(text: str) -> str:
    """A text as a code span on one line, whatever stands in it."""
    longest = _longest(text)
    fence, space = "`" * (longest + 1), " " if longest else ""
    return f"{fence}{space}{line(text)}{space}{fence}"


def _longest(text: str) -> int:
    """How many backticks stand in a row at most."""
    return max(map(len, re.findall("`+", text)), default=0)


def quoted(text: str) -> str:
    """A text as a double-quoted YAML scalar without `---` in it: some readers look for the head's end by that alone."""
    escaped = orjson.dumps(text).decode()  # letters are left as they are, as YAML wants them
    if not escaped.isprintable():
        forms = ((letter, "\\u%04x" if ord(letter) < 0x10000 else "\\U%08x") for letter in escaped)
        escaped = "".join(letter if letter.isprintable() else form % ord(letter) for letter, form in forms)
    return escaped.replace("---", "-\\x2d-")
