"""A new record: what it may be given, whether an answer fits, and the file that it begins as."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from enum import Enum
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo

from ..options import CONTENT
from ..problems import Problem, UsageError, printable
from ..records.drafts import DRAFT
from ..records.fields import SLUG, models_in, types_in
from ..records.models import Filed
from ..records.names import NAMED, OPEN, names_of
from ..records.naming import EDITED, MAX_SLUG, name_problem, slug_of
from ..records.unwritten import place_for, skeleton, unwritten
from ..records.validating import validate
from .formatting import canonical
from .loading import FOLDERS, Reading, read_bytes

KINDS: Mapping[str, type[Filed]] = {folder.removesuffix("s"): FOLDERS[folder] for folder in EDITED}
"""What can be begun, each with its model."""
LATER = frozenset({"updated", "status", "status_reason", "replaced_by", "aliases", "wanted", "no_trial"})
"""Fields that nobody fills in when a record begins."""
INCOMING = {"lesson": ("playbooks", "sources"), "playbook": ("essence", "inputs")}
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
