"""The commands `new` and `init`: a file as a record begins, asked for on a terminal, and a library of one's own."""

import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from enum import Enum
from pathlib import Path
from typing import Any

import click
from pydantic.fields import FieldInfo

from ..options import CONTENT, content_option, today_option
from ..problems import Problem, UsageError, printable
from ..records.drafts import DRAFT, place_for, skeleton, unwritten
from ..records.fields import SLUG, is_list, models_in, types_in
from ..records.models import Filed
from ..records.naming import EDITED, MAX_SLUG, name_problem, slug_of
from ..records.schemas import FOLDER, NAMED, OPEN, keep_schemas, names_of, write_schemas
from ..records.validating import validate
from ..reports import as_text, below
from .formatting import canonical, changed
from .loading import FOLDERS, Reading, read_bytes

KINDS: Mapping[str, type[Filed]] = {folder.removesuffix("s"): FOLDERS[folder] for folder in EDITED}
"""What can be begun, each with its model."""
LATER = frozenset({"updated", "status", "status_reason", "replaced_by", "aliases", "wanted"})
"""Fields that nobody fills in when a record begins."""
INCOMING = {"lesson": ("playbooks", "sources"), "playbook": ("essence", "inputs", "no_trial")}
"""Fields that a library can do without, and what comes into it cannot (`rules.checks.merging`)."""

TypedValue = str | list[str]


def parts_of(answer: TypedValue) -> list[str]:
    """The texts of an answer, one or several."""
    return answer if isinstance(answer, list) else [answer]


def fields_of(kind: str) -> dict[str, FieldInfo]:
    """The fields that words can fill; a list of records, such as the steps, is written in the file."""
    fields = KINDS[kind].model_fields
    return {name: info for name, info in fields.items() if name not in LATER and not models_in(info.annotation)}


def naming_field(kind: str) -> str:
    """The field that the file of such a record is called after."""
    return next(name for name in ("title", "name") if name in KINDS[kind].model_fields)


def words_of(info: FieldInfo) -> list[str]:
    """The words that a field may hold, where there are only some."""
    enums = [kind for kind in types_in(info.annotation) if issubclass(kind, Enum)]
    return [str(item.value) for item in enums[0]] if enums else []


@dataclass(frozen=True)
class Start:
    """A record of one kind that begins in the content of one library."""

    content: Path
    kind: str
    today: date

    def choices(self, field: str) -> list[str]:
        """The names that a field may hold, in order; empty where it holds other words."""
        return names_of(self.content, NAMED[field]) if field in NAMED else []

    def refusal(self, field: str, answer: TypedValue) -> str:
        """Why a field cannot hold this; empty where it can."""
        if field in NAMED and NAMED[field] not in OPEN:
            known = self.choices(field)
            unknown = [name for name in parts_of(answer) if name not in known]
            return "; ".join(self._missing(NAMED[field], name, known) for name in unknown)
        found = validate(KINDS[self.kind], {field: answer}, "")
        for problem in found if isinstance(found, list) else ():
            if problem.pointer[0] == field:
                return problem.message
        return ""

    def _missing(self, what: str, name: str, known: Sequence[str]) -> str:
        """That a name is of nothing, which names are near, and what makes it."""
        kind = "category" if what == "categories" else what.removesuffix("s")
        near = get_close_matches(slug_of(name, name), known, n=3, cutoff=0.4)
        told = f"there is no {kind} {name!r}"
        if near:
            told += f"; the nearest {'is' if len(near) == 1 else 'are'} {', '.join(near)}"
        if kind not in KINDS:
            return f"{told}; known are {', '.join(known)}; {what}.yaml has room for more"
        words = name.replace("-", " ").capitalize() if SLUG.fullmatch(name) else name
        return f"{told}; to make it: {command_of(kind, self.content, {naming_field(kind): words})}"

    def file_of(self, name: str, slug: str | None = None) -> str:
        """The file of a record with this title or name.

        Raises `UsageError` where that name is none, or taken.
        """
        slug = slug or slug_of(name, "")
        if not slug:
            raise UsageError(f"no slug can be made of {name!r}; name one with --slug, such as fix-flaky-tests")
        if len(slug) > MAX_SLUG or not SLUG.fullmatch(slug):
            why = f"must be 1-{MAX_SLUG} of a-z, 0-9 and single hyphens between them, such as fix-flaky-tests"
            raise UsageError(f"--slug: {why}")
        file = f"{self.kind}s/{slug}.yaml"
        if problem := name_problem(file):
            raise UsageError(f"{problem.file}: {problem.message}")
        if (self.content / file).exists() or (self.content / file).is_symlink():
            raise UsageError(f"{self.content / file} is there already; mend it, or name another with --slug")
        return file

    def body(self, file: str, answers: Mapping[str, TypedValue]) -> bytes:
        """The file that the record begins as: the answers, and a place for each thing that it needs beside them.

        With such a place in it, it is a draft.
        """
        model = KINDS[self.kind]
        values: dict[str, Any] = {**skeleton(model), **answers}
        if "updated" in model.model_fields:
            values["updated"] = self.today.isoformat()
        if answers.get("risk") == "high" and not answers.get("human_checkpoints"):
            values["human_checkpoints"] = place_for(model.model_fields["human_checkpoints"])
        for name in INCOMING.get(self.kind, ()):
            values[name] = answers.get(name) or place_for(model.model_fields[name])
        if any(unwritten(values, file)):
            values["status"] = DRAFT
        order = dict.fromkeys((*model.model_fields, "status"))
        return canonical({name: values[name] for name in order if values.get(name)}, file)

    def write(self, file: str, body: bytes) -> list[Problem]:
        """Write the file, which must not be there: what is still wrong with it. Raises `OSError`."""
        path = self.content / file
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as out:
            out.write(body)
        reading: Reading = read_bytes(body, file, self.today, for_merge=True)
        return [*reading.problems, *reading.left]


def command_of(kind: str, content: Path, answers: Mapping[str, TypedValue]) -> str:
    """The command that begins a record with these answers, as a shell takes it."""
    words = ["playbooks", "new", kind]
    for name, answer in answers.items():
        listed = [",".join(answer)] if isinstance(answer, list) and name in NAMED else parts_of(answer)
        words += [word for part in listed if part for word in (f"--{name.replace('_', '-')}", part)]
    words += [] if content == CONTENT else ["--content", str(content)]
    return printable(shlex.join(words))


def refusals(start: Start, answers: Mapping[str, TypedValue]) -> Sequence[str]:
    """All that is wrong with the answers, each with its option."""
    found = ((name, start.refusal(name, answer)) for name, answer in answers.items())
    return [f"--{name.replace('_', '-')}: {message}" for name, message in found if message]


FILE_NAME = "slug"
"""Kept with the answers, though it is no field: the file's name, where it is not made of the title."""
SHOWN = 12
"""So many choices stand in the question; of more, a part is asked for."""


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
    fields = fields_of(kind)

    def run(content: Path, slug: str | None, today: date, **given: Any) -> None:
        answers = {name: _answer(name, value) for name, value in given.items() if value}
        begin(Start(content, kind, today), answers, slug, ask=sys.stdin.isatty())

    options: list[click.Parameter] = [_option(name, info) for name, info in fields.items()]
    options.append(click.Option(["--slug"], help="The file's name; else made of the title."))
    name = naming_field(kind)
    begins, example = f"Begin {'an' if kind == 'agent' else 'a'} {kind}.", f"playbooks new {kind} --{name} '…'"
    command = click.Command(kind, params=options, callback=run, help=begins, epilog=f"Example: {example}")
    decorated: click.Command = today_option(content_option(command))
    return decorated


def _answer(name: str, given: str | Sequence[str]) -> TypedValue:
    """What an option was given, once or more; names may have commas between them, which texts hold themselves."""
    if isinstance(given, str) or name not in NAMED:
        return given if isinstance(given, str) else list(given)
    return [part.strip() for text in given for part in text.split(",") if part.strip()]


def _option(name: str, info: FieldInfo) -> click.Option:
    words = words_of(info)
    kind = click.Choice(words) if words else click.STRING
    more = " Several with commas between them." if name in NAMED else " Once for each."
    told = (info.description or "") + (more if is_list(info) else "")
    return click.Option([f"--{name.replace('_', '-')}", name], type=kind, multiple=is_list(info), help=told)


def begin(start: Start, given: Mapping[str, TypedValue], slug: str | None, *, ask: bool) -> None:
    """Write the file of a new record. Raises `UsageError` with all that is wrong with what was given."""
    if not start.content.is_dir():
        raise UsageError(f"there is no content folder at {start.content}; name one with --content DIR")
    if wrong := refusals(start, given):
        raise UsageError("\n".join(wrong))
    name = naming_field(start.kind)
    if name not in given and not ask:
        raise UsageError(f"say at least --{name}; everything else can be written in the file")
    answers = {**given, **({FILE_NAME: slug} if slug else {})}
    try:
        file = _filled(start, answers, ask=ask)
    except click.Abort:
        if any(answers.values()):
            command = command_of(start.kind, start.content, answers)
            click.echo(f"\nTo go on with these answers:\n  {command}", err=True)
        raise
    body = start.body(file, {field: answer for field, answer in answers.items() if answer})
    problems = start.write(file, body)
    keep_schemas(start.content)
    click.echo(f"wrote {printable(str(start.content / file))}")
    if problems:
        click.echo(as_text(below(start.content, problems)))


def _filled(start: Start, answers: dict[str, TypedValue], *, ask: bool) -> str:
    """The record's file. On a terminal, what is needed and not among the answers yet is asked for and put there."""
    fields, name = fields_of(start.kind), naming_field(start.kind)
    if name not in answers:
        answers[name] = asked(start, name, fields[name])
    file = _file(start, str(answers[name]), answers, ask=ask)
    for field, info in fields.items() if ask else ():
        if field not in answers and info.is_required() and field != "prompt":
            answers[field] = asked(start, field, info)
    return file


def _file(start: Start, name: str, answers: dict[str, TypedValue], *, ask: bool) -> str:
    """The record's file. On a terminal its slug is asked for where none can be made of the name, or it is taken."""
    given = FILE_NAME in answers
    while True:
        try:
            return start.file_of(name, str(answers.get(FILE_NAME, "")))
        except UsageError as error:
            if given or not ask:
                raise
            answers.pop(FILE_NAME, None)
            click.echo(f"Error: {error}", err=True)
        answers[FILE_NAME] = click.prompt("slug: the file's name", err=True).strip()


def asked(start: Start, field: str, info: FieldInfo) -> TypedValue:
    """An answer that fits; Enter leaves a place to write it later, but for the name. `?` shows all choices."""
    choices = words_of(info) or start.choices(field)
    needed = field == naming_field(start.kind)
    question = _question(field, info, choices, needed=needed)
    while True:
        text = click.prompt(question, default=None if needed else "", show_default=False, err=True).strip()
        if text == "?" and choices:
            click.echo(click.wrap_text(", ".join(choices)), err=True)
        elif not text:
            if not needed:
                return ""
            click.echo("Error: it is needed", err=True)
        else:
            answer, told = _taken(start, field, info, text, choices)
            if told:
                click.echo(f"Error: {told}", err=True)
                continue
            if choices and text != (shown := ", ".join(parts_of(answer))):
                click.echo(f"{field.replace('_', ' ')}: {shown}", err=True)
            return answer


def _question(field: str, info: FieldInfo, choices: list[str], *, needed: bool) -> str:
    shown = f" [{', '.join(choices)}]" if 0 < len(choices) <= SHOWN else ""
    many = f" ({len(choices)} are there: type a part of one, or ? for all)" if len(choices) > SHOWN else ""
    several = ", several with commas between them" if is_list(info) else ""
    later = "" if needed else " (Enter: later)"
    return f"{field.replace('_', ' ')}: {(info.description or '').rstrip('.')}{shown}{many}{several}{later}"


def _taken(start: Start, field: str, info: FieldInfo, text: str, choices: list[str]) -> tuple[TypedValue, str]:
    """The answer with each part of a name filled up to the one name that it is in, and why it does not do."""
    parts = [part.strip() for part in text.split(",") if part.strip()] if is_list(info) else [text]
    found = [matching(part, choices) for part in parts]
    for part, names in zip(parts, found, strict=True):
        if len(names) > 1:
            return "", f"{part!r} is in several, say more of one: {', '.join(names)}"
    taken = [names[0] if names else part for part, names in zip(parts, found, strict=True)]
    answer: TypedValue = taken if is_list(info) else taken[0]
    return answer, start.refusal(field, answer)


def matching(part: str, choices: list[str]) -> list[str]:
    """The choice that this is, else all that hold each of its words."""
    spelt = slug_of(part, part)
    if exact := [choice for choice in choices if choice in (part, spelt)]:
        return exact
    words = part.casefold().replace("-", " ").split()
    return [choice for choice in choices if all(word in choice for word in words)]


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
