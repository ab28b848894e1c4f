"""What is live: search and health now; runs, contributors and submissions stand here when the queue does."""

from __future__ import annotations

from flask import Flask

from .errors import register_errors
from .live import SearchSource, live_blueprint

__all__ = ["SearchSource", "create_app"]


def create_app(site_url: str, search: SearchSource) -> Flask:
    """The Flask application, below the base address of the API.

    `site_url` is where the docs page of errors is; `search` gives the engine that is in use, or raises `IndexUnusable`.
    """
    app = Flask(__name__, static_folder=None)
    app.json.ensure_ascii = False  # type: ignore[attr-defined]  # of the default provider
    app.url_map.strict_slashes = True
    register_errors(app, site_url)
    app.register_blueprint(live_blueprint(search))
    return app
