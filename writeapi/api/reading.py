"""Reads that agents begin with: the one playbook for a task, and any version of a playbook; in JSON or in words."""

from collections.abc import Callable

from flask import Blueprint, Response, request

from library.interface import finding
from library.interface.answers import Answer, VersionAnswer
from library.interface.bodies import pointer
from library.interface.errors import INVALID, NOT_FOUND, FieldProblem
from library.interface.finding import FindTask
from library.records.fields import SLUG
from library.records.validating import IN_JSON, validate
from library.records.vocabulary import ResultType
from library.search.query import Question

from ..services import services
from .live import SearchSource, opened, unknown_or_repeated
from .wire import JSON, ApiError, read_model, reply

MARKDOWN = "text/markdown"
_LONGEST_SLUG = 64


def reading_blueprint(search: SearchSource) -> Blueprint:
    """The routes of these reads."""
    live = Blueprint("reading", __name__)

    @live.get("/find")
    def get_find() -> Response:
        return _found(read_task(request.args.to_dict(flat=False)))

    @live.post("/find")
    def post_find() -> Response:
        return _found(read_model(request, FindTask, private=frozenset({"task"}))[0])

    @live.get("/playbooks/<slug>/versions/<version>")
    def get_version(slug: str, version: str) -> Response:
        item = version_of(slug, version)
        return _in_json_or_words(item, lambda: finding.version_words(slug, item))

    def _found(asked: FindTask) -> Response:
        question = Question(asked.task.strip(), ResultType.PLAYBOOK, limit=finding.NEAREST + 1)
        hits = opened(search).answer(question).model_dump(mode="json")
        slug, here = finding.best(hits), services()
        book = here.playbook(slug) if slug else None
        answer = finding.answered(asked.task, asked.agent or "", hits, book, here.settings.site_url)
        return _in_json_or_words(answer, lambda: finding.words(answer))

    return live


def _in_json_or_words(answer: Answer, words: Callable[[], str]) -> Response:
    """An answer as the caller likes it best: JSON, or markdown."""
    if request.accept_mimetypes.best_match([JSON, MARKDOWN]) == MARKDOWN:
        response = Response(words(), content_type=f"{MARKDOWN}; charset=utf-8")
    else:
        response = reply(answer.json_bytes())
    response.headers |= {"Cache-Control": "no-store", "Vary": "Accept"}
    return response


def version_of(slug: str, version: str) -> VersionAnswer:
    """A version of a playbook with its text. Raises `ApiError` 404."""
    here = services()
    known = here.versions(slug) if len(slug) <= _LONGEST_SLUG and SLUG.fullmatch(slug) else None
    for item in known.items if known else ():
        if item.version == version and item.text:
            return item
        if item.version == version and (book := here.playbook(slug)):
            return item.model_copy(update={"text": finding.present_text(book)})
    raise ApiError(NOT_FOUND, "The playbook never had this version, or was withdrawn.")


def read_task(arguments: dict[str, list[str]]) -> FindTask:
    """The task in a query string. Raises `ApiError` 422 with everything that is wrong with it."""
    given = {name: values[0] for name, values in arguments.items() if values[0]}
    read = validate(FindTask, given, "query", IN_JSON)
    wrong = [(pointer(one.pointer), one.code, one.message) for one in read] if isinstance(read, list) else []
    wrong += ((f"/{name}", code, text) for name, code, text in unknown_or_repeated(arguments, [*arguments]))
    if wrong or isinstance(read, list):
        problems = [FieldProblem(pointer=place, code=code, detail=text) for place, code, text in wrong]
        raise ApiError(INVALID, "The query cannot be answered as it is.", problems)
    return read
