"""A new record: what it may be given, whether an answer fits, and the file that it begins as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from .fields import SLUG
from .formatting import canonical
from .loading import FOLDERS, Reading, read, read_bytes
from .models import Categories, Filed
from .naming import EDITED, MAX_SLUG, name_problem, slug_of
from .problems import Problem, UsageError
from .unwritten import place_of, skeleton
from .validating import validate

KINDS: Mapping[str, type[Filed]] = {folder.removesuffix("s"): FOLDERS[folder] for folder in EDITED}
"""What can be begun, each with its model."""
LATER = frozenset({"updated", "status", "status_reason", "replaced_by", "aliases", "wanted"})
"""Fields that nobody fills in when a record begins."""
_PLACES = {"task": "tasks", "agents": "agents", "playbooks": "playbooks", "related": "playbooks"}
"""Fields that name other records, with the folder of these."""

Answer = str | list[str]


def fields_of(kind: str) -> dict[str, FieldInfo]:
    """The fields that words can fill; a list of records, such as the steps, is written in the file."""
    fields = KINDS[kind].model_fields
    return {name: info for name, info in fields.items() if name not in LATER and not _holds_records(info.annotation)}


def is_list(info: FieldInfo) -> bool:
    """Whether a field holds several texts."""
    return Ellipsis in get_args(info.annotation)


def words_of(info: FieldInfo) -> list[str]:
    """The words that a field may hold, where there are only some."""
    kinds = get_args(info.annotation) if get_origin(info.annotation) in (Union, UnionType) else (info.annotation,)
    enums = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Enum)]
    return [str(item.value) for item in enums[0]] if enums else []


def _holds_records(annotation: object) -> bool:
    inner = get_args(annotation)
    return bool(inner) and isinstance(inner[0], type) and issubclass(inner[0], BaseModel)


@dataclass(frozen=True)
class Start:
    """A record of one kind that begins in the content of one library."""

    content: Path
    kind: str
    today: date

    def known(self, field: str) -> list[str]:
        """The records that a field may name, in order; empty where it names none."""
        if field == "category":
            found = read(self.content, "categories.yaml", self.today).record
            return [item.slug for item in found.categories] if isinstance(found, Categories) else []
        folder = _PLACES.get(field)
        return sorted(path.stem for path in (self.content / folder).glob("*.yaml")) if folder else []

    def refusal(self, field: str, answer: Answer) -> str:
        """Why a field cannot hold this; empty where it can."""
        found = validate(KINDS[self.kind], {field: answer}, "")
        for problem in found if isinstance(found, list) else ():
            if problem.pointer[0] == field:
                return problem.message
        known = self.known(field)
        for slug in (
            (answer if isinstance(answer, list) else [answer]) if known or field in (*_PLACES, "category") else ()
        ):
            if slug not in known:
                near = get_close_matches(slug, known, n=3, cutoff=0.4) or known[:12]
                return (
                    f"there is no {slug!r}; {'known are' if near else 'none is there yet'} {', '.join(near)}".rstrip()
                )
        return ""

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

    def body(self, file: str, answers: Mapping[str, Answer]) -> bytes:
        """The file that the record begins as: the answers, and a place for each thing that it needs beside them."""
        model = KINDS[self.kind]
        values: dict[str, Any] = {**skeleton(model), **answers}
        if "updated" in model.model_fields:
            values["updated"] = self.today.isoformat()
        if answers.get("risk") == "high" and not answers.get("human_checkpoints"):
            values["human_checkpoints"] = [place_of(model.model_fields["human_checkpoints"].description)]
        return canonical({name: values[name] for name in model.model_fields if values.get(name)}, file)

    def write(self, file: str, body: bytes) -> list[Problem]:
        """Write the file, which must not be there: what is still wrong with it. Raises `OSError`."""
        path = self.content / file
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as out:
            out.write(body)
        reading: Reading = read_bytes(body, file, self.today, for_merge=True)
        return reading.problems


def refusals(start: Start, answers: Mapping[str, Answer]) -> Sequence[str]:
    """All that is wrong with the answers, each with its option."""
    found = ((name, start.refusal(name, answer)) for name, answer in answers.items())
    return [f"--{name.replace('_', '-')}: {message}" for name, message in found if message]
