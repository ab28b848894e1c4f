"""The pages of review: an application of its own below `/review`, for editors who are signed in."""

from .app import MAX_FORM, create_review_app
from .site import MOUNT

__all__ = ["MAX_FORM", "MOUNT", "create_review_app"]
