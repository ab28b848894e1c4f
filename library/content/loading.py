"""A content folder to a `Library`, or to every problem in it. The only place that reads content from disk."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import orjson

from ..problems import (
    ContentError,
    Pointer,
    Problem,
    Severity,
    UsageError,
    as_errors,
    did_you_mean,
    in_order,
    printable,
    told_once,
)
from ..records import models, trials
from ..records.collection import Library, PlaybookEntry, assemble, entry, grouped
from ..records.fields import RESERVED_SLUGS, RUN_ID, SLUG, texts_of
from ..records.models import Filed, Playbook
from ..records.naming import slug_of
from ..records.trials import ProofRecord, SkillScript, TrialSpec
from ..records.validating import IN_JSON, MARK, is_draft, private_matter, typed_keys, unwritten, validate
from ..rules import checks
from ..rules.checks.across import sentences_are_our_own
from ..rules.checks.trials import TrialCase
from . import trialfiles
from .trialfiles import PROOF, SKILLS, TRIALS
from .yamlfile import MAX_BYTES, Value, decode, parse

FOLDERS: dict[str, type[Filed]] = {
    "playbooks": Playbook,
    "lessons": models.Lesson,
    "agents": models.Agent,
    "tasks": models.Task,
    "runs": models.Run,
    "trials": TrialSpec,
}
FILES: dict[str, type[Filed]] = {
    "site.yaml": models.Site,
    "categories.yaml": models.Categories,
    "synonyms.yaml": models.Synonyms,
    "models.yaml": models.AIModels,
}
_OF_A_PLAYBOOK = {
    TRIALS: "a trial lies in the folder of its playbook: trials/<playbook>/trial.yaml",
    "runs": "a run report lies in the folder of its playbook: runs/<playbook>/<id>.yaml",
}
REQUIRED = FILES.keys() - {"synonyms.yaml", "models.yaml"}
_PARTS = (models.MinuteRange, models.PromptInput, models.Tested, models.Usage, trials.Binding, trials.FirstSight)
TYPED = typed_keys(*FOLDERS.values(), *FILES.values(), *_PARTS)
_IGNORED = re.compile(r"\..*|.*~|__pycache__", re.DOTALL)
_SHIPPED = re.compile(rf"{SKILLS}/[^/]+/scripts/[A-Za-z0-9][A-Za-z0-9_-]{{0,40}}(?:\.[a-z]{{1,8}}){{1,2}}")
"""Where a script lies that travels with a skill, and what it is called."""
LARGEST_SCRIPT = 64 * 1024
_INNER = re.compile(f"runs/{SLUG.pattern}|{SKILLS}(/{SLUG.pattern}(/scripts)?)?")
"""A folder of the content that lies in one of `FOLDERS`, or belongs to the skills."""
Loaded = PlaybookEntry | Filed  # what stays in memory of one file: the whole record, of a playbook its entry


class SourceFile(NamedTuple):
    """One content file as the scan met it: its path relative to the content folder, and its stat."""

    file: str
    changed_ns: int
    size: int


@dataclass(slots=True)
class Reading:
    """What one file gave: the record (None when it cannot be used) and the problems within it.

    A draft gives no record, and as problems only what a draft may not have either; `left` is what has to be mended
    before it is published. `digest` differs when what was read does; it is empty where nothing could be read.
    """

    record: Filed | None
    problems: list[Problem] = field(default_factory=list)
    draft: bool = False
    left: list[Problem] = field(default_factory=list)
    digest: bytes = b""


def scan(content: Path) -> tuple[list[SourceFile], list[Problem]]:
    """All content files in order, and what lies in the folder that is not content."""
    if not content.is_dir():
        raise UsageError(f"there is no content folder at {content}; name one with --content DIR")
    met = list(_scan(str(content), ""))
    problems = [item for item in met if isinstance(item, Problem)]
    missing = sorted(REQUIRED - {item.file for item in met})
    problems += [Problem(file, (), "missing-file", "the file is missing; every library has one") for file in missing]
    return sorted(item for item in met if isinstance(item, SourceFile)), problems


def _scan(folder: str, below: str) -> Iterator[SourceFile | Problem]:
    """What lies in a folder, whose path in the content is `below`."""
    try:
        with os.scandir(folder) as entries:
            items = [item for item in entries if not _IGNORED.fullmatch(item.name)]
        for item in items:
            name, is_folder = below + item.name, item.is_dir(follow_symlinks=False)
            if is_folder and (name in FOLDERS or _INNER.fullmatch(name)):
                yield from _scan(item.path, f"{name}/")
            elif is_folder and below == f"{TRIALS}/":
                yield from _scan_trial(Path(item.path), name)
            elif refusal := _refused(item, name):
                yield Problem(printable(name), (), *refusal)
            else:
                stat = item.stat(follow_symlinks=False)
                yield SourceFile(name, stat.st_ctime_ns, stat.st_size)
    except OSError as error:
        yield Problem(printable(below or "."), (), "unreadable", f"cannot be read: {error.strerror}")


def _refused(item: os.DirEntry[str], name: str) -> tuple[str, str] | None:
    if item.is_symlink():
        return "symlink", "is a symbolic link; put the file itself here"
    if item.is_dir():
        end = did_you_mean(name, FOLDERS, f"; known are {', '.join(FOLDERS)}")
        return "not-content", f"is no folder of the content{end}"
    return _misnamed(name) if item.is_file() else ("not-content", "is no ordinary file; move it out of the content")


def _scan_trial(folder: Path, name: str) -> Iterator[SourceFile | Problem]:
    """Of a trial two files are records: the trial itself, which is another when any of its files is, and its proof."""
    spec, proof = folder / "trial.yaml", folder / PROOF
    if not SLUG.fullmatch(folder.name) or spec.is_symlink() or not spec.is_file():
        message = "has no trial.yaml, or not the name of a playbook; `playbooks trial new SLUG` begins one"
        yield Problem(printable(name), (), "not-content", message)
        return
    stats = [path.lstat() for _, path in trialfiles.files_of_trial(folder.parents[1], folder.name)]
    changed, size = max(one.st_ctime_ns for one in stats), sum(one.st_size + 1 for one in stats)
    yield SourceFile(f"{name}/trial.yaml", changed, size)
    if proof.is_file():
        stat = proof.lstat()
        yield SourceFile(f"{name}/{PROOF}", stat.st_ctime_ns, stat.st_size)


def _misnamed(name: str) -> tuple[str, str] | None:
    folder, _, base = name.rpartition("/")
    stem = base.removesuffix(".yaml")
    if name.startswith(f"{SKILLS}/"):
        such = "skills/<playbook>/scripts/check-6.py"
        fine = _SHIPPED.fullmatch(name)
        return None if fine else ("not-content", f"is no script of a skill; such are called {such}")
    if not folder:
        end = did_you_mean(name, FILES, f"; known are {', '.join(FILES)}")
        return None if name in FILES else ("not-content", f"is no file of the content{end}")
    if base == stem:
        mend = f"; name it {base.rpartition('.')[0]}.yaml" if base.endswith((".yml", ".YAML", ".YML")) else ""
        return "not-content", f"is not a .yaml file{mend or '; move it out of the content'}"
    if folder in _OF_A_PLAYBOOK:
        return "not-content", _OF_A_PLAYBOOK[folder]
    pattern = RUN_ID if folder.startswith("runs/") else SLUG
    if len(stem) > 64 or not pattern.fullmatch(stem):
        such = f"{slug_of(stem, '') or 'fix-flaky-tests'}.yaml"
        return "file-name", f"the name must be 1-64 of a-z, 0-9 and single hyphens, such as {such}"
    reserved = ("file-name", f"the name {stem!r} is reserved, because an address uses it; choose another")
    return reserved if stem in RESERVED_SLUGS else None


def read(content: Path, file: str, today: date, *, for_merge: bool = False) -> Reading:
    """Read one content file: bytes, text, values, model, and the rules that need nothing but this record.

    `for_merge` is the judgment of what comes into the library: its rules are asked too, and warnings are errors. What
    it finds beside errors leaves the record as it is.
    """
    try:
        raw = some_bytes(content / file)
    except OSError as error:
        return Reading(None, [Problem(file, (), "unreadable", f"cannot be read: {error.strerror}")])
    reading = read_bytes(raw, file, today, for_merge=for_merge)
    reading.digest, trial = sha256(raw).digest(), reading.record
    if isinstance(trial, TrialSpec):  # which is another when any of its files is
        whole = trialfiles.digest_of(content, trial.slug)
        reading.record = trial.digested(whole, trialfiles.case_digest_of(content, trial))
        reading.digest = sha256(reading.digest + whole.encode()).digest()
    return reading


def is_typed(file: str) -> bool:
    """Whether people type a file of the content as YAML: scripts and proofs lie there as they are."""
    return file.endswith(".yaml")


def some_bytes(path: Path) -> bytes:
    """A file's bytes; of one that is too large only as many as it takes to say so."""
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def read_bytes(raw: bytes, file: str, today: date, *, for_merge: bool = False) -> Reading:
    """As `read`, of bytes at hand; `file` says what kind of record they hold."""
    text = decode(raw, file)
    if isinstance(text, Problem):
        return Reading(None, [text])
    if file.endswith(PROOF):
        return _read_proof(text, file)
    if not is_typed(file):
        message = f"has more than {LARGEST_SCRIPT:,} bytes; a check that users read is shorter"
        if len(text.encode()) > LARGEST_SCRIPT:
            return Reading(None, [Problem(file, (), "too-large", message)])
        return Reading(SkillScript(text=text).filed(file))
    document = parse(text, file, typed=TYPED)
    value, held, left = document.value, document.problems, list[Problem]()
    record: Filed | None = None
    draft = isinstance(value, dict) and is_draft(value, file)
    if isinstance(value, dict) and draft:
        value = {key: inner for key, inner in value.items() if key != "status"}
        held = [*errors_in(held), *private_matter(texts_of(value), file)]
        found = _read_values(value, [], text, file, today, for_merge=for_merge)[1]
        left = [problem for problem in found if problem.code != "no-private-matter"]
    elif isinstance(value, dict):
        record, held = _read_values(value, held, text, file, today, for_merge=for_merge)
        held = told_once(held)
    elif value is not None:
        message = "the file must hold a mapping of keys to values, such as `title: …`"
        held = [*held, Problem(file, (), "not-a-mapping", message)]
    if for_merge and not draft:
        held = as_errors(held)
    return Reading(record, _placed(held, document.marks), draft, _placed(left, document.marks))


def _read_proof(text: str, file: str) -> Reading:
    """The proof of a trial. Nobody types it, so the mend of whatever is wrong is the same."""
    try:
        result = validate(ProofRecord, orjson.loads(text), file, IN_JSON)
    except orjson.JSONDecodeError as error:
        result = [Problem(file, (), "not-json", "is no JSON", line=error.lineno, column=error.colno)]
    if isinstance(result, ProofRecord):
        proof = result.filed(file)
        if proof.playbook == proof.slug:
            return Reading(proof)
        message = f"is {proof.playbook!r}, but the folder is {TRIALS}/{proof.slug}/"
        result = [Problem(file, ("playbook",), "proof", message)]
    mend = "; do not edit it, `playbooks trial prove` writes it"
    return Reading(None, [replace(problem, message=problem.message + mend) for problem in result])


def _read_values(
    value: dict[str, Value], problems: list[Problem], text: str, file: str, today: date, *, for_merge: bool
) -> tuple[Filed | None, list[Problem]]:
    """The record of these values, with the problems of their form and those of the record; none with an error."""
    model = FILES.get(file) or FOLDERS[file.split("/", 1)[0]]
    result, record = validate(model, value, file), None
    if isinstance(result, list):
        problems = [*problems, *result]
    else:
        problems = [*problems, *checks.of_record(result.filed(file), today)]
        record = None if any(errors_in(problems)) else result
        problems += checks.of_incoming(result) if for_merge else ()
    if left := list(unwritten(value, file)) if MARK in text and not file.startswith("runs/") else []:
        places = {problem.pointer for problem in left}
        return None, [*left, *(problem for problem in problems if problem.pointer not in places)]
    return record, problems


def _placed(problems: Iterable[Problem], marks: Mapping[Pointer, tuple[int, int]]) -> list[Problem]:
    """The problems, each with the line and column of the nearest value that is there."""
    found = []
    for problem in problems:
        pointer = problem.pointer
        while pointer and pointer not in marks:
            pointer = pointer[:-1]
        unplaced = (problem.line, problem.column) == (1, 1)
        found.append(problem.at(*marks.get(pointer, (1, 1))) if unplaced else problem)
    return found


def placed_in(text: str, file: str, problems: Iterable[Problem]) -> list[Problem]:
    """The problems of one text with their places."""
    return _placed(problems, parse(text, file, typed=TYPED).marks)


def placed(problems: Iterable[Problem], files: Path | Mapping[str, bytes]) -> list[Problem]:
    """Problems of cross-file rules with their places; `files` are a content folder, or at hand by their names."""
    found: list[Problem] = []
    for file, of_file in grouped((problem.file, problem) for problem in problems).items():
        text: str | Problem = ""
        with suppress(OSError, KeyError):  # gone or locked meanwhile, or not among those that are at hand
            text = decode(some_bytes(files / file) if isinstance(files, Path) else files[file], file)
        found.extend(placed_in(text, file, of_file) if isinstance(text, str) else of_file)
    return found


def loaded(record: Filed) -> Loaded:
    """What stays in memory of a record."""
    return entry(record) if isinstance(record, Playbook) else record


def check(
    content: Path, today: date, *, for_merge: bool = False, progress: Callable[[int, int], None] | None = None
) -> tuple[Library, list[Problem]]:
    """Read everything and run every rule: the library, where it can stand, and all problems in order.

    `for_merge` as in `read`; `library.rules.judgment` asks for the form of the files too.
    """
    found, problems = scan(content)
    records: list[Loaded] = []
    broken: set[str] = {problem.file for problem in problems}
    left_out: set[str] = set()
    sentences, copied = dict[int, str](), list[Problem]()
    tried = {item.file.split("/")[1] for item in found if item.file.startswith(f"{TRIALS}/")}
    books: dict[str, Playbook] = {}
    for done, item in enumerate(found, 1):
        reading = read(content, item.file, today, for_merge=for_merge)
        problems.extend(reading.problems)
        if reading.draft:
            left_out.add(item.file)
        elif reading.record is None:
            broken.add(item.file)
        else:
            records.append(loaded(reading.record))
        if isinstance(reading.record, Playbook):
            copied.extend(sentences_are_our_own(reading.record, sentences))
            if reading.record.slug in tried:
                books[reading.record.slug] = reading.record
        if progress:
            progress(done, len(found))
    library = assemble(records, today, unreadable=broken, left_out=left_out)
    cases = [_case_of(content, trial, books.get(trial.slug), library) for trial in library.trials.values()]
    trials = [problem for case in cases for problem in checks.of_trial(case)]
    problems.extend(placed([*copied, *trials, *checks.across(library, for_merge=for_merge)], content))
    return library, in_order(as_errors(problems) if for_merge else problems)


def _case_of(content: Path, trial: TrialSpec, book: Playbook | None, library: Library) -> TrialCase:
    """A trial with the playbook that it tries and the files that lie in its folder."""
    folder, scripts = content / TRIALS / trial.slug, content / SKILLS / trial.slug / "scripts"
    return TrialCase(
        trial=trial,
        book=book,
        known=library.has("playbooks", trial.slug),
        files=tuple(trialfiles.trial_files(folder)),
        states=tuple(trialfiles.states_of(folder)),
        scripts=frozenset(f"scripts/{path.name}" for path in scripts.glob("*")),
        today=library.today,
    )


def load(content: Path, today: date) -> Library:
    """The library in a content folder. Raises `ContentError` with every problem that is an error."""
    library, problems = check(content, today)
    errors = list(errors_in(problems))
    if errors:
        raise ContentError(errors)
    return library


def errors_in(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The problems that stop a build."""
    return (problem for problem in problems if problem.severity is Severity.ERROR)


def read_playbook(content: Path, slug: str, today: date) -> Playbook:
    """One whole playbook of a library that has been checked.

    Raises `ContentError` when the file changed for the worse.
    """
    reading = read(content, f"playbooks/{slug}.yaml", today)
    if not isinstance(reading.record, Playbook):
        raise ContentError(reading.problems)
    return reading.record
