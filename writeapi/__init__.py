"""What is live: search, health, and the queue that takes run reports, contributors and submissions."""

from functools import partial

from flask import Flask, Response

from library.interface.bodies import MAX_BODY
from library.interface.errors import OTHER_BODY, STATE_CONFLICT, UNAVAILABLE, FieldProblem

from .api.contributors import contributors
from .api.live import RETRY_SECONDS, SearchSource, check_ready, live_blueprint
from .api.reading import reading_blueprint
from .api.submissions import submissions
from .api.wire import ApiError, register_errors
from .limits import limit_writes, limits_warning
from .logs import log_requests
from .services import Services, caller
from .store.engine import Conflict, Mismatch, StoreError, Unavailable


def create_app(services: Services, search: SearchSource) -> Flask:
    """The Flask application, below the base address of the API.

    `search` gives the engine that is in use, or raises `IndexUnusable`.
    """
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY + 1
    app.url_map.strict_slashes = True
    app.extensions["playbooks"] = services
    register_errors(app, services.settings.site_url)
    for refusal in (Unavailable, Mismatch, Conflict):
        app.register_error_handler(refusal, lambda error: app.handle_user_exception(_refusal(error)))
    log_requests(app, services.settings.trusted_proxies)
    app.after_request(_as_it_says)
    counters = limit_writes(app, services.settings, caller)
    ready = partial(check_ready, services, search, partial(limits_warning, counters, services.settings))
    for blueprint in (live_blueprint(search, ready), reading_blueprint(search), contributors, submissions):
        app.register_blueprint(blueprint)
    return app


def _as_it_says(response: Response) -> Response:
    """Let no browser guess at another type than the answer's own."""
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def _refusal(error: StoreError) -> ApiError:
    """What a caller is told of what the store refuses: 503 when it cannot be asked now, else what stands in the way."""
    if isinstance(error, Mismatch):
        place = FieldProblem(pointer="", code="idempotency-key", detail="this Idempotency-Key came with another body")
        return ApiError(OTHER_BODY, "Use a new Idempotency-Key for a new body.", [place])
    if isinstance(error, Conflict):
        return ApiError(STATE_CONFLICT, "Something changed it meanwhile; read it again.")
    detail = f"The queue cannot take it now; try again in {RETRY_SECONDS} seconds."
    return ApiError(UNAVAILABLE, detail, headers={"Retry-After": str(RETRY_SECONDS)})
