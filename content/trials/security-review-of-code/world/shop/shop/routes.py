"""The router's own list."""

from . import api, legacy  # noqa: F401  the routes
from .router import ROUTES

print("\n".join(sorted(f"{method} {pattern}" for method, pattern, _, _ in ROUTES)))
