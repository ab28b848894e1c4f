"""What can go wrong with a request."""


class NotFound(Exception):
    """There is no such player, team or week."""


class Refused(Exception):
    """The request makes no sense, and nothing of it is done."""


class Busy(Exception):
    """No connection was free in time."""
