"""The commands `search` and `find`: the same answers as the service's, from a site on this disk."""

import sys
from pathlib import Path
from typing import Any

import click

from ..problems import UsageError, printable
from ..records.vocabulary import ResultType, Trust
from ..search.index import IndexUnusable, matching
from ..search.query import DEFAULT_LIMIT, MAX_LIMIT, Question, SearchEngine
from . import finding
from .answers import Index, PlaybookAnswer


def _site_here() -> Path:
    """The site of `playbooks build` here, or that of `playbooks serve` where there is only this."""
    built, served = Path("site"), Path(".cache/serve")
    return served if served.exists() and not built.exists() else built


out_option = click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=_site_here,
    show_default="site, else .cache/serve",
    help="The built site.",
)


@click.command(epilog="Example: playbooks search my tests fail only sometimes")
@click.argument("words", nargs=-1)
@click.option("--query", help="Only what fits a query in Whoosh's language: title:flaky AND category:software.")
@click.option("--type", type=click.Choice([str(kind) for kind in ResultType]), help="Only this kind of record.")
@click.option("--agent", help="Only what names this agent, by its slug, or is for any.")
@click.option("--category", help="Only this category: its slug.")
@click.option(
    "--min-trust", type=click.Choice([str(level) for level in Trust]), help="Only playbooks at this level or above."
)
@click.option("--proven", is_flag=True, help="Only playbooks whose checks are proven.")
@click.option("--limit", type=click.IntRange(1, MAX_LIMIT), default=DEFAULT_LIMIT, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="As `GET /search` answers.")
@out_option
def search(words: tuple[str, ...], query: str | None, out: Path, *, as_json: bool, **asked: Any) -> None:
    """Find playbooks, lessons, agents and jobs in a built site, in plain words."""
    engine = _engine(out)
    only, told = matching(out.resolve().parent, query) if query else (None, [])
    text = " ".join(words or dict.fromkeys(told)).strip()
    if not text:
        raise UsageError("say what to look for")
    kind, floor = asked.pop("type"), asked.pop("min_trust")
    asked |= {"type": ResultType(kind) if kind else None, "min_trust": Trust(floor) if floor else None}
    answer = engine.answer(Question(text, only=None if only is None else frozenset(only), **asked))
    for line in [answer.json_bytes().decode()] if as_json else finding.hits_in_words(answer.model_dump(mode="json")):
        click.echo(line if as_json else printable(line))


@click.command(epilog="Example: playbooks find my tests fail only sometimes --agent claude-code")
@click.argument("task", nargs=-1, required=True)
@click.option("--agent", default="", help="The agent that will do it, for its variant of the prompt.")
@click.option("--json", "as_json", is_flag=True, help="As `GET /find` answers.")
@out_option
def find(task: tuple[str, ...], agent: str, *, as_json: bool, out: Path) -> None:
    """Find the one playbook for a task, ready to use; `-` reads the task from standard input."""
    text = (sys.stdin.read() if task == ("-",) else " ".join(task)).strip()
    if not text:
        raise UsageError("say what is to be done")
    engine, api = _engine(out), out / "api/v1"
    question = Question(text, ResultType.PLAYBOOK, limit=finding.NEAREST + 1)
    hits = engine.answer(question).model_dump(mode="json")
    slug = finding.best(hits)
    book = PlaybookAnswer.model_validate_json((api / f"playbooks/{slug}.json").read_bytes()) if slug else None
    top = Index.model_validate_json((api / "index.json").read_bytes()).links["playbooks"].partition("/api/v1/")[0]
    answer = finding.answer_to(text, agent, hits, book, top, lambda slug: (api / f"agents/{slug}.json").exists())
    for line in [answer.json_bytes().decode()] if as_json else finding.words(answer).splitlines():
        click.echo(line if as_json else printable(line))


def _engine(out: Path) -> SearchEngine:
    """The engine of the build that `out` links to. Raises `UsageError` that says what to do."""
    try:
        return SearchEngine(out.resolve().parent)
    except IndexUnusable as error:
        damaged = str(error) if (out.resolve().parent / "index").exists() else ""
        none = f"there is no site to search at {out}; run `playbooks build`, or name one by --out"
        raise UsageError(damaged or none) from error
