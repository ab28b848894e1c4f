"""What is live: search, health, and the queue that takes run reports, contributors and submissions."""

from functools import partial

from flask import Flask

from library.interface.bodies import MAX_BODY

from .api.live import SearchSource, check_ready, live_blueprint
from .api.submissions import contributors, submissions
from .api.wire import register_errors
from .limits import limit_writes, limits_warning
from .logs import log_requests
from .services import Services, caller


def create_app(services: Services, search: SearchSource) -> Flask:
    """The Flask application, below the base address of the API.

    `search` gives the engine that is in use, or raises `IndexUnusable`.
    """
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY + 1
    app.url_map.strict_slashes = True
    app.url_map.merge_slashes = False  # it would lead to an address without the base
    app.extensions["playbooks"] = services
    register_errors(app, services.settings.site_url)
    log_requests(app, services.settings.trusted_proxies)

    counters = limit_writes(app, services.settings, caller)
    ready = partial(check_ready, services, search, partial(limits_warning, counters, services.settings))
    for blueprint in (live_blueprint(search, ready), contributors, submissions):
        app.register_blueprint(blueprint)
    return app
