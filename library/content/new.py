"""The commands `new` and `init`: a file as a record begins, asked for on a terminal, and a library of one's own."""

import sys
from collections.abc import Mapping, Sequence
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click
from pydantic.fields import FieldInfo

from ..options import content_option, today_option
from ..problems import UsageError, printable
from ..records.fields import SLUG, is_list, models_in, words_of
from ..records.models import Filed
from ..records.naming import EDITED, MAX_SLUG, name_problem, slug_of
from ..records.schemas import FOLDER, NAMED, OPEN, keep_schemas, names_of, write_schemas
from ..records.validating import DRAFT, place_for, skeleton, unwritten, validate
from ..reports import as_text, below
from .formatting import canonical, changed
from .loading import FOLDERS, read_bytes

KINDS: Mapping[str, type[Filed]] = {folder.removesuffix("s"): FOLDERS[folder] for folder in EDITED}
"""What can be begun, each with its model."""
LATER = frozenset({"updated", "status", "status_reason", "replaced_by", "aliases", "wanted", "requests"})
"""Fields that nobody fills in when a record begins."""
INCOMING = {"lesson": ("playbooks", "sources"), "playbook": ("essence", "inputs", "no_trial")}
"""Fields that a library can do without, and what comes into it cannot (`rules.checks.merging`)."""
TypedValue = str | list[str]


def fields_of(kind: str) -> dict[str, FieldInfo]:
    """The fields that words can fill; a list of records, such as the steps, is written in the file."""
    fields = KINDS[kind].model_fields
    return {name: info for name, info in fields.items() if name not in LATER and not models_in(info.annotation)}


def naming_field(kind: str) -> str:
    """The field that the file of such a record is called after."""
    return next(name for name in ("title", "name") if name in KINDS[kind].model_fields)


SHOWN = 12  # so many choices stand in a question; of an unknown one the nearest are told


def refusal(content: Path, kind: str, field: str, answer: TypedValue) -> str:
    """Why a field cannot hold this; empty where it can."""
    what = NAMED.get(field)
    if what and what not in OPEN:
        known = names_of(content, what)
        unknown = [name for name in ([answer] if isinstance(answer, str) else answer) if name not in known]
        return "; ".join(_unknown(what, name, known) for name in unknown)
    found = validate(KINDS[kind], {field: answer}, "")
    problems = found if isinstance(found, list) else []
    return next((problem.message for problem in problems if problem.pointer[0] == field), "")


def _unknown(what: str, name: str, known: Sequence[str]) -> str:
    """That a name is of nothing, which names are near, and what makes it."""
    kind = "category" if what == "categories" else what.removesuffix("s")
    near = get_close_matches(slug_of(name, name), known, n=3, cutoff=0.4)
    nearest = f"; the nearest {'is' if len(near) == 1 else 'are'} {', '.join(near)}" if near else ""
    mend = f"to make it: playbooks new {kind}"
    if kind not in KINDS:
        mend = f"known are {', '.join(known)}; {what}.yaml has room for more"
    return f"there is no {kind} {name!r}{nearest}; {mend}"


def file_of(content: Path, kind: str, name: str, slug: str | None = None) -> str:
    """The file of a record with this title or name. Raises `UsageError` where that name is none, or taken."""
    slug = slug or slug_of(name, "")
    if not slug:
        raise UsageError(f"no slug can be made of {name!r}; name one with --slug, such as fix-flaky-tests")
    if len(slug) > MAX_SLUG or not SLUG.fullmatch(slug):
        why = f"must be 1-{MAX_SLUG} of a-z, 0-9 and single hyphens between them, such as fix-flaky-tests"
        raise UsageError(f"--slug: {why}")
    file = f"{kind}s/{slug}.yaml"
    if problem := name_problem(file):
        raise UsageError(f"{problem.file}: {problem.message}")
    if (content / file).exists() or (content / file).is_symlink():
        raise UsageError(f"{content / file} is there already; mend it, or name another with --slug")
    return file


def body(kind: str, file: str, answers: Mapping[str, TypedValue], today: date) -> bytes:
    """The file that a record begins as: the answers, and a place for each thing that it needs beside them.

    With such a place in it, it is a draft.
    """
    model = KINDS[kind]
    values: dict[str, Any] = {**skeleton(model), **{field: answer for field, answer in answers.items() if answer}}
    if "updated" in model.model_fields:
        values["updated"] = today.isoformat()
    if answers.get("risk") == "high" and not answers.get("human_checkpoints"):
        values["human_checkpoints"] = place_for(model.model_fields["human_checkpoints"])
    for name in INCOMING.get(kind, ()):
        values[name] = answers.get(name) or place_for(model.model_fields[name])
    if any(unwritten(values, file)):
        values["status"] = DRAFT
    order = dict.fromkeys((*model.model_fields, "status"))
    return canonical({name: values[name] for name in order if values.get(name)}, file)


@click.group(invoke_without_command=True, epilog="Example: playbooks new lesson --title 'The runner hangs at a prompt'")
@click.pass_context
def new(context: click.Context) -> None:
    """Begin a playbook, lesson, agent or task: a file in the canonical form, with a place for each thing to write.

    Asks on a terminal for what no option gave. What is still to be written is named, and keeps it a draft.
    """
    if context.invoked_subcommand is None:
        if not sys.stdin.isatty():
            raise UsageError(f"say what begins: playbooks new {'|'.join(KINDS)}")
        kind = click.prompt("What begins", type=click.Choice(list(KINDS)), err=True)
        context.invoke(new.commands[kind])


def _command(kind: str) -> click.Command:
    def run(content: Path, slug: str | None, today: date, **given: Any) -> None:
        answers = {name: _answer(name, value) for name, value in given.items() if value}
        begin(content, kind, today, answers, slug, ask=sys.stdin.isatty())

    options: list[click.Parameter] = [_option(name, info) for name, info in fields_of(kind).items()]
    options.append(click.Option(["--slug"], help="The file's name; else made of the title."))
    begins = f"Begin {'an' if kind == 'agent' else 'a'} {kind}."
    example = f"Example: playbooks new {kind} --{naming_field(kind)} '…'"
    command = click.Command(kind, params=options, callback=run, help=begins, epilog=example)
    decorated: click.Command = today_option(content_option(command))
    return decorated


def _answer(name: str, given: str | Sequence[str]) -> TypedValue:
    """What an option was given, once or more; names may have commas between them, which texts hold themselves."""
    if isinstance(given, str) or name not in NAMED:
        return given if isinstance(given, str) else list(given)
    return _parts(",".join(given))


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _option(name: str, info: FieldInfo) -> click.Option:
    words = words_of(info)
    kind = click.Choice(words) if words else click.STRING
    more = " Several with commas between them." if name in NAMED else " Once for each."
    told = (info.description or "") + (more if is_list(info) else "")
    return click.Option([f"--{name.replace('_', '-')}", name], type=kind, multiple=is_list(info), help=told)


def begin(
    content: Path, kind: str, today: date, given: Mapping[str, TypedValue], slug: str | None, *, ask: bool
) -> None:
    """Write the file of a new record. Raises `UsageError` with all that is wrong with what was given."""
    if not content.is_dir():
        raise UsageError(f"there is no content folder at {content}; name one with --content DIR")
    found = ((name, refusal(content, kind, name, answer)) for name, answer in given.items())
    if wrong := [f"--{name.replace('_', '-')}: {message}" for name, message in found if message]:
        raise UsageError("\n".join(wrong))
    fields, name, answers = fields_of(kind), naming_field(kind), dict(given)
    if name not in answers:
        if not ask:
            raise UsageError(f"say at least --{name}; everything else can be written in the file")
        answers[name] = asked(content, kind, name)
    file = file_of(content, kind, str(answers[name]), slug)
    for field, info in fields.items() if ask else ():
        if field not in answers and info.is_required() and field != "prompt":
            answers[field] = asked(content, kind, field)
    path, raw = content / file, body(kind, file, answers, today)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as out:
        out.write(raw)
    keep_schemas(content)
    click.echo(f"wrote {printable(str(path))}")
    reading = read_bytes(raw, file, today, for_merge=True)
    if problems := [*reading.problems, *reading.left]:
        click.echo(as_text(below(content, problems)))


def asked(content: Path, kind: str, field: str) -> TypedValue:
    """An answer that fits; Enter leaves a place to write it later, but for the name."""
    info, needed = fields_of(kind)[field], field == naming_field(kind)

    def taken(text: str) -> TypedValue:
        answer: TypedValue = _parts(text) if is_list(info) else text.strip()
        if needed and not answer:
            raise click.BadParameter("it is needed")
        if answer and (told := refusal(content, kind, field, answer)):
            raise click.BadParameter(told)
        return answer

    choices = words_of(info) or (names_of(content, NAMED[field]) if field in NAMED else [])
    shown = f" [{', '.join(choices)}]" if 0 < len(choices) <= SHOWN else ""
    several = ", several with commas between them" if is_list(info) else ""
    later = "" if needed else " (Enter: later)"
    question = f"{field.replace('_', ' ')}: {(info.description or '').rstrip('.')}{shown}{several}{later}"
    answer: TypedValue = click.prompt(
        question, default=None if needed else "", show_default=False, err=True, value_proc=taken
    )
    return answer


for _kind in KINDS:
    new.add_command(_command(_kind))


STARTER = Path(__file__).resolve().parents[1] / "starter"
_HIDDEN = {"gitignore": ".gitignore", "vscode": ".vscode", "workflows": ".github/workflows"}
"""What would be hidden in the starter too, and is therefore called otherwise there."""


@click.command(epilog="Example: playbooks init my-library")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--title", help="What the library is called.")
@click.option("--site-url", help="The address that it will have.")
@today_option
def init(folder: Path, title: str | None, site_url: str | None, today: date) -> None:
    """Start an empty library in FOLDER, with one example that shows the form. FOLDER must be empty or not there."""
    contact = f"{site_url.rstrip('/')}/docs/takedown/" if site_url else None
    given = {"title": title, "site_url": site_url, "contact": contact}
    files = starter_files({name: value for name, value in given.items() if value}, today)
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise UsageError(f"{folder} is there and is not empty; name another folder, or empty it")
    for name, body in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    write_schemas(folder / FOLDER, folder / "content")
    click.echo(f"{printable(str(folder))}: a library with one example; next: cd there and run playbooks serve --watch")


def starter_files(settings: dict[str, str], today: date) -> dict[str, bytes]:
    """The files of a new library by their paths; `settings` go into `site.yaml`, the day into the example.

    Raises `UsageError` for settings that `site.yaml` cannot hold.
    """
    files: dict[str, bytes] = {}
    for path in sorted(path for path in STARTER.rglob("*") if path.is_file()):
        first, *rest = path.relative_to(STARTER).parts
        file, body = "/".join(rest), path.read_bytes()
        if first == "content":
            dated = {"updated": today.isoformat()} if rest[0] in ("playbooks", "lessons") else {}
            result = changed(body, file, fields=settings if file == "site.yaml" else dated)
            problems = result if isinstance(result, list) else read_bytes(result, file, today).problems
            if isinstance(result, list) or problems:
                raise UsageError("\n".join(f"{problem.field}: {problem.message}" for problem in problems))
            body = result
        files["/".join([_HIDDEN.get(first, first), *rest])] = body
    return files
