"""What the store says when it cannot do what it was asked."""

from library.problems import LibraryError


class StoreError(LibraryError):
    """Any refusal of the store; its text is for people and holds nothing that a caller wrote."""


class Unavailable(StoreError):
    """The database cannot take or give it now: try again later. Nothing is known to have been stored."""


class HandleTaken(StoreError):
    """Another contributor has this handle, perhaps in another spelling."""


class Mismatch(StoreError):
    """The same caller used the same idempotency key for another body."""


class Conflict(StoreError):
    """The state does not allow it, or somebody else was faster."""


class NotFound(StoreError):
    """There is no such record."""
