"""From one run to knowledge: what a report teaches becomes a lesson, or a known failure of its playbook."""

from typing import Literal

from library.content.formatting import canonical, changed
from library.content.yamlfile import Value, parse
from library.problems import Problem
from library.records.naming import slug_of
from library.records.vocabulary import RunState
from library.rules.judgment import trial
from writeapi.keys import make_id
from writeapi.store import Conflict, DraftFile, Member, NewSubmission, NotFound, RunRecord

from ..publishing.parcels import run_file
from ..screening.matching import WITHDRAWN, agents_known, is_withdrawn, present_slug
from ..services import ReviewServices, editor_name
from .conflicts import naming_who, note_on_own, who_was_faster
from .items import fresh, lesson_of
from .texts import EditRefused, digest, field_problems, ready, refuse

Goal = Literal["lesson", "failure"]


def promote(
    review: ReviewServices,
    editor: Member,
    run_id: str,
    version: int,
    to: Goal,
    title: str,
    problem: str,
    fix: str,
    slug: str = "",
) -> str:
    """Make a lesson, or a known failure of its playbook, of a report that taught something; says the submission's id.

    The report is approved with it where it waits; the submission is its sender's, accepted at once. All of it
    happens or nothing. `slug` names a new lesson; empty, its title does. Raises `EditRefused`,
    `Conflict` or `NotFound`.
    """
    run = review.store.run(run_id)
    if run is None:
        raise NotFound("There is no report with this id.")
    if run.version != version or run.state not in (RunState.PENDING, RunState.APPROVED):
        raise Conflict(who_was_faster(review, run_id, version))
    if made := review.store.promoted(run_id):
        raise EditRefused([Problem("", (), "promoted", f"This report was promoted already, to {made}.")])
    own = note_on_own(review, editor, run.contributor_id)
    refuse(field_problems(title=("line", title), problem=("text", problem), fix=("text", fix)))
    book = present_slug(review.shelf.library(), run.playbook)
    lesson = lesson_of(run)
    if book is None or lesson is None:
        why = "its playbook is not in the library any more" if book is None else "it says nothing that could be taught"
        raise EditRefused([Problem("", (), "not-promotable", f"This report cannot be promoted: {why}.")])
    _refuse_bad_run(review, run, book)
    subject = make_id("sub", review.random)
    if to == "lesson":
        draft = _lesson(review, run, book, subject, (title, problem, fix), slug)
    else:
        draft = _failure(review, run, book, problem, fix)
    files = ready(review, [draft], subject)
    new = NewSubmission(
        id=subject,
        kind="lesson" if to == "lesson" else "correction",
        title=title,
        body=lesson,
        origin=run.origin,
        agent=run.agent,
        playbook=book,
        reporter=run.reporter,
        contributor_id=run.contributor_id,
    )
    note = f"From the run report {run_id}." + (f" {own}" if own else "")
    with naming_who(review, run_id, version):
        review.store.promote_run(run_id, version, new, files, by=editor_name(editor), note=note)
    return subject


def _refuse_bad_run(review: ReviewServices, run: RunRecord, book: str) -> None:
    """A report that waits is approved with its promotion, so its own file must pass the checks too."""
    if run.state is RunState.PENDING:
        if is_withdrawn(review.shelf.library(), book):
            raise EditRefused([Problem("", (), "unknown-playbook", WITHDRAWN)])
        file, body = run_file(run, book)
        refuse(trial(review.shelf.library(), {file: body}).problems)


def _lesson(
    review: ReviewServices, run: RunRecord, book: str, subject: str, words: tuple[str, str, str], slug: str
) -> DraftFile:
    library = review.shelf.library()
    title, problem, fix = words
    wanted = f"lessons/{slug_of(title, f'lesson-{subject[4:10]}')}.yaml"
    file = f"lessons/{slug}.yaml" if slug else fresh(review, subject)(wanted)
    values: dict[str, Value] = {"title": title, "problem": problem, "fix": fix, "playbooks": [book]}
    if agents := agents_known(library, [run.agent]):
        values["agents"] = [*agents]
    values["updated"] = f"{library.today}"
    if run.contributor:
        values["contributors"] = [{"handle": run.contributor}]
    else:  # a lesson says who told it: the report itself, which the playbook's page shows
        page = f"{library.site.site_url.rstrip('/')}/playbooks/{book}/"
        values["sources"] = [{"title": f"Run report {run.id}", "url": page}]
    return DraftFile(file, canonical(values, file).decode())


def _failure(review: ReviewServices, run: RunRecord, book: str, problem: str, fix: str) -> DraftFile:
    """The playbook's file with one failure more; its contributors get the report's, who had a key."""
    library = review.shelf.library()
    file = f"playbooks/{book}.yaml"
    old = review.shelf.text(file) or ""
    known = parse(old, file).value
    if isinstance(known, dict) and {"problem": problem, "fix": fix} in known.get("failures", []):
        raise EditRefused([Problem(file, ("failures",), "duplicate", "the playbook knows this failure already")])
    items: dict[str, list[Value]] = {"failures": [{"problem": problem, "fix": fix}]}
    if run.contributor and run.contributor not in library.playbooks[book].contributors:
        items["contributors"] = [{"handle": run.contributor}]
    body = changed(old.encode(), file, fields={"updated": f"{library.today}"}, items=items)
    if isinstance(body, list):
        raise EditRefused(body)
    return DraftFile(file, body.decode(), digest(old))
