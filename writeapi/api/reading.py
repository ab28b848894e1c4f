"""Reads that agents begin with: the one playbook for a task, and any version of a playbook; in JSON or in words."""

from collections.abc import Callable

from flask import Blueprint, Response, request

from library.interface import finding
from library.interface.answers import Answer, VersionAnswer
from library.interface.errors import NOT_FOUND
from library.interface.finding import FindTask
from library.records.fields import SLUG
from library.records.vocabulary import ResultType
from library.search.query import Question

from ..services import services
from .live import SearchSource, opened
from .wire import JSON, ApiError, read_model, read_query, reply

MARKDOWN = "text/markdown"
_LONGEST_SLUG = 64


def reading_blueprint(search: SearchSource) -> Blueprint:
    """The routes of these reads."""
    live = Blueprint("reading", __name__)

    @live.get("/find")
    def get_find() -> Response:
        return _found(read_query(FindTask, request.args.to_dict(flat=False)))

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
